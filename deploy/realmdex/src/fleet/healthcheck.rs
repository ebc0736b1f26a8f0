//! `realmdex healthcheck`: whether a role of realmdex can work, for whatever restarts it.

use std::process::ExitCode;

use realmdex_scheduler::operator::wire::Ready;
use url::Url;

use crate::answer;
use crate::operator_client::{HttpOperator, Origin};

/// `realmdex healthcheck`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex healthcheck
  realmdex healthcheck --url http://127.0.0.1:4791 --json

In a container file:
  HEALTHCHECK CMD [\"realmdex\", \"healthcheck\"]

Exit code 0 if it is ready, 1 if it is not or does not answer. No token is needed.")]
pub(crate) struct Arguments {
    /// Where the role's operator listener is.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:4790")]
    url: Url,
    /// Print the answer as JSON: `{isReady, missing}`.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let operator = HttpOperator::new(arguments.url, None, Origin::Listener)?;
    let ready = operator.readiness().await.unwrap_or_else(|error| Ready {
        is_ready: false,
        missing: vec![error.to_string()],
    });
    answer::print(&match ready.is_ready {
        _ if arguments.json => answer::json(&ready)?,
        true => "ready\n".to_owned(),
        false => format!("not ready: {}\n", ready.missing.join("; ")),
    })?;
    Ok(if ready.is_ready {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

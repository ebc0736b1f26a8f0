//! `realmdex healthcheck`: whether a role of realmdex can work, for whatever restarts it.

use std::process::ExitCode;

use url::Url;

use crate::answer;
use crate::operator_client::{HttpOperator, Origin};

/// `realmdex healthcheck`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  realmdex healthcheck
  realmdex healthcheck --url http://127.0.0.1:4791

In a container file:
  HEALTHCHECK CMD [\"realmdex\", \"healthcheck\"]

Exit code 0 if it is ready, 1 if it is not or does not answer. No token is needed.")]
pub(crate) struct Arguments {
    /// Where the role's operator listener is.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:4790")]
    url: Url,
}

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let operator = HttpOperator::new(arguments.url, None, Origin::Listener)?;
    let (text, code) = match operator.readiness().await {
        Ok(ready) if ready.is_ready => ("ready\n".to_owned(), ExitCode::SUCCESS),
        Ok(ready) => (
            format!("not ready: {}\n", ready.missing.join("; ")),
            ExitCode::FAILURE,
        ),
        Err(error) => (format!("not ready: {error}\n"), ExitCode::FAILURE),
    };
    answer::print(&text)?;
    Ok(code)
}

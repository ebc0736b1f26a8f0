//! Which operator a command asks.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches};
use url::Url;

use super::OperatorClient;
use super::found::holder_of;
use super::http::{HttpOperator, Origin, token_in};
use super::running::{self, Holder, Missing, Running};
use crate::database::{Database, IndexPlace};
use crate::realm_place::AskedPlace;

/// Where the operator is. What the command line says wins over the environment; of what the environment says, a server
/// wins over a database and that over a folder.
#[derive(Clone, Debug)]
pub(crate) struct OperatorPlace {
    at: At,
    token_file: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq)]
enum At {
    /// Wherever `realmdex up` runs.
    Found,
    Server(Url),
    Database(String),
    Data(PathBuf),
}

#[derive(clap::Args)]
#[command(next_help_heading = "Where to ask (`realmdex up` of this user is found by itself)")]
struct Given {
    /// Ask the operator that listens at this URL.
    #[arg(long, env = "REALMDEX_SERVER", value_name = "URL")]
    server: Option<Url>,
    /// A file that holds the server's token.
    #[arg(long, env = "REALMDEX_TOKEN_FILE", value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Ask no server: work on the fleet's database itself.
    #[arg(
        long,
        env = "REALMDEX_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    database: Option<String>,
    /// Ask the `realmdex up` that has the embedded index in this folder; if none runs, work on that index.
    #[arg(long, env = "REALMDEX_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Given {
    fn of(&self, name: &str) -> Option<At> {
        match name {
            "server" => self.server.clone().map(At::Server),
            "database" => self.database.clone().map(At::Database),
            _ => self.data.clone().map(At::Data),
        }
    }
}

/// The flags that say where, each winning over the next.
const PLACES: [&str; 3] = ["server", "database", "data"];

impl FromArgMatches for OperatorPlace {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = Given::from_arg_matches(matches)?;
        let from = |source: ValueSource| {
            PLACES
                .into_iter()
                .filter(move |name| matches.value_source(name) == Some(source))
        };
        let mut said = from(ValueSource::CommandLine);
        let first = said.next();
        if let (Some(one), Some(other)) = (first, said.next()) {
            return Err(crate::Cli::command().error(
                ErrorKind::ArgumentConflict,
                format!("--{one} and --{other} both say where the operator is: give one of them"),
            ));
        }
        let name = first.or_else(|| from(ValueSource::EnvVariable).next());
        Ok(Self {
            at: name.and_then(|name| given.of(name)).unwrap_or(At::Found),
            token_file: given.token_file,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OperatorPlace {
    fn augment_args(command: clap::Command) -> clap::Command {
        Given::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Given::augment_args_for_update(command)
    }
}

impl OperatorPlace {
    /// Whether it is said which one is meant.
    pub(crate) fn is_said(&self) -> bool {
        self.at != At::Found
    }

    /// Finds the one that has the index a place lies in, unless another is said.
    pub(super) async fn reach_index_of(
        &self,
        asked: &AskedPlace,
    ) -> anyhow::Result<OperatorClient> {
        if self.is_said() {
            return self.reach().await;
        }
        match holder_of(asked).await? {
            Holder::Here(database) => OperatorClient::in_process(database, None),
            Holder::Up(operator) => Ok(OperatorClient::http(operator)),
        }
    }

    /// Finds it.
    pub(super) async fn reach(&self) -> anyhow::Result<OperatorClient> {
        match &self.at {
            At::Server(url) => {
                let token = self.token_file.as_deref().map(token_in).transpose()?;
                let operator = HttpOperator::new(url.clone(), token.as_deref(), Origin::Given)?;
                Ok(OperatorClient::http(operator))
            }
            At::Database(url) => {
                let place = IndexPlace {
                    database: Some(url.clone()),
                    data: None,
                };
                let database = Database::open(&place, Path::new("")).await?;
                OperatorClient::in_process(database, None)
            }
            At::Data(folder) => match running::holder(folder, Missing::IsAnError).await? {
                Holder::Here(database) => {
                    OperatorClient::in_process(database, Some(folder.clone()))
                }
                Holder::Up(operator) => Ok(OperatorClient::http(operator)),
            },
            At::Found => Ok(OperatorClient::http(only(running::all().await?)?)),
        }
    }
}

/// The one that runs.
fn only(mut running: Vec<Running>) -> anyhow::Result<HttpOperator> {
    match (running.pop(), running.as_slice()) {
        (None, _) => bail!(
            "no `realmdex up` of this user runs: start it with `realmdex up PATH…`, or say where the operator is with --server, --database or --data"
        ),
        (Some(one), []) => Ok(one.operator),
        (Some(last), others) => {
            let all: String = others
                .iter()
                .chain([&last])
                .map(|one| {
                    format!(
                        "\n  --data {}  ({})",
                        one.folder.display(),
                        one.operator.url()
                    )
                })
                .collect();
            bail!(
                "several `realmdex up` run: say which with --data, or --server and --token-file:{all}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Asks {
        #[command(flatten)]
        place: OperatorPlace,
    }

    #[test]
    fn one_place_is_given() {
        let parsed = |arguments: &[&str]| {
            let all = ["asks"].iter().chain(arguments);
            Asks::try_parse_from(all).map(|asks| asks.place.at)
        };
        let url = Url::parse("http://127.0.0.1:4790").unwrap();
        assert_eq!(
            parsed(&["--server", "http://127.0.0.1:4790"]).unwrap(),
            At::Server(url)
        );
        assert_eq!(
            parsed(&["--data", "here"]).unwrap(),
            At::Data("here".into())
        );
        let refused = parsed(&["--data", "here", "--database", "postgres://h/d"]).unwrap_err();
        assert!(
            refused.to_string().contains("--database and --data both"),
            "{refused}"
        );
    }
}

//! The broker of a role.

use anyhow::bail;
use realmdex_queue::{Broker, Management};

use crate::config::Config;

/// The broker that the settings name. Whether it is there now does not matter; whether its policies are as they should
/// be is checked when it can be.
pub(super) async fn connect(config: &Config) -> anyhow::Result<Broker> {
    if config.broker.is_empty() {
        bail!("no broker is given: say --broker amqp://…, or set REALMDEX_BROKER");
    }
    let broker = Broker::amqp(&config.broker, &config.name())?;
    if !config.broker_management.is_empty() {
        let management = Management::new(&config.broker_management, &config.broker)?;
        match management.check().await {
            Ok(warnings) => {
                for warning in warnings {
                    tracing::warn!("{warning}");
                }
            }
            Err(error) => {
                let error = realmdex_types::in_words(&error);
                tracing::warn!(error, "the broker's policies can't be checked");
            }
        }
    }
    Ok(broker)
}

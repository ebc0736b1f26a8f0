//! What can go wrong so that someone has to mend it.

use thiserror::Error;

/// Why a broker or its management page could not be used. A broker that is only down is no error: see
/// [`crate::BrokerState`].
#[derive(Debug, Error)]
pub enum BrokerError {
    /// The URL can't be one of a broker.
    #[error(
        "not an AMQP URL: {why}; write amqp://user:password@host:5672/%2f, or amqps:// for TLS"
    )]
    Url {
        /// What is wrong with it. The URL itself is not told: it holds a password.
        why: String,
    },
    /// The URL can't be one of a management page.
    #[error(
        "not the URL of RabbitMQ's management page: {why}; write http://user:password@host:15672"
    )]
    ManagementUrl {
        /// What is wrong with it. The URL itself is not told: it holds a password.
        why: String,
    },
    /// No answer from the management page.
    #[error(
        "RabbitMQ's management page can't be reached: {0}; check its URL, and that rabbitmq_management is enabled"
    )]
    Unreachable(#[source] reqwest::Error),
    /// The management page refuses.
    #[error("RabbitMQ's management page answers {status} to {asked}: {why}")]
    Refused {
        /// Method and path.
        asked: String,
        /// The HTTP status.
        status: u16,
        /// Its reason.
        why: String,
    },
}

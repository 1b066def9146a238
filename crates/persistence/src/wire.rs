//! A connection outside the pool that hears notifications.

use std::{future::poll_fn, time::Duration};

use pharos_domain::store::StoreError;
use tokio::{sync::mpsc, task::JoinHandle, time::timeout};
use tokio_postgres::{AsyncMessage, Client, Notification, SimpleQueryMessage};

use crate::{connector::Connector, failure::connection_failure};

/// How long the server may take to answer. A connection that is silent for longer is as good as lost.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

/// A connection with what it hears. It closes when this is dropped.
pub(crate) struct Session {
    client: Client,
    /// The notifications, in order. They end when the connection does.
    pub(crate) notifications: mpsc::UnboundedReceiver<Notification>,
    driver: JoinHandle<()>,
}

impl Session {
    /// Opens a connection that calls itself `application_name`.
    pub(crate) async fn open(connector: &Connector, application_name: &str) -> Result<Self, StoreError> {
        let (client, mut wire) = connector.open(application_name).await?;
        let (heard, notifications) = mpsc::unbounded_channel();
        let driver = tokio::spawn(async move {
            loop {
                match poll_fn(|context| wire.poll_message(context)).await {
                    Some(Ok(AsyncMessage::Notification(notification))) => {
                        if heard.send(notification).is_err() {
                            break;
                        }
                    }
                    Some(Ok(_)) => {}
                    Some(Err(error)) => {
                        tracing::debug!(%error, "a connection to the database ended");
                        break;
                    }
                    None => break,
                }
            }
        });
        Ok(Self {
            client,
            notifications,
            driver,
        })
    }
}

impl Session {
    /// Whether the connection has not ended.
    pub(crate) fn is_open(&self) -> bool {
        !self.client.is_closed()
    }

    /// Runs statements of one transaction.
    pub(crate) async fn run(&self, statements: &str) -> Result<Vec<SimpleQueryMessage>, StoreError> {
        timeout(ANSWER_WITHIN, self.client.simple_query(statements))
            .await
            .map_err(|late| StoreError::Unavailable(Box::new(late)))?
            .map_err(connection_failure)
    }

    /// Sends a notification.
    pub(crate) async fn notify(&self, channel: &str, payload: &str) -> Result<(), StoreError> {
        // Both are made of letters, digits and colons: nothing needs quoting.
        self.run(&format!("NOTIFY {channel}, '{payload}'"))
            .await
            .map(|_| ())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

//! A connection outside the pool that hears notifications.

use std::future::poll_fn;

use pharos_domain::store::StoreError;
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_postgres::{AsyncMessage, Client, Notification};

use crate::connector::Connector;

/// A connection with what it hears. It closes when this is dropped.
pub(crate) struct Session {
    pub(crate) client: Client,
    /// What was heard, in order. Ends when the connection does.
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

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

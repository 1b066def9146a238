//! The switch that readers of mails have, without an account.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::store::StoreError;

/// What mails are sent for, as the reader who follows the link in one is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The channel's name.
    pub channel_name: String,
    /// The workspace's name.
    pub workspace_name: String,
    /// Whether mails are still sent.
    pub is_on: bool,
}

/// Finds and ends what mails are sent for, by the random token of their link.
#[async_trait]
pub trait Unsubscribe: Send + Sync {
    /// The subscription that the token is of.
    async fn find(&self, token: Uuid) -> Result<Option<Subscription>, StoreError>;

    /// Ends it: no further mail is sent. One that has ended stays so.
    async fn end(&self, token: Uuid, now: OffsetDateTime) -> Result<Option<Subscription>, StoreError>;
}

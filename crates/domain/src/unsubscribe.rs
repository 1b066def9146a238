//! The switch that readers of mails have, without an account.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::store::StoreError;

/// The channel that mails are sent for, as the reader is told who follows the link in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedChannel {
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
    /// The channel whose mails have the token in their links.
    async fn find(&self, token: Uuid) -> Result<Option<MailedChannel>, StoreError>;

    /// Ends it: no further mail is sent. One that has ended stays so.
    async fn end(&self, token: Uuid, now: OffsetDateTime) -> Result<Option<MailedChannel>, StoreError>;
}

//! The ports of recipients, for those who manage a template, and for readers by the links in their mails.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    ids::{ReportRecipientId, ReportTemplateId},
    store::StoreError,
};
use thiserror::Error;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    bounds::{ASKED_BY_WORKSPACE, ASKED_OF_ADDRESS, MOST_RECIPIENTS, REFUSED_FOR},
    recipient::{Address, Recipient, RecipientState},
    token::TokenDigest,
};

/// Why a recipient was not added, asked or removed.
#[derive(Debug, Error)]
pub enum RecipientError {
    /// There is no such template.
    #[error("there is no such report template")]
    NoTemplate,
    /// There is no such recipient.
    #[error("there is no such recipient of this report")]
    NotFound,
    /// The template has them already.
    #[error("the report has this recipient already")]
    Known,
    /// They said yes before.
    #[error("this recipient has said yes already")]
    Confirmed,
    /// The template has as many as it may.
    #[error("a report has {MOST_RECIPIENTS} recipients at most; remove one first")]
    TooMany,
    /// They have been asked too often.
    #[error("this address was asked {ASKED_OF_ADDRESS} times within a day; try again tomorrow")]
    AddressAskedTooOften,
    /// The workspace asks too often.
    #[error("the workspace asked {ASKED_BY_WORKSPACE} addresses within a day; try again tomorrow")]
    WorkspaceAsksTooOften,
    /// They want no mails of this workspace.
    #[error("this address wants no reports of this workspace; it can be asked again after {} days", REFUSED_FOR.whole_days())]
    Refused,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Looks after the recipients of templates.
#[async_trait]
pub trait RecipientAdmin: Send + Sync {
    /// Those of a template, by address.
    async fn list(&self, template: ReportTemplateId) -> Result<Vec<Recipient>, RecipientError>;

    /// Adds one, who is asked by a mail.
    async fn add(
        &self,
        template: ReportTemplateId,
        address: &Address,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Recipient, RecipientError>;

    /// Asks a recipient again who has not accepted. The link in the earlier mail no longer works.
    async fn ask_again(
        &self,
        template: ReportTemplateId,
        recipient: ReportRecipientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Recipient, RecipientError>;

    /// Removes a recipient. Mails that wait for them are dropped, and their address is deleted.
    async fn remove(
        &self,
        template: ReportTemplateId,
        recipient: ReportRecipientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), RecipientError>;
}

/// The report that a link in a mail is about, as it is described to its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedReport {
    /// The name of the report.
    pub template_name: String,
    /// The name of the site.
    pub hostname: String,
    /// The name of the workspace.
    pub workspace_name: String,
    /// Whether the reader was asked, has accepted, or wants nothing any more.
    pub state: RecipientState,
}

/// Consent and unsubscription, by the links in mails.
#[async_trait]
pub trait RecipientLinks: Send + Sync {
    /// The report that a link asks about; `None`: the link was used, its time is over, or a newer one replaced it.
    async fn asked(&self, link: &TokenDigest) -> Result<Option<MailedReport>, StoreError>;

    /// The reader says yes. A link says it once.
    async fn confirm(
        &self,
        link: &TokenDigest,
        now: OffsetDateTime,
    ) -> Result<Option<MailedReport>, StoreError>;

    /// The report whose mails have this token in their link.
    async fn find(&self, unsubscribe: Uuid) -> Result<Option<MailedReport>, StoreError>;

    /// Ends the mails, since their reader wants no more of them. A reader who has ended them before stays so.
    async fn end(&self, unsubscribe: Uuid, now: OffsetDateTime) -> Result<Option<MailedReport>, StoreError>;

    /// Whether this token is that of somebody who was asked within the last 90 days, also where they are a recipient no more.
    async fn was_asked(&self, unsubscribe: Uuid) -> Result<bool, StoreError>;

    /// Somebody who was asked, and is a recipient no more, wants no mails of the workspace. `false`: nobody with this token was
    /// asked.
    async fn refuse(&self, unsubscribe: Uuid) -> Result<bool, StoreError>;
}

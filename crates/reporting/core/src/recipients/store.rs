//! The ports of recipients: whoever looks after a template, and readers by the links in their mails.

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

    /// Asks one again who has not said yes. The link in the mail before leads nowhere then.
    async fn ask_again(
        &self,
        template: ReportTemplateId,
        recipient: ReportRecipientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Recipient, RecipientError>;

    /// Removes one. Mails that wait for them are dropped, and their address is forgotten.
    async fn remove(
        &self,
        template: ReportTemplateId,
        recipient: ReportRecipientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), RecipientError>;
}

/// The report that a link in a mail is about, as its reader is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedReport {
    /// The name of the report.
    pub template_name: String,
    /// The name of the site.
    pub hostname: String,
    /// The name of the workspace.
    pub workspace_name: String,
    /// How the reader stands.
    pub state: RecipientState,
}

/// Consent and unsubscription, by the links in mails.
#[async_trait]
pub trait RecipientLinks: Send + Sync {
    /// The report that a link asks about; `None`: it was used, its time is over, or a newer one took its place.
    async fn asked(&self, link: &TokenDigest) -> Result<Option<MailedReport>, StoreError>;

    /// The reader says yes. A link says it once.
    async fn confirm(
        &self,
        link: &TokenDigest,
        now: OffsetDateTime,
    ) -> Result<Option<MailedReport>, StoreError>;

    /// The report whose mails have this token in their link.
    async fn find(&self, unsubscribe: Uuid) -> Result<Option<MailedReport>, StoreError>;

    /// Its reader wants no more of them. Who said so before stays so.
    async fn end(&self, unsubscribe: Uuid, now: OffsetDateTime) -> Result<Option<MailedReport>, StoreError>;
}

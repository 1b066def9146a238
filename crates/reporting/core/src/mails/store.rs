//! The ports of mails.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    identity::DomainAccess,
    ids::{ReportDeliveryId, ReportRecipientId, RunId},
    secret::Secret,
    store::StoreError,
};
use thiserror::Error;
use time::{Duration, OffsetDateTime};

use crate::{
    format::ReportLocale,
    recipients::{recipient::Address, token::TokenDigest},
    run::{NewReportRun, ReportRun},
};

/// How long a template that was sent can't be sent by hand again.
pub const BETWEEN_SENDS: Duration = Duration::minutes(10);
/// How many reports of a workspace may be made by hand within a day.
pub const MOST_SENDS: u32 = 20;

/// A question to somebody whether they want reports.
#[derive(Clone, Debug)]
pub struct RecipientQuestion {
    /// The address that is asked.
    pub to: Address,
    /// The name of the site.
    pub hostname: String,
    /// The name of the workspace.
    pub workspace_name: String,
    /// Until when they may accept.
    pub until: OffsetDateTime,
    /// The token of the link that ends such mails.
    pub unsubscribe_token: Secret,
}

/// A report that is to be mailed.
#[derive(Clone, Debug)]
pub struct ReportToMail {
    /// The address of its reader.
    pub to: Address,
    /// The run that made it.
    pub run: ReportRun,
    /// How numbers and dates are written.
    pub locale: ReportLocale,
    /// The colour of the report, `#rrggbb`.
    pub accent: Option<String>,
    /// The name of the site.
    pub hostname: String,
    /// The name of the workspace.
    pub workspace_name: String,
    /// The token of the link that ends such mails.
    pub unsubscribe_token: Secret,
}

/// The end of an attempt at a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailEnd {
    /// The mail server took it.
    Sent,
    /// It did not, and is asked again.
    Again {
        /// Why, for people.
        why: String,
    },
    /// It failed, and is not tried again unless an operator wants that.
    GivenUp {
        /// Why, for people.
        why: String,
    },
    /// There is nothing to send any more, or nobody who wants it.
    Dropped,
}

/// Hands out mails to send, and stores how that went.
#[async_trait]
pub trait ReportMails: Send + Sync {
    /// The question to a recipient, with a new link of that digest; `None`: they have answered, their time is over, or they are
    /// gone.
    async fn question(
        &self,
        recipient: ReportRecipientId,
        link: &TokenDigest,
    ) -> Result<Option<RecipientQuestion>, StoreError>;

    /// A report on its way; `None`: it was sent, its result is no longer kept, or its reader does not want it any more. A
    /// deleted template deletes what waited with it.
    async fn report(&self, delivery: ReportDeliveryId) -> Result<Option<ReportToMail>, StoreError>;

    /// Records how an attempt ended.
    async fn ended(&self, delivery: ReportDeliveryId, end: &MailEnd) -> Result<(), StoreError>;
}

/// Why a report is not sent now.
#[derive(Debug, Error)]
pub enum SendNowError {
    /// There is no such template any more.
    #[error("there is no such report template")]
    NoTemplate,
    /// Nobody would get it.
    #[error("no recipient has said yes yet")]
    NoRecipient,
    /// It was sent a moment ago.
    #[error("this report was sent less than {} minutes ago, or is being made", BETWEEN_SENDS.whole_minutes())]
    TooSoon,
    /// Too many were.
    #[error("the workspace had {MOST_SENDS} reports made by hand within a day; try again tomorrow")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How the deliveries of a run stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// On their way.
    pub queued: u32,
    /// Taken by the mail server.
    pub sent: u32,
    /// Given up.
    pub failed: u32,
    /// Not sent, since nobody wanted them any more.
    pub dropped: u32,
}

/// Sends reports by hand, and says how it went.
#[async_trait]
pub trait ReportSending: Send + Sync {
    /// Records a run by hand. Its report goes to the recipients of its template where it is mailed, else to nobody. Nobody
    /// pays for it.
    async fn send_now(
        &self,
        domain: &DomainAccess,
        new: &NewReportRun,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<ReportRun, SendNowError>;

    /// How the deliveries of these runs stand, of those that have any.
    async fn counts(&self, runs: &[RunId]) -> Result<Vec<(RunId, DeliveryCounts)>, StoreError>;
}

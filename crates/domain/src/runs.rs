//! What a caller asked to be done now, and how far it is.

use time::OffsetDateTime;

use crate::{
    identity::{CredentialKind, Identity},
    ids::{CredentialId, RunId},
    wire_enum,
};

wire_enum! {
    /// What a run does.
    RunKind {
        /// A wide pull of search data.
        GscReport = "gsc_report",
        /// A wide pull of analytics.
        AnalyticsReport = "analytics_report",
        /// A report from a template.
        Report = "report",
        /// The index state of a list of URLs.
        Inspector = "inspector",
        /// A lab test of a page.
        Synthetic = "synthetic",
        /// A record of field data.
        CruxLookup = "crux_lookup",
        /// A check of a site.
        UptimeCheck = "uptime_check",
        /// A fetch of robots.txt.
        RobotsCheck = "robots_check",
        /// A fetch of the sitemaps.
        SitemapCheck = "sitemap_check",
        /// The recent days of search data, anew.
        GscSync = "gsc_sync",
    }
}

wire_enum! {
    /// How far a run is.
    RunStatus {
        /// It waits for a worker.
        Queued = "queued",
        /// It is being done.
        Running = "running",
        /// It is done.
        Succeeded = "succeeded",
        /// Some of its items are done, the others failed.
        Partial = "partial",
        /// It failed.
        Failed = "failed",
        /// It was called off.
        Canceled = "canceled",
        /// It is done, and its result is no longer kept.
        Expired = "expired",
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// What it does.
    pub kind: RunKind,
    /// How far it is.
    pub status: RunStatus,
    /// When it was asked for.
    pub requested_at: OffsetDateTime,
    /// When it began; `None` while it is queued.
    pub started_at: Option<OffsetDateTime>,
    /// When it ended; `None` until it has.
    pub finished_at: Option<OffsetDateTime>,
    /// When its result is no longer kept.
    pub expires_at: Option<OffsetDateTime>,
    /// How much of it is done, 0 to 100; `None` where that can't be known.
    pub progress_pct: Option<f64>,
    /// Of how many items it consists.
    pub total_items: Option<u32>,
    /// How many of them are done.
    pub completed_items: Option<u32>,
    /// How many of them failed.
    pub failed_items: Option<u32>,
    /// Why it failed, as the suffix of a problem.
    pub error_code: Option<String>,
    /// The same in words.
    pub error_detail: Option<String>,
    /// Who asked for it.
    pub requested_by: Requester,
    /// What it cost.
    pub credits_charged: u32,
}

/// The credential that asked for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    /// Its kind.
    pub kind: CredentialKind,
    /// Its id.
    pub credential_id: CredentialId,
}

impl From<&Identity> for Requester {
    fn from(identity: &Identity) -> Self {
        Self {
            kind: identity.kind,
            credential_id: identity.credential_id,
        }
    }
}

impl Run {
    /// A new run that nobody has begun.
    #[must_use]
    pub fn requested(kind: RunKind, by: Requester, credits_charged: u32, now: OffsetDateTime) -> Self {
        Self {
            id: RunId::generate(),
            kind,
            status: RunStatus::Queued,
            requested_at: now,
            started_at: None,
            finished_at: None,
            expires_at: None,
            progress_pct: None,
            total_items: None,
            completed_items: None,
            failed_items: None,
            error_code: None,
            error_detail: None,
            requested_by: by,
            credits_charged,
        }
    }
}

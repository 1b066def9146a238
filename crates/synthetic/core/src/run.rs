//! Runs: a page, measured once.

use pharos_domain::{
    identity::Identity,
    ids::{DomainId, RunId, SyntheticUrlId, WorkspaceId},
    jobs::{JobKind, NewJob},
    runs::{Requester, RunStatus},
    wire_enum,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::{budget::BudgetOutcome, result::Summary};

/// The kind of the jobs.
pub const KIND: JobKind = JobKind::new("synthetic");
/// How often a run is tried where the node failed, and not the page.
const MAX_ATTEMPTS: u16 = 3;
/// How long a run may wait for a node that can measure.
pub const WAITS: Duration = Duration::hours(6);
/// How long pictures and reports of runs are kept; figures are kept for 12 months.
pub const IMAGES_KEPT: Duration = Duration::days(90);

wire_enum! {
    /// Why a page was measured.
    Trigger as "LabTrigger" {
        /// The schedule of its page.
        Schedule = "schedule",
        /// Somebody asked for it through the API.
        Api = "api",
        /// Somebody asked for it in the console.
        Dashboard = "dashboard",
    }
}

impl Trigger {
    /// How this caller asks for a run.
    #[must_use]
    pub fn of(caller: &Identity) -> Self {
        if caller.is_session() {
            Self::Dashboard
        } else {
            Self::Api
        }
    }
}

/// The newest run of a page, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastRun {
    /// The id by which it is looked up.
    pub id: RunId,
    /// How far it is.
    pub status: RunStatus,
    /// When it was requested.
    pub requested_at: OffsetDateTime,
    /// When it ended.
    pub finished_at: Option<OffsetDateTime>,
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct LabRun {
    /// The id by which it is looked up.
    pub id: RunId,
    /// The tracked page. `None`: a run of none.
    pub url_id: Option<SyntheticUrlId>,
    /// Its URL as it was then.
    pub url: String,
    /// The id of the profile that it is made with.
    pub profile_id: String,
    /// Why it was measured.
    pub trigger: Trigger,
    /// How far it is.
    pub status: RunStatus,
    /// When it was requested.
    pub requested_at: OffsetDateTime,
    /// When it began.
    pub started_at: Option<OffsetDateTime>,
    /// When it ended.
    pub finished_at: Option<OffsetDateTime>,
    /// Why it failed: the suffix of a problem, and the same in words.
    pub error: Option<(String, String)>,
    /// The result; `None` until there is one.
    pub summary: Option<Summary>,
    /// How the budgets of the time stood.
    pub budgets: Vec<BudgetOutcome>,
    /// Until when its pictures are kept; `None`: it has none.
    pub images_until: Option<OffsetDateTime>,
    /// Whether the picture of the page in the end is among them.
    pub has_screenshot: bool,
    /// Who asked for it; `None`: its schedule.
    pub requested_by: Option<Requester>,
    /// Credits charged for it.
    pub credits_charged: u32,
}

/// The payload of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The run that is ordered.
    pub run_id: RunId,
    /// The domain that the page is of.
    pub domain_id: DomainId,
}

/// The job of a run.
#[must_use]
pub fn job(order: Order, workspace: WorkspaceId) -> NewJob {
    NewJob::of(workspace, KIND, json!(order), MAX_ATTEMPTS)
}

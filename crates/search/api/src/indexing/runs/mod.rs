//! Inspector runs.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod results;
pub(crate) mod view;

use pharos_domain::runs::Run;
use pharos_http::{operation::Example, run::RunPublic, spec::BASE_PATH};
use pharos_search::indexing::{quota::InspectorQuota, store::runs::InspectorRun};
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::QuotaPublic;

/// An inspector run. Its items are the URLs of the request: repeated ones count as completed, those that were left out for the
/// quota as failed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InspectorRun)]
pub(crate) struct InspectorRunPublic {
    #[serde(flatten)]
    run: RunPublic,
    /// Its name; null where it has none.
    #[schema(required)]
    label: Option<String>,
    /// The inspections that are left now; null where the domain is not linked to a property any more.
    #[schema(required)]
    quota: Option<QuotaPublic>,
}

impl InspectorRunPublic {
    fn new(run: InspectorRun, quota: Option<InspectorQuota>) -> Self {
        let InspectorRun { run, label } = run;
        let poll_path = poll_path(&run);
        Self {
            run: RunPublic::new(run, poll_path),
            label,
            quota: quota.map(QuotaPublic::from),
        }
    }
}

fn poll_path(run: &Run) -> String {
    format!(
        "{BASE_PATH}/domains/{}/indexing/inspector/runs/{}",
        run.domain_id, run.id
    )
}

impl Example for InspectorRunPublic {
    fn example() -> Self {
        Self {
            run: RunPublic::example(),
            label: Some("After the relaunch".to_owned()),
            quota: Some(QuotaPublic::example()),
        }
    }
}

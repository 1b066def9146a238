//! /domains/{domain_id}/analytics/reports

pub(super) mod catalogue;
pub(super) mod create;
pub(super) mod rows;
mod run;
pub(super) mod runs;
pub(super) mod view;

use pharos_domain::{ids::RunId, problem::Suffix};
use pharos_http::problem::{Problem, out_of_reach};

/// The refusal for a run that the domain does not have.
fn no_run(id: RunId) -> Problem {
    out_of_reach(Suffix::ReportRunNotFound, "report run", id)
}

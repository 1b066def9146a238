//! /domains/{domain_id}/reports/runs

pub(crate) mod list;
pub(crate) mod result;
pub(crate) mod run;
pub(crate) mod view;

use pharos_domain::{ids::RunId, problem::Suffix};
use pharos_http::problem::{Problem, out_of_reach};

/// 404: the domain has no such run.
fn no_run(id: RunId) -> Problem {
    out_of_reach(Suffix::ReportRunNotFound, "run of a report", id)
}

//! /alerts/rules and /domains/{domain_id}/alerts/rules

pub(crate) mod all;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod rule;
pub(crate) mod schemas;
pub(crate) mod update;
pub(crate) mod view;

use pharos_domain::{ids::AlertRuleId, problem::Suffix};
use pharos_http::problem::{Problem, out_of_reach};

/// 404: the domain has no such rule.
fn missing(id: AlertRuleId) -> Problem {
    out_of_reach(Suffix::AlertRuleNotFound, "alert rule", id)
}

//! /domains/{domain_id}/analytics/experiments

pub(super) mod create;
pub(super) mod delete;
pub(super) mod evaluate;
mod evaluation;
mod experiment;
pub(super) mod latest;
pub(super) mod list;
mod schemas;
pub(super) mod update;
pub(super) mod view;

use pharos_domain::{day::Day, problem::Suffix, settings::Faults};
use pharos_http::problem::{Problem, out_of_reach};
use time::Date;
use uuid::Uuid;

/// The refusal for an experiment that the domain does not have.
fn no_experiment(id: Uuid) -> Problem {
    out_of_reach(Suffix::ExperimentNotFound, "experiment", id)
}

/// The refusal for an experiment by a metric of visits on a domain that measures none.
fn unmeasured() -> Problem {
    Problem::new(
        Suffix::AnalyticsNotFound,
        "Web analytics is not set up for the domain, so that there are no visits to compare. PUT …/analytics/config sets it up. \
         Metrics of search and vitals do without.",
    )
}

/// A day of a body; where it is none that is a fault, and some day stands for it while the others are looked for.
fn day(member: &str, text: &str, faults: &mut Faults) -> Date {
    match text.parse::<Day>() {
        Ok(Day(day)) => day,
        Err(error) => {
            faults.add(member, error.to_string());
            Date::MIN
        }
    }
}

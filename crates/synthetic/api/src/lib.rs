#![doc = include_str!("../README.md")]

mod budgets;
mod overview;
mod profiles;
mod runs;
mod schemas;
mod timeseries;
mod urls;
mod widgets;

use pharos_domain::{
    identity::DomainAccess,
    ids::{DomainId, RunId, SyntheticUrlId},
    problem::Suffix,
};
use pharos_http::{
    operation::Operation,
    problem::{Problem, out_of_reach},
    spec::BASE_PATH,
};
use pharos_synthetic::store::LabStore;

pub use self::widgets::LabWidgets;

/// The operations of the lab.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&profiles::SPEC, profiles::list),
        Operation::new(&urls::list::SPEC, urls::list::list),
        Operation::new(&urls::create::SPEC, urls::create::create),
        Operation::new(&urls::view::SPEC, urls::view::view),
        Operation::new(&urls::update::SPEC, urls::update::update),
        Operation::new(&urls::delete::SPEC, urls::delete::delete),
        Operation::new(&urls::run::SPEC, urls::run::run),
        Operation::new(&timeseries::SPEC, timeseries::view),
        Operation::new(&runs::list::SPEC, runs::list::list),
        Operation::new(&runs::view::SPEC, runs::view::view),
        Operation::new(&runs::audits::SPEC, runs::audits::list),
        Operation::new(&runs::opportunities::SPEC, runs::opportunities::list),
        Operation::new(&runs::resources::SPEC, runs::resources::list),
        Operation::new(&runs::third_parties::SPEC, runs::third_parties::list),
        Operation::new(&runs::filmstrip::SPEC, runs::filmstrip::view),
        Operation::new(&budgets::list::SPEC, budgets::list::list),
        Operation::new(&budgets::replace::SPEC, budgets::replace::replace),
    ]
}

/// 404: no page was ever tracked.
fn not_configured() -> Problem {
    Problem::new(
        Suffix::SyntheticNotFound,
        "No URL of this domain was ever tracked. Track one (`POST /domains/{domain_id}/synthetic/urls`).",
    )
}

/// 404, unless a page was tracked.
async fn configured(store: &dyn LabStore, access: &DomainAccess) -> Result<(), Problem> {
    if store.is_configured(access).await? {
        Ok(())
    } else {
        Err(not_configured())
    }
}

/// Where a run is read.
fn poll_path(domain: DomainId, run: RunId) -> String {
    format!("{BASE_PATH}/domains/{domain}/synthetic/runs/{run}")
}

/// 404: there is no such page.
fn no_such_url(id: SyntheticUrlId) -> Problem {
    out_of_reach(Suffix::SyntheticUrlNotFound, "tracked URL", id)
}

/// 404: there is no such run.
fn no_such_run(id: RunId) -> Problem {
    out_of_reach(Suffix::SyntheticRunNotFound, "run", id)
}

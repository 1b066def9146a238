#![doc = include_str!("../README.md")]

mod credits;
mod domains;
mod health;
mod me;
mod workspaces;

use pharos_http::operation::Operation;

pub use self::domains::widgets::OverviewWidgets;

/// The id of the operation whose description says how each module is scored.
pub const HEALTH: &str = domains::health::SPEC.id;

/// All of them.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&health::SPEC, health::view),
        Operation::new(&me::SPEC, me::view),
        Operation::new(&workspaces::list::SPEC, workspaces::list::list),
        Operation::new(&workspaces::view::SPEC, workspaces::view::view),
        Operation::new(&workspaces::quotas::SPEC, workspaces::quotas::list),
        Operation::new(&domains::list::SPEC, domains::list::list),
        Operation::new(&domains::view::SPEC, domains::view::view),
        Operation::new(&domains::overview::SPEC, domains::overview::view),
        Operation::new(&domains::health::SPEC, domains::health::view),
        Operation::new(&credits::view::SPEC, credits::view::view),
        Operation::new(&credits::log::SPEC, credits::log::list),
        Operation::new(&credits::list::SPEC, credits::list::list),
        Operation::new(&credits::prices::SPEC, credits::prices::list),
    ]
}

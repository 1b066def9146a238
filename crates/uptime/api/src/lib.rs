#![doc = include_str!("../README.md")]

mod availability;
mod check;
mod checks;
mod config;
mod incidents;
mod regions;
mod response_times;
mod ssl;
mod status;
mod widgets;

use pharos_domain::problem::Suffix;
use pharos_http::{operation::Operation, problem::Problem};

pub use self::widgets::UptimeWidgets;

/// The refusal for a domain without a monitor.
fn missing() -> Problem {
    Problem::new(Suffix::UptimeNotFound, "The domain has no uptime monitor.")
}

/// The operations of uptime.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&status::SPEC, status::view),
        Operation::new(&availability::SPEC, availability::view),
        Operation::new(&incidents::list::SPEC, incidents::list::list),
        Operation::new(&incidents::detail::SPEC, incidents::detail::view),
        Operation::new(&checks::SPEC, checks::list),
        Operation::new(&response_times::SPEC, response_times::view),
        Operation::new(&regions::SPEC, regions::list),
        Operation::new(&check::SPEC, check::run),
        Operation::new(&config::view::SPEC, config::view::view),
        Operation::new(&config::update::SPEC, config::update::update),
        Operation::new(&ssl::certificate::SPEC, ssl::certificate::view),
        Operation::new(&ssl::history::SPEC, ssl::history::list),
        Operation::new(&ssl::registration::SPEC, ssl::registration::view),
    ]
}

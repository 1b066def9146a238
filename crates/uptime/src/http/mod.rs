//! The operations of the module `uptime`.

mod check;
mod checks;
mod config;
mod ssl;
mod status;

use pharos_http::operation::Operation;

/// All of them.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&status::SPEC, status::view),
        Operation::new(&checks::SPEC, checks::list),
        Operation::new(&check::SPEC, check::run),
        Operation::new(&config::view::SPEC, config::view::view),
        Operation::new(&config::update::SPEC, config::update::update),
        Operation::new(&ssl::certificate::SPEC, ssl::certificate::view),
        Operation::new(&ssl::history::SPEC, ssl::history::list),
        Operation::new(&ssl::registration::SPEC, ssl::registration::view),
    ]
}

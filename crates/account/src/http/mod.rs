//! The operations of the module `platform`.

mod domains;
mod health;
mod me;
mod workspaces;

use pharos_http::operation::Operation;

/// All of them.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&health::SPEC, health::view),
        Operation::new(&me::SPEC, me::view),
        Operation::new(&workspaces::list::SPEC, workspaces::list::list),
        Operation::new(&workspaces::view::SPEC, workspaces::view::view),
        Operation::new(&domains::list::SPEC, domains::list::list),
        Operation::new(&domains::view::SPEC, domains::view::view),
    ]
}

#![doc = include_str!("../README.md")]

mod catalogue;
mod data;
mod default_config;
mod generate;
mod runs;
mod templates;
mod window;

use pharos_http::operation::Operation;

/// The operations of reports.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&default_config::SPEC, default_config::view),
        Operation::new(&catalogue::SPEC, catalogue::list),
        Operation::new(&templates::list::SPEC, templates::list::list),
        Operation::new(&templates::create::SPEC, templates::create::create),
        Operation::new(&templates::view::SPEC, templates::view::view),
        Operation::new(&templates::update::SPEC, templates::update::update),
        Operation::new(&templates::delete::SPEC, templates::delete::delete),
        Operation::new(&generate::SPEC, generate::generate),
        Operation::new(&data::SPEC, data::query),
        Operation::new(&runs::list::SPEC, runs::list::list),
        Operation::new(&runs::view::SPEC, runs::view::view),
        Operation::new(&runs::result::SPEC, runs::result::view),
    ]
}

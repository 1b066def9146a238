#![doc = include_str!("../README.md")]

mod alerts;
mod notifications;
mod reach;

pub use alerts::{alert::alert_json, widgets::AlertWidgets};
use pharos_http::operation::Operation;

/// All of them.
#[must_use]
pub fn operations() -> Vec<Operation> {
    use alerts::{domain_history, history, metrics, one, rules};
    use notifications as told;

    vec![
        Operation::new(&history::SPEC, history::list),
        Operation::new(&one::SPEC, one::view),
        Operation::new(&metrics::SPEC, metrics::view),
        Operation::new(&rules::all::SPEC, rules::all::list),
        Operation::new(&domain_history::SPEC, domain_history::list),
        Operation::new(&rules::list::SPEC, rules::list::list),
        Operation::new(&rules::create::SPEC, rules::create::create),
        Operation::new(&rules::view::SPEC, rules::view::view),
        Operation::new(&rules::update::SPEC, rules::update::update),
        Operation::new(&rules::delete::SPEC, rules::delete::delete),
        Operation::new(&told::all::SPEC, told::all::list),
        Operation::new(&told::list::SPEC, told::list::list),
        Operation::new(&told::view::SPEC, told::view::view),
        Operation::new(&told::trend::SPEC, told::trend::view),
        Operation::new(&told::read::SPEC, told::read::mark),
        Operation::new(&told::read_all::SPEC, told::read_all::mark),
    ]
}

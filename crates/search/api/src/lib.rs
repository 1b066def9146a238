#![doc = include_str!("../README.md")]

mod gsc;
mod indexing;
mod widgets;

use pharos_http::operation::Operation;

pub use self::widgets::SearchWidgets;

/// The operations of search.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut all = gsc::operations();
    all.extend(indexing::operations());
    all
}

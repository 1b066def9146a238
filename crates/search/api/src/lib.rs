#![doc = include_str!("../README.md")]

mod gsc;
mod indexing;

use pharos_http::operation::Operation;

pub use self::{gsc::widgets::GscWidgets, indexing::widgets::IndexingWidgets};

/// The operations of search.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut all = gsc::operations();
    all.extend(indexing::operations());
    all
}

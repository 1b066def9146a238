#![doc = include_str!("../README.md")]

mod gsc;
mod indexing;

use pharos_http::operation::Operation;

/// The operations of search.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut all = gsc::operations();
    all.extend(indexing::operations());
    all
}

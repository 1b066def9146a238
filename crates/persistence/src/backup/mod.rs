//! The part of PostgreSQL in backup and restore: a snapshot to dump, and a database that is filled aside and put in the place of
//! the old one.
//!
//! The rows themselves are carried by PostgreSQL's own `pg_dump` and `pg_restore`; [`libpq::environment`] says to them
//! where the database is.

mod contents;
pub mod libpq;
mod session;
mod snapshot;
mod swap;

pub use self::{
    contents::{Contents, contents},
    snapshot::Snapshot,
    swap::{Other, Part, Swap},
};

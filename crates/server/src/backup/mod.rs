//! `pharos backup` and `pharos restore`: the database, the artefacts and the keys, in one file.
//!
//! The database is PostgreSQL's own dump of one moment, made while Pharos runs. A restore fills another database,
//! and puts files beside the old ones, and exchanges them at the end (`restoring`), so that whatever fails before leaves everything
//! as it was.

mod archive;
mod copy;
mod make;
mod program;
mod progress;
mod restore;
mod signals;

pub use self::{make::backup, restore::restore};

//! Inspections of URLs: what is monitored, what was found, what changed.

mod alert_metrics;
mod facts;
mod gather;
mod let_go;
mod quota;
mod reads;
mod row;
mod runs;
mod schedule;
mod settle;
mod stand;
mod upkeep;
mod urls;

use pharos_persistence::{due::Turns, pool::Database};

pub use self::schedule::SITES;
pub(crate) use self::{
    let_go::linked,
    quota::used_of_day,
    schedule::{active, backlog, restored},
    upkeep::{KEPT, forget_old, forget_run_results},
};

/// Inspections in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgIndexing {
    database: Database,
    turns: Turns,
}

impl PgIndexing {
    /// The inspections of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }
}

//! The groups: which there are, and what each asks of the database.

use pharos_persistence::{group::PgGroup, pool::DatabaseOptions};

/// Every group's part of the database.
pub const GROUPS: &[PgGroup] = &[
    pharos_account_pg::GROUP,
    pharos_auth_pg::GROUP,
    pharos_uptime_pg::GROUP,
];

/// How to talk to a database that has the tables of all groups.
#[must_use]
pub fn database_options() -> DatabaseOptions {
    DatabaseOptions {
        groups: GROUPS,
        ..DatabaseOptions::default()
    }
}

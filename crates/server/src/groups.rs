//! The groups: which there are, what each serves, and what it asks of the database.

use pharos_http::operation::Operation;
use pharos_persistence::{group::PgGroup, pool::DatabaseOptions};

/// A group, as the server plugs it in.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its operations.
    pub operations: fn() -> Vec<Operation>,
    /// Its part of the database.
    pub postgres: PgGroup,
}

/// All groups.
pub const GROUPS: &[Group] = &[
    Group {
        operations: pharos_account_api::operations,
        postgres: pharos_account_pg::GROUP,
    },
    Group {
        operations: Vec::new,
        postgres: pharos_auth_pg::GROUP,
    },
    Group {
        operations: pharos_uptime_api::operations,
        postgres: pharos_uptime_pg::GROUP,
    },
];

const POSTGRES: &[PgGroup] = &of_postgres();

const fn of_postgres() -> [PgGroup; GROUPS.len()] {
    let mut all = [GROUPS[0].postgres; GROUPS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = GROUPS[at].postgres;
        at += 1;
    }
    all
}

/// The operations of all groups, in the order of the groups.
#[must_use]
pub fn operations() -> Vec<Operation> {
    GROUPS.iter().flat_map(|group| (group.operations)()).collect()
}

/// How to talk to a database that has the tables of all groups.
#[must_use]
pub fn database_options() -> DatabaseOptions {
    DatabaseOptions::of(POSTGRES)
}

#[cfg(test)]
mod tests {
    use pharos_persistence::migrate::SCHEMAS;

    use super::*;

    /// One that stands in one list alone would have tables that nobody keeps, or upkeep without tables.
    #[test]
    fn each_group_has_its_schema() {
        let mut groups: Vec<&str> = GROUPS.iter().map(|group| group.postgres.name).collect();
        groups.push("common");
        groups.sort_unstable();
        let mut schemas: Vec<&str> = SCHEMAS.iter().map(|schema| schema.group).collect();
        schemas.sort_unstable();
        assert_eq!(groups, schemas);
    }
}

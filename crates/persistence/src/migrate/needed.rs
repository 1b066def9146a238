//! The migrations that programs without them can't live with: each is noted as it runs, and holds off older programs from then on.

use std::collections::HashSet;

use diesel::{
    connection::BoxableConnection,
    migration::{self, Migration, MigrationMetadata, MigrationName, MigrationSource},
    pg::Pg,
};
use pharos_domain::store::StoreError;

use super::{Schema, groups::Groups, stored};
use crate::pool::Database;

/// Stands in the name of a migration that nodes of the version before can't live with.
const ALONE: &str = "_alone_";

/// Whether nodes of the version before can't live with a migration of that name.
pub(super) fn is_alone(name: &str) -> bool {
    name.contains(ALONE)
}

/// The migration, which notes its name in its own transaction where programs without it can't live with it.
pub(super) fn noting(migration: Box<dyn Migration<Pg>>) -> Box<dyn Migration<Pg>> {
    if is_alone(&migration.name().to_string()) {
        Box::new(Noting(migration))
    } else {
        migration
    }
}

struct Noting(Box<dyn Migration<Pg>>);

impl Noting {
    /// The name as a literal of SQL.
    fn literal(&self) -> String {
        format!("'{}'", self.0.name().to_string().replace('\'', "''"))
    }
}

impl Migration<Pg> for Noting {
    fn run(&self, connection: &mut dyn BoxableConnection<Pg>) -> migration::Result<()> {
        self.0.run(connection)?;
        let note = format!("INSERT INTO schema_needs (migration) VALUES ({})", self.literal());
        Ok(connection.batch_execute(&note)?)
    }

    fn revert(&self, connection: &mut dyn BoxableConnection<Pg>) -> migration::Result<()> {
        let forget = format!("DELETE FROM schema_needs WHERE migration = {}", self.literal());
        connection.batch_execute(&forget)?;
        self.0.revert(connection)
    }

    fn metadata(&self) -> &dyn MigrationMetadata {
        self.0.metadata()
    }

    fn name(&self) -> &dyn MigrationName {
        self.0.name()
    }
}

impl Database {
    /// Refuses a program of an older release, which can't live with a migration that a newer one ran.
    ///
    /// # Errors
    /// Such a migration ran: a sentence that names it and says what to do. Or the database could not say.
    pub async fn refuse_older_program(&self, schemas: &[Schema]) -> Result<(), StoreError> {
        let reader = self.reader().await?;
        let needed = stored(&reader, "schema_needs", "migration").await?;
        drop(reader);
        let groups = Groups::of(schemas)?;
        let all = MigrationSource::<Pg>::migrations(&&groups).map_err(StoreError::Failed)?;
        let known: HashSet<String> = all.iter().map(|migration| migration.name().to_string()).collect();
        match needed.iter().filter(|name| !known.contains(*name)).max() {
            None => Ok(()),
            Some(name) => Err(StoreError::Failed(
                format!(
                    "this program is older than the database: a newer release ran the migration {name}, which this one does not \
                     have and can't live with; start that release or a newer one, or restore a backup from before it"
                )
                .into(),
            )),
        }
    }
}

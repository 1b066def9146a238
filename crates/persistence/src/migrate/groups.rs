//! The parts of a group's schema.

use std::{collections::HashMap, fmt};

use diesel::{
    migration::{self, Migration, MigrationSource},
    pg::Pg,
};
use diesel_migrations::EmbeddedMigrations;
use pharos_domain::store::StoreError;

use super::needed::noting;

/// A group's tables, functions and partitions.
#[derive(Clone, Copy)]
pub struct Schema {
    /// The group's name.
    pub group: &'static str,
    /// Its tables. The versions of all groups are one order.
    pub migrations: &'static EmbeddedMigrations,
    /// Its functions and triggers, applied in this order after the migrations of all groups.
    pub functions: &'static [Function],
    /// A digest of all these files, as 16 hexadecimal digits.
    pub digest: &'static str,
    /// Its tables in partitions.
    pub partitions: &'static [Partitioned],
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("group", &self.group)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

/// A file that makes a function or triggers, or replaces them.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// The file's name, without its ending.
    pub name: &'static str,
    /// Its SQL.
    pub text: &'static str,
}

/// A table in partitions of time.
#[derive(Debug, Clone, Copy)]
pub struct Partitioned {
    /// The parent table, which upkeep adds partitions to.
    pub table: &'static str,
    /// How long a partition is: `day` or `month`.
    pub grain: &'static str,
    /// How many partitions are made ahead.
    pub ahead: i32,
    /// How long rows are kept, as PostgreSQL says it: `90 days`.
    pub kept: &'static str,
}

/// The schema of the group whose name is the argument: what lies in the folder `migrations` of the crate. The crate's
/// build script calls `pharos_migrations_build::embed("migrations")`.
#[macro_export]
macro_rules! schema {
    ($group:literal) => {
        $crate::migrate::Schema {
            group: $group,
            migrations: &diesel_migrations::embed_migrations!("migrations/versions"),
            functions: {
                use $crate::migrate::Function;
                include!(concat!(env!("OUT_DIR"), "/functions.rs"))
            },
            digest: env!("PHAROS_MIGRATIONS_DIGEST"),
            partitions: &[],
        }
    };
}

/// Groups of which no two have the same version or function.
pub(super) struct Groups(Vec<Schema>);

impl Groups {
    /// Holds the groups against each other.
    ///
    /// # Errors
    /// Two have the same version or function: a sentence that names them.
    pub(super) fn of(schemas: &[Schema]) -> Result<Self, StoreError> {
        let mut versions = HashMap::new();
        let mut functions = HashMap::new();
        for schema in schemas {
            let migrations: Vec<Box<dyn Migration<Pg>>> =
                schema.migrations.migrations().map_err(StoreError::Failed)?;
            for migration in migrations {
                let name = migration.name();
                if let Some((group, other)) =
                    versions.insert(name.version().to_string(), (schema.group, name.to_string()))
                {
                    return Err(refusal(format!(
                        "the groups {group} and {} have one migration version: {other} and {name}; give one of them \
                         another date",
                        schema.group
                    )));
                }
            }
            for function in schema.functions {
                if let Some(group) = functions.insert(function.name, schema.group) {
                    return Err(refusal(format!(
                        "the groups {group} and {} both have a function {}; give one of them another name",
                        schema.group, function.name
                    )));
                }
            }
        }
        Ok(Self(schemas.to_vec()))
    }

    /// The functions of all groups, in the order in which they are applied.
    pub(super) fn functions(&self) -> impl DoubleEndedIterator<Item = Function> {
        self.0.iter().flat_map(|schema| schema.functions.iter().copied())
    }

    /// The tables in partitions of all groups.
    pub(super) fn partitions(&self) -> impl Iterator<Item = Partitioned> {
        self.0.iter().flat_map(|schema| schema.partitions.iter().copied())
    }
}

impl MigrationSource<Pg> for &Groups {
    fn migrations(&self) -> migration::Result<Vec<Box<dyn Migration<Pg>>>> {
        let mut all = Vec::new();
        for schema in &self.0 {
            let migrations = MigrationSource::<Pg>::migrations(schema.migrations)?;
            all.extend(migrations.into_iter().map(noting));
        }
        Ok(all)
    }
}

fn refusal(sentence: String) -> StoreError {
    StoreError::Failed(sentence.into())
}

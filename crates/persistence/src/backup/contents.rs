//! The contents of a database, which are told before it is replaced.

use pharos_domain::store::StoreError;

use super::session::{open, rows, value};

/// The table that only a database of Pharos has.
pub(super) const MIGRATIONS: &str = "public.__diesel_schema_migrations";

/// The tables that somebody made, partitions and those of extensions aside.
const TABLES: &str = "SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_depend AS d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')";

/// The contents of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The name of the database that was backed up.
    pub database: String,
    /// The server's version as a number: 150018 is 15.18.
    pub server_version: u32,
    /// How many tables it has.
    pub tables: u64,
    /// Whether they are Pharos's.
    pub is_pharos: bool,
    /// How much it takes on disk.
    pub bytes: u64,
    /// How many users, workspaces and domains there are; `None` where there are no such tables.
    pub holds: Option<(u64, u64, u64)>,
}

/// Looks into the URL's database.
///
/// # Errors
/// It can't be reached or read.
pub async fn contents(url: &str) -> Result<Contents, StoreError> {
    let client = open(url, None, "pharos restore").await?;
    let number = async |statement: &str| -> Result<u64, StoreError> {
        Ok(value(&client, statement).await?.parse().unwrap_or_default())
    };
    let is_there = async |table: &str| -> Result<bool, StoreError> {
        let known = format!("SELECT to_regclass('{table}') IS NOT NULL");
        Ok(value(&client, &known).await? == "t")
    };
    let is_pharos = is_there(MIGRATIONS).await?;
    let mut holds = None;
    if is_pharos && is_there("public.workspaces").await? && is_there("public.users").await? {
        let counts = "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM workspaces), \
                      (SELECT count(*) FROM domains)";
        let counted = rows(&client, counts).await?;
        holds = counted.first().map(|row| {
            let count = |at| row.get(at).and_then(|text| text.parse().ok()).unwrap_or_default();
            (count(0), count(1), count(2))
        });
    }
    let server_version = number("SELECT current_setting('server_version_num')").await?;
    Ok(Contents {
        database: value(&client, "SELECT current_database()").await?,
        server_version: u32::try_from(server_version).unwrap_or_default(),
        tables: number(TABLES).await?,
        is_pharos,
        bytes: number("SELECT pg_database_size(current_database())").await?,
        holds,
    })
}

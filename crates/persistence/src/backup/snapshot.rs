//! A moment of the database that is held while it is dumped.

use pharos_domain::store::StoreError;
use tokio_postgres::Client;

use super::{
    contents::MIGRATIONS,
    session::{literal, open, quoted, rows, run, value},
};
use crate::seal::SealedColumn;

/// A moment of the database, for as long as this lives: `pg_dump --snapshot` dumps exactly what was there.
pub struct Snapshot {
    /// The name that other sessions take it up by.
    pub id: String,
    /// The server's version as a number: 150018 is 15.18.
    pub server_version: u32,
    /// The versions of the migrations that had run, in order.
    pub migrations: Vec<String>,
    /// How much the database takes on disk.
    pub bytes: u64,
    held_by: Client,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Takes one; `None`: the database has no tables of Pharos.
    ///
    /// # Errors
    /// The database can't be reached or read.
    pub async fn take(url: &str) -> Result<Option<Self>, StoreError> {
        let client = open(url, None, "pharos backup").await?;
        run(&client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        let known = format!("SELECT to_regclass('{MIGRATIONS}') IS NOT NULL");
        if value(&client, &known).await? != "t" {
            return Ok(None);
        }
        let versions = rows(
            &client,
            &format!("SELECT version FROM {MIGRATIONS} ORDER BY version"),
        )
        .await?;
        let server_version = value(&client, "SELECT current_setting('server_version_num')").await?;
        let bytes = value(&client, "SELECT pg_database_size(current_database())").await?;
        Ok(Some(Self {
            id: value(&client, "SELECT pg_export_snapshot()").await?,
            server_version: server_version.parse().unwrap_or_default(),
            migrations: versions
                .iter()
                .filter_map(|row| row.get(0).map(str::to_owned))
                .collect(),
            bytes: bytes.parse().unwrap_or_default(),
            held_by: client,
        }))
    }

    /// Whether any row of this moment has a value in that column. A table that the database does not have holds none.
    ///
    /// # Errors
    /// The database can't be reached or read.
    pub async fn holds(&self, column: SealedColumn) -> Result<bool, StoreError> {
        let table = quoted(column.table, '"');
        let known = format!("SELECT to_regclass({}) IS NOT NULL", literal(&table));
        if value(&self.held_by, &known).await? != "t" {
            return Ok(false);
        }
        let column = quoted(column.column, '"');
        let asked = format!("SELECT EXISTS (SELECT FROM {table} WHERE {column} IS NOT NULL)");
        Ok(value(&self.held_by, &asked).await? == "t")
    }
}

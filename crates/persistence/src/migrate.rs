//! Migrations: embedded, and run under a lock.

use diesel::{ConnectionError, ConnectionResult, migration::MigrationSource, pg::Pg};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use pharos_domain::store::StoreError;

use crate::{failure::failure, pool::Database};

/// What the database is brought to.
pub(crate) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// The key of the advisory lock: "pharos" as a number.
const LOCK: i64 = 0x0070_6861_726f_7300;

impl Database {
    /// Runs the migrations that have not run, one node at a time, and gives their names.
    ///
    /// # Errors
    /// A migration failed: it and those after it have not run.
    pub async fn migrate(&self) -> Result<Vec<String>, StoreError> {
        let connection = self.migrator().await?;
        on_a_thread(connection, |harness| {
            let ran = harness.run_pending_migrations(MIGRATIONS)?;
            Ok(ran.into_iter().map(|version| version.to_string()).collect())
        })
        .await
    }

    /// Takes every migration back, data and all. For tests.
    ///
    /// # Errors
    /// A migration failed.
    #[cfg(feature = "testing")]
    pub async fn revert_all(&self) -> Result<(), StoreError> {
        let connection = self.migrator().await?;
        on_a_thread(connection, |harness| {
            harness.revert_all_migrations(MIGRATIONS).map(|_| ())
        })
        .await
    }

    /// The names of the migrations that have not run.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, StoreError> {
        let reader = self.reader().await?;
        let known = diesel::select(diesel::dsl::sql::<
            diesel::sql_types::Nullable<diesel::sql_types::Text>,
        >("to_regclass('__diesel_schema_migrations')::text"))
        .get_result::<Option<String>>(&mut &*reader)
        .await
        .map_err(failure)?;
        let applied: Vec<String> = if known.is_some() {
            diesel::dsl::sql::<diesel::sql_types::Text>("SELECT version FROM __diesel_schema_migrations")
                .load(&mut &*reader)
                .await
                .map_err(failure)?
        } else {
            Vec::new()
        };
        let all = MigrationSource::<Pg>::migrations(&MIGRATIONS).map_err(StoreError::Failed)?;
        let mut pending: Vec<String> = all
            .iter()
            .filter(|migration| !applied.contains(&migration.name().version().to_string()))
            .map(|migration| migration.name().to_string())
            .collect();
        pending.sort();
        Ok(pending)
    }

    /// A connection of its own, without a limit on statements, that holds the lock until it is closed.
    async fn migrator(&self) -> Result<AsyncPgConnection, StoreError> {
        let (client, wire) = self.connector().open("pharos migrate").await?;
        let opened: ConnectionResult<AsyncPgConnection> =
            AsyncPgConnection::try_from_client_and_connection(client, wire).await;
        let mut connection = opened.map_err(|error| match error {
            ConnectionError::CouldntSetupConfiguration(error) => failure(error),
            other => StoreError::Unavailable(Box::new(other)),
        })?;
        connection
            .batch_execute(&format!("SELECT pg_advisory_lock({LOCK})"))
            .await
            .map_err(failure)?;
        Ok(connection)
    }
}

/// Diesel runs migrations synchronously: on a thread that may block, whatever runtime this is.
async fn on_a_thread<T: Send + 'static>(
    connection: AsyncPgConnection,
    work: impl FnOnce(&mut AsyncMigrationHarness<AsyncPgConnection>) -> diesel::migration::Result<T>
    + Send
    + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(move || work(&mut AsyncMigrationHarness::new(connection)))
        .await
        .map_err(|error| StoreError::Failed(Box::new(error)))?
        .map_err(StoreError::Failed)
}

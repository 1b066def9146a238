//! The schema: migrations and SQL functions, embedded, and applied under a lock.

mod functions;
pub(crate) mod groups;
mod needed;
mod patient;

use std::{fmt, time::Duration};

use diesel::{
    ConnectionError, ConnectionResult,
    dsl::sql,
    migration::MigrationSource,
    pg::Pg,
    sql_query,
    sql_types::{Bool, Integer, Text},
};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
#[cfg(feature = "testing")]
use diesel_migrations::MigrationHarness;
use pharos_domain::store::StoreError;
use tokio::time::timeout;
use tokio_postgres::CancelToken;
use tokio_util::sync::CancellationToken;

pub use self::groups::{Function, Partitioned, Schema};
use self::{groups::Groups, needed::is_alone};
use crate::{failure::failure, pool::Database, reader::Reader};

/// The key of the advisory lock: "pharos" as a number.
const LOCK: i64 = 0x0070_6861_726f_7300;
/// How long a statement may go on after it was told to end, before it is told again: the first time may have come between two
/// statements.
const ASKED_AGAIN: Duration = Duration::from_millis(200);

/// The outcome of [`Database::migrate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The versions of the migrations that it ran.
    pub migrations: Vec<String>,
    /// The functions and triggers that it made or replaced.
    pub functions: Vec<String>,
}

impl Applied {
    /// Whether there was nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.migrations.is_empty() && self.functions.is_empty()
    }
}

impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<&str> = self
            .migrations
            .iter()
            .chain(&self.functions)
            .map(String::as_str)
            .collect();
        f.write_str(&all.join(", "))
    }
}

/// The versions of all migrations of the groups.
///
/// # Errors
/// Two groups have one version or one function.
pub fn versions(schemas: &[Schema]) -> Result<Vec<String>, StoreError> {
    let groups = Groups::of(schemas)?;
    let all = MigrationSource::<Pg>::migrations(&&groups).map_err(StoreError::Failed)?;
    Ok(all
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect())
}

impl Database {
    /// Runs the migrations that have not run, in the order of their versions, then applies the functions and triggers whose
    /// text has changed, and makes the partitions of the present. One node does so at a time.
    ///
    /// # Errors
    /// Two groups have one version or one function; or a newer release ran a migration that this program can't live with; or a
    /// migration failed, or waited too long for a table that others use: it and those after it have not run; or a function: none
    /// was applied.
    pub async fn migrate(&self, schemas: &[Schema]) -> Result<Applied, StoreError> {
        self.migrate_until(schemas, &CancellationToken::new()).await
    }

    /// Migrates until `stop`: then it gives up, whether it waits for another node or PostgreSQL executes one of its statements,
    /// which is rolled back.
    ///
    /// # Errors
    /// The errors of [`migrate`](Self::migrate); or it was stopped.
    pub async fn migrate_until(
        &self,
        schemas: &[Schema],
        stop: &CancellationToken,
    ) -> Result<Applied, StoreError> {
        self.migrate_patiently(schemas, stop, patient::PATIENCE).await
    }

    /// Migrates, and waits no longer than that for tables that others use. For tests.
    ///
    /// # Errors
    /// The errors of [`migrate`](Self::migrate).
    #[cfg(feature = "testing")]
    pub async fn migrate_within(
        &self,
        schemas: &[Schema],
        patience: Duration,
    ) -> Result<Applied, StoreError> {
        self.migrate_patiently(schemas, &CancellationToken::new(), patience)
            .await
    }

    async fn migrate_patiently(
        &self,
        schemas: &[Schema],
        stop: &CancellationToken,
        patience: Duration,
    ) -> Result<Applied, StoreError> {
        let groups = Groups::of(schemas)?;
        self.refuse_one_before_the_baselines(&groups).await?;
        let opened = stop.run_until_cancelled(self.migrator()).await;
        let (connection, token) = opened.ok_or_else(stopped)??;
        self.refuse_older_program(schemas).await?;
        self.refuse_beside_nodes(&groups).await?;
        let migrated = Box::pin(patient::run(self, connection, groups, patience));
        let (mut connection, groups, migrations) = self.unless_stopped(migrated, &token, stop).await?;
        let applied = Box::pin(functions::apply(&mut connection, &groups));
        let functions = self.unless_stopped(applied, &token, stop).await?;
        for partitioned in groups.partitions() {
            sql_query("SELECT ensure_partitions($1::regclass, $2, now(), $3)")
                .bind::<Text, _>(partitioned.table)
                .bind::<Text, _>(partitioned.grain)
                .bind::<Integer, _>(partitioned.ahead)
                .execute(&mut connection)
                .await
                .map_err(failure)?;
        }
        Ok(Applied {
            migrations,
            functions,
        })
    }

    /// Reverts everything, data included. For tests.
    ///
    /// # Errors
    /// A migration failed.
    #[cfg(feature = "testing")]
    pub async fn revert_all(&self, schemas: &[Schema]) -> Result<(), StoreError> {
        let groups = Groups::of(schemas)?;
        let (mut connection, _) = self.migrator().await?;
        functions::drop_all(&mut connection, &groups).await?;
        on_a_thread(connection, groups, |harness, groups| {
            harness.revert_all_migrations(groups).map(|_| ())
        })
        .await
        .map(|_| ())
    }

    /// The names of the migrations that have not run, and of the functions that are not there. A function with another text
    /// counts as present: it may be the newer one that a later release made.
    ///
    /// # Errors
    /// Two groups have one version or one function, or the database could not say.
    pub async fn pending_migrations(&self, schemas: &[Schema]) -> Result<Vec<String>, StoreError> {
        let groups = Groups::of(schemas)?;
        let reader = self.reader().await?;
        let ran = stored(&reader, "__diesel_schema_migrations", "version").await?;
        let applied = stored(&reader, "schema_functions", "name").await?;
        let all = MigrationSource::<Pg>::migrations(&&groups).map_err(StoreError::Failed)?;
        let mut pending: Vec<String> = all
            .iter()
            .filter(|migration| !ran.contains(&migration.name().version().to_string()))
            .map(|migration| migration.name().to_string())
            .collect();
        pending.sort();
        pending.extend(
            groups
                .functions()
                .map(|function| function.name.to_owned())
                .filter(|name| !applied.contains(name)),
        );
        Ok(pending)
    }

    /// The names of the functions and triggers that are there with another text than this program's: those of a newer
    /// release, or of an older one until a node or `pharos migrate` of this one starts.
    ///
    /// # Errors
    /// Two groups have one version or one function, or the database could not say.
    pub async fn functions_of_another_text(&self, schemas: &[Schema]) -> Result<Vec<String>, StoreError> {
        let groups = Groups::of(schemas)?;
        let reader = self.reader().await?;
        functions::of_another_text(&reader, &groups).await
    }

    /// Refuses a database of an earlier development version, which already has the tables that the baselines make.
    async fn refuse_one_before_the_baselines(&self, groups: &Groups) -> Result<(), StoreError> {
        let reader = self.reader().await?;
        let ran = stored(&reader, "__diesel_schema_migrations", "version").await?;
        let all = MigrationSource::<Pg>::migrations(&groups).map_err(StoreError::Failed)?;
        let first = all
            .iter()
            .map(|migration| migration.name().version().to_string())
            .min();
        match ran.into_iter().filter(|version| Some(version) < first.as_ref()).max() {
            None => Ok(()),
            Some(version) => Err(StoreError::Failed(
                format!(
                    "the database is of a development version before the first release (its last migration is \
                     {version}) and can't be brought up to date; begin with another data folder or database"
                )
                .into(),
            )),
        }
    }

    /// Refuses a migration that nodes of the version before can't live with, while nodes run.
    async fn refuse_beside_nodes(&self, groups: &Groups) -> Result<(), StoreError> {
        let reader = self.reader().await?;
        let ran = stored(&reader, "__diesel_schema_migrations", "version").await?;
        drop(reader);
        let Some(alone) = alone(groups, &ran)? else {
            return Ok(());
        };
        let nodes = self.facts().await?.nodes;
        if nodes == 0 {
            return Ok(());
        }
        Err(StoreError::Failed(
            format!(
                "nodes of the version before can't live with the migration {alone}, and {nodes} nodes run: stop the old nodes, \
                 then start this one"
            )
            .into(),
        ))
    }

    /// Does work on the connection of that token. Once `stop` says so, the server is told to end its statements until the work
    /// gives up.
    async fn unless_stopped<T>(
        &self,
        mut work: impl Future<Output = Result<T, StoreError>> + Unpin,
        token: &CancelToken,
        stop: &CancellationToken,
    ) -> Result<T, StoreError> {
        tokio::select! {
            done = &mut work => return done,
            () = stop.cancelled() => {}
        }
        loop {
            if let Err(error) = self.connector().cancel(token).await {
                tracing::debug!(%error, "the statement of a migration can't be ended at the moment");
            }
            if let Ok(done) = timeout(ASKED_AGAIN, &mut work).await {
                return done.and_then(|_| Err(stopped()));
            }
        }
    }

    /// A connection of its own, without a limit on statements, that holds the lock until it is closed, and the token by which
    /// its statements are ended.
    async fn migrator(&self) -> Result<(AsyncPgConnection, CancelToken), StoreError> {
        let (client, wire) = self.connector().open("pharos migrate").await?;
        let token = client.cancel_token();
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
        Ok((connection, token))
    }
}

/// The first migration to come that nodes of the version before can't live with.
fn alone(groups: &Groups, ran: &[String]) -> Result<Option<String>, StoreError> {
    let all = MigrationSource::<Pg>::migrations(&groups).map_err(StoreError::Failed)?;
    let mut names = all.iter().map(|migration| migration.name());
    let found = names.find(|name| is_alone(&name.to_string()) && !ran.contains(&name.version().to_string()));
    Ok(found.map(ToString::to_string))
}

fn stopped() -> StoreError {
    StoreError::Unavailable("it was stopped before the schema was up to date".into())
}

/// A column of a table; empty if there is no such table yet.
async fn stored(reader: &Reader, table: &str, column: &str) -> Result<Vec<String>, StoreError> {
    let is_there = diesel::select(
        sql::<Bool>("to_regclass(")
            .bind::<Text, _>(table)
            .sql(") IS NOT NULL"),
    );
    if !is_there.get_result(&mut &**reader).await.map_err(failure)? {
        return Ok(Vec::new());
    }
    sql::<Text>(&format!("SELECT {column} FROM {table}"))
        .load(&mut &**reader)
        .await
        .map_err(failure)
}

/// Runs blocking work on a thread that may block, whatever the runtime: Diesel runs migrations synchronously.
async fn on_a_thread<T: Send + 'static>(
    connection: AsyncPgConnection,
    groups: Groups,
    work: impl FnOnce(&mut AsyncMigrationHarness<AsyncPgConnection>, &Groups) -> diesel::migration::Result<T>
    + Send
    + 'static,
) -> Result<(AsyncPgConnection, Groups, T), StoreError> {
    tokio::task::spawn_blocking(move || {
        let mut harness = AsyncMigrationHarness::new(connection);
        let done = work(&mut harness, &groups)?;
        Ok((harness.into_inner(), groups, done))
    })
    .await
    .map_err(|error| StoreError::Failed(Box::new(error)))?
    .map_err(StoreError::Failed)
}

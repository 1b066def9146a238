//! A migration that waits for a lock gives up soon, since all that come after it wait behind it, and begins again.

use std::{pin::pin, time::Duration};

use diesel::{
    OptionalExtension, QueryableByName, dsl, migration,
    sql_types::{BigInt, Integer, Nullable, Text},
};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use diesel_migrations::MigrationHarness;
use pharos_domain::store::StoreError;
use tokio::time::{Instant, sleep, timeout};

use super::{groups::Groups, on_a_thread};
use crate::{
    failure::{failure, tells_of_lock_conflict},
    pool::Database,
    sql,
};

/// How long a statement waits for a lock: requests for the same table wait behind it for as long.
const BEFORE: &str = "SET lock_timeout = '2s'";
const AFTER: &str = "RESET lock_timeout";
/// How long requests may go on before it begins again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long it begins again: a long read, or a backup of a small database, is over by then.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);
/// How often it is asked who holds the lock: some times while a statement waits.
const LOOK: Duration = Duration::from_millis(400);

/// The outcome of one go at all migrations to come.
struct Attempt {
    /// The versions of those that ran.
    ran: Vec<String>,
    /// The name of the one that gave up.
    gave_up: Option<String>,
}

/// A session that holds a lock which another waits for.
#[derive(QueryableByName)]
struct Holder {
    #[diesel(sql_type = Integer)]
    pid: i32,
    #[diesel(sql_type = Nullable<Text>)]
    application: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    seconds: Option<i64>,
}

impl Holder {
    /// The sentence about a migration that it keeps waiting.
    fn keeps_waiting(&self, migration: &str) -> String {
        let Self {
            pid,
            application,
            seconds,
        } = self;
        let application = application.as_deref().unwrap_or_default();
        let age = seconds.map_or_else(String::new, |seconds| {
            format!(", and its last statement began {seconds} s ago")
        });
        format!(
            "the migration {migration} waits for a lock that the session {pid} of PostgreSQL holds (application \
             {application:?}){age}: wait until it is over, or end it with SELECT pg_terminate_backend({pid}), then start again"
        )
    }
}

/// Runs all migrations to come, in their order, and gives their versions. One that gives up for a lock is begun again until
/// `patience` is over, counted from when it first gave up: migrations that take long take nothing from it.
pub(super) async fn run(
    database: &Database,
    mut connection: AsyncPgConnection,
    mut groups: Groups,
    patience: Duration,
) -> Result<(AsyncPgConnection, Groups, Vec<String>), StoreError> {
    let session: i32 = diesel::select(dsl::sql::<Integer>("pg_backend_pid()"))
        .get_result(&mut connection)
        .await
        .map_err(failure)?;
    connection.batch_execute(BEFORE).await.map_err(failure)?;
    let (mut ran, mut until) = (Vec::new(), None);
    loop {
        let mut held_by = None;
        let going = on_a_thread(connection, groups, attempt);
        let gone = watched(database, session, going, &mut held_by).await;
        let (same_connection, same_groups, outcome) = gone?;
        (connection, groups) = (same_connection, same_groups);
        if !outcome.ran.is_empty() {
            until = None;
        }
        ran.extend(outcome.ran);
        let Some(migration) = outcome.gave_up else { break };
        let sentence = match held_by {
            Some(holder) => holder.keeps_waiting(&migration),
            None => format!(
                "the migration {migration} waits for a lock that others hold; start again once they are done"
            ),
        };
        let until = *until.get_or_insert_with(|| Instant::now() + patience);
        if Instant::now() >= until {
            return Err(StoreError::Failed(sentence.into()));
        }
        tracing::warn!("{sentence}; meanwhile it is tried again");
        sleep(PAUSE).await;
    }
    connection.batch_execute(AFTER).await.map_err(failure)?;
    Ok((connection, groups, ran))
}

fn attempt(
    harness: &mut AsyncMigrationHarness<AsyncPgConnection>,
    groups: &Groups,
) -> migration::Result<Attempt> {
    let mut ran = Vec::new();
    for migration in harness.pending_migrations(groups)? {
        match harness.run_migration(&*migration) {
            Ok(version) => ran.push(version.to_string()),
            // The harness keeps the error's words alone.
            Err(error) if tells_of_lock_conflict(&error.to_string()) => {
                let gave_up = Some(migration.name().to_string());
                return Ok(Attempt { ran, gave_up });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Attempt { ran, gave_up: None })
}

/// Does the work of a session, and notes meanwhile who keeps it waiting.
async fn watched<T>(
    database: &Database,
    session: i32,
    work: impl Future<Output = T>,
    held_by: &mut Option<Holder>,
) -> T {
    let mut work = pin!(work);
    loop {
        if let Ok(done) = timeout(LOOK, work.as_mut()).await {
            return done;
        }
        match holder(database, session).await {
            Ok(Some(holder)) => *held_by = Some(holder),
            Ok(None) => {}
            Err(error) => {
                tracing::debug!(%error, "who keeps a migration waiting can't be read at the moment");
            }
        }
    }
}

/// The session that keeps another waiting; of several the one whose transaction is the oldest.
async fn holder(database: &Database, session: i32) -> Result<Option<Holder>, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(
        text "SELECT pid, application_name AS application,
                  floor(extract(epoch FROM clock_timestamp() - query_start))::bigint AS seconds
              FROM pg_stat_activity
              WHERE pid = ANY (pg_blocking_pids($1))
              ORDER BY xact_start
              LIMIT 1"
    );
    query
        .bind::<Integer, _>(session)
        .get_result(&mut connection)
        .await
        .optional()
        .map_err(failure)
}

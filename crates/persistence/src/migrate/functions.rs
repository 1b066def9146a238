//! SQL functions and triggers: they lie in files, and are applied when their text has changed.

use std::{collections::HashMap, time::Duration};

use diesel::{ExpressionMethods, QueryResult};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::store::StoreError;
use ring::digest::{SHA256, digest};
use tokio::time::{Instant, sleep};

use super::groups::{Function, Groups};
use crate::{
    failure::{Abort, failure, is_lock_conflict},
    schema::schema_functions,
};

/// All are applied in one transaction, so a trigger's table stays locked until the last one is. Requests that lock tables
/// in another order would deadlock with it: it gives up before PostgreSQL looks for deadlocks (`deadlock_timeout`, 1 s),
/// lets them go on, and begins again.
const SESSION: &str = "SET LOCAL check_function_bodies = off; SET LOCAL lock_timeout = '500ms'";
/// How long others may go on before it begins again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long it begins again: no statement of a node takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Applies those whose digest is not the stored one, all or none, and gives their names.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    groups: &Groups,
) -> Result<Vec<String>, StoreError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match apply_once(connection, groups).await {
            Err(Abort::Database(error)) if is_lock_conflict(&error) && Instant::now() < until => {
                tracing::info!(%error, "tables are in use; functions and triggers are applied again in a moment");
                sleep(PAUSE).await;
            }
            done => return done.map_err(Abort::answer),
        }
    }
}

async fn apply_once(
    connection: &mut AsyncPgConnection,
    groups: &Groups,
) -> Result<Vec<String>, Abort<StoreError>> {
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let stored = stored(connection).await?;
            // A function may call one that comes later, so bodies are not looked into.
            connection.batch_execute(SESSION).await?;
            let mut applied = Vec::new();
            for function in groups.functions() {
                let digest = digest(&SHA256, function.text.as_bytes());
                if stored.get(function.name).map(Vec::as_slice) == Some(digest.as_ref()) {
                    continue;
                }
                connection
                    .batch_execute(function.text)
                    .await
                    .map_err(|error| unapplied(function, error))?;
                note(connection, function, digest.as_ref()).await?;
                applied.push(function.name.to_owned());
            }
            Ok(applied)
        })
        .await
}

/// The names of those that are there with another text than this program's.
pub(super) async fn of_another_text(
    connection: &AsyncPgConnection,
    groups: &Groups,
) -> Result<Vec<String>, StoreError> {
    let stored = stored(connection).await.map_err(failure)?;
    let differs = |function: &Function| {
        stored
            .get(function.name)
            .is_some_and(|stored| stored != digest(&SHA256, function.text.as_bytes()).as_ref())
    };
    let names = groups
        .functions()
        .filter(differs)
        .map(|function| function.name.to_owned());
    Ok(names.collect())
}

/// The digest of each that was applied.
async fn stored(mut connection: &AsyncPgConnection) -> QueryResult<HashMap<String, Vec<u8>>> {
    let rows = schema_functions::table.load::<(String, Vec<u8>)>(&mut connection);
    Ok(rows.await?.into_iter().collect())
}

async fn note(connection: &mut AsyncPgConnection, function: Function, digest: &[u8]) -> QueryResult<()> {
    diesel::insert_into(schema_functions::table)
        .values((
            schema_functions::name.eq(function.name),
            schema_functions::digest.eq(digest),
        ))
        .on_conflict(schema_functions::name)
        .do_update()
        .set(schema_functions::digest.eq(digest))
        .execute(connection)
        .await
        .map(|_| ())
}

/// Says which file it was, where it is the file's fault.
fn unapplied(function: Function, error: diesel::result::Error) -> Abort<StoreError> {
    if is_lock_conflict(&error) {
        return Abort::Database(error);
    }
    Abort::Port(match failure(error) {
        StoreError::Failed(error) => {
            StoreError::Failed(format!("{}.sql can't be applied: {error}", function.name).into())
        }
        other => other,
    })
}

/// Drops all functions, and with them the triggers that call them.
#[cfg(feature = "testing")]
pub(super) async fn drop_all(connection: &mut AsyncPgConnection, groups: &Groups) -> Result<(), StoreError> {
    connection
        .transaction(async |connection| {
            for function in groups.functions().rev() {
                if !function.name.contains('.') {
                    let drop = format!("DROP FUNCTION IF EXISTS {} CASCADE", function.name);
                    connection.batch_execute(&drop).await?;
                }
            }
            Ok(())
        })
        .await
        .map_err(failure)
}

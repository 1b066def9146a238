//! SQL functions and triggers: they lie in files, and are applied when their text has changed.

use std::collections::HashMap;

use diesel::{ExpressionMethods, QueryResult};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::store::StoreError;
use ring::digest::{SHA256, digest};

use super::groups::{Function, Groups};
use crate::{
    failure::{Abort, failure},
    schema::schema_functions,
};

/// Applies those whose digest is not the stored one, all or none, and gives their names.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    groups: &Groups,
) -> Result<Vec<String>, StoreError> {
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let stored: HashMap<String, Vec<u8>> = schema_functions::table
                .load::<(String, Vec<u8>)>(connection)
                .await?
                .into_iter()
                .collect();
            // A function may call one that comes later.
            connection
                .batch_execute("SET LOCAL check_function_bodies = off")
                .await?;
            let mut applied = Vec::new();
            for function in groups.functions() {
                let digest = digest(&SHA256, function.text.as_bytes());
                if stored.get(function.name).map(Vec::as_slice) == Some(digest.as_ref()) {
                    continue;
                }
                connection
                    .batch_execute(function.text)
                    .await
                    .map_err(|error| Abort::Port(unapplied(function, error)))?;
                note(connection, function, digest.as_ref()).await?;
                applied.push(function.name.to_owned());
            }
            Ok(applied)
        })
        .await
        .map_err(Abort::answer)
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

/// Says which file it was.
fn unapplied(function: Function, error: diesel::result::Error) -> StoreError {
    match failure(error) {
        StoreError::Failed(error) => {
            StoreError::Failed(format!("{}.sql can't be applied: {error}", function.name).into())
        }
        other => other,
    }
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

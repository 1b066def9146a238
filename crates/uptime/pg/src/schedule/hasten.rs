//! Checks that come sooner than they were due.

use diesel::{
    QueryResult, sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_persistence::statement::statement;
use time::OffsetDateTime;
use uuid::Uuid;

struct Hasten;

/// Lets the next check of each region of a domain come no later than this.
pub(super) async fn hasten(
    connection: &mut AsyncPgConnection,
    sooner: impl IntoIterator<Item = ((Uuid, String), OffsetDateTime)>,
) -> QueryResult<()> {
    let (keys, times): (Vec<_>, Vec<OffsetDateTime>) = sooner.into_iter().unzip();
    if keys.is_empty() {
        return Ok(());
    }
    let (domains, regions): (Vec<Uuid>, Vec<String>) = keys.into_iter().unzip();
    let query = sql_query(include_str!("hasten.sql"))
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Timestamptz>, _>(times);
    statement::<Hasten, _>(query)
        .execute(connection)
        .await
        .map(|_| ())
}

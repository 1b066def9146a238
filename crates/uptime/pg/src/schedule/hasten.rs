//! Checks that come sooner than they were due.

use std::collections::BTreeSet;

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_persistence::{due, sql};
use pharos_uptime::complete::Key;
use time::OffsetDateTime;

use super::keys::columns;

#[derive(QueryableByName)]
struct HastenedRow {
    #[diesel(sql_type = Text)]
    region: String,
}

/// Lets the next check of each region of a domain come no later than this.
pub(super) async fn hasten(
    connection: &mut AsyncPgConnection,
    sooner: impl IntoIterator<Item = (Key, OffsetDateTime)>,
) -> QueryResult<()> {
    let (keys, times): (Vec<Key>, Vec<OffsetDateTime>) = sooner.into_iter().unzip();
    if keys.is_empty() {
        return Ok(());
    }
    let (domains, regions) = columns(keys);
    let query = sql!("hasten.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Timestamptz>, _>(times);
    let hastened: Vec<HastenedRow> = query.load(connection).await?;
    if hastened.is_empty() {
        return Ok(());
    }
    let regions: BTreeSet<String> = hastened.into_iter().map(|row| row.region).collect();
    due::announce(connection, &Vec::from_iter(regions), "").await
}

//! The statements of a batch: as many for a thousand beacons as for one.
//!
//! Rows are locked in one order by all who store: beacons, loads, kinds of errors, progress, and each by its key.

use std::collections::BTreeMap;

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{
    collect::{Beacon, view::View},
    store::StoreError,
};
use pharos_persistence::{failure::Abort, moment::to_micros, sql};
use pharos_vitals::texts::OTHER;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Sites, rows::Rows};
use crate::dictionary::Numbers;

/// Stores a batch, part of which may have been stored before.
pub(super) async fn save(
    connection: &mut AsyncPgConnection,
    batch: &[Beacon<View>],
    sites: &Sites,
    mut numbers: Numbers,
) -> Result<(), Abort<StoreError>> {
    // Rows are found by their keys one by one, however little PostgreSQL knows yet of a month that is new.
    connection
        .batch_execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
        .await?;
    let told = told(fresh(connection, batch).await?);
    let accepted = accept(connection, &told).await?;
    let replaced: Vec<_> = accepted
        .iter()
        .filter(|(_, told)| told.last.content.revision > 0)
        .collect();
    if !replaced.is_empty() {
        let query = sql!("replace.sql")
            .bind::<Array<SqlUuid>, _>(replaced.iter().map(|(row, _)| row.domain_id).collect::<Vec<_>>())
            .bind::<Array<BigInt>, _>(replaced.iter().map(|(row, _)| row.load_id).collect::<Vec<_>>())
            .bind::<Array<Timestamptz>, _>(replaced.iter().map(|(row, _)| row.at).collect::<Vec<_>>());
        query.execute(connection).await?;
    }
    let mut rows = Rows::default();
    for (row, told) in &accepted {
        rows.add(told.last, row.at, sites.get(&told.last.domain), &mut numbers)
            .map_err(Abort::Port)?;
    }
    numbers.checked().map_err(Abort::Port)?;
    if accepted.is_empty() {
        return Ok(());
    }
    let (tables, groups) = rows.into_json().map_err(Abort::Port)?;
    if groups.as_array().is_some_and(|groups| !groups.is_empty()) {
        let query = sql!("groups.sql")
            .bind::<Jsonb, Value>(groups)
            .bind::<Text, _>(OTHER);
        query.execute(connection).await?;
    }
    let query = sql!("insert.sql").bind::<Jsonb, Value>(tables);
    query.execute(connection).await?;
    save_progress(connection, &accepted).await
}

#[derive(QueryableByName)]
struct BeaconRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    beacon_id: Uuid,
}

/// The beacons that were not stored before, each once.
async fn fresh<'a>(
    connection: &mut AsyncPgConnection,
    batch: &'a [Beacon<View>],
) -> Result<Vec<&'a Beacon<View>>, Abort<StoreError>> {
    let told: BTreeMap<(Uuid, Uuid), &Beacon<View>> = batch
        .iter()
        .rev()
        .map(|beacon| ((beacon.domain.0, beacon.id), beacon))
        .collect();
    let (domains, beacons): (Vec<Uuid>, Vec<Uuid>) = told.keys().copied().unzip();
    let query = sql!("beacons.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<SqlUuid>, _>(beacons);
    let fresh: Vec<BeaconRow> = query.load(connection).await?;
    let fresh = fresh
        .into_iter()
        .filter_map(|row| told.get(&(row.domain_id, row.beacon_id)).copied());
    Ok(fresh.collect())
}

/// The beacons of one page load in a batch.
struct LoadBeacons<'a> {
    /// The one that says most.
    last: &'a Beacon<View>,
    /// The lowest revision, which knows best when the load began, and when that is.
    first: (u16, OffsetDateTime),
}

type Loads<'a> = BTreeMap<(Uuid, i64), LoadBeacons<'a>>;

fn told(beacons: Vec<&Beacon<View>>) -> Loads<'_> {
    let mut loads = Loads::new();
    for beacon in beacons {
        let view = &beacon.content;
        let first = (view.revision, to_micros(view.at));
        let told = loads
            .entry((beacon.domain.0, view.load.0))
            .or_insert(LoadBeacons { last: beacon, first });
        told.first = told.first.min(first);
        if view.revision > told.last.content.revision {
            told.last = beacon;
        }
    }
    loads
}

#[derive(QueryableByName)]
struct LoadRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = BigInt)]
    load_id: i64,
    #[diesel(sql_type = Timestamptz)]
    at: OffsetDateTime,
}

/// Locks the page loads, and says which of them know more now than was stored, with when they began.
async fn accept<'a, 'b>(
    connection: &mut AsyncPgConnection,
    loads: &'b Loads<'a>,
) -> Result<Vec<(LoadRow, &'b LoadBeacons<'a>)>, Abort<StoreError>> {
    let (domains, ids): (Vec<Uuid>, Vec<i64>) = loads.keys().copied().unzip();
    let query = sql!("loads.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<BigInt>, _>(ids)
        .bind::<Array<Timestamptz>, _>(loads.values().map(|told| told.first.1).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(
            loads
                .values()
                .map(|told| i32::from(told.last.content.revision))
                .collect::<Vec<_>>(),
        );
    let rows: Vec<LoadRow> = query.load(connection).await?;
    let accepted = rows.into_iter().filter_map(|row| {
        let told = loads.get(&(row.domain_id, row.load_id))?;
        Some((row, told))
    });
    Ok(accepted.collect())
}

async fn save_progress(
    connection: &mut AsyncPgConnection,
    accepted: &[(LoadRow, &LoadBeacons<'_>)],
) -> Result<(), Abort<StoreError>> {
    let mut told: BTreeMap<Uuid, (OffsetDateTime, OffsetDateTime, Option<&str>)> = BTreeMap::new();
    for (row, load) in accepted {
        let (first, last, version) = told.entry(row.domain_id).or_insert((row.at, row.at, None));
        // The version is that of the last view that tells one.
        if row.at >= *last || version.is_none() {
            *version = load.last.content.version.as_deref().or(*version);
        }
        *first = row.at.min(*first);
        *last = row.at.max(*last);
    }
    let query = sql!("progress.sql")
        .bind::<Array<SqlUuid>, _>(told.keys().copied().collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(told.values().map(|(first, ..)| *first).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(told.values().map(|(_, last, _)| *last).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(told.values().map(|(.., version)| *version).collect::<Vec<_>>());
    query.execute(connection).await?;
    Ok(())
}

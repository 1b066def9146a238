//! Whether the database has what callers were promised.

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::traffic::Seen;

/// Rows of one kind.
pub(super) struct Rows {
    pub(super) kind: &'static str,
    /// Rows that were acknowledged.
    pub(super) acknowledged: usize,
    /// Acknowledged rows that are missing.
    pub(super) lost: usize,
    /// Rows that are there more often than they were requested.
    pub(super) doubled: usize,
}

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Compares what callers have seen with the tables.
pub(super) async fn compare(url: &str, seen: &Seen) -> Result<Vec<Rows>> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    let charges = ids(&mut connection, "SELECT request_id AS id FROM credit_log").await?;
    let runs = ids(&mut connection, "SELECT id FROM runs").await?;
    let beacons = ids(&mut connection, "SELECT beacon_id AS id FROM analytics_beacons").await?;
    let settings: Vec<Setting> = sql_query(
        "SELECT domain_id AS id, (settings ->> 'timeout_seconds')::bigint AS value FROM uptime_monitors",
    )
    .load(&mut connection)
    .await?;
    let settings: HashMap<Uuid, i64> = settings
        .into_iter()
        .map(|Setting { id, value }| (id, value))
        .collect();
    let known = seen
        .timeouts
        .iter()
        .filter_map(|(domain, timeout)| Some((domain, i64::from((*timeout)?))));
    let is_lost = |(domain, timeout): &(&Uuid, i64)| settings.get(*domain) != Some(timeout);
    Ok(vec![
        Rows {
            kind: "charges",
            acknowledged: seen.charged.len(),
            lost: missing(&charges, &seen.charged),
            doubled: charges.twice,
        },
        Rows {
            kind: "runs",
            acknowledged: seen.runs.len(),
            lost: missing(&runs, &seen.runs),
            doubled: beyond(runs.all.len(), seen.run_keys),
        },
        Rows {
            kind: "beacons",
            acknowledged: seen.beacons.len(),
            lost: missing(&beacons, &seen.beacons),
            doubled: beyond(beacons.all.len(), seen.beacons_sent),
        },
        Rows {
            kind: "settings",
            acknowledged: known.clone().count(),
            lost: known.filter(is_lost).count(),
            doubled: 0,
        },
    ])
}

/// The ids of a table.
struct Ids {
    all: HashSet<Uuid>,
    /// How many rows have the id of another.
    twice: usize,
}

async fn ids(connection: &mut AsyncPgConnection, query: &str) -> Result<Ids> {
    let rows: Vec<Id> = sql_query(query).load(connection).await?;
    let many = rows.len();
    let all: HashSet<Uuid> = rows.into_iter().map(|Id { id }| id).collect();
    let twice = many - all.len();
    Ok(Ids { all, twice })
}

fn missing(ids: &Ids, promised: &[Uuid]) -> usize {
    promised.iter().filter(|id| !ids.all.contains(*id)).count()
}

fn beyond(found: usize, asked: u64) -> usize {
    found.saturating_sub(usize::try_from(asked).unwrap_or(usize::MAX))
}

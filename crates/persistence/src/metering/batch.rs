//! Batches of log rows as statements, and what they come to.

use std::collections::{BTreeMap, HashMap};

use diesel::{
    QueryResult, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::credits::{Exhaustion, LogEntry};
use pharos_metering::credits::store::Verdict;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{moment::to_micros, statement::statement};

struct Settle;
struct Record;

/// The columns of a batch.
struct Columns {
    requests: Vec<Uuid>,
    times: Vec<OffsetDateTime>,
    workspaces: Vec<Uuid>,
    credentials: Vec<Uuid>,
    users: Vec<Uuid>,
    domains: Vec<Option<Uuid>>,
    operations: Vec<&'static str>,
    statuses: Vec<i16>,
    costs: Vec<i32>,
    caches: Vec<&'static str>,
}

impl From<&[LogEntry]> for Columns {
    fn from(entries: &[LogEntry]) -> Self {
        let column = || Vec::with_capacity(entries.len());
        let mut columns = Self {
            requests: column(),
            times: Vec::with_capacity(entries.len()),
            workspaces: column(),
            credentials: column(),
            users: column(),
            domains: Vec::with_capacity(entries.len()),
            operations: Vec::with_capacity(entries.len()),
            statuses: Vec::with_capacity(entries.len()),
            costs: Vec::with_capacity(entries.len()),
            caches: Vec::with_capacity(entries.len()),
        };
        for entry in entries {
            let LogEntry {
                request_id,
                occurred_at,
                workspace_id,
                credential_id,
                user_id,
                domain_id,
                operation,
                status,
                cost,
                cache,
            } = entry;
            columns.requests.push(request_id.0);
            columns.times.push(to_micros(*occurred_at));
            columns.workspaces.push(workspace_id.0);
            columns.credentials.push(credential_id.0);
            columns.users.push(user_id.0);
            columns.domains.push(domain_id.map(|id| id.0));
            columns.operations.push(operation);
            // Neither status nor price comes near the end of its column.
            columns.statuses.push(i16::try_from(*status).unwrap_or(i16::MAX));
            columns.costs.push(i32::try_from(*cost).unwrap_or(i32::MAX));
            columns.caches.push(cache.as_str());
        }
        columns
    }
}

/// What a batch comes to: for each workspace that pays, in the order of their ids, and for each of its users.
struct Sums {
    payers: Vec<Uuid>,
    payer_costs: Vec<i64>,
    /// The numbers of the payers, from 1.
    share_payers: Vec<i32>,
    share_users: Vec<Uuid>,
    share_costs: Vec<i64>,
    earliest: Option<OffsetDateTime>,
    latest: Option<OffsetDateTime>,
}

impl From<&Columns> for Sums {
    fn from(columns: &Columns) -> Self {
        let mut shares = BTreeMap::new();
        let payers = columns.workspaces.iter().zip(&columns.users);
        for ((workspace, user), cost) in payers.zip(&columns.costs) {
            *shares.entry((*workspace, *user)).or_default() += i64::from(*cost);
        }
        let mut sums = Self {
            payers: Vec::new(),
            payer_costs: Vec::new(),
            share_payers: Vec::with_capacity(shares.len()),
            share_users: Vec::with_capacity(shares.len()),
            share_costs: Vec::with_capacity(shares.len()),
            earliest: columns.times.iter().min().copied(),
            latest: columns.times.iter().max().copied(),
        };
        let mut number = 0;
        for ((workspace, user), cost) in shares {
            if sums.payers.last() != Some(&workspace) {
                number += 1;
                sums.payers.push(workspace);
                sums.payer_costs.push(0);
            }
            if let Some(total) = sums.payer_costs.last_mut() {
                *total += cost;
            }
            sums.share_payers.push(number);
            sums.share_users.push(user);
            sums.share_costs.push(cost);
        }
        sums
    }
}

/// A row that `settle_charges` returns: of a workspace, or of a charge that was refused.
#[derive(QueryableByName)]
struct SettledRow {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    workspace_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<BigInt>)]
    remaining: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    refused: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    used: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    allowance: Option<i64>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resets_at: Option<OffsetDateTime>,
}

/// Charges a batch, whole, in the transaction that is open, or in one of its own. A verdict for each, in their order.
pub(super) async fn settle(
    connection: &mut AsyncPgConnection,
    charges: &[LogEntry],
    again: bool,
) -> QueryResult<Vec<Verdict>> {
    let columns = Columns::from(charges);
    let sums = Sums::from(&columns);
    let query = sql_query(include_str!("settle.sql"))
        .bind::<Array<SqlUuid>, _>(columns.requests)
        .bind::<Array<Timestamptz>, _>(columns.times)
        .bind::<Array<SqlUuid>, _>(columns.workspaces)
        .bind::<Array<SqlUuid>, _>(columns.credentials)
        .bind::<Array<SqlUuid>, _>(columns.users)
        .bind::<Array<Nullable<SqlUuid>>, _>(columns.domains)
        .bind::<Array<Text>, _>(columns.operations)
        .bind::<Array<SmallInt>, _>(columns.statuses)
        .bind::<Array<Integer>, _>(columns.costs)
        .bind::<Array<Text>, _>(columns.caches)
        .bind::<Array<SqlUuid>, _>(sums.payers)
        .bind::<Array<BigInt>, _>(sums.payer_costs)
        .bind::<Array<Integer>, _>(sums.share_payers)
        .bind::<Array<SqlUuid>, _>(sums.share_users)
        .bind::<Array<BigInt>, _>(sums.share_costs)
        .bind::<Nullable<Timestamptz>, _>(sums.earliest)
        .bind::<Nullable<Timestamptz>, _>(sums.latest)
        .bind::<Bool, _>(again);
    let rows = statement::<Settle, _>(query).load(connection).await?;
    Ok(verdicts(charges, rows))
}

fn verdicts(charges: &[LogEntry], rows: Vec<SettledRow>) -> Vec<Verdict> {
    // No figure is below 0, and each charge has its row or its workspace's: the function sees to it.
    let count = |figure: Option<i64>| figure.and_then(|figure| u64::try_from(figure).ok()).unwrap_or(0);
    let (mut left, mut refused) = (HashMap::new(), HashMap::new());
    for row in rows {
        let SettledRow {
            workspace_id,
            remaining,
            refused: number,
            used,
            allowance,
            resets_at,
        } = row;
        if let Some(workspace) = workspace_id {
            left.insert(workspace, count(remaining));
        }
        if let (Some(number), Some(resets_at)) = (number, resets_at) {
            let exhaustion = Exhaustion {
                used: count(used),
                limit: count(allowance),
                resets_on: resets_at.date(),
            };
            refused.insert(number, exhaustion);
        }
    }
    (1..)
        .zip(charges)
        .map(|(number, charge)| match refused.get(&number) {
            Some(exhaustion) => Verdict::Refused(*exhaustion),
            None => Verdict::Settled {
                remaining: left.get(&charge.workspace_id.0).copied().unwrap_or(0),
            },
        })
        .collect()
}

/// Writes rows that cost nothing. Those that are there already stay as they are.
pub(super) async fn record(connection: &mut AsyncPgConnection, entries: &[LogEntry]) -> QueryResult<usize> {
    let columns = Columns::from(entries);
    let query = sql_query(include_str!("record.sql"))
        .bind::<Array<SqlUuid>, _>(columns.requests)
        .bind::<Array<Timestamptz>, _>(columns.times)
        .bind::<Array<SqlUuid>, _>(columns.workspaces)
        .bind::<Array<SqlUuid>, _>(columns.credentials)
        .bind::<Array<Nullable<SqlUuid>>, _>(columns.domains)
        .bind::<Array<Text>, _>(columns.operations)
        .bind::<Array<SmallInt>, _>(columns.statuses)
        .bind::<Array<Integer>, _>(columns.costs)
        .bind::<Array<Text>, _>(columns.caches);
    statement::<Record, _>(query).execute(connection).await
}

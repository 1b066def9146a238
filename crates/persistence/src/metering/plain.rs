//! Charges that can be paid as they came: nearly all, and in one statement.

use std::collections::{BTreeMap, HashMap};

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{credits::LogEntry, ids::WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::batch::Columns;
use crate::sql;

/// The settings of a session that settles: each look-up is one by a key, however small the tables were at first, and
/// the statement is planned once.
pub(super) const SESSION: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
     SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off; SET jit = off";

/// The sums of a batch: for each workspace that pays, in the order of their ids, and for each of its users.
struct Sums {
    payers: Vec<Uuid>,
    payer_costs: Vec<i64>,
    /// The numbers of the payers, from 1.
    share_payers: Vec<i32>,
    share_users: Vec<Uuid>,
    share_costs: Vec<i64>,
    /// The number of the payer of each charge.
    charge_payers: Vec<i32>,
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
            payers: Vec::with_capacity(shares.len()),
            payer_costs: Vec::with_capacity(shares.len()),
            share_payers: Vec::with_capacity(shares.len()),
            share_users: Vec::with_capacity(shares.len()),
            share_costs: Vec::with_capacity(shares.len()),
            charge_payers: Vec::with_capacity(columns.workspaces.len()),
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
        let numbers: HashMap<_, _> = sums.payers.iter().zip(1..).collect();
        sums.charge_payers
            .extend(columns.workspaces.iter().filter_map(|payer| numbers.get(payer)));
        sums
    }
}

#[derive(QueryableByName)]
struct PayerRow {
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = BigInt)]
    remaining: i64,
}

/// Charges those workspaces of a batch that can pay all of theirs as it came: no cycle ends, no member has a cap, and
/// the balance suffices. Returns the balance of each of them; the charges of the others are untouched. It runs in a
/// transaction of its own, on a connection that began with [`SESSION`].
pub(super) async fn settle(
    connection: &mut AsyncPgConnection,
    charges: &[LogEntry],
) -> QueryResult<HashMap<WorkspaceId, u64>> {
    let columns = Columns::from(charges);
    let sums = Sums::from(&columns);
    let query = sql!("plain.sql")
        .bind::<Array<SqlUuid>, _>(sums.payers)
        .bind::<Array<BigInt>, _>(sums.payer_costs)
        .bind::<Nullable<Timestamptz>, _>(sums.earliest)
        .bind::<Nullable<Timestamptz>, _>(sums.latest)
        .bind::<Array<Integer>, _>(sums.share_payers)
        .bind::<Array<SqlUuid>, _>(sums.share_users)
        .bind::<Array<BigInt>, _>(sums.share_costs)
        .bind::<Array<Integer>, _>(sums.charge_payers)
        .bind::<Array<Timestamptz>, _>(columns.times)
        .bind::<Array<SqlUuid>, _>(columns.requests)
        .bind::<Array<SqlUuid>, _>(columns.credentials)
        .bind::<Array<Nullable<SqlUuid>>, _>(columns.domains)
        .bind::<Array<Text>, _>(columns.operations)
        .bind::<Array<SmallInt>, _>(columns.statuses)
        .bind::<Array<Integer>, _>(columns.costs)
        .bind::<Array<Text>, _>(columns.caches);
    let rows: Vec<PayerRow> = query.load(connection).await?;
    let left = rows.into_iter().map(|row| {
        // None falls below 0: the statement sees to it.
        let remaining = u64::try_from(row.remaining).unwrap_or(0);
        (WorkspaceId(row.workspace_id), remaining)
    });
    Ok(left.collect())
}

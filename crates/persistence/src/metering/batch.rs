//! Batches of log rows as statements, and what becomes of them.

use std::collections::HashMap;

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Exhaustion, LogEntry},
    ledger::Verdict,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{moment::to_micros, schema::credit_balances, sql};

/// The columns of a batch.
pub(super) struct Columns {
    pub(super) requests: Vec<Uuid>,
    pub(super) times: Vec<OffsetDateTime>,
    pub(super) workspaces: Vec<Uuid>,
    pub(super) credentials: Vec<Uuid>,
    pub(super) users: Vec<Uuid>,
    pub(super) domains: Vec<Option<Uuid>>,
    pub(super) operations: Vec<&'static str>,
    pub(super) statuses: Vec<i16>,
    pub(super) costs: Vec<i32>,
    pub(super) caches: Vec<&'static str>,
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
    let query = sql!("settle.sql")
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
        .bind::<Bool, _>(again);
    let rows = query.load(connection).await?;
    let mut verdicts = verdicts(charges, rows);
    // Charges that could be paid are made by now, so this must not fail the batch: without it a refusal says less.
    if let Err(error) = tell_caps(connection, charges, &mut verdicts).await {
        tracing::warn!(%error, "whose caps refused charges can't be told");
    }
    Ok(verdicts)
}

/// Notes which refusals are those of a member's cap: their limit is not what the workspace is granted.
async fn tell_caps(
    connection: &mut AsyncPgConnection,
    charges: &[LogEntry],
    verdicts: &mut [Verdict],
) -> QueryResult<()> {
    let refused = charges
        .iter()
        .zip(verdicts)
        .filter_map(|(charge, verdict)| match verdict {
            Verdict::Refused(exhaustion) => Some((charge.workspace_id.0, exhaustion)),
            Verdict::Settled { .. } | Verdict::Unsettled => None,
        });
    let refused: Vec<(Uuid, &mut Exhaustion)> = refused.collect();
    if refused.is_empty() {
        return Ok(());
    }
    let workspaces: Vec<Uuid> = refused.iter().map(|(workspace, _)| *workspace).collect();
    let granted: HashMap<Uuid, i64> = credit_balances::table
        .filter(credit_balances::workspace_id.eq_any(workspaces))
        .select((credit_balances::workspace_id, credit_balances::granted))
        .load::<(Uuid, i64)>(connection)
        .await?
        .into_iter()
        .collect();
    for (workspace, exhaustion) in refused {
        let granted = granted
            .get(&workspace)
            .and_then(|granted| u64::try_from(*granted).ok());
        exhaustion.is_cap = granted.is_some_and(|granted| granted != exhaustion.limit);
    }
    Ok(())
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
                is_cap: false,
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
    let query = sql!("record.sql")
        .bind::<Array<SqlUuid>, _>(columns.requests)
        .bind::<Array<Timestamptz>, _>(columns.times)
        .bind::<Array<SqlUuid>, _>(columns.workspaces)
        .bind::<Array<SqlUuid>, _>(columns.credentials)
        .bind::<Array<Nullable<SqlUuid>>, _>(columns.domains)
        .bind::<Array<Text>, _>(columns.operations)
        .bind::<Array<SmallInt>, _>(columns.statuses)
        .bind::<Array<Integer>, _>(columns.costs)
        .bind::<Array<Text>, _>(columns.caches);
    query.execute(connection).await
}

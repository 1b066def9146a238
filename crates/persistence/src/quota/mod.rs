//! Quotas of plans: taken from, and given back to, in the transaction of the effect.

use diesel::{
    OptionalExtension, QueryDsl, QueryResult, QueryableByName,
    sql_types::{BigInt, Date as SqlDate, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    quota::{QuotaExhausted, QuotaOwner, QuotaResource},
};
use time::OffsetDateTime;

use crate::{schema::domains, sql};

#[derive(QueryableByName)]
struct Full {
    #[diesel(sql_type = BigInt)]
    used: i64,
    #[diesel(sql_type = BigInt)]
    quota_limit: i64,
}

/// Takes `count` of a workspace's quota, where the plan has so much left. The row of the quota is locked until the transaction
/// ends, so that no two requests both take the last.
///
/// # Errors
/// The statement failed. Inside: the quota has no room.
pub async fn take(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    resource: QuotaResource,
    count: u32,
    now: OffsetDateTime,
) -> QueryResult<Result<(), QuotaExhausted>> {
    let period = resource.period();
    let query = sql!("take.sql")
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Text, _>(resource.as_str())
        .bind::<SqlDate, _>(period.start(now))
        .bind::<BigInt, _>(i64::from(count));
    let full: Option<Full> = query.get_result(connection).await.optional()?;
    Ok(match full {
        None => Ok(()),
        Some(full) => Err(QuotaExhausted {
            resource,
            owner: QuotaOwner::Plan,
            asked: count.into(),
            used: full.used.unsigned_abs(),
            limit: full.quota_limit.unsigned_abs(),
            resets_on: period.resets_on(now),
        }),
    })
}

/// Gives `count` back to a stock of a workspace.
///
/// # Errors
/// The statement failed.
pub async fn give_back(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    resource: QuotaResource,
    count: u32,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let query = sql!(text "UPDATE quota_usage SET used = greatest(used - $4, 0)
        WHERE workspace_id = $1 AND resource = $2 AND period_start = $3")
    .bind::<SqlUuid, _>(workspace.0)
    .bind::<Text, _>(resource.as_str())
    .bind::<SqlDate, _>(resource.period().start(now))
    .bind::<BigInt, _>(i64::from(count));
    query.execute(connection).await.map(|_| ())
}

/// Gives back what a domain, which is being erased, holds of a stock of its workspace.
///
/// # Errors
/// The statement failed.
pub async fn give_back_of_domain(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    resource: QuotaResource,
    count: i64,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let workspace = domains::table
        .find(domain.0)
        .select(domains::workspace_id)
        .first(connection)
        .await?;
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    give_back(connection, WorkspaceId(workspace), resource, count, now).await
}

//! Reads what a plan needs: roll-ups, and the checks of what is not rolled up.

use diesel::{OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::failure::Abort;
use pharos_uptime::history::{
    History, HistoryQuery,
    aggregate::RegionAggregates,
    plan::{Hour, ReadPlan},
};
use time::OffsetDateTime;

use super::{hours, rolled};
use crate::schema::uptime_rollup_progress;

pub(super) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    queries: &[HistoryQuery],
    edges: &[OffsetDateTime],
    region: Option<&str>,
) -> Result<History, Abort<StoreError>> {
    let rolled_until: Option<Option<OffsetDateTime>> = uptime_rollup_progress::table
        .find(domain.0)
        .select(uptime_rollup_progress::rolled_until)
        .first(&mut &*connection)
        .await
        .optional()?;
    let plan = ReadPlan::new(queries, edges, rolled_until.flatten());
    // Pipelined: what is rolled up is summed while PostgreSQL is at the rest.
    let (aggregates, counts, hours) = tokio::try_join!(
        rolled_up(connection, domain, &plan, region),
        rolled::counts(connection, domain, plan.counted(), region),
        rest(connection, domain, &plan, region),
    )?;
    Ok(plan.answer(aggregates, counts, hours))
}

async fn rolled_up(
    connection: &AsyncPgConnection,
    domain: DomainId,
    plan: &ReadPlan<'_>,
    region: Option<&str>,
) -> Result<Vec<RegionAggregates>, Abort<StoreError>> {
    let found = rolled::read(connection, domain, &plan.rollups(), region).await?;
    Ok(plan.sum_rollups(&found))
}

async fn rest(
    connection: &AsyncPgConnection,
    domain: DomainId,
    plan: &ReadPlan<'_>,
    region: Option<&str>,
) -> Result<Vec<Hour>, Abort<StoreError>> {
    match plan.hours() {
        Some(range) => hours::read(connection, domain, range, region, &plan.measures()).await,
        None => Ok(Vec::new()),
    }
}

//! Checks that come late: to a day that may be rolled up already.

use diesel::sql_types::{Array, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_persistence::sql;
use pharos_series::progress::late_days;
use pharos_uptime::finished::FinishedCheck;
use time::OffsetDateTime;
use uuid::Uuid;

/// Has the days rolled up anew that lie before today and that a check is stored for. Part of the transaction that stores
/// it. Checks of today cost nothing.
pub(crate) async fn reopen(
    connection: &mut AsyncPgConnection,
    finished: &[FinishedCheck],
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let checks = finished.iter().map(|done| &done.check);
    let days = late_days(checks.map(|check| (check.domain_id.0, check.checked_at)), now);
    if days.is_empty() {
        return Ok(());
    }
    let (domains, days): (Vec<Uuid>, Vec<OffsetDateTime>) = days.into_iter().unzip();
    let query = sql!("late.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Timestamptz>, _>(days);
    query.execute(connection).await?;
    Ok(())
}

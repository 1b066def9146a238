//! Checks that come late: to a day that may be rolled up already.

use std::collections::BTreeMap;

use diesel::{
    sql_query,
    sql_types::{Array, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_persistence::statement::statement;
use pharos_uptime::store::FinishedCheck;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::history::grain::Grain;

struct Late;

/// Has the days rolled up anew that lie before today and that a check is stored for. Part of the transaction that stores
/// it. Checks of today cost nothing.
pub(crate) async fn reopen(
    connection: &mut AsyncPgConnection,
    finished: &[FinishedCheck],
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let today = Grain::Day.start_of(now);
    let mut days: BTreeMap<Uuid, OffsetDateTime> = BTreeMap::new();
    for check in finished.iter().map(|done| &done.check) {
        if check.checked_at < today {
            let day = Grain::Day.start_of(check.checked_at);
            let first = days.entry(check.domain_id.0).or_insert(day);
            *first = day.min(*first);
        }
    }
    if days.is_empty() {
        return Ok(());
    }
    let (domains, days): (Vec<Uuid>, Vec<OffsetDateTime>) = days.into_iter().unzip();
    let query = sql_query(include_str!("late.sql"))
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Timestamptz>, _>(days);
    statement::<Late, _>(query).execute(connection).await?;
    Ok(())
}

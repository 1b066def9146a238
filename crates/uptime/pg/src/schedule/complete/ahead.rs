//! Clocks that are ahead of the database's: what they stamp, and what they left behind when they were set back.

use diesel::{
    sql_query,
    sql_types::{Array, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_persistence::statement::statement;
use pharos_uptime::{state::SKEW, store::FinishedCheck};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::fold::Before;

struct BringBack;

/// Stamps by the database's clock what a node's has stamped that is ahead of it, and keeps the order. `now` is what the
/// node's clock says now. Gives the checks that it stamped.
pub(super) fn stamp(
    finished: &mut [FinishedCheck],
    now: OffsetDateTime,
    present: OffsetDateTime,
) -> Vec<Uuid> {
    let ahead = (now - present).max(Duration::ZERO);
    let mut stamped = Vec::new();
    for check in finished.iter_mut().map(|done| &mut done.check) {
        if check.checked_at > present + SKEW {
            let at = check.checked_at.checked_sub(ahead).unwrap_or(present);
            tracing::warn!(
                domain_id = %check.domain_id, region = check.region, checked_at = %check.checked_at, %present,
                "a check comes from a clock that is ahead"
            );
            // One that waited for the database for longer is rare, and so is a clock that changes meanwhile.
            check.checked_at = at.clamp(present - Duration::DAY, present);
            stamped.push(check.id.0);
        }
    }
    finished.sort_by_key(|done| done.check.checked_at);
    stamped
}

/// Has open incidents begin now that lie ahead of the present.
pub(super) async fn bring_back(
    connection: &mut AsyncPgConnection,
    before: &mut Before,
) -> diesel::QueryResult<()> {
    let present = before.present;
    let ahead = before.open_incidents.values_mut();
    let ahead: Vec<Uuid> = ahead
        .filter(|open| open.confirmed_at > present + SKEW)
        .map(|open| {
            open.confirmed_at = present;
            open.id
        })
        .collect();
    if ahead.is_empty() {
        return Ok(());
    }
    let query = sql_query(include_str!("bring_back.sql"))
        .bind::<Array<SqlUuid>, _>(ahead)
        .bind::<Timestamptz, _>(present);
    statement::<BringBack, _>(query)
        .execute(connection)
        .await
        .map(|_| ())
}

//! Checks that come a second time.

use std::collections::HashSet;

use diesel::{ExpressionMethods, QueryDsl, QueryResult};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::ids::CheckId;
use pharos_uptime::finished::FinishedCheck;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::schema::uptime_checks;

/// How long a batch whose answer was lost may take to come again.
const AGAIN_WITHIN: Duration = Duration::HOUR;

/// Drops checks of runs that have one of that region already: a job whose worker was too slow is done twice. Who
/// gets here holds the monitors, so of two that come together the second sees what the first has stored. Drops, too,
/// those among `stamped` that are stored already: the key of their rows does not tell, since it has the time in it.
pub(super) async fn without_repeats(
    connection: &mut AsyncPgConnection,
    mut finished: Vec<FinishedCheck>,
    stamped: Vec<CheckId>,
    present: OffsetDateTime,
) -> QueryResult<Vec<FinishedCheck>> {
    if !stamped.is_empty() {
        let stamped: Vec<Uuid> = stamped.into_iter().map(|id| id.0).collect();
        let domains: Vec<Uuid> = finished.iter().map(|done| done.check.domain_id.0).collect();
        let stored: Vec<Uuid> = uptime_checks::table
            .filter(uptime_checks::domain_id.eq_any(domains))
            .filter(uptime_checks::checked_at.gt(present - AGAIN_WITHIN))
            .filter(uptime_checks::id.eq_any(stamped))
            .select(uptime_checks::id)
            .load(connection)
            .await?;
        finished.retain(|done| !stored.contains(&done.check.id.0));
    }
    let runs: Vec<Uuid> = finished
        .iter()
        .filter_map(|done| Some(done.check.run_id?.0))
        .collect();
    if runs.is_empty() {
        return Ok(finished);
    }
    let stored: Vec<(Option<Uuid>, String)> = uptime_checks::table
        .filter(uptime_checks::run_id.eq_any(runs))
        .select((uptime_checks::run_id, uptime_checks::region))
        .load(connection)
        .await?;
    let mut stored: HashSet<(Option<Uuid>, String)> = stored.into_iter().collect();
    finished.retain(|done| {
        let run_id = done.check.run_id.map(|run| run.0);
        run_id.is_none() || stored.insert((run_id, done.check.region.clone()))
    });
    Ok(finished)
}

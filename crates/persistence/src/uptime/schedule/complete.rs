//! Storing finished checks with what they change, in one transaction.

mod fold;
mod load;
mod new_check;
mod new_incident;
mod save;

use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::{check::Check, monitor::settings::MonitorSettings, store::FinishedCheck};
use time::OffsetDateTime;

use self::{fold::fold, new_check::NewCheckRow};
use crate::{
    failure::Abort,
    moment::to_micros,
    pool::Database,
    schema::uptime_checks,
    uptime::{certificates, rollups},
};

/// How many checks one statement stores: PostgreSQL takes 65,535 values at most.
const ROWS: usize = 1_000;

pub(super) async fn complete(
    database: &Database,
    finished: &[FinishedCheck],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if finished.is_empty() {
        return Ok(());
    }
    let finished = in_order(finished);
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let before = load::load(connection, &finished).await?;
            let mut finished = load::without_repeats(connection, finished).await?;
            let after = fold(before, &mut finished, now);
            for finished in finished.chunks(ROWS) {
                let rows: Vec<NewCheckRow<'_>> = finished.iter().map(|done| (&done.check).into()).collect();
                // A batch whose answer was lost comes a second time.
                diesel::insert_into(uptime_checks::table)
                    .values(rows)
                    .on_conflict_do_nothing()
                    .execute(connection)
                    .await?;
            }
            rollups::late::reopen(connection, &finished, now).await?;
            certificates::record(connection, &finished).await?;
            save::save(connection, after).await
        })
        .await
        .map_err(Abort::answer)
}

/// Stops what is known of a site in all regions but those `left`, when none of the others checks it from now on. Its
/// monitor is locked.
pub(super) async fn pause(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: &MonitorSettings,
    left: &[String],
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let before = load::load_domain(connection, domain.0, settings.clone()).await?;
    save::save(connection, fold::pause(before, domain.0, left, to_micros(now))).await
}

/// In the order of their time; times and texts as they can be stored.
fn in_order(finished: &[FinishedCheck]) -> Vec<FinishedCheck> {
    let mut finished = finished.to_vec();
    for FinishedCheck { check, due_at, .. } in &mut finished {
        let Check {
            checked_at,
            final_url,
            error_message,
            ..
        } = check;
        (*checked_at, *due_at) = (to_micros(*checked_at), due_at.map(to_micros));
        for text in [final_url, error_message].into_iter().flatten() {
            // PostgreSQL's text holds no NUL; what a site sends may.
            if text.contains('\0') {
                *text = text.replace('\0', "\u{fffd}");
            }
        }
    }
    finished.sort_by_key(|done| done.check.checked_at);
    finished
}

//! Storing finished checks with what they change, in one transaction.

mod ahead;
mod load;
mod repeats;
mod save;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{ExpressionMethods, IntoSql, QueryDsl, dsl, result::Error, sql_types::Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{CheckId, DomainId},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    moment::{Moment, storable},
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    text::without_nul,
};
use pharos_supervisor::caught;
use pharos_uptime::{
    complete::{self, Key, Slot, anew, fold, in_order, stamp},
    finished::FinishedCheck,
    monitor::settings::MonitorSettings,
    slots,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use self::load::Loaded;
use crate::{
    certificates,
    check_row::CheckRow,
    rollups,
    schema::{uptime_checks, uptime_monitors},
};

/// How many checks one statement stores: PostgreSQL takes 65,535 values at most.
const ROWS: usize = 1_000;

/// The longest name of a region, in bytes: indexes of checks and of roll-ups hold it.
const LONGEST_REGION: usize = 500;

/// Stores finished checks, and says which had to be set aside.
pub(super) async fn complete(
    database: &Database,
    finished: &[FinishedCheck],
    now: OffsetDateTime,
) -> Result<Vec<CheckId>, StoreError> {
    if finished.is_empty() {
        return Ok(Vec::new());
    }
    set_aside::write(&mut Finished { database, now }, &as_stored(in_order(finished))).await
}

/// Finished checks on their way into the tables.
struct Finished<'a> {
    database: &'a Database,
    now: OffsetDateTime,
}

#[async_trait]
impl Batch<FinishedCheck> for Finished<'_> {
    /// A check that was set aside.
    type Said = CheckId;
    type Error = StoreError;

    async fn write(&mut self, finished: &[FinishedCheck]) -> Result<Vec<CheckId>, StoreError> {
        // A rule may stumble over what a site sent, as a statement may.
        caught(store(self.database, finished, self.now))
            .await
            .unwrap_or_else(|panic| Err(StoreError::Failed(format!("a panic: {panic}").into())))?;
        Ok(Vec::new())
    }

    async fn set_aside(&mut self, done: &FinishedCheck, why: StoreError) -> Result<Vec<CheckId>, StoreError> {
        let check = &done.check;
        let subject = format!("{} {}", check.domain_id, check.region);
        let note = SetAside::unstored(Kind::Check, &subject, &why, done);
        let key: Key = (check.domain_id, without_nul(check.region.clone()));
        let claim = done.due_at.and_then(storable).map(|due_at| (key, due_at));
        let mut connection = self.database.claiming().await?;
        connection
            .transaction::<_, Error, _>(async |connection| {
                pass_over(connection, claim.into_iter().collect(), self.now).await?;
                set_aside::note_all(connection, [note]).await
            })
            .await
            .map_err(failure)?;
        Ok(vec![check.id])
    }
}

async fn store(
    database: &Database,
    finished: &[FinishedCheck],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    for FinishedCheck { check, .. } in finished {
        if storable(check.checked_at).is_none() {
            return Err(StoreError::Failed("a time that no answer could show".into()));
        }
        if check.region.len() > LONGEST_REGION {
            return Err(StoreError::Failed("a region whose name is too long".into()));
        }
    }
    let mut connection = database.claiming().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let Loaded {
                before,
                changed,
                unread,
            } = load::load(connection, finished, now).await?;
            let present = before.present;
            let unknown = before.unknown(finished);
            let mut finished = finished.to_vec();
            let stamped = stamp(&mut finished, now, present);
            let (outdated, finished) = finished.into_iter().partition(|done| {
                let changed = changed.get(&done.check.domain_id);
                changed.is_some_and(|changed| changed.outdates(done))
            });
            let mut finished = repeats::without_repeats(connection, finished, stamped, present).await?;
            // A clock that is ahead puts nothing off.
            let now = now.min(present);
            let after = fold(before, &mut finished, now);
            for finished in finished.chunks(ROWS) {
                let rows: Vec<CheckRow<'_>> = finished.iter().map(|done| (&done.check).into()).collect();
                // A batch whose answer was lost comes a second time.
                diesel::insert_into(uptime_checks::table)
                    .values(rows)
                    .on_conflict_do_nothing()
                    .execute(connection)
                    .await?;
            }
            rollups::late::reopen(connection, &finished, now).await?;
            certificates::record(connection, &finished, present).await?;
            save::save(connection, after).await?;
            save::reschedule(connection, anew(outdated, now)).await?;
            pass_over(connection, unknown, now).await?;
            Ok(set_aside::note_all(connection, unread).await?)
        })
        .await
        .map_err(Abort::answer)
}

/// Sets monitors aside that were claimed and can't be read.
pub(super) async fn set_monitors_aside(
    connection: &mut AsyncPgConnection,
    unread: Vec<(SetAside, (Key, OffsetDateTime))>,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let (notes, claims): (Vec<_>, Vec<_>) = unread.into_iter().unzip();
    connection
        .transaction::<_, Error, _>(async |connection| {
            pass_over(connection, claims, now).await?;
            set_aside::note_all(connection, notes).await
        })
        .await
}

/// Puts checks off to their next slot if they can't be done or stored: nobody gets them before, and all others go on.
pub(super) async fn pass_over(
    connection: &mut AsyncPgConnection,
    claims: Vec<(Key, OffsetDateTime)>,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    if claims.is_empty() {
        return Ok(());
    }
    let domains: Vec<Uuid> = claims.iter().map(|((domain, _), _)| domain.0).collect();
    // Their own column: the settings around it may be what can't be read.
    let intervals: Vec<(Uuid, i32, OffsetDateTime)> = uptime_monitors::table
        .filter(uptime_monitors::domain_id.eq_any(domains))
        .select((
            uptime_monitors::domain_id,
            uptime_monitors::interval_seconds,
            dsl::now.into_sql::<Timestamptz>(),
        ))
        .load(connection)
        .await?;
    let intervals: HashMap<_, _> = intervals
        .into_iter()
        // A clock that is ahead puts nothing off.
        .map(|(domain, seconds, present)| (domain, (Duration::seconds(i64::from(seconds)), now.min(present))))
        .collect();
    let slots = claims.into_iter().filter_map(|(key, due_at)| {
        let (interval, now) = *intervals.get(&key.0.0)?;
        Some(Slot {
            next_at: slots::next_after(now, key.0, &key.1, interval),
            key,
            due_at,
        })
    });
    save::reschedule(connection, slots.collect()).await
}

/// Stops what is known of a site in all regions but those `left`, when none of the others checks it from now on. Its
/// monitor is locked. Without settings that can be read the regions' states and spans stay as they are, and its incident ends.
pub(super) async fn pause(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: Option<&MonitorSettings>,
    left: &[String],
    Moment { now, present }: Moment,
) -> Result<(), Abort<StoreError>> {
    let Loaded { before, unread, .. } = load::load_domain(connection, domain, settings, present).await?;
    save::save(connection, complete::pause(before, domain, left, now)).await?;
    Ok(set_aside::note_all(connection, unread).await?)
}

/// Closes what was observed of a site until now by settings that change. Its monitor is locked.
pub(super) async fn close(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: &MonitorSettings,
    Moment { now, present }: Moment,
) -> Result<(), Abort<StoreError>> {
    let Loaded { before, unread, .. } =
        load::load_domain(connection, domain, Some(settings), present).await?;
    save::save(connection, complete::close(before, now)).await?;
    Ok(set_aside::note_all(connection, unread).await?)
}

/// Finished checks with moments that PostgreSQL keeps, and texts that it takes. A moment that can't be stored stays as it
/// is, and its check will be set aside.
fn as_stored(mut finished: Vec<FinishedCheck>) -> Vec<FinishedCheck> {
    for FinishedCheck { check, due_at, .. } in &mut finished {
        check.checked_at = storable(check.checked_at).unwrap_or(check.checked_at);
        *due_at = due_at.map(|due_at| storable(due_at).unwrap_or(due_at));
        for text in [&mut check.final_url, &mut check.error_message] {
            *text = text.take().map(without_nul);
        }
    }
    finished
}

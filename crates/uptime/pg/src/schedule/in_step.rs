//! The schedule follows the settings: only enabled monitors of live domains have rows.
//!
//! Whoever changes rows here holds the row of the monitor, as does who completes checks; so they take turns.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryableByName,
    sql_types::{Array, Bool, Jsonb, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    due,
    failure::Abort,
    json::Json,
    moment::Moment,
    set_aside::{self, Kind, SetAside},
    sql,
};
use pharos_uptime::{complete::Transition, monitor::settings::MonitorSettings};
use time::OffsetDateTime;

use super::{
    complete::{close, pause},
    hasten::hasten,
};
use crate::{
    schema::{uptime_region_states, uptime_schedules},
    stored::read_settings,
};

/// Brings the schedule, and what is known of the site, in step with settings that have just been stored.
pub(crate) async fn keep_in_step(
    connection: &mut AsyncPgConnection,
    transition: &Transition<'_>,
    moment: Moment,
) -> Result<(), Abort<StoreError>> {
    let Transition { domain, after, .. } = *transition;
    if let Some(before) = transition.closes_under() {
        close(connection, domain, before, moment).await?;
    }
    if let Some((before, left)) = transition.paused() {
        pause(connection, domain, Some(before), left, moment).await?;
    }
    let scheduled = transition.scheduled();
    diesel::delete(uptime_schedules::table)
        .filter(uptime_schedules::domain_id.eq(domain.0))
        .filter(uptime_schedules::region.ne_all(scheduled))
        .execute(connection)
        .await?;
    // A region that no longer checks has no say in what the others find. Its spans stay.
    diesel::delete(uptime_region_states::table)
        .filter(uptime_region_states::domain_id.eq(domain.0))
        .filter(uptime_region_states::region.ne_all(&after.regions))
        .execute(connection)
        .await?;
    hasten(connection, transition.sooner(moment.now)).await?;
    add_due(connection, domain, scheduled, moment.now).await?;
    // Whoever has claimed a check of it claims it anew, with the new settings.
    Ok(due::announce(connection, &transition.concerned(), &domain.to_string()).await?)
}

/// Takes a domain that is deleted off the schedule. It goes even where a newer node wrote settings that can't be read here.
pub(crate) async fn clear(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Some(monitor) = lock(connection, domain).await? else {
        return Ok(());
    };
    if monitor.enabled {
        let settings = read_settings(monitor.settings);
        if let Err(error) = &settings {
            let note = SetAside::unread(Kind::Monitor, &domain, error);
            set_aside::note_all(connection, [note]).await?;
        }
        let moment = Moment::new(now, monitor.present);
        pause(connection, domain, settings.ok().as_ref(), &[], moment).await?;
    }
    diesel::delete(uptime_schedules::table)
        .filter(uptime_schedules::domain_id.eq(domain.0))
        .execute(connection)
        .await?;
    Ok(due::announce(connection, &monitor.regions, &domain.to_string()).await?)
}

/// Puts a domain that is restored back on the schedule, due at once. One whose settings can't be read here is put there, too: a
/// newer node checks it, and whoever else claims it sets it aside.
pub(crate) async fn resume(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Some(monitor) = lock(connection, domain).await? else {
        return Ok(());
    };
    if !monitor.enabled {
        return Ok(());
    }
    add_due(connection, domain, &monitor.regions, now.min(monitor.present)).await?;
    Ok(due::announce(connection, &monitor.regions, &domain.to_string()).await?)
}

/// A monitor, and what the database's clock says. Whether it is enabled and its regions are known though its settings can't be
/// read.
#[derive(QueryableByName)]
struct LockedRow {
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
    #[diesel(sql_type = Bool)]
    enabled: bool,
    #[diesel(sql_type = Array<Text>)]
    regions: Vec<String>,
    #[diesel(sql_type = Timestamptz)]
    present: OffsetDateTime,
}

/// The domain's monitor, under a lock.
async fn lock(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> diesel::QueryResult<Option<LockedRow>> {
    let query = sql!("lock.sql").bind::<SqlUuid, _>(domain.0);
    query.get_result(connection).await.optional()
}

/// Regions that are on the schedule already stay as they are.
async fn add_due(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    regions: &[String],
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let query = sql!(text "INSERT INTO uptime_schedules (domain_id, region, next_check_at) \
         SELECT $1, region, $3 FROM unnest($2) AS wanted (region) ON CONFLICT DO NOTHING")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Array<Text>, _>(regions)
    .bind::<Timestamptz, _>(now);
    query.execute(connection).await.map(|_| ())
}

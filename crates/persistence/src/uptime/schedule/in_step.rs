//! The schedule follows the settings: only enabled monitors of live domains have rows.
//!
//! Whoever changes rows here holds the row of the monitor, as does who completes checks; so they take turns.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::monitor::settings::MonitorSettings;
use time::OffsetDateTime;

use super::{complete::pause, slots};
use crate::{
    failure::Abort,
    json::Json,
    schema::{uptime_monitors, uptime_region_states, uptime_schedules},
    statement::statement,
    uptime::monitors::read_settings,
};

struct AddDue;
struct Hasten;

/// Brings the schedule in step with settings that have just been stored.
pub(crate) async fn keep_in_step(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    before: Option<&MonitorSettings>,
    settings: &MonitorSettings,
    is_live: bool,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    if let Some(before) = before
        && before.enabled
        && (!settings.enabled
            || before
                .regions
                .iter()
                .any(|region| !settings.regions.contains(region)))
    {
        // Of a region that is removed the spans stay; the others go on with their next check.
        let left: &[String] = if settings.enabled { &settings.regions } else { &[] };
        pause(connection, domain, before, left, now).await?;
    }
    let wanted: &[String] = if settings.enabled && is_live {
        &settings.regions
    } else {
        &[]
    };
    diesel::delete(uptime_schedules::table)
        .filter(uptime_schedules::domain_id.eq(domain.0))
        .filter(uptime_schedules::region.ne_all(wanted))
        .execute(connection)
        .await?;
    // What a region knew that no longer checks must not weigh on what the others find.
    diesel::delete(uptime_region_states::table)
        .filter(uptime_region_states::domain_id.eq(domain.0))
        .filter(uptime_region_states::region.ne_all(&settings.regions))
        .execute(connection)
        .await?;
    if before.is_some_and(|before| before.interval_seconds != settings.interval_seconds) {
        hasten(connection, domain, settings, now).await?;
    }
    Ok(add_due(connection, domain, wanted, now).await?)
}

/// Takes a domain that is deleted off the schedule.
pub(crate) async fn clear(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Some(stored) = lock(connection, domain).await? else {
        return Ok(());
    };
    let settings = read_settings(stored).map_err(Abort::Port)?;
    if settings.enabled {
        pause(connection, domain, &settings, &[], now).await?;
    }
    diesel::delete(uptime_schedules::table)
        .filter(uptime_schedules::domain_id.eq(domain.0))
        .execute(connection)
        .await?;
    Ok(())
}

/// Puts a domain that is restored back on the schedule, due at once.
pub(crate) async fn resume(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let Some(stored) = lock(connection, domain).await? else {
        return Ok(());
    };
    let settings = read_settings(stored)
        .map_err(|error| diesel::result::Error::DeserializationError(Box::new(error)))?;
    if !settings.enabled {
        return Ok(());
    }
    add_due(connection, domain, &settings.regions, now).await
}

async fn lock(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> diesel::QueryResult<Option<Json<MonitorSettings>>> {
    uptime_monitors::table
        .find(domain.0)
        .for_update()
        .select(uptime_monitors::settings)
        .first(connection)
        .await
        .optional()
}

/// Regions that are on the schedule already stay as they are.
async fn add_due(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    regions: &[String],
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let query = sql_query(
        "INSERT INTO uptime_schedules (domain_id, region, next_check_at) \
         SELECT $1, region, $3 FROM unnest($2) AS wanted (region) ON CONFLICT DO NOTHING",
    )
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Array<Text>, _>(regions)
    .bind::<Timestamptz, _>(now);
    statement::<AddDue, _>(query)
        .execute(connection)
        .await
        .map(|_| ())
}

/// The next check comes no later than the first slot of the new interval. One that is due or under way stays.
async fn hasten(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: &MonitorSettings,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let slots: Vec<OffsetDateTime> = settings
        .regions
        .iter()
        .map(|region| slots::next_after(now, domain, region, settings.interval()))
        .collect();
    let query = sql_query(
        "UPDATE uptime_schedules AS s \
         SET next_check_at = slots.at \
         FROM unnest($2, $3) AS slots (region, at) \
         WHERE s.domain_id = $1 AND s.region = slots.region AND s.next_check_at > slots.at",
    )
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Array<Text>, _>(&settings.regions)
    .bind::<Array<Timestamptz>, _>(slots);
    statement::<Hasten, _>(query)
        .execute(connection)
        .await
        .map(|_| ())
}

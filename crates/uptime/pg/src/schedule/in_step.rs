//! The schedule follows the settings: only enabled monitors of live domains have rows.
//!
//! Whoever changes rows here holds the row of the monitor, as does who completes checks; so they take turns.

use diesel::{
    ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, dsl, sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, json::Json, moment::Moment, statement::statement};
use pharos_uptime::monitor::settings::MonitorSettings;
use time::OffsetDateTime;

use super::{
    complete::{close, pause},
    hasten::hasten,
    slots,
};
use crate::{
    monitors::read_settings,
    schema::{uptime_monitors, uptime_region_states, uptime_schedules},
};

struct AddDue;

/// Brings the schedule in step with settings that have just been stored.
pub(crate) async fn keep_in_step(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    before: Option<&MonitorSettings>,
    settings: &MonitorSettings,
    is_live: bool,
    moment: Moment,
) -> Result<(), Abort<StoreError>> {
    let now = moment.now;
    if let Some(before) = before
        && before.enabled
        && settings.enabled
        && before.maintenance_windows != settings.maintenance_windows
    {
        // What is over stays as it was.
        close(connection, domain, before, moment).await?;
    }
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
        pause(connection, domain, before, left, moment).await?;
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
        // The next check comes no later than the first slot of the new interval.
        let slots = settings.regions.iter().map(|region| {
            let slot = slots::next_after(now, domain, region, settings.interval());
            ((domain.0, region.clone()), slot)
        });
        hasten(connection, slots).await?;
    }
    Ok(add_due(connection, domain, wanted, now).await?)
}

/// Takes a domain that is deleted off the schedule.
pub(crate) async fn clear(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Some((stored, present)) = lock(connection, domain).await? else {
        return Ok(());
    };
    let settings = read_settings(stored).map_err(Abort::Port)?;
    if settings.enabled {
        pause(connection, domain, &settings, &[], Moment::new(now, present)).await?;
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
) -> Result<(), Abort<StoreError>> {
    let Some((stored, present)) = lock(connection, domain).await? else {
        return Ok(());
    };
    let settings = read_settings(stored).map_err(Abort::Port)?;
    if !settings.enabled {
        return Ok(());
    }
    add_due(connection, domain, &settings.regions, now.min(present)).await?;
    Ok(())
}

/// The settings of the domain's monitor, and what the database's clock says.
async fn lock(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> diesel::QueryResult<Option<(Json<MonitorSettings>, OffsetDateTime)>> {
    uptime_monitors::table
        .find(domain.0)
        .for_update()
        .select((uptime_monitors::settings, dsl::now.into_sql::<Timestamptz>()))
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

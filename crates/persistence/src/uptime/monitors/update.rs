//! Changing a monitor, and its schedule with it.

use diesel::{OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, UserId},
    store::StoreError,
};
use pharos_uptime::{
    monitor::{
        Monitor,
        settings::{MonitorSettings, SettingFault},
    },
    store::SettingsChange,
};
use time::OffsetDateTime;

use super::row::{MonitorChange, MonitorRow, NewMonitorRow};
use crate::{
    failure::Abort,
    pool::Database,
    schema::{domains, uptime_monitors},
    uptime::schedule,
};

pub(super) async fn update(
    database: &Database,
    domain: DomainId,
    change: &SettingsChange<'_>,
    by: UserId,
    now: OffsetDateTime,
) -> Result<Result<Monitor, Vec<SettingFault>>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let is_live = lock_domain(connection, domain).await?;
            let before: Option<MonitorRow> = uptime_monitors::table
                .find(domain.0)
                .for_update()
                .select(MonitorRow::as_select())
                .first(connection)
                .await
                .optional()?;
            let before = before.map(Monitor::try_from).transpose().map_err(Abort::Port)?;
            let before = before.map(|monitor| monitor.settings);
            let settings = match change(before.as_ref()) {
                Ok(settings) => settings,
                Err(faults) => return Ok(Err(faults)),
            };
            let row = store(connection, domain, &settings, by, now).await?;
            schedule::keep_in_step(connection, domain, before.as_ref(), &settings, is_live, now).await?;
            let monitor = Monitor::try_from(row).map_err(Abort::Port)?;
            Ok(Ok(monitor))
        })
        .await
        .map_err(Abort::answer)
}

/// Says whether the domain is live. Until the transaction ends nobody else creates its monitor, or deletes it.
async fn lock_domain(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> Result<bool, Abort<StoreError>> {
    let deleted_at: Option<OffsetDateTime> = domains::table
        .find(domain.0)
        .for_no_key_update()
        .select(domains::deleted_at)
        .first(connection)
        .await?;
    Ok(deleted_at.is_none())
}

async fn store(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: &MonitorSettings,
    by: UserId,
    now: OffsetDateTime,
) -> Result<MonitorRow, Abort<StoreError>> {
    let settings =
        serde_json::to_value(settings).map_err(|error| Abort::Port(StoreError::Failed(Box::new(error))))?;
    let change = MonitorChange {
        settings,
        updated_at: now,
        updated_by: Some(by.0),
    };
    let row = diesel::insert_into(uptime_monitors::table)
        .values(NewMonitorRow {
            domain_id: domain.0,
            created_at: now,
            change: change.clone(),
        })
        .on_conflict(uptime_monitors::domain_id)
        .do_update()
        .set(change)
        .returning(MonitorRow::as_returning())
        .get_result(connection)
        .await?;
    Ok(row)
}

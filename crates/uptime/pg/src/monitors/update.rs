//! Changing a monitor, and its schedule with it.

use diesel::{
    IntoSql, OptionalExtension, QueryDsl, QueryResult, SelectableHelper, dsl, sql_types::Timestamptz,
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, UserId},
    store::StoreError,
};
use pharos_persistence::{failure::Abort, metering, moment::Moment, pool::Database, schema::domains};
use pharos_uptime::{
    monitor::{
        Monitor,
        settings::{MonitorSettings, SettingFault},
    },
    store::SettingsChange,
};
use time::OffsetDateTime;

use super::row::{MonitorChange, MonitorRow, NewMonitorRow};
use crate::{schedule, schema::uptime_monitors};

/// Why a caller's change was not made.
enum Refusal {
    Faults(Vec<SettingFault>),
    Settle(SettleError),
}

impl From<SettleError> for Refusal {
    fn from(error: SettleError) -> Self {
        Self::Settle(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Settle(error.into())
    }
}

/// The change of a caller, who pays for it.
pub(super) async fn charged(
    database: &Database,
    domain: &Charged<DomainAccess>,
    change: &SettingsChange<'_>,
    by: UserId,
    now: OffsetDateTime,
) -> Result<Result<Monitor, Vec<SettingFault>>, SettleError> {
    let updated = metering::charged::charged(database, domain.slip(), None, async |connection| {
        update::<Refusal>(connection, domain.id(), change, Some(by), now)
            .await?
            .map_err(|faults| Abort::Port(Refusal::Faults(faults)))
    });
    match updated.await {
        Ok(monitor) => Ok(Ok(monitor)),
        Err(Refusal::Faults(faults)) => Ok(Err(faults)),
        Err(Refusal::Settle(error)) => Err(error),
    }
}

/// The change of Pharos itself.
pub(super) async fn uncharged(
    database: &Database,
    domain: DomainId,
    change: &SettingsChange<'_>,
    now: OffsetDateTime,
) -> Result<Result<Monitor, Vec<SettingFault>>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            update(connection, domain, change, None, now).await
        })
        .await
        .map_err(Abort::answer)
}

/// Nothing is written where there are faults.
async fn update<E: From<StoreError>>(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    change: &SettingsChange<'_>,
    by: Option<UserId>,
    now: OffsetDateTime,
) -> Result<Result<Monitor, Vec<SettingFault>>, Abort<E>> {
    let (is_live, present) = lock_domain(connection, domain).await?;
    let moment = Moment::new(now, present);
    let before: Option<MonitorRow> = uptime_monitors::table
        .find(domain.0)
        .for_update()
        .select(MonitorRow::as_select())
        .first(connection)
        .await
        .optional()?;
    let before = before.map(Monitor::try_from).transpose().map_err(Abort::port)?;
    let before = before.map(|monitor| monitor.settings);
    let settings = match change(before.as_ref()) {
        Ok(settings) => settings,
        Err(faults) => return Ok(Err(faults)),
    };
    let row = store(connection, domain, &settings, by, moment.now).await?;
    schedule::keep_in_step(connection, domain, before.as_ref(), &settings, is_live, moment)
        .await
        .map_err(Abort::widen)?;
    let monitor = Monitor::try_from(row).map_err(Abort::port)?;
    Ok(Ok(monitor))
}

/// Says whether the domain is live, and what the database's clock says. Until the transaction ends nobody else creates its monitor, or deletes it.
async fn lock_domain(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> QueryResult<(bool, OffsetDateTime)> {
    let (deleted_at, present): (Option<OffsetDateTime>, OffsetDateTime) = domains::table
        .find(domain.0)
        .for_no_key_update()
        .select((domains::deleted_at, dsl::now.into_sql::<Timestamptz>()))
        .first(connection)
        .await?;
    Ok((deleted_at.is_none(), present))
}

async fn store<E: From<StoreError>>(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: &MonitorSettings,
    by: Option<UserId>,
    now: OffsetDateTime,
) -> Result<MonitorRow, Abort<E>> {
    let settings =
        serde_json::to_value(settings).map_err(|error| Abort::port(StoreError::Failed(Box::new(error))))?;
    let change = MonitorChange {
        settings,
        updated_at: now,
        updated_by: by.map(|user| user.0),
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

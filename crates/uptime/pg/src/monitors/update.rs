//! Changing a monitor, and its schedule with it.

use diesel::{
    ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, QueryResult, SelectableHelper, dsl,
    sql_types::Timestamptz,
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::{DomainId, UserId},
    settings::{ChangeError, SettingsChange},
};
use pharos_persistence::{
    failure::Abort, json::Json, metering, moment::Moment, pool::Database, schema::domains,
};
use pharos_uptime::{
    complete::Transition,
    monitor::{Monitor, settings::MonitorSettings},
};
use time::OffsetDateTime;

use super::row::{MonitorChange, MonitorRow};
use crate::{schedule, schema::uptime_monitors};

/// The change of a caller, who pays for it.
pub(super) async fn charged(
    database: &Database,
    domain: &Charged<DomainAccess>,
    change: &SettingsChange<'_, MonitorSettings>,
    by: UserId,
    now: OffsetDateTime,
) -> Result<Monitor, ChangeError> {
    metering::charged::charged(database, domain.slip(), None, async |connection| {
        update(connection, domain.id(), change, Some(by), now).await
    })
    .await
}

/// The change of Pharos itself.
pub(super) async fn uncharged(
    database: &Database,
    domain: DomainId,
    change: &SettingsChange<'_, MonitorSettings>,
    now: OffsetDateTime,
) -> Result<Monitor, ChangeError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<ChangeError>, _>(async |connection| {
            update(connection, domain, change, None, now).await
        })
        .await
        .map_err(Abort::answer)
}

/// Nothing is written where there are faults.
async fn update(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    change: &SettingsChange<'_, MonitorSettings>,
    by: Option<UserId>,
    now: OffsetDateTime,
) -> Result<Monitor, Abort<ChangeError>> {
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
    let settings = change(before.as_ref()).map_err(|faults| Abort::Port(ChangeError::Faults(faults)))?;
    let row = store(connection, domain, &settings, by, moment.now).await?;
    let transition = Transition {
        domain,
        before: before.as_ref(),
        after: &settings,
        is_live,
    };
    schedule::keep_in_step(connection, &transition, moment)
        .await
        .map_err(Abort::widen)?;
    Monitor::try_from(row).map_err(Abort::port)
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

async fn store(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: &MonitorSettings,
    by: Option<UserId>,
    now: OffsetDateTime,
) -> Result<MonitorRow, Abort<ChangeError>> {
    let new = MonitorRow {
        created_at: now,
        change: MonitorChange {
            settings: Json::of(settings.clone()),
            updated_at: now,
            updated_by: by.map(|user| user.0),
        },
    };
    let row = diesel::insert_into(uptime_monitors::table)
        .values((uptime_monitors::domain_id.eq(domain.0), &new))
        .on_conflict(uptime_monitors::domain_id)
        .do_update()
        .set(&new.change)
        .returning(MonitorRow::as_returning())
        .get_result(connection)
        .await?;
    Ok(row)
}

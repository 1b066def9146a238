//! Alert rules.

pub(crate) mod row;

use std::slice;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl,
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    alert::AlertEnd,
    evaluator::LANE,
    rule::{AlertRule, MOST_RULES, RuleSettings, RuleState},
    store::{Reach, RuleAdmin, RuleFilter, RuleStore},
};
use pharos_domain::{
    alert_metric::AlertModule,
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{AlertRuleId, DomainId, UserId},
    page::{Page, PageRequest, Position},
    settings::{ChangeError, SettingFault, SettingsChange},
    store::StoreError,
};
use pharos_persistence::{
    due,
    failure::{Abort, failure, read_failure},
    metering::charged::charged,
    missing::{Undone, found},
    moment::{not_ahead, to_micros},
    pool::Database,
    schema::domains,
    set_aside::Kind,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{RuleRow, SettingsRow};
use crate::{
    reach::Asked,
    resolve::resolve,
    schema::{alert_evaluations, alert_rules},
};

/// Rules in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRuleStore {
    database: Database,
}

impl PgRuleStore {
    /// The rules of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl RuleStore for PgRuleStore {
    async fn list(
        &self,
        reach: Reach<'_>,
        filter: RuleFilter,
        page: &PageRequest,
    ) -> Result<Page<AlertRule>, StoreError> {
        let Asked { domain, workspaces } = reach.into();
        let after = page.after.unwrap_or(Position::START);
        let is_narrowed = filter.module.is_some() || filter.enabled.is_some();
        let rows: Vec<RuleRow> = if domain.is_none() && is_narrowed {
            let modules = filter.module.as_ref().map_or(AlertModule::ALL, slice::from_ref);
            let modules: Vec<&str> = modules.iter().map(|module| module.as_str()).collect();
            let query = sql!("found.sql")
                .bind::<Array<SqlUuid>, _>(workspaces)
                .bind::<Array<Text>, _>(modules)
                .bind::<Array<Bool>, _>(filter.enabled.map_or(vec![true, false], |enabled| vec![enabled]))
                .bind::<Timestamptz, _>(after.key)
                .bind::<SqlUuid, _>(after.id)
                .bind::<BigInt, _>(page.rows());
            // It reads a page of each pair, and what of it is of deleted domains, so nobody waits behind it.
            let mut connection = self.database.long_read().await?;
            query.load(&mut connection).await.map_err(read_failure)?
        } else {
            let query = sql!("list.sql")
                .bind::<Nullable<SqlUuid>, _>(domain)
                .bind::<Array<SqlUuid>, _>(workspaces)
                .bind::<Nullable<Text>, _>(filter.module.map(|module| module.as_str()))
                .bind::<Nullable<Bool>, _>(filter.enabled)
                .bind::<Timestamptz, _>(after.key)
                .bind::<SqlUuid, _>(after.id)
                .bind::<BigInt, _>(page.rows());
            let reader = self.database.reader().await?;
            query.load(&mut &*reader).await.map_err(failure)?
        };
        let page = Page::cut(rows, page, |row| Position {
            key: row.created_at,
            id: row.id,
        });
        Ok(self
            .database
            .readable_page(Kind::AlertRule, page, |row| row.id)
            .await)
    }

    async fn find(&self, domain: &DomainAccess, id: AlertRuleId) -> Result<Option<AlertRule>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("one.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlUuid, _>(id.0);
        let row: Option<RuleRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(AlertRule::try_from).transpose()
    }

    async fn create(
        &self,
        domain: &Charged<DomainAccess>,
        settings: &RuleSettings,
        now: OffsetDateTime,
    ) -> Result<AlertRule, ChangeError> {
        charged(&self.database, domain.slip(), None, async move |connection| {
            create(
                connection,
                domain.id(),
                domain.identity().user_id,
                settings,
                to_micros(now),
            )
            .await
        })
        .await
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        id: AlertRuleId,
        change: &SettingsChange<'_, RuleSettings>,
        now: OffsetDateTime,
    ) -> Result<Option<AlertRule>, ChangeError> {
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            update(connection, domain.id(), id, change, to_micros(now)).await
        })
        .await;
        found(done)
    }

    async fn delete(
        &self,
        domain: &Charged<DomainAccess>,
        id: AlertRuleId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            lock::<SettleError>(connection, domain.id(), id).await?;
            let now = not_ahead(connection, now).await?;
            resolve(connection, vec![(id.0, now, AlertEnd::RuleDeleted)]).await?;
            diesel::delete(alert_rules::table.find(id.0))
                .execute(connection)
                .await?;
            Ok(())
        })
        .await;
        Ok(found(done)?.is_some())
    }
}

#[async_trait]
impl RuleAdmin for PgRuleStore {
    async fn create(
        &self,
        domain: DomainId,
        by: UserId,
        settings: &RuleSettings,
        now: OffsetDateTime,
    ) -> Result<AlertRule, ChangeError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<ChangeError>, _>(async |connection| {
                create(connection, domain, by, settings, to_micros(now)).await
            })
            .await
            .map_err(Abort::answer)
    }
}

/// Its domain is locked, so that no two requests both make the last rule that it may have, and none makes one that the deletion of
/// the domain does not see.
async fn create(
    connection: &mut AsyncPgConnection,
    domain_id: DomainId,
    by: UserId,
    settings: &RuleSettings,
    now: OffsetDateTime,
) -> Result<AlertRule, Abort<ChangeError>> {
    let (id, now) = (AlertRuleId::generate(), not_ahead(connection, now).await?);
    let workspace_id: Option<Uuid> = domains::table
        .find(domain_id.0)
        .filter(domains::deleted_at.is_null())
        .for_no_key_update()
        .select(domains::workspace_id)
        .first(connection)
        .await
        .optional()?;
    let Some(workspace_id) = workspace_id else {
        return Err(refused("the domain was deleted meanwhile"));
    };
    let rules: i64 = alert_rules::table
        .filter(alert_rules::domain_id.eq(domain_id.0))
        .count()
        .get_result(connection)
        .await?;
    if rules >= i64::from(MOST_RULES) {
        return Err(refused(format!(
            "the domain has {MOST_RULES} rules, as many as it may; delete one first"
        )));
    }
    diesel::insert_into(alert_rules::table)
        .values((
            alert_rules::id.eq(id.0),
            alert_rules::domain_id.eq(domain_id.0),
            alert_rules::workspace_id.eq(workspace_id),
            SettingsRow::from(settings),
            alert_rules::created_at.eq(now),
            alert_rules::updated_at.eq(now),
            alert_rules::created_by.eq(by.0),
        ))
        .execute(connection)
        .await?;
    diesel::insert_into(alert_evaluations::table)
        .values((
            alert_evaluations::rule_id.eq(id.0),
            alert_evaluations::domain_id.eq(domain_id.0),
            alert_evaluations::workspace_id.eq(workspace_id),
            alert_evaluations::next_evaluation_at.eq(settings.enabled.then_some(now)),
        ))
        .execute(connection)
        .await?;
    due::announce(connection, &[LANE.to_owned()], "").await?;
    let made = one(connection, domain_id, id).await.map_err(Abort::widen)?;
    made.ok_or_else(|| Abort::Port(StoreError::Failed("a rule that was made is not there".into()).into()))
}

/// The fault of a rule that can't be made, whatever its settings.
fn refused(detail: impl Into<String>) -> Abort<ChangeError> {
    Abort::Port(ChangeError::Faults(vec![SettingFault::new("", detail)]))
}

async fn update(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: AlertRuleId,
    change: &SettingsChange<'_, RuleSettings>,
    now: OffsetDateTime,
) -> Result<AlertRule, Abort<Undone<ChangeError>>> {
    lock(connection, domain, id).await?;
    let now = not_ahead(connection, now).await?;
    let present = locked(connection, domain, id).await?;
    let next = change(Some(&present.settings))
        .map_err(|faults| Abort::Port(Undone::Other(ChangeError::Faults(faults))))?;
    if next == present.settings {
        // It was not changed, and an alert of it that is over afterwards is not over because it was.
        return Ok(present);
    }
    diesel::update(alert_rules::table.find(id.0))
        .set((SettingsRow::from(&next), alert_rules::updated_at.eq(now)))
        .execute(connection)
        .await?;
    // Otherwise the evaluation that follows at once says whether it still fires.
    if !next.enabled {
        resolve(connection, vec![(id.0, now, AlertEnd::RuleDisabled)]).await?;
        diesel::update(alert_evaluations::table.find(id.0))
            .set((
                alert_evaluations::state.eq(RuleState::Ok.as_str()),
                alert_evaluations::is_open.eq(false),
            ))
            .execute(connection)
            .await?;
    }
    diesel::update(alert_evaluations::table.find(id.0))
        .set((
            alert_evaluations::next_evaluation_at.eq(next.enabled.then_some(now)),
            alert_evaluations::put_off_until.eq(None::<OffsetDateTime>),
            alert_evaluations::leased_until.eq(None::<OffsetDateTime>),
        ))
        .execute(connection)
        .await?;
    due::announce(connection, &[LANE.to_owned()], "").await?;
    locked(connection, domain, id).await
}

/// A rule that is locked.
async fn locked(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: AlertRuleId,
) -> Result<AlertRule, Abort<Undone<ChangeError>>> {
    let rule = one(connection, domain, id).await.map_err(|abort| match abort {
        Abort::Database(error) => Abort::Database(error),
        Abort::Port(error) => Abort::Port(Undone::Other(error.into())),
    })?;
    rule.ok_or(Abort::Port(Undone::Missing))
}

/// Locks a rule with how it stands: nobody evaluates it meanwhile.
async fn lock<E>(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: AlertRuleId,
) -> Result<(), Abort<Undone<E>>> {
    let found: Option<Uuid> = alert_rules::table
        .find(id.0)
        .filter(alert_rules::domain_id.eq(domain.0))
        .for_update()
        .select(alert_rules::id)
        .first(connection)
        .await
        .optional()?;
    found.ok_or(Abort::Port(Undone::Missing))?;
    // Before any alert of it, as whoever deletes its domain locks them.
    alert_evaluations::table
        .find(id.0)
        .for_update()
        .select(alert_evaluations::rule_id)
        .first::<Uuid>(connection)
        .await?;
    Ok(())
}

async fn one(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: AlertRuleId,
) -> Result<Option<AlertRule>, Abort<StoreError>> {
    let query = sql!("one.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(id.0);
    let row: Option<RuleRow> = query.get_result(connection).await.optional()?;
    row.map(AlertRule::try_from).transpose().map_err(Abort::Port)
}

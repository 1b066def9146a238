//! Templates.

pub(crate) mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    result::{DatabaseErrorKind, Error},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::ReportTemplateId,
    quota::QuotaResource,
    settings::{ChangeError, SettingFault, SettingsChange},
    store::StoreError,
};
use pharos_persistence::{
    due,
    failure::{Abort, failure},
    hold,
    metering::charged::charged,
    missing::{Undone, found},
    moment::{not_ahead, to_micros},
    pool::Database,
    quota,
    set_aside::Kind,
};
use pharos_reporting::{
    store::{TemplateAdmin, TemplateError, TemplateStore},
    template::{MOST_TEMPLATES, Template, TemplateSettings},
};
use time::OffsetDateTime;

use self::row::{SettingsRow, TemplateRow};
use crate::schema::report_templates;

/// Their schedules have one lane.
pub(crate) const LANE: &str = "reports";

/// Templates in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgTemplateStore {
    database: Database,
}

impl PgTemplateStore {
    /// The templates of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl TemplateStore for PgTemplateStore {
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<Template>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<TemplateRow> = report_templates::table
            .filter(report_templates::domain_id.eq(domain.id().0))
            .order(report_templates::name_key)
            .select(TemplateRow::as_select())
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        drop(reader);
        Ok(self
            .database
            .readable(Kind::ReportTemplate, rows, |row| row.id)
            .await)
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        id: ReportTemplateId,
    ) -> Result<Option<Template>, StoreError> {
        let reader = self.database.reader().await?;
        let row: Option<TemplateRow> = report_templates::table
            .find(id.0)
            .filter(report_templates::domain_id.eq(domain.id().0))
            .select(TemplateRow::as_select())
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(Template::try_from).transpose()
    }

    async fn create(
        &self,
        domain: &Charged<DomainAccess>,
        settings: &TemplateSettings,
        now: OffsetDateTime,
    ) -> Result<Template, TemplateError> {
        charged(&self.database, domain.slip(), None, async move |connection| {
            create(connection, domain, settings, to_micros(now)).await
        })
        .await
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        id: ReportTemplateId,
        change: &SettingsChange<'_, TemplateSettings>,
        now: OffsetDateTime,
    ) -> Result<Option<Template>, TemplateError> {
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            update(connection, domain, id, change, to_micros(now)).await
        })
        .await;
        found(done)
    }

    async fn delete(
        &self,
        domain: &Charged<DomainAccess>,
        id: ReportTemplateId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            // The quota before the template, as whoever makes one locks them: it may be of the same name.
            let workspace = domain.workspace().workspace().id;
            quota::give_back(connection, workspace, QuotaResource::ReportTemplates, 1, now).await?;
            let gone = diesel::delete(report_templates::table.find(id.0))
                .filter(report_templates::domain_id.eq(domain.id().0))
                .execute(connection)
                .await?;
            if gone == 0 {
                return Err(Abort::Port(Undone::<SettleError>::Missing));
            }
            Ok(())
        })
        .await;
        Ok(found(done)?.is_some())
    }
}

#[async_trait]
impl TemplateAdmin for PgTemplateStore {
    async fn create(
        &self,
        domain: &DomainAccess,
        settings: &TemplateSettings,
        now: OffsetDateTime,
    ) -> Result<Template, TemplateError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<TemplateError>, _>(async |connection| {
                create(connection, domain, settings, to_micros(now)).await
            })
            .await
            .map_err(Abort::answer)
    }
}

/// Its domain is locked, so that no two requests both make the last template that it may have.
async fn create(
    connection: &mut AsyncPgConnection,
    domain: &DomainAccess,
    settings: &TemplateSettings,
    now: OffsetDateTime,
) -> Result<Template, Abort<TemplateError>> {
    let now = not_ahead(connection, now).await?;
    let workspace = domain.workspace().workspace().id;
    hold::domain(connection, domain.id()).await?;
    let templates: i64 = report_templates::table
        .filter(report_templates::domain_id.eq(domain.id().0))
        .count()
        .get_result(connection)
        .await?;
    if templates >= i64::from(MOST_TEMPLATES) {
        let detail =
            format!("the domain has {MOST_TEMPLATES} templates, as many as it may; delete one first");
        let fault = SettingFault::new("", detail);
        return Err(Abort::Port(ChangeError::Faults(vec![fault]).into()));
    }
    if let Err(full) = quota::take(connection, workspace, QuotaResource::ReportTemplates, 1, now).await? {
        return Err(Abort::Port(ChangeError::Quota(full).into()));
    }
    let by = domain.identity();
    let row = SettingsRow::new(settings, by, now).map_err(refused)?;
    let made: Result<TemplateRow, Error> = diesel::insert_into(report_templates::table)
        .values((
            report_templates::id.eq(ReportTemplateId::generate().0),
            report_templates::domain_id.eq(domain.id().0),
            report_templates::workspace_id.eq(workspace.0),
            row,
            report_templates::created_by.eq(by.user_id.0),
            report_templates::created_at.eq(now),
        ))
        .returning(TemplateRow::as_returning())
        .get_result(connection)
        .await;
    // Before anything else: a transaction with a name that is taken does nothing more.
    let made = named(made)?;
    due::announce(connection, &[LANE.to_owned()], "").await?;
    Template::try_from(made).map_err(refused)
}

async fn update(
    connection: &mut AsyncPgConnection,
    domain: &DomainAccess,
    id: ReportTemplateId,
    change: &SettingsChange<'_, TemplateSettings>,
    now: OffsetDateTime,
) -> Result<Template, Abort<Undone<TemplateError>>> {
    let now = not_ahead(connection, now).await?;
    let present: Option<(TemplateRow, Option<OffsetDateTime>)> = report_templates::table
        .find(id.0)
        .filter(report_templates::domain_id.eq(domain.id().0))
        .for_update()
        .select((TemplateRow::as_select(), report_templates::next_run_at))
        .first(connection)
        .await
        .optional()?;
    let (present, due_at) = present.ok_or(Abort::Port(Undone::Missing))?;
    let present = Template::try_from(present).map_err(refused).map_err(other)?;
    let next = change(Some(&present.settings))
        .map_err(|faults| other(Abort::Port(ChangeError::Faults(faults).into())))?;
    if next == present.settings {
        return Ok(present);
    }
    let mut row = SettingsRow::new(&next, domain.identity(), now)
        .map_err(refused)
        .map_err(other)?;
    if next.schedule == present.settings.schedule {
        row = row.due_as_before(due_at);
    }
    let changed: Result<TemplateRow, Error> = diesel::update(report_templates::table.find(id.0))
        .set((row, report_templates::leased_until.eq(None::<OffsetDateTime>)))
        .returning(TemplateRow::as_returning())
        .get_result(connection)
        .await;
    let changed = named(changed).map_err(other)?;
    due::announce(connection, &[LANE.to_owned()], &id.to_string()).await?;
    Template::try_from(changed).map_err(refused).map_err(other)
}

fn refused(error: StoreError) -> Abort<TemplateError> {
    Abort::Port(ChangeError::from(error).into())
}

fn other(abort: Abort<TemplateError>) -> Abort<Undone<TemplateError>> {
    match abort {
        Abort::Database(error) => Abort::Database(error),
        Abort::Port(error) => Abort::Port(Undone::Other(error)),
    }
}

/// Tells a name that another template has from other failures.
fn named<T>(result: Result<T, Error>) -> Result<T, Abort<TemplateError>> {
    match result {
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
            Err(Abort::Port(TemplateError::NameTaken))
        }
        other => Ok(other?),
    }
}

//! The settings of sites.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, SelectableHelper,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
    sql_types::{Bool, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    settings::{AnalyticsSettings, AnalyticsSite},
    store::SiteStore,
};
use pharos_domain::{
    collect::{event::Events, site::CollectionSwitch},
    credits::Charged,
    identity::DomainAccess,
    ids::{DomainId, UserId},
    settings::{ChangeError, SettingsChange},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    hold,
    json::Json,
    metering,
    moment::not_ahead,
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{analytics_progress, analytics_sites};

/// The settings of sites, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSiteStore {
    database: Database,
}

impl PgSiteStore {
    /// The settings of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

/// The columns that a change writes.
#[derive(AsChangeset, Insertable, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = analytics_sites)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct SiteRow {
    settings: Json<AnalyticsSettings>,
    updated_at: OffsetDateTime,
    updated_by: Option<Uuid>,
}

#[derive(QueryableByName)]
struct ViewRow {
    #[diesel(embed)]
    site: SiteRow,
    #[diesel(sql_type = Bool)]
    has_commerce: bool,
}

impl SiteRow {
    fn read(self, has_commerce: bool) -> Result<AnalyticsSite, StoreError> {
        Ok(AnalyticsSite {
            settings: self.settings.read("the settings of analytics")?,
            updated_at: self.updated_at,
            updated_by: self.updated_by.map(UserId),
            has_commerce,
        })
    }
}

#[async_trait]
impl SiteStore for PgSiteStore {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<AnalyticsSite>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("view.sql").bind::<SqlUuid, _>(domain.id().0);
        let row: Option<ViewRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| row.site.read(row.has_commerce)).transpose()
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, AnalyticsSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<AnalyticsSite, ChangeError> {
        metering::charged::charged(&self.database, domain.slip(), None, async |connection| {
            update(connection, domain.id(), change, by, now).await
        })
        .await
    }
}

#[async_trait]
impl CollectionSwitch<Events> for PgSiteStore {
    async fn switch_on(&self, domain: DomainId, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        let now = not_ahead(&mut connection, now).await.map_err(failure)?;
        let row = SiteRow {
            settings: Json::of(AnalyticsSettings::default()),
            updated_at: now,
            updated_by: None,
        };
        diesel::insert_into(analytics_sites::table)
            .values((
                analytics_sites::domain_id.eq(domain.0),
                analytics_sites::created_at.eq(now),
                &row,
            ))
            .on_conflict_do_nothing()
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }
}

/// Nothing is written where there are faults.
async fn update(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    change: &SettingsChange<'_, AnalyticsSettings>,
    by: UserId,
    now: OffsetDateTime,
) -> Result<AnalyticsSite, Abort<ChangeError>> {
    // Until the transaction ends nobody else creates its settings.
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    let before: Option<Json<AnalyticsSettings>> = analytics_sites::table
        .find(domain.0)
        .for_update()
        .select(analytics_sites::settings)
        .first(connection)
        .await
        .optional()?;
    let before = before.map(|settings| settings.read("the settings of analytics"));
    let before = before.transpose().map_err(Abort::port)?;
    let settings = change(before.as_ref()).map_err(|faults| Abort::Port(ChangeError::Faults(faults)))?;
    let row = SiteRow {
        settings: Json::of(settings),
        updated_at: now,
        updated_by: Some(by.0),
    };
    let stored = diesel::insert_into(analytics_sites::table)
        .values((
            analytics_sites::domain_id.eq(domain.0),
            analytics_sites::created_at.eq(now),
            &row,
        ))
        .on_conflict(analytics_sites::domain_id)
        .do_update()
        .set(&row)
        .returning(SiteRow::as_returning())
        .get_result(connection)
        .await?;
    let commerce: Option<Option<OffsetDateTime>> = analytics_progress::table
        .find(domain.0)
        .select(analytics_progress::commerce_at)
        .first(connection)
        .await
        .optional()?;
    stored.read(commerce.flatten().is_some()).map_err(Abort::port)
}

//! The settings of sites.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    collect::{site::CollectionSwitch, view::View},
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
};
use pharos_vitals::{
    settings::{VitalsSettings, VitalsSite},
    store::VitalsSites,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::rum_sites;

/// The name of the settings in the error for rows that can't be read.
const SETTINGS: &str = "the settings of real-user monitoring";

/// The settings of sites, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgVitalsSites {
    database: Database,
}

impl PgVitalsSites {
    /// The settings of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

/// The columns that a change writes.
#[derive(AsChangeset, Insertable, Queryable, Selectable)]
#[diesel(table_name = rum_sites)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct SiteRow {
    settings: Json<VitalsSettings>,
    updated_at: OffsetDateTime,
    updated_by: Option<Uuid>,
}

impl SiteRow {
    fn read(self) -> Result<VitalsSite, StoreError> {
        Ok(VitalsSite {
            settings: self.settings.read(SETTINGS)?,
            updated_at: self.updated_at,
        })
    }
}

#[async_trait]
impl VitalsSites for PgVitalsSites {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<VitalsSite>, StoreError> {
        let reader = self.database.reader().await?;
        let row: Option<SiteRow> = rum_sites::table
            .find(domain.id().0)
            .select(SiteRow::as_select())
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(SiteRow::read).transpose()
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, VitalsSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<VitalsSite, ChangeError> {
        metering::charged::charged(&self.database, domain.slip(), None, async |connection| {
            update(connection, domain.id(), change, by, now).await
        })
        .await
    }
}

#[async_trait]
impl CollectionSwitch<View> for PgVitalsSites {
    async fn switch_on(&self, domain: DomainId, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        let now = not_ahead(&mut connection, now).await.map_err(failure)?;
        let row = SiteRow {
            settings: Json::of(VitalsSettings::default()),
            updated_at: now,
            updated_by: None,
        };
        diesel::insert_into(rum_sites::table)
            .values((
                rum_sites::domain_id.eq(domain.0),
                rum_sites::created_at.eq(now),
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
    change: &SettingsChange<'_, VitalsSettings>,
    by: UserId,
    now: OffsetDateTime,
) -> Result<VitalsSite, Abort<ChangeError>> {
    // Until the transaction ends nobody else creates its settings.
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    let before: Option<Json<VitalsSettings>> = rum_sites::table
        .find(domain.0)
        .for_update()
        .select(rum_sites::settings)
        .first(connection)
        .await
        .optional()?;
    let before = before
        .map(|settings| settings.read(SETTINGS))
        .transpose()
        .map_err(Abort::port)?;
    let settings = change(before.as_ref()).map_err(|faults| Abort::Port(ChangeError::Faults(faults)))?;
    let row = SiteRow {
        settings: Json::of(settings),
        updated_at: now,
        updated_by: Some(by.0),
    };
    let stored = diesel::insert_into(rum_sites::table)
        .values((
            rum_sites::domain_id.eq(domain.0),
            rum_sites::created_at.eq(now),
            &row,
        ))
        .on_conflict(rum_sites::domain_id)
        .do_update()
        .set(&row)
        .returning(SiteRow::as_returning())
        .get_result(connection)
        .await?;
    stored.read().map_err(Abort::port)
}

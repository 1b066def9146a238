//! The settings of domains.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
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
use pharos_search::gsc::config::{ConfigStore, SearchConfig, SearchSettings};
use time::OffsetDateTime;
use uuid::Uuid;

use super::links;
use crate::schema::{search_configs, search_properties};

/// The name of the settings in the error when they can't be read.
const SETTINGS: &str = "the settings of search";

/// The settings of domains, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgConfigStore {
    database: Database,
}

impl PgConfigStore {
    /// The settings of `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

/// The columns that a change writes.
#[derive(AsChangeset, Insertable, Queryable, Selectable)]
#[diesel(table_name = search_configs)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct ConfigRow {
    settings: Json<SearchSettings>,
    updated_at: OffsetDateTime,
    updated_by: Option<Uuid>,
}

impl ConfigRow {
    fn read(self) -> Result<SearchConfig, StoreError> {
        Ok(SearchConfig::stored(
            self.settings.read(SETTINGS)?,
            self.updated_at,
            self.updated_by.map(UserId),
        ))
    }
}

#[async_trait]
impl ConfigStore for PgConfigStore {
    async fn config(&self, domain: &DomainAccess) -> Result<SearchConfig, StoreError> {
        let reader = self.database.reader().await?;
        let row: Option<ConfigRow> = search_configs::table
            .find(domain.id().0)
            .select(ConfigRow::as_select())
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map_or_else(|| Ok(SearchConfig::unsaid()), ConfigRow::read)
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, SearchSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<SearchConfig, ChangeError> {
        metering::charged::charged(&self.database, domain.slip(), None, async |connection| {
            update(connection, domain.id(), change, by, now).await
        })
        .await
    }
}

/// Nothing is written where there are faults.
async fn update(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    change: &SettingsChange<'_, SearchSettings>,
    by: UserId,
    now: OffsetDateTime,
) -> Result<SearchConfig, Abort<ChangeError>> {
    // Until the transaction ends nobody else creates its settings.
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    let before: Option<Json<SearchSettings>> = search_configs::table
        .find(domain.0)
        .for_update()
        .select(search_configs::settings)
        .first(connection)
        .await
        .optional()?;
    let before = before
        .map(|settings| settings.read(SETTINGS))
        .transpose()
        .map_err(Abort::port)?;
    let search_types_before = before.as_ref().map_or_else(
        || SearchSettings::default().search_types,
        |before| before.search_types.clone(),
    );
    let settings = change(before.as_ref()).map_err(|faults| Abort::Port(ChangeError::Faults(faults)))?;
    let search_types: Vec<&str> = settings.search_types.iter().map(|kind| kind.as_str()).collect();
    let has_other_types = search_types_before != settings.search_types;
    if has_other_types {
        // It waits for imports before it locks the row of the link, as whoever unlinks does.
        links::keep_types(connection, domain, &settings.search_types).await?;
    }
    diesel::update(search_properties::table.find(domain.0))
        .set(search_properties::search_types.eq(search_types))
        .execute(connection)
        .await?;
    if has_other_types {
        links::wake(connection, domain).await?;
    }
    let row = ConfigRow {
        settings: Json::of(settings),
        updated_at: now,
        updated_by: Some(by.0),
    };
    let stored = diesel::insert_into(search_configs::table)
        .values((
            search_configs::domain_id.eq(domain.0),
            search_configs::created_at.eq(now),
            &row,
        ))
        .on_conflict(search_configs::domain_id)
        .do_update()
        .set(&row)
        .returning(ConfigRow::as_returning())
        .get_result(connection)
        .await?;
    stored.read().map_err(Abort::port)
}

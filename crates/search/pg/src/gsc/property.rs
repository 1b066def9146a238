//! The property that a domain is linked to.

use async_trait::async_trait;
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, ids::UserId, store::StoreError};
use pharos_persistence::{failure::failure, names, pool::Database};
use pharos_search::gsc::{
    figures::SearchType,
    property::{Property, PropertyStore},
    reach::Reach,
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::schema::{search_imports, search_missed_days, search_properties};

/// The properties in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgPropertyStore {
    database: Database,
}

impl PgPropertyStore {
    /// The properties in `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = search_properties)]
struct PropertyRow {
    site_url: String,
    permission: String,
    status: String,
    search_types: Vec<String>,
    linked_at: OffsetDateTime,
    linked_by: Option<Uuid>,
    last_sync_at: Option<OffsetDateTime>,
    last_sync_status: Option<String>,
    last_failure: Option<String>,
    data_through: Option<Date>,
    provisional_through: Option<Date>,
    first_incomplete_date: Option<Date>,
    first_incomplete_hour: Option<OffsetDateTime>,
}

impl TryFrom<PropertyRow> for Property {
    type Error = StoreError;

    fn try_from(row: PropertyRow) -> Result<Self, StoreError> {
        Ok(Self {
            site_url: row.site_url,
            permission: row.permission.parse()?,
            status: row.status.parse()?,
            linked_at: row.linked_at,
            linked_by: row.linked_by.map(UserId),
            last_sync_at: row.last_sync_at,
            last_sync_status: row.last_sync_status.map(|status| status.parse()).transpose()?,
            last_failure: row.last_failure,
            data_through: row.data_through,
            provisional_through: row.provisional_through,
            first_incomplete_date: row.first_incomplete_date,
            first_incomplete_hour: row.first_incomplete_hour,
            reach: Reach::default(),
            search_types: names::known(&row.search_types),
        })
    }
}

#[async_trait]
impl PropertyStore for PgPropertyStore {
    async fn property(&self, domain: &DomainAccess) -> Result<Option<Property>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<PropertyRow> = search_properties::table
            .find(domain.id().0)
            .select(PropertyRow::as_select())
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        let Some(row) = row else {
            return Ok(None);
        };
        let reached: Vec<(i16, Date)> = search_imports::table
            .filter(search_imports::domain_id.eq(domain.id().0))
            .filter(search_imports::site_url.eq(&row.site_url))
            .select((search_imports::search_type, search_imports::reached))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let missed: Vec<(i16, Date)> = search_missed_days::table
            .filter(search_missed_days::domain_id.eq(domain.id().0))
            .select((search_missed_days::search_type, search_missed_days::date))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        // A search type that this version does not know is imported by another.
        let known = |(code, day): (i16, Date)| Some((SearchType::of_code(code)?, day));
        Ok(Some(Property {
            reach: Reach {
                reached: reached.into_iter().filter_map(known).collect(),
                missed: missed.into_iter().filter_map(known).collect(),
            },
            ..row.try_into()?
        }))
    }
}

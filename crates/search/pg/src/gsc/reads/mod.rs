//! The reads of searches. A statement over all places reads closed months and days, one with a filter the rows by place.

mod days;
mod page_days;
mod rankings;
mod values;

use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{BigInt, Double, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql, text::without_nul};
use pharos_search::gsc::{
    days::PartFilter,
    figures::{Device, Figures},
    place::{Country, Place},
    values::{Dimension, ValueId},
};

use super::import::UNKNOWN;

/// The reads of searches, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSearchReads {
    database: Database,
}

impl PgSearchReads {
    /// The searches of `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct FiguresRow {
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
}

impl TryFrom<FiguresRow> for Figures {
    type Error = StoreError;

    fn try_from(row: FiguresRow) -> Result<Self, StoreError> {
        Ok(Self {
            clicks: count(row.clicks)?,
            impressions: count(row.impressions)?,
            position_sum: row.position_sum,
        })
    }
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    text: String,
    #[diesel(embed)]
    figures: FiguresRow,
}

impl TextRow {
    fn read(self) -> Result<(String, Figures), StoreError> {
        Ok((self.text, self.figures.try_into()?))
    }
}

#[derive(QueryableByName)]
struct PlaceRow {
    #[diesel(sql_type = Text)]
    country: String,
    #[diesel(sql_type = SmallInt)]
    device: i16,
    #[diesel(embed)]
    figures: FiguresRow,
}

impl PlaceRow {
    fn read(self) -> Result<(Place, Figures), StoreError> {
        let place = Place {
            country: Country::new(&self.country).filter(|_| self.country != UNKNOWN),
            device: Device::of_code(self.device),
        };
        Ok((place, self.figures.try_into()?))
    }
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// The number of a query or page; `None` where it never occurred.
async fn find_value(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    dimension: Dimension,
    value: &str,
) -> Result<Option<ValueId>, StoreError> {
    let query = sql!("find_value.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(dimension.code())
        .bind::<Text, _>(without_nul(value.to_owned()));
    let row: Option<IdRow> = query
        .get_result(&mut connection)
        .await
        .optional()
        .map_err(read_failure)?;
    Ok(row.map(|row| ValueId(row.id)))
}

/// A filter with the numbers that the store has for its texts.
#[derive(Clone, Copy)]
struct PartNumbers<'a> {
    query: Option<ValueId>,
    page: Option<ValueId>,
    country: Option<&'a str>,
    device: Option<i16>,
}

impl<'a> PartNumbers<'a> {
    /// `None` where a query or page never occurred: nothing fits.
    async fn of(
        connection: &AsyncPgConnection,
        domain: DomainId,
        part: &'a PartFilter,
    ) -> Result<Option<Self>, StoreError> {
        let mut numbers = Self {
            query: None,
            page: None,
            country: part.country.as_ref().map(Country::as_str),
            device: part.device.map(Device::code),
        };
        if let Some(query) = &part.query {
            numbers.query = find_value(connection, domain, Dimension::Query, query).await?;
            if numbers.query.is_none() {
                return Ok(None);
            }
        }
        if let Some(page) = &part.page {
            numbers.page = find_value(connection, domain, Dimension::Page, page).await?;
            if numbers.page.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(numbers))
    }

    /// The number of what values of `dimension` are to appear with.
    fn other(&self, dimension: Dimension) -> Option<i64> {
        let other = match dimension {
            Dimension::Query => self.page,
            Dimension::Page => self.query,
        };
        other.map(|id| id.0)
    }
}

/// A statement over rows of values, with the parameters that say which: `$1` to `$8`.
macro_rules! rows_of {
    ($statement:expr, $domain:expr, $rows:expr, $part:expr) => {{
        let (rows, part) = (&$rows, &$part);
        $statement
            .bind::<diesel::sql_types::Uuid, _>($domain.id().0)
            .bind::<diesel::sql_types::SmallInt, _>(rows.search_type.code())
            .bind::<diesel::sql_types::SmallInt, _>(rows.dimension.code())
            .bind::<diesel::sql_types::Date, _>(rows.window.first())
            .bind::<diesel::sql_types::Date, _>(rows.window.last())
            .bind::<diesel::sql_types::Nullable<diesel::sql_types::BigInt>, _>(part.other(rows.dimension))
            .bind::<diesel::sql_types::Nullable<diesel::sql_types::Text>, _>(part.country)
            .bind::<diesel::sql_types::Nullable<diesel::sql_types::SmallInt>, _>(part.device)
    }};
}
use rows_of;

/// A statement over the days of a window: `$1` to `$4`.
macro_rules! window_of {
    ($statement:expr, $domain:expr, $search_type:expr, $window:expr) => {
        $statement
            .bind::<diesel::sql_types::Uuid, _>($domain.id().0)
            .bind::<diesel::sql_types::SmallInt, _>($search_type.code())
            .bind::<diesel::sql_types::Date, _>($window.first())
            .bind::<diesel::sql_types::Date, _>($window.last())
    };
}
use window_of;

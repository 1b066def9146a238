//! How the search of many domains stands.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Date as SqlDate, Double, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{DomainId, UserId},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, json::Json, names, pool::Database, sql};
use pharos_search::gsc::{
    analysis::positions::ENDS,
    config::{SearchConfig, SearchSettings},
    figures::{Figures, SearchType},
    reach::Reach,
    standing::{DayCounts, DayOf, Standing, StandingStore},
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// How search stands, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgStandingStore {
    database: Database,
}

impl PgStandingStore {
    /// How it stands in `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct StandingRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Nullable<SqlDate>)]
    data_through: Option<Date>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    imported_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Array<Text>)]
    search_types: Vec<String>,
    #[diesel(sql_type = Array<SmallInt>)]
    imported_types: Vec<i16>,
    #[diesel(sql_type = Array<SqlDate>)]
    reached: Vec<Date>,
    #[diesel(sql_type = Array<SmallInt>)]
    missed_types: Vec<i16>,
    #[diesel(sql_type = Array<SqlDate>)]
    missed_dates: Vec<Date>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    settings: Option<Json<SearchSettings>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    updated_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    updated_by: Option<Uuid>,
}

impl TryFrom<StandingRow> for Standing {
    type Error = StoreError;

    fn try_from(row: StandingRow) -> Result<Self, StoreError> {
        let config = match (row.settings, row.updated_at) {
            (Some(settings), Some(updated_at)) => SearchConfig::stored(
                settings.read("the settings of search")?,
                updated_at,
                row.updated_by.map(UserId),
            ),
            _ => SearchConfig::unsaid(),
        };
        let reached = row.imported_types.into_iter().zip(row.reached);
        let missed = row.missed_types.into_iter().zip(row.missed_dates);
        // A search type that this version does not know is imported by another.
        let known = |(code, day): (i16, Date)| Some((SearchType::of_code(code)?, day));
        Ok(Self {
            data_through: row.data_through,
            imported_at: row.imported_at,
            search_types: names::known(&row.search_types),
            reach: Reach {
                reached: reached.filter_map(known).collect(),
                missed: missed.filter_map(known).collect(),
            },
            brand: Arc::clone(config.brand()),
        })
    }
}

#[derive(QueryableByName)]
struct DayKey {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SmallInt)]
    search_type: i16,
    #[diesel(sql_type = SqlDate)]
    date: Date,
}

impl TryFrom<DayKey> for DayOf {
    type Error = StoreError;

    fn try_from(key: DayKey) -> Result<Self, StoreError> {
        let unknown = || StoreError::Corrupt(format!("search type {}", key.search_type));
        let search_type = SearchType::of_code(key.search_type).ok_or_else(unknown)?;
        Ok((DomainId(key.domain_id), search_type, key.date))
    }
}

#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(embed)]
    key: DayKey,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
}

#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(embed)]
    key: DayKey,
    #[diesel(sql_type = BigInt)]
    top_10_queries: i64,
    #[diesel(sql_type = BigInt)]
    pages_with_clicks: i64,
    #[diesel(sql_type = BigInt)]
    lost_rankings: i64,
}

#[derive(QueryableByName)]
struct ClickedRow {
    #[diesel(embed)]
    key: DayKey,
    #[diesel(sql_type = Text)]
    query: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
}

/// Days as PostgreSQL takes them: a list a column.
fn columns(days: &[DayOf]) -> (Vec<Uuid>, Vec<i16>, Vec<Date>) {
    let mut columns: (Vec<Uuid>, Vec<i16>, Vec<Date>) = Default::default();
    for (domain, search_type, date) in days {
        columns.0.push(domain.0);
        columns.1.push(search_type.code());
        columns.2.push(*date);
    }
    columns
}

#[async_trait]
impl StandingStore for PgStandingStore {
    async fn standing(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, Standing>, StoreError> {
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<StandingRow> = sql!("standing.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let mut standing = HashMap::with_capacity(rows.len());
        for row in rows {
            let domain = DomainId(row.domain_id);
            match Standing::try_from(row) {
                Ok(known) => {
                    standing.insert(domain, known);
                }
                // The others are told all the same.
                Err(error) => tracing::error!(%domain, %error, "the search of a domain can't be read"),
            }
        }
        Ok(standing)
    }

    async fn totals(
        &self,
        domains: &[DomainId],
        range: DateRange,
    ) -> Result<HashMap<DayOf, Figures>, StoreError> {
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<TotalsRow> = sql!("totals.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<SqlDate, _>(range.first())
            .bind::<SqlDate, _>(range.last())
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        rows.into_iter()
            .map(|row| {
                let figures = Figures {
                    clicks: names::count(row.clicks)?,
                    impressions: names::count(row.impressions)?,
                    position_sum: row.position_sum,
                };
                Ok((row.key.try_into()?, figures))
            })
            .collect()
    }

    async fn counts(&self, days: &[DayOf]) -> Result<HashMap<DayOf, DayCounts>, StoreError> {
        if days.is_empty() {
            return Ok(HashMap::new());
        }
        let (domains, types, dates) = columns(days);
        let [_, first_page, ..] = ENDS;
        let mut connection = self.database.connection().await?;
        let rows: Vec<CountsRow> = sql!("counts.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<SmallInt>, _>(types)
            .bind::<Array<SqlDate>, _>(dates)
            .bind::<Double, _>(first_page)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        rows.into_iter()
            .map(|row| {
                let counts = DayCounts {
                    top_10_queries: names::count(row.top_10_queries)?,
                    pages_with_clicks: names::count(row.pages_with_clicks)?,
                    lost_rankings: names::count(row.lost_rankings)?,
                };
                Ok((row.key.try_into()?, counts))
            })
            .collect()
    }

    async fn clicked(&self, days: &[DayOf]) -> Result<HashMap<DayOf, Vec<(String, u64)>>, StoreError> {
        if days.is_empty() {
            return Ok(HashMap::new());
        }
        let (domains, types, dates) = columns(days);
        let mut connection = self.database.connection().await?;
        let rows: Vec<ClickedRow> = sql!("clicked.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<SmallInt>, _>(types)
            .bind::<Array<SqlDate>, _>(dates)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let mut clicked: HashMap<DayOf, Vec<(String, u64)>> = HashMap::new();
        for row in rows {
            let key = row.key.try_into()?;
            clicked
                .entry(key)
                .or_default()
                .push((row.query, names::count(row.clicks)?));
        }
        Ok(clicked)
    }
}

//! The sums that analyses are made from, added up by PostgreSQL.

mod row;

use std::sync::Arc;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Double, Nullable, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::TryStreamExt;
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page::{Page, PageRequest, Position},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, pool::Database, sql};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked, BrandDay, CandidateQuery, LostQuery, PlaceFilter, ServedQuery, ctr_gaps,
        decay::{LEAST_PEAK, LOST_QUERIES, WeeklyPage},
        positions::{ENDS, Positions},
    },
    config::{Brand, SearchConfig},
    curve::CtrCurve,
    figures::{Device, Figures},
    place::Country,
    values::Dimension,
};
use time::Date;

use self::row::{BandDayRow, BandRow, BrandDayRow, CandidateRow, LostRow, ServedRow, ValueRow, WeeklyRow};
use super::{import::Kind, judged};

/// Reads in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgAnalysisReads {
    database: Database,
}

impl PgAnalysisReads {
    /// The reads of `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

/// A text of the dictionary.
#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    value: String,
}

/// The statements of all analyses begin with the domain and its search type.
macro_rules! of_domain {
    ($statement:expr, $domain:expr, $asked:expr) => {
        $statement
            .bind::<SqlUuid, _>($domain.0)
            .bind::<SmallInt, _>($asked.search_type.code())
    };
}

/// Those of positions go on with days and the ends of the bands.
macro_rules! of_window {
    ($statement:expr, $domain:expr, $asked:expr $(, $before:expr)?) => {
        of_domain!($statement, $domain, $asked)
            $(.bind::<SqlDate, _>($before))?
            .bind::<SqlDate, _>($asked.window.first())
            .bind::<SqlDate, _>($asked.window.last())
            .bind::<Array<Double>, _>(negated_ends())
    };
}

/// The ends of the bands as `width_bucket` takes them: negated, in order.
fn negated_ends() -> Vec<f64> {
    ENDS.iter().rev().map(|end| -end).collect()
}

#[async_trait]
impl AnalysisReads for PgAnalysisReads {
    async fn positions(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        places: PlaceFilter,
    ) -> Result<Positions, StoreError> {
        let mut connection = self.database.long_read().await?;
        let (bands, days): (Vec<BandRow>, Vec<BandDayRow>) = if places == PlaceFilter::default() {
            let bands = of_window!(
                sql!("bands.sql"),
                domain.id(),
                asked,
                asked.window.preceding().first()
            );
            let days = of_window!(sql!("band_days.sql"), domain.id(), asked);
            (
                bands.load(&mut connection).await.map_err(read_failure)?,
                days.load(&mut connection).await.map_err(read_failure)?,
            )
        } else {
            let country = places.country.as_ref().map(Country::as_str);
            let device = places.device.map(Device::code);
            let bands = of_window!(
                sql!("bands_by_place.sql"),
                domain.id(),
                asked,
                asked.window.preceding().first()
            )
            .bind::<Nullable<Text>, _>(country)
            .bind::<Nullable<SmallInt>, _>(device);
            let days = of_window!(sql!("band_days_by_place.sql"), domain.id(), asked)
                .bind::<Nullable<Text>, _>(country)
                .bind::<Nullable<SmallInt>, _>(device);
            (
                bands.load(&mut connection).await.map_err(read_failure)?,
                days.load(&mut connection).await.map_err(read_failure)?,
            )
        };
        positions(&bands, &days)
    }

    async fn brand_days(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        brand: &Arc<Brand>,
    ) -> Result<Vec<BrandDay>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let queries = of_domain!(sql!("queries.sql"), domain.id(), asked)
            .bind::<SqlDate, _>(asked.window.first())
            .bind::<SqlDate, _>(asked.window.last());
        let rows = queries
            .load_stream::<TextRow>(&mut connection)
            .await
            .map_err(read_failure)?;
        let branded = judged::branded(rows.map_ok(|row| (row.id, row.value)), brand).await?;
        let query = of_domain!(sql!("brand_days.sql"), domain.id(), asked)
            .bind::<SqlDate, _>(asked.window.first())
            .bind::<SqlDate, _>(asked.window.last())
            .bind::<Array<BigInt>, _>(branded);
        let rows: Vec<BrandDayRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(BrandDay::try_from).collect()
    }

    async fn candidates(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        least_impressions: u32,
        curve: &CtrCurve,
    ) -> Result<Vec<CandidateQuery>, StoreError> {
        let [top, first_page, second_page, _] = ENDS;
        let query = of_domain!(sql!("candidates.sql"), domain.id(), asked)
            .bind::<SqlDate, _>(asked.window.preceding().first())
            .bind::<SqlDate, _>(asked.window.first())
            .bind::<SqlDate, _>(asked.window.last())
            .bind::<BigInt, _>(i64::from(least_impressions))
            .bind::<Double, _>(top)
            .bind::<Double, _>(first_page)
            .bind::<Double, _>(second_page)
            .bind::<Double, _>(curve.expected(top))
            .bind::<Double, _>(curve.expected(first_page));
        let mut connection = self.database.long_read().await?;
        let rows: Vec<CandidateRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(CandidateQuery::try_from).collect()
    }

    async fn below_curve(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        dimension: Dimension,
        curve: &CtrCurve,
        config: &SearchConfig,
    ) -> Result<Vec<(String, Figures)>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let excluded = match dimension {
            Dimension::Query => Vec::new(),
            Dimension::Page => excluded(&mut connection, domain.id(), config).await?,
        };
        let least = ctr_gaps::least_impressions(&config.settings);
        let rates: Vec<f64> = curve.points().map(|point| point.expected_ctr).collect();
        let query = of_domain!(sql!("below_curve.sql"), domain.id(), asked)
            .bind::<SmallInt, _>(dimension.code())
            .bind::<SqlDate, _>(asked.window.first())
            .bind::<SqlDate, _>(asked.window.last())
            .bind::<BigInt, _>(i64::try_from(least).unwrap_or(i64::MAX))
            .bind::<Array<Double>, _>(rates)
            .bind::<Array<BigInt>, _>(excluded);
        let rows: Vec<ValueRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(ValueRow::read).collect()
    }

    async fn served(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        config: &SearchConfig,
        page: &PageRequest<i64, i64>,
    ) -> Result<Page<ServedQuery>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let excluded = excluded(&mut connection, domain.id(), config).await?;
        let beginning = Position {
            key: i64::MAX,
            id: i64::MAX,
        };
        let after = page.after.as_ref().unwrap_or(&beginning);
        let query = of_domain!(sql!("served.sql"), domain.id(), asked)
            .bind::<SqlDate, _>(asked.window.first())
            .bind::<SqlDate, _>(asked.window.last())
            .bind::<BigInt, _>(i64::from(config.settings.min_impressions))
            .bind::<Array<BigInt>, _>(excluded)
            .bind::<BigInt, _>(after.key)
            .bind::<BigInt, _>(after.id)
            .bind::<BigInt, _>(page.rows());
        let rows: Vec<ServedRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let position = |served: &ServedQuery| Position {
            key: i64::try_from(served.figures.impressions).unwrap_or(i64::MAX),
            id: served.id,
        };
        Ok(Page::cut(by_query(rows)?, page, position))
    }

    async fn weekly_pages(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        config: &SearchConfig,
    ) -> Result<Vec<WeeklyPage>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let excluded = excluded(&mut connection, domain.id(), config).await?;
        let query = of_domain!(sql!("weekly_pages.sql"), domain.id(), asked)
            .bind::<SqlDate, _>(asked.window.first())
            .bind::<SqlDate, _>(asked.window.last())
            .bind::<BigInt, _>(i64::try_from(LEAST_PEAK).unwrap_or(i64::MAX))
            .bind::<Array<BigInt>, _>(excluded);
        let rows: Vec<WeeklyRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(WeeklyPage::try_from).collect()
    }

    async fn lost_queries(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        peaks: &[(i64, Date)],
    ) -> Result<Vec<LostQuery>, StoreError> {
        let (pages, mondays): (Vec<i64>, Vec<Date>) = peaks.iter().copied().unzip();
        let last_week = DateRange::ending(asked.window.last(), 7);
        let query = of_domain!(sql!("lost_queries.sql"), domain.id(), asked)
            .bind::<Array<BigInt>, _>(pages)
            .bind::<Array<SqlDate>, _>(mondays)
            .bind::<SqlDate, _>(last_week.first())
            .bind::<BigInt, _>(i64::try_from(LOST_QUERIES).unwrap_or(i64::MAX));
        let mut connection = self.database.long_read().await?;
        let rows: Vec<LostRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(LostQuery::try_from).collect()
    }
}

/// The numbers of the pages that analyses leave out.
async fn excluded(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    config: &SearchConfig,
) -> Result<Vec<i64>, StoreError> {
    if config.settings.excluded_paths.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql!(text "SELECT id, value FROM search_values WHERE domain_id = $1 AND kind = $2")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(Kind::Page.code());
    let pages = query
        .load_stream::<TextRow>(connection)
        .await
        .map_err(read_failure)?;
    pages
        .try_filter_map(async |row| Ok(config.is_excluded(&row.value).then_some(row.id)))
        .try_collect()
        .await
        .map_err(read_failure)
}

fn positions(bands: &[BandRow], days: &[BandDayRow]) -> Result<Positions, StoreError> {
    let strange = |place: usize| StoreError::Corrupt(format!("a band {place}"));
    let mut found = Positions::default();
    for row in bands {
        let (place, figures) = row.read()?;
        if row.is_current {
            *found.current.get_mut(place).ok_or_else(|| strange(place))? = figures;
        } else {
            *found.previous.get_mut(place).ok_or_else(|| strange(place))? = figures.queries;
        }
    }
    for row in days {
        let day = found.days.entry(row.date).or_default();
        if let Some((place, queries)) = row.read()? {
            *day.get_mut(place).ok_or_else(|| strange(place))? = queries;
        }
    }
    Ok(found)
}

/// The rows, which are in the order of their queries, by query.
fn by_query(rows: Vec<ServedRow>) -> Result<Vec<ServedQuery>, StoreError> {
    let mut queries: Vec<ServedQuery> = Vec::new();
    for row in rows {
        if queries.last().is_none_or(|last| last.id != row.id) {
            queries.push(ServedQuery {
                id: row.id,
                query: row.query.clone(),
                figures: row.of_query()?,
                days: Vec::new(),
            });
        }
        if let Some(last) = queries.last_mut() {
            last.days.push(row.read()?);
        }
    }
    Ok(queries)
}

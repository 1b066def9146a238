//! The rows of what analyses are made of.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Date as SqlDate, Double, Integer, Nullable, SmallInt, Text},
};
use pharos_domain::store::StoreError;
use pharos_persistence::names::count;
use pharos_search::gsc::{
    analysis::{
        BrandDay, CandidateQuery, LostQuery, ShownPage,
        decay::{WEEKS, WeeklyPage},
        positions::BandFigures,
    },
    figures::Figures,
};
use time::Date;

/// Figures as they are stored.
fn figures(clicks: i64, impressions: i64, position_sum: f64) -> Result<Figures, StoreError> {
    Ok(Figures {
        clicks: count(clicks)?,
        impressions: count(impressions)?,
        position_sum,
    })
}

/// A band of the window, or of the days before.
#[derive(QueryableByName)]
pub(super) struct BandRow {
    #[diesel(sql_type = Bool)]
    pub(super) is_current: bool,
    #[diesel(sql_type = SmallInt)]
    band: i16,
    #[diesel(sql_type = BigInt)]
    queries: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
}

impl BandRow {
    /// Its place among the bands, and what its queries come to.
    pub(super) fn read(&self) -> Result<(usize, BandFigures), StoreError> {
        let figures = BandFigures {
            queries: count(self.queries)?,
            impressions: count(self.impressions)?,
            clicks: count(self.clicks)?,
        };
        Ok((count(self.band)?, figures))
    }
}

/// A band of a day; null: the day has none.
#[derive(QueryableByName)]
pub(super) struct BandDayRow {
    #[diesel(sql_type = SqlDate)]
    pub(super) date: Date,
    #[diesel(sql_type = Nullable<SmallInt>)]
    band: Option<i16>,
    #[diesel(sql_type = BigInt)]
    queries: i64,
}

impl BandDayRow {
    /// Its place among the bands, and how many queries it has.
    pub(super) fn read(&self) -> Result<Option<(usize, u64)>, StoreError> {
        let queries = count(self.queries)?;
        self.band.map(|band| Ok((count(band)?, queries))).transpose()
    }
}

/// A day, told apart by brand.
#[derive(QueryableByName)]
pub(super) struct BrandDayRow {
    #[diesel(sql_type = SqlDate)]
    date: Date,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
    #[diesel(sql_type = BigInt)]
    branded_clicks: i64,
    #[diesel(sql_type = BigInt)]
    branded_impressions: i64,
    #[diesel(sql_type = Double)]
    branded_position_sum: f64,
    #[diesel(sql_type = BigInt)]
    other_clicks: i64,
    #[diesel(sql_type = BigInt)]
    other_impressions: i64,
    #[diesel(sql_type = Double)]
    other_position_sum: f64,
}

impl TryFrom<BrandDayRow> for BrandDay {
    type Error = StoreError;

    fn try_from(row: BrandDayRow) -> Result<Self, StoreError> {
        Ok(Self {
            date: row.date,
            total: figures(row.clicks, row.impressions, row.position_sum)?,
            branded: figures(
                row.branded_clicks,
                row.branded_impressions,
                row.branded_position_sum,
            )?,
            non_branded: figures(row.other_clicks, row.other_impressions, row.other_position_sum)?,
        })
    }
}

/// A query that may be an opportunity.
#[derive(QueryableByName)]
pub(super) struct CandidateRow {
    #[diesel(sql_type = Text)]
    query: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
    #[diesel(sql_type = Nullable<BigInt>)]
    previous_clicks: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    previous_impressions: Option<i64>,
    #[diesel(sql_type = Nullable<Double>)]
    previous_position_sum: Option<f64>,
    #[diesel(sql_type = Nullable<Text>)]
    page: Option<String>,
    #[diesel(sql_type = Nullable<Double>)]
    query_share: Option<f64>,
}

impl TryFrom<CandidateRow> for CandidateQuery {
    type Error = StoreError;

    fn try_from(row: CandidateRow) -> Result<Self, StoreError> {
        let previous = (
            row.previous_clicks,
            row.previous_impressions,
            row.previous_position_sum,
        );
        Ok(Self {
            query: row.query,
            figures: figures(row.clicks, row.impressions, row.position_sum)?,
            previous: match previous {
                (Some(clicks), Some(impressions), Some(position_sum)) => {
                    Some(figures(clicks, impressions, position_sum)?)
                }
                _ => None,
            },
            page: row.page.map(|url| ShownPage {
                url,
                query_share: row.query_share,
            }),
        })
    }
}

/// A query or page.
#[derive(QueryableByName)]
pub(super) struct ValueRow {
    #[diesel(sql_type = Text)]
    value: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
}

impl ValueRow {
    pub(super) fn read(self) -> Result<(String, Figures), StoreError> {
        let figures = figures(self.clicks, self.impressions, self.position_sum)?;
        Ok((self.value, figures))
    }
}

/// A page on a day that was shown for a query.
#[derive(QueryableByName)]
pub(super) struct ServedRow {
    #[diesel(sql_type = BigInt)]
    pub(super) id: i64,
    #[diesel(sql_type = Text)]
    pub(super) query: String,
    #[diesel(sql_type = BigInt)]
    query_clicks: i64,
    #[diesel(sql_type = BigInt)]
    query_impressions: i64,
    #[diesel(sql_type = Double)]
    query_position_sum: f64,
    #[diesel(sql_type = SqlDate)]
    date: Date,
    #[diesel(sql_type = Text)]
    page: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
}

impl ServedRow {
    /// The figures of the query.
    pub(super) fn of_query(&self) -> Result<Figures, StoreError> {
        figures(self.query_clicks, self.query_impressions, self.query_position_sum)
    }

    /// The page with its figures.
    pub(super) fn read(self) -> Result<(Date, String, Figures), StoreError> {
        let figures = figures(self.clicks, self.impressions, self.position_sum)?;
        Ok((self.date, self.page, figures))
    }
}

/// A page by week: a list a column, of the weeks in which it was shown.
#[derive(QueryableByName)]
pub(super) struct WeeklyRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    page: String,
    #[diesel(sql_type = Array<Integer>)]
    weeks: Vec<i32>,
    #[diesel(sql_type = Array<BigInt>)]
    clicks: Vec<i64>,
    #[diesel(sql_type = Array<BigInt>)]
    impressions: Vec<i64>,
    #[diesel(sql_type = Array<Double>)]
    position_sums: Vec<f64>,
}

impl TryFrom<WeeklyRow> for WeeklyPage {
    type Error = StoreError;

    fn try_from(row: WeeklyRow) -> Result<Self, StoreError> {
        let mut weeks = [Figures::default(); WEEKS];
        let shown = row.weeks.into_iter().zip(row.clicks);
        let shown = shown.zip(row.impressions).zip(row.position_sums);
        for (((week, clicks), impressions), position_sum) in shown {
            let place: usize = count(week)?;
            let week = weeks.get_mut(place);
            *week.ok_or_else(|| StoreError::Corrupt(format!("a week {place}")))? =
                figures(clicks, impressions, position_sum)?;
        }
        Ok(Self {
            id: row.id,
            page: row.page,
            weeks,
        })
    }
}

/// A query that brought a page more clicks once.
#[derive(QueryableByName)]
pub(super) struct LostRow {
    #[diesel(sql_type = BigInt)]
    page: i64,
    #[diesel(sql_type = Text)]
    query: String,
    #[diesel(sql_type = BigInt)]
    clicks_peak: i64,
    #[diesel(sql_type = BigInt)]
    clicks_current: i64,
}

impl TryFrom<LostRow> for LostQuery {
    type Error = StoreError;

    fn try_from(row: LostRow) -> Result<Self, StoreError> {
        Ok(Self {
            page: row.page,
            query: row.query,
            clicks_peak: count(row.clicks_peak)?,
            clicks_current: count(row.clicks_current)?,
        })
    }
}

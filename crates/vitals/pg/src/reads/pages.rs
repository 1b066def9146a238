//! Pages, and single views of them.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Double, Integer, Nullable, SmallInt, Text, Timestamptz},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    collect::{
        client::Device,
        view::{Connection, Navigation},
    },
    identity::DomainAccess,
    page::{PageRequest, Position, SortOrder},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_vitals::{
    metric::Metric,
    overview::{MetricValues, ViewFigures, ViewFilter},
    pages::{PageFigures, PageReads, PageSort, Pages, PagesQuery, SingleView},
};
use time::OffsetDateTime;

use super::{
    PgVitalsReads,
    asked::{Asked, bound},
    slices::figures,
};
use crate::rollups::bands;

#[derive(QueryableByName)]
struct PageRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Nullable<Double>)]
    key: Option<f64>,
    #[diesel(sql_type = BigInt)]
    all_views: i64,
    #[diesel(sql_type = Array<BigInt>)]
    figures: Vec<i64>,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    percentiles: Vec<Option<f64>>,
}

#[derive(QueryableByName)]
struct PageBeforeRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Array<BigInt>)]
    figures: Vec<i64>,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    percentiles: Vec<Option<f64>>,
}

#[async_trait]
impl PageReads for PgVitalsReads {
    async fn pages(&self, domain: &DomainAccess, query: &PagesQuery<'_>) -> Result<Pages, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = Asked {
            domain: domain.id(),
            days: query.window,
            filter: query.filter,
        };
        let sort: i16 = match query.sort {
            PageSort::Pageviews => 0,
            PageSort::Lcp => 1,
            PageSort::Inp => 2,
            PageSort::Cls => 3,
            PageSort::Ttfb => 4,
            PageSort::ErrorCount => 5,
        };
        let sign: f64 = match query.order {
            SortOrder::Ascending => 1.0,
            SortOrder::Descending => -1.0,
        };
        let after = query.page.after.as_ref();
        let statement = bound!(asked, sql!("pages.sql"))
            .bind::<Array<Double>, _>(bands())
            .bind::<Integer, _>(i32::from(query.percent))
            .bind::<SmallInt, _>(sort)
            .bind::<Double, _>(sign)
            .bind::<Nullable<Text>, _>(query.search)
            .bind::<Bool, _>(after.is_some())
            .bind::<Nullable<Double>, _>(after.and_then(|after| after.key))
            .bind::<Nullable<Text>, _>(after.map(|after| after.id.as_str()))
            .bind::<BigInt, _>(query.page.rows());
        let rows: Vec<PageRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        let views = rows
            .as_slice()
            .first()
            .map_or(Ok(0), |row| count(row.all_views))?;
        let items = rows.into_iter().map(|row| {
            Ok(PageFigures {
                url: row.url,
                key: row.key,
                figures: figures(row.figures, row.percentiles)?,
            })
        });
        Ok(Pages {
            items: items.collect::<Result<_, StoreError>>()?,
            views,
        })
    }

    async fn pages_before(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        urls: &[&str],
        percent: u8,
    ) -> Result<BTreeMap<String, ViewFigures>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = Asked {
            domain: domain.id(),
            days: window,
            filter,
        };
        let statement = bound!(asked, sql!("pages_before.sql"))
            .bind::<Array<Double>, _>(bands())
            .bind::<Integer, _>(i32::from(percent))
            .bind::<Array<Text>, _>(urls);
        let rows: Vec<PageBeforeRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| Ok((row.url, figures(row.figures, row.percentiles)?)))
            .collect()
    }

    async fn views(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        page: &PageRequest,
    ) -> Result<Vec<SingleView>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = Asked {
            domain: domain.id(),
            days: window,
            filter,
        };
        // No load has a greater number, and no cursor is of another form.
        let after = page.after.unwrap_or(Position::START);
        let (_, load) = after.id.as_u64_pair();
        let load = page.after.map_or(i64::MAX, |_| load.cast_signed());
        let statement = bound!(asked, sql!("views.sql"))
            .bind::<Timestamptz, _>(after.key)
            .bind::<BigInt, _>(load)
            .bind::<BigInt, _>(page.rows());
        let rows: Vec<ViewRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(ViewRow::view).collect()
    }
}

#[derive(QueryableByName)]
struct ViewRow {
    #[diesel(sql_type = BigInt)]
    load_id: i64,
    #[diesel(sql_type = Timestamptz)]
    at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Nullable<Text>)]
    referrer: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    browser: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    browser_version: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    os: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    country: Option<String>,
    #[diesel(sql_type = SmallInt)]
    device: i16,
    #[diesel(sql_type = Nullable<SmallInt>)]
    connection: Option<i16>,
    #[diesel(sql_type = SmallInt)]
    navigation: i16,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    timings: Vec<Option<f64>>,
    #[diesel(sql_type = Nullable<Integer>)]
    viewport_width: Option<i32>,
    #[diesel(sql_type = Nullable<Integer>)]
    viewport_height: Option<i32>,
    #[diesel(sql_type = Integer)]
    errors: i32,
    #[diesel(sql_type = Bool)]
    was_hidden: bool,
    #[diesel(sql_type = Nullable<Integer>)]
    interactions: Option<i32>,
}

impl ViewRow {
    fn view(self) -> Result<SingleView, StoreError> {
        let timing = |place: usize| self.timings.get(place).copied().flatten();
        let mut values = MetricValues::default();
        for (place, metric) in Metric::ALL.iter().enumerate() {
            values.set(*metric, timing(place));
        }
        let rounded = |place| timing(place).map(|value| Metric::Lcp.rounded(value));
        Ok(SingleView {
            load: self.load_id,
            at: self.at,
            dom_content_loaded_ms: rounded(5),
            load_ms: rounded(6),
            url: self.url,
            referrer: self.referrer,
            device: kind(&Device::ALL, self.device)?,
            browser: self.browser,
            browser_version: self.browser_version,
            os: self.os,
            country: self.country,
            connection: self
                .connection
                .map(|number| kind(Connection::ALL, number))
                .transpose()?,
            navigation: kind(Navigation::ALL, self.navigation)?,
            values,
            viewport: (
                self.viewport_width.map(count).transpose()?,
                self.viewport_height.map(count).transpose()?,
            ),
            errors: count(self.errors)?,
            interactions: self.interactions.map(count).transpose()?,
            was_hidden: self.was_hidden,
        })
    }
}

/// The kind that a number stands for.
fn kind<T: Copy>(all: &[T], number: i16) -> Result<T, StoreError> {
    let kind = usize::try_from(number).ok().and_then(|place| all.get(place));
    kind.copied()
        .ok_or_else(|| StoreError::Corrupt(format!("no kind has the number {number}")))
}

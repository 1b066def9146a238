//! Reads of people's behaviour on views, how it goes with speed, and the pages that they get back to.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Double, Integer, Nullable, SmallInt, Text},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    collect::{
        PageLoadId,
        view::{Navigation, ReasonType},
    },
    identity::DomainAccess,
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_vitals::{
    behaviour::{
        BOUNCED_BELOW_MS, BehaviourReads, Bfcache, BfcacheReason, CorrelatedMetric, Correlation,
        EngagementFigures, MOST_REASONS, SiteEngagement, SpeedBucket,
    },
    metric::Metric,
    overview::ViewFilter,
};
use time::Date;

use super::{
    PgVitalsReads,
    asked::{Asked, bound},
};

#[async_trait]
impl BehaviourReads for PgVitalsReads {
    async fn engagement(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
    ) -> Result<SiteEngagement, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = asked(domain, window, filter);
        let statement = bound!(asked, sql!("engagement.sql")).bind::<Integer, _>(BOUNCED_BELOW_MS);
        let rows: Vec<EngagementRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        let mut found = SiteEngagement::default();
        for row in rows {
            let (day, figures) = (row.day, row.figures()?);
            match day {
                Some(day) => found.days.push((day, figures)),
                None => found.all = figures,
            }
        }
        Ok(found)
    }

    async fn correlation(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        metric: CorrelatedMetric,
        converted: Option<&[PageLoadId]>,
    ) -> Result<Correlation, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = asked(domain, window, filter);
        let edges = metric.edges();
        let loads: Vec<i64> = converted.into_iter().flatten().map(|load| load.0).collect();
        let statement = bound!(asked, sql!("correlation.sql"))
            .bind::<SmallInt, _>(Metric::from(metric) as i16)
            .bind::<Integer, _>(BOUNCED_BELOW_MS)
            .bind::<Array<Double>, _>(&edges)
            .bind::<SmallInt, _>(Navigation::Soft as i16)
            .bind::<Array<BigInt>, _>(loads);
        let rows: Vec<BucketRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        let mut found = Correlation {
            buckets: vec![SpeedBucket::default(); edges.len()],
            ..Correlation::default()
        };
        for row in rows {
            found.pairs = count(row.pairs)?;
            found.rho = row.rho;
            let place: usize = count(row.bucket)?;
            let bucket = found.buckets.get_mut(place);
            let bucket = bucket.ok_or_else(|| StoreError::Corrupt(format!("there is no bucket {place}")))?;
            *bucket = SpeedBucket {
                views: count(row.views)?,
                judged: count(row.judged)?,
                bounced: count(row.bounces)?,
                mean_visible_ms: row.visible_ms,
                mean_scroll_pct: row.scroll_pct,
                loads: count(row.loads)?,
                converted: converted.map(|_| count(row.converted)).transpose()?,
            };
        }
        Ok(found)
    }

    async fn bfcache(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
    ) -> Result<Bfcache, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = asked(domain, window, filter);
        let most = i64::try_from(MOST_REASONS).unwrap_or(i64::MAX);
        let statement = bound!(asked, sql!("bfcache.sql")).bind::<BigInt, _>(most);
        let rows: Vec<ReasonRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        let mut found = Bfcache::default();
        for row in rows {
            found.navigations = count(row.all_of_them)?;
            found.hits = count(row.hits)?;
            found.told = count(row.told)?;
            // Without a reason there is a row all the same.
            let (Some(reason), Some(kind)) = (row.reason, row.kind) else {
                continue;
            };
            let kind = usize::try_from(kind)
                .ok()
                .and_then(|kind| ReasonType::ALL.get(kind));
            found.reasons.push(BfcacheReason {
                reason,
                kind: kind.copied().unwrap_or(ReasonType::Unknown),
                navigations: count(row.navigations.unwrap_or(0))?,
                pages: count(row.pages.unwrap_or(0))?,
            });
        }
        Ok(found)
    }
}

fn asked<'a>(domain: &DomainAccess, days: DateRange, filter: &'a ViewFilter) -> Asked<'a> {
    Asked {
        domain: domain.id(),
        days,
        filter,
    }
}

#[derive(QueryableByName)]
struct EngagementRow {
    #[diesel(sql_type = Nullable<SqlDate>)]
    day: Option<Date>,
    #[diesel(sql_type = Array<BigInt>)]
    counts: Vec<i64>,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    means: Vec<Option<f64>>,
}

impl EngagementRow {
    fn figures(self) -> Result<EngagementFigures, StoreError> {
        let counts: Vec<u64> = self.counts.into_iter().map(count).collect::<Result<_, _>>()?;
        let [
            views,
            timed,
            scrolled,
            counted,
            judged,
            q1,
            q2,
            q3,
            q4,
            bounced,
            interacted,
            raged,
            dead,
            rage_counted,
            dead_counted,
        ] = counts[..]
        else {
            return Err(StoreError::Corrupt("not fifteen counts of engagement".to_owned()));
        };
        let mean = |place: usize| self.means.get(place).copied().flatten();
        Ok(EngagementFigures {
            views,
            timed,
            scrolled,
            counted,
            judged,
            reached: [q1, q2, q3, q4],
            bounced,
            interacted,
            raged,
            dead,
            rage_counted,
            dead_counted,
            mean_visible_ms: mean(0),
            median_visible_ms: mean(1),
            mean_scroll_pct: mean(2),
            mean_interactions: mean(3),
        })
    }
}

#[derive(QueryableByName)]
struct BucketRow {
    #[diesel(sql_type = Integer)]
    bucket: i32,
    #[diesel(sql_type = BigInt)]
    views: i64,
    #[diesel(sql_type = BigInt)]
    judged: i64,
    #[diesel(sql_type = BigInt)]
    bounces: i64,
    #[diesel(sql_type = Nullable<Double>)]
    visible_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    scroll_pct: Option<f64>,
    #[diesel(sql_type = BigInt)]
    loads: i64,
    #[diesel(sql_type = BigInt)]
    converted: i64,
    #[diesel(sql_type = BigInt)]
    pairs: i64,
    #[diesel(sql_type = Nullable<Double>)]
    rho: Option<f64>,
}

#[derive(QueryableByName)]
struct ReasonRow {
    #[diesel(sql_type = BigInt)]
    all_of_them: i64,
    #[diesel(sql_type = BigInt)]
    hits: i64,
    #[diesel(sql_type = BigInt)]
    told: i64,
    #[diesel(sql_type = Nullable<Text>)]
    reason: Option<String>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    kind: Option<i16>,
    #[diesel(sql_type = Nullable<BigInt>)]
    navigations: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    pages: Option<i64>,
}

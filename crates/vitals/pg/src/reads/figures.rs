//! Reads of the figures of days' views.

use std::collections::BTreeMap;

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Date as SqlDate, Double, Integer, Nullable, SmallInt},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{collect::client::Device, ids::DomainId, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, sql};
use pharos_vitals::{
    metric::{BUCKET_GROWTH, Between, LEAST, Metric, Rated},
    overview::{MetricValues, PercentileMethod, SiteFigures, ViewFigures, ViewFilter},
};
use time::Date;

use super::asked::{Asked, bound};
use crate::rollups::bands;

/// The day, or the class of device, whose figures they are; neither stands for all views.
pub(super) type Piece = (Option<Date>, Option<i16>);

pub(super) async fn read(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    days: DateRange,
    filter: &ViewFilter,
    percent: u8,
) -> Result<SiteFigures, StoreError> {
    let asked = Asked { domain, days, filter };
    let mut pieces = asked.figures(connection).await?;
    let percentiles = match filter.method() {
        PercentileMethod::Histogram => asked.percentiles_of_histograms(connection, percent).await?,
        PercentileMethod::Exact => asked.exactly(connection, percent).await?,
    };
    for (piece, values) in percentiles {
        // A view that came between the two statements is in the second alone.
        if let Some(figures) = pieces.get_mut(&piece) {
            figures.percentiles = values;
        }
    }
    if filter.method() == PercentileMethod::Histogram {
        asked.settle(connection, &mut pieces, percent).await?;
    }
    let mut found = SiteFigures::default();
    for (piece, figures) in pieces {
        match piece {
            (Some(day), _) => found.days.push((day, figures)),
            (None, Some(device)) => found.devices.push((device_of(device)?, figures)),
            (None, None) => found.all = figures,
        }
    }
    Ok(found)
}

fn device_of(number: i16) -> Result<Device, StoreError> {
    let device = Device::ALL.into_iter().find(|device| *device as i16 == number);
    device.ok_or_else(|| StoreError::Corrupt(format!("no class of device has the number {number}")))
}

/// The metric that the statements name by this number.
pub(super) fn metric_of(number: i16) -> Result<Metric, StoreError> {
    let place = usize::try_from(number).ok();
    let metric = place.and_then(|place| Metric::ALL.get(place)).copied();
    metric.ok_or_else(|| StoreError::Corrupt(format!("no metric has the number {number}")))
}

impl Asked<'_> {
    pub(super) async fn figures(
        self,
        connection: &mut AsyncPgConnection,
    ) -> Result<BTreeMap<Piece, ViewFigures>, StoreError> {
        let query = bound!(self, sql!("figures.sql"))
            .bind::<Bool, _>(self.reads_rollups())
            .bind::<Array<Double>, _>(bands());
        let rows: Vec<FiguresRow> = query.load(connection).await.map_err(read_failure)?;
        Ok(rows
            .into_iter()
            .map(|row| ((row.day, row.device), row.figures()))
            .collect())
    }

    async fn percentiles_of_histograms(
        self,
        connection: &mut AsyncPgConnection,
        percent: u8,
    ) -> Result<BTreeMap<Piece, MetricValues>, StoreError> {
        let query = bound!(self, sql!("histograms.sql"))
            .bind::<Bool, _>(self.reads_rollups())
            .bind::<Double, _>(LEAST)
            .bind::<Double, _>(BUCKET_GROWTH)
            .bind::<Integer, _>(i32::from(percent));
        let rows: Vec<BetweenRow> = query.load(connection).await.map_err(read_failure)?;
        let mut found: BTreeMap<Piece, MetricValues> = BTreeMap::new();
        for row in rows {
            let between = Between {
                low: row.low,
                high: row.high,
                beyond: row.beyond,
            };
            let values = found.entry((row.day, row.device)).or_default();
            values.set(metric_of(row.metric)?, Some(between.value()));
        }
        Ok(found)
    }

    /// Makes estimates lie in the bands in which the percentiles lie by the counts of values, so that the verdict on all views never
    /// goes by the error of an estimate. Where a percentile lies between the values of two bands counts do not tell, which happens
    /// where views are few: that of all views is read exactly then, and those of days and devices stay estimates.
    async fn settle(
        self,
        connection: &mut AsyncPgConnection,
        pieces: &mut BTreeMap<Piece, ViewFigures>,
        percent: u8,
    ) -> Result<(), StoreError> {
        let whole: Piece = (None, None);
        let mut untold = Vec::new();
        for (piece, figures) in pieces.iter_mut() {
            let open = figures.settle(percent);
            if *piece == whole {
                untold = open;
            }
        }
        if untold.is_empty() {
            return Ok(());
        }
        let exact = self.exactly(connection, percent).await?;
        if let (Some(exact), Some(all)) = (exact.get(&whole), pieces.get_mut(&whole)) {
            for metric in untold {
                let estimate = all.percentiles.of(metric);
                all.percentiles.set(metric, exact.of(metric).or(estimate));
            }
        }
        Ok(())
    }

    async fn exactly(
        self,
        connection: &mut AsyncPgConnection,
        percent: u8,
    ) -> Result<BTreeMap<Piece, MetricValues>, StoreError> {
        let query = bound!(self, sql!("percentiles.sql")).bind::<Integer, _>(i32::from(percent));
        let rows: Vec<PercentilesRow> = query.load(connection).await.map_err(read_failure)?;
        let found = rows.into_iter().map(|row| {
            let mut values = MetricValues::default();
            for (metric, value) in [
                (Metric::Lcp, row.lcp_ms),
                (Metric::Inp, row.inp_ms),
                (Metric::Cls, row.cls),
                (Metric::Fcp, row.fcp_ms),
                (Metric::Ttfb, row.ttfb_ms),
            ] {
                values.set(metric, value);
            }
            ((row.day, row.device), values)
        });
        Ok(found.collect())
    }
}

#[derive(QueryableByName)]
struct BetweenRow {
    #[diesel(sql_type = SmallInt)]
    metric: i16,
    #[diesel(sql_type = Nullable<SqlDate>)]
    day: Option<Date>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    device: Option<i16>,
    #[diesel(sql_type = SmallInt)]
    low: i16,
    #[diesel(sql_type = SmallInt)]
    high: i16,
    #[diesel(sql_type = Double)]
    beyond: f64,
}

#[derive(QueryableByName)]
struct PercentilesRow {
    #[diesel(sql_type = Nullable<SqlDate>)]
    day: Option<Date>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    device: Option<i16>,
    #[diesel(sql_type = Nullable<Double>)]
    lcp_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    inp_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    cls: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    fcp_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    ttfb_ms: Option<f64>,
}

/// The columns of `rum_daily`.
macro_rules! figures_row {
    ($($count:ident),+ $(,)?) => {
        #[derive(QueryableByName)]
        struct FiguresRow {
            #[diesel(sql_type = Nullable<SqlDate>)]
            day: Option<Date>,
            #[diesel(sql_type = Nullable<SmallInt>)]
            device: Option<i16>,
            $(#[diesel(sql_type = BigInt)]
            $count: i64,)+
        }
    };
}

figures_row! {
    views, core_views, good_views, error_views, errors, back_forwards, restored,
    lcp_good, lcp_fair, lcp_poor, inp_good, inp_fair, inp_poor, cls_good, cls_fair, cls_poor,
    fcp_good, fcp_fair, fcp_poor, ttfb_good, ttfb_fair, ttfb_poor,
}

impl FiguresRow {
    fn figures(&self) -> ViewFigures {
        let rated = |good: i64, fair: i64, poor: i64| Rated {
            good: good.unsigned_abs(),
            needs_improvement: fair.unsigned_abs(),
            poor: poor.unsigned_abs(),
        };
        ViewFigures {
            views: self.views.unsigned_abs(),
            core_views: self.core_views.unsigned_abs(),
            good_views: self.good_views.unsigned_abs(),
            error_views: self.error_views.unsigned_abs(),
            errors: self.errors.unsigned_abs(),
            back_forwards: self.back_forwards.unsigned_abs(),
            restored: self.restored.unsigned_abs(),
            rated: [
                rated(self.lcp_good, self.lcp_fair, self.lcp_poor),
                rated(self.inp_good, self.inp_fair, self.inp_poor),
                rated(self.cls_good, self.cls_fair, self.cls_poor),
                rated(self.fcp_good, self.fcp_fair, self.fcp_poor),
                rated(self.ttfb_good, self.ttfb_fair, self.ttfb_poor),
            ],
            percentiles: MetricValues::default(),
        }
    }
}

//! The course of a metric around a firing, beside the values that were to be expected.

use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertOperator, EvaluationWindow, MetricKind, MetricQuery, MetricSource, MetricWindow,
    },
    store::StoreError,
    time_range::TimeRange,
    wire_enum,
};
use time::{Duration, OffsetDateTime};

use crate::{
    alert::Alert,
    catalogue::Catalogue,
    evaluate::{Baseline, own_window, usual},
    rule::DEFAULT_SENSITIVITY,
};

wire_enum! {
    /// How long a bucket is.
    Granularity as "TrendGranularity" {
        /// An hour.
        Hour = "hour",
        /// A day (UTC).
        Day = "day",
    }
}

impl Granularity {
    /// By hours where the rule looks at an hour or less of what is measured, or asks what is usual for the hour. Other values,
    /// such as the days left of a certificate, change more slowly.
    pub(crate) fn of(window: EvaluationWindow, operator: AlertOperator, metric: &AlertMetric) -> Self {
        let is_long = window.length().is_some_and(|length| length > Duration::HOUR);
        if is_long || (metric.kind != MetricKind::Measure && operator != AlertOperator::Anomaly) {
            Self::Day
        } else {
            Self::Hour
        }
    }

    fn length(self) -> Duration {
        match self {
            Self::Hour => Duration::HOUR,
            Self::Day => Duration::DAY,
        }
    }

    /// How many buckets are shown before that of the firing, and after it.
    fn around(self) -> (i32, i32) {
        match self {
            Self::Hour => (36, 11),
            Self::Day => (21, 6),
        }
    }
}

/// The course of a metric around a firing.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// How long a bucket is.
    pub granularity: Granularity,
    /// The buckets, in order. Those to come are left out.
    pub points: Vec<TrendPoint>,
    /// All of them.
    pub range: TimeRange,
}

/// A bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrendPoint {
    /// When it begins.
    pub start: OffsetDateTime,
    /// The value; `None` where nothing was measured.
    pub value: Option<f64>,
    /// The lowest and the highest value to be expected; `None` where the past does not tell.
    pub expected: Option<(f64, f64)>,
}

/// The course of an alert's metric. Where nothing is kept of its past, the value that it fired by is all of it. `None`: the
/// metric is no longer in the catalogue.
///
/// # Errors
/// The store failed.
pub async fn trend(
    catalogue: &Catalogue,
    alert: &Alert,
    now: OffsetDateTime,
) -> Result<Option<Trend>, StoreError> {
    let told = &alert.told;
    let found = catalogue
        .find(told.module, &told.metric)
        .zip(catalogue.source(told.module));
    let Some((metric, source)) = found else {
        return Ok(None);
    };
    let granularity = Granularity::of(told.evaluation_window, told.operator, metric);
    let (fired, until) = (told.fired_at - metric.lag(), now - metric.lag());
    let buckets = buckets(granularity, fired, until);
    let mut points = if metric.has_past() {
        known(&**source, alert, metric, &buckets, now).await?
    } else {
        buckets.iter().copied().map(unknown).collect()
    };
    let mut with_buckets = points.iter_mut().zip(&buckets);
    let of_firing = with_buckets.find(|(_, bucket)| bucket.contains(fired));
    if let Some((point, _)) = of_firing {
        let value = Some(told.figures.value);
        point.value = match metric.kind {
            // Its window is that of the rule.
            MetricKind::Measure if told.evaluation_window.length().is_some() && !comes_by_days(metric) => {
                value
            }
            // The newest value is another than that of its bucket.
            MetricKind::Measure => point.value,
            MetricKind::State | MetricKind::Countdown | MetricKind::Event => point.value.or(value),
        };
    }
    let range = buckets
        .iter()
        .copied()
        .reduce(TimeRange::hull)
        .unwrap_or(TimeRange::new(fired, fired));
    Ok(Some(Trend {
        granularity,
        points,
        range,
    }))
}

/// The window that a bucket's value is of. A rule that looks at more than a bucket has its own window up to the bucket's end, or
/// up to where the data reach now: so the value can be checked against the threshold.
pub(crate) fn bucket_window(
    looks_at: EvaluationWindow,
    metric: &AlertMetric,
    bucket: TimeRange,
    now: OffsetDateTime,
) -> TimeRange {
    match own_window(looks_at, metric, (bucket.until + metric.lag()).min(now)) {
        MetricWindow::Over(own) if own.length() > bucket.length() => own,
        MetricWindow::Over(_) | MetricWindow::Latest => bucket,
    }
}

/// The window that a bucket's value is of, and the past that tells what is usual. The bucket of the firing has the window that the
/// rule looked at, and one that is not over has as much of the time before now: a part of a bucket would stand beside what is usual
/// for whole ones.
fn windows(
    alert: &Alert,
    metric: &AlertMetric,
    bucket: TimeRange,
    now: OffsetDateTime,
) -> (TimeRange, Vec<TimeRange>) {
    let told = &alert.told;
    let is_of_firing = bucket.contains(told.fired_at - metric.lag());
    let moment = if is_of_firing { told.fired_at } else { now };
    let own = match bucket_window(told.evaluation_window, metric, bucket, moment) {
        begun if begun.until > moment && metric.kind == MetricKind::Measure && !comes_by_days(metric) => {
            TimeRange::new(moment - begun.length(), moment)
        }
        own => own,
    };
    // For every bucket of a rule that looks at more, that would be months of what was measured.
    let past = if own.length() == bucket.length() || is_of_firing {
        usual(own.until, own.length())
    } else {
        Vec::new()
    };
    (own, past)
}

/// Whether its data come late and in whole days, so that no bucket is known in part.
fn comes_by_days(metric: &AlertMetric) -> bool {
    metric.data_lag_hours > 0
}

/// The buckets with their values, and with what is usual by the past before each.
async fn known(
    source: &dyn MetricSource,
    alert: &Alert,
    metric: &'static AlertMetric,
    buckets: &[TimeRange],
    now: OffsetDateTime,
) -> Result<Vec<TrendPoint>, StoreError> {
    let told = &alert.told;
    let windows: Vec<(TimeRange, Vec<TimeRange>)> = buckets
        .iter()
        .map(|bucket| windows(alert, metric, *bucket, now))
        .collect();
    // One of each bucket, since a source compares the past of a query with its first window.
    let queries = windows.iter().map(|(own, past)| MetricQuery {
        domain: alert.domain_id,
        metric,
        filter: told.filter.clone(),
        windows: std::iter::once(own)
            .chain(past)
            .copied()
            .map(MetricWindow::Over)
            .collect(),
        needs_sample: false,
    });
    let queries: Vec<MetricQuery> = queries.collect();
    let answers = source.read(&queries, now).await?;
    let deviations = if told.operator == AlertOperator::Anomaly {
        told.threshold
    } else {
        DEFAULT_SENSITIVITY
    };
    let points = buckets.iter().zip(answers).map(|(bucket, answer)| {
        let mut values = answer.values.into_iter().map(|value| value.reading.value());
        let value = values.next().flatten();
        let past: Vec<f64> = values.flatten().collect();
        TrendPoint {
            value,
            expected: Baseline::of(&past, metric.step).map(|baseline| baseline.band(deviations)),
            ..unknown(*bucket)
        }
    });
    Ok(points.collect())
}

/// A bucket of which nothing is kept.
const fn unknown(bucket: TimeRange) -> TrendPoint {
    TrendPoint {
        start: bucket.from,
        value: None,
        expected: None,
    }
}

/// The buckets around a moment, as far as they have begun by `until`, to which the data reach.
pub(crate) fn buckets(
    granularity: Granularity,
    moment: OffsetDateTime,
    until: OffsetDateTime,
) -> Vec<TimeRange> {
    let length = granularity.length();
    let into = Duration::seconds(moment.unix_timestamp().rem_euclid(length.whole_seconds()))
        + Duration::nanoseconds(moment.nanosecond().into());
    let (before, after) = granularity.around();
    (-before..=after)
        .map(|number| moment - into + length * number)
        .map(|start| TimeRange::new(start, start + length))
        .filter(|bucket| bucket.from <= until)
        .collect()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::fixture::{CLICKS, Lengths, RESPONSE_MS, alert};

    fn over(from: OffsetDateTime, until: OffsetDateTime) -> MetricWindow {
        MetricWindow::Over(TimeRange::new(from, until))
    }

    /// It fired on the 10th at noon, and is looked at in the afternoon.
    async fn trend_of(window: EvaluationWindow, metric: &'static AlertMetric) -> (Trend, Vec<MetricWindow>) {
        let mut alert = alert();
        alert.told.metric = metric.name.to_owned();
        alert.told.evaluation_window = window;
        trend_at(&alert, metric, datetime!(2026-01-10 14:30 UTC)).await
    }

    async fn trend_at(
        alert: &Alert,
        metric: &'static AlertMetric,
        now: OffsetDateTime,
    ) -> (Trend, Vec<MetricWindow>) {
        let (source, catalogue) = Lengths::of(metric);
        let trend = trend(&catalogue, alert, now).await.unwrap().unwrap();
        (trend, source.asked().concat())
    }

    /// Data that is three days late is shown around the day that the rule looked at when it fired, with its band.
    #[tokio::test]
    async fn points_of_late_data_lie_around_the_day_that_the_rule_looked_at() {
        let (trend, asked) = trend_of(EvaluationWindow::Day, &CLICKS).await;
        assert_eq!((trend.granularity, trend.points.len()), (Granularity::Day, 22));
        let (seventh, eighth) = (datetime!(2026-01-07 00:00 UTC), datetime!(2026-01-08 00:00 UTC));
        assert_eq!((trend.points[21].start, trend.range.until), (seventh, eighth));
        assert_eq!(asked[21 * 9], over(seventh, eighth));

        let (trend, asked) = trend_of(EvaluationWindow::Week, &CLICKS).await;
        let (fired, before) = trend.points.split_last().unwrap();
        assert_eq!((fired.start, fired.expected), (seventh, Some((4.0, 10.0))));
        assert!(before.iter().all(|point| point.expected.is_none()));
        // As the rule itself looked, up to where the data reached.
        let reach = datetime!(2026-01-07 12:00 UTC);
        assert_eq!(asked[21], over(reach - Duration::WEEK, reach));
        let week_before = datetime!(2025-12-31 12:00 UTC);
        assert_eq!(asked[22], over(week_before - Duration::WEEK, week_before));
    }

    #[tokio::test]
    async fn points_of_a_rule_on_many_days_are_of_as_many_days() {
        for (window, days) in [(EvaluationWindow::Week, 7), (EvaluationWindow::FourWeeks, 28)] {
            let (trend, asked) = trend_of(window, &RESPONSE_MS).await;
            assert_eq!((trend.granularity, trend.points.len()), (Granularity::Day, 22));
            assert_eq!(trend.range.from, datetime!(2025-12-20 00:00 UTC));
            assert_eq!(trend.range.until, datetime!(2026-01-11 00:00 UTC));
            let value = f64::from(days);
            // Its spread is the least: one millisecond.
            let (fired, before) = trend.points.split_last().unwrap();
            assert_eq!(
                (fired.value, fired.expected),
                (Some(2_345.678), Some((value - 3.0, value + 3.0)))
            );
            assert!(
                before
                    .iter()
                    .all(|point| point.value == Some(value) && point.expected.is_none()),
                "{days}"
            );
            let length = Duration::days(days.into());
            assert_eq!(asked.len(), 22 + 8);
            let first = datetime!(2025-12-21 00:00 UTC);
            assert_eq!(asked[0], over(first - length, first));
            let last = datetime!(2026-01-10 12:00 UTC);
            assert_eq!(asked[21], over(last - length, last), "not what came after");
            let week_before = datetime!(2026-01-03 12:00 UTC);
            assert_eq!(asked[22], over(week_before - length, week_before));
        }
    }

    #[tokio::test]
    async fn points_of_a_rule_on_a_day_are_its_days_with_what_is_usual_for_each() {
        let (trend, asked) = trend_of(EvaluationWindow::Day, &RESPONSE_MS).await;
        assert_eq!(trend.points.len(), 22);
        let (fired, before) = trend.points.split_last().unwrap();
        assert!(
            before
                .iter()
                .all(|point| point.value == Some(1.0) && point.expected == Some((-2.0, 4.0)))
        );
        assert_eq!(
            (fired.value, fired.expected),
            (Some(2_345.678), Some((-2.0, 4.0)))
        );
        assert_eq!(asked.len(), 22 * 9);
        let (first, second) = (datetime!(2025-12-20 00:00 UTC), datetime!(2025-12-21 00:00 UTC));
        assert_eq!(asked[0], over(first, second));
        assert_eq!(asked[1], over(first - Duration::WEEK, second - Duration::WEEK));
    }

    /// A source may leave out of a query's past what can't be compared with its first window, as tests of another version of
    /// Lighthouse.
    #[tokio::test]
    async fn the_past_of_a_bucket_is_asked_for_with_the_bucket_and_no_other() {
        let mut alert = alert();
        alert.told.evaluation_window = EvaluationWindow::Day;
        let (source, catalogue) = Lengths::of(&RESPONSE_MS);
        let now = datetime!(2026-01-10 14:30 UTC);
        let trend = trend(&catalogue, &alert, now).await.unwrap().unwrap();
        let asked = source.asked();
        assert_eq!(asked.len(), trend.points.len());
        let week = Duration::WEEK;
        for (windows, point) in asked.iter().zip(&trend.points[..21]) {
            let (from, until) = (point.start, point.start + Duration::DAY);
            assert_eq!(windows[..2], [over(from, until), over(from - week, until - week)]);
        }
    }

    /// The value that the rule looked at stands at its day, and a day that is not over is not compared with whole days.
    #[tokio::test]
    async fn the_firing_and_the_last_bucket_are_of_as_long_a_time_as_the_others() {
        let day = |number: i64| datetime!(2026-01-10 00:00 UTC) + Duration::days(number);
        let mut fired = alert();
        fired.told.evaluation_window = EvaluationWindow::Day;
        let now = datetime!(2026-01-12 14:30 UTC);
        let (trend, asked) = trend_at(&fired, &RESPONSE_MS, now).await;
        assert_eq!((trend.points.len(), trend.range.until), (24, day(3)));
        let of = |bucket: usize| (asked[bucket * 9], asked[bucket * 9 + 1]);
        let (noon, week) = (datetime!(2026-01-10 12:00 UTC), Duration::WEEK);
        assert_eq!(
            of(21),
            (
                over(noon - Duration::DAY, noon),
                over(noon - Duration::DAY - week, noon - week)
            )
        );
        assert_eq!(of(22).0, over(day(1), day(2)), "a day that is over");
        let hour = datetime!(2026-01-12 14:00 UTC);
        assert_eq!(
            of(23),
            (
                over(now - Duration::DAY, now),
                over(hour - Duration::DAY - week, hour - week)
            )
        );
        let values: Vec<_> = trend.points[21..].iter().map(|point| point.value).collect();
        assert_eq!(values, [Some(2_345.678), Some(1.0), Some(1.0)]);
        assert!(
            trend
                .points
                .iter()
                .all(|point| point.expected == Some((-2.0, 4.0)))
        );

        // By hours it is the same.
        let (_, asked) = trend_at(&alert(), &RESPONSE_MS, datetime!(2026-01-10 12:30 UTC)).await;
        assert_eq!(asked[36 * 13], over(noon - Duration::HOUR, noon));
    }

    #[test]
    fn buckets_lie_around_the_firing_and_none_is_to_come() {
        let fired = datetime!(2026-03-31 09:15:30.5 UTC);
        let hours = buckets(Granularity::Hour, fired, fired + Duration::hours(2));
        assert_eq!(hours.len(), 39);
        assert_eq!(hours[0].from, datetime!(2026-03-29 21:00 UTC));
        assert_eq!(hours[36].from, datetime!(2026-03-31 09:00 UTC));
        assert_eq!(hours[38].until, datetime!(2026-03-31 12:00 UTC));
        let days = buckets(Granularity::Day, fired, fired + Duration::days(30));
        assert_eq!((days.len(), days[21].from), (28, datetime!(2026-03-31 00:00 UTC)));
    }
}

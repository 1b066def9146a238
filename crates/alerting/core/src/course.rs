//! The last values of a metric beside the value from which a rule on it would fire, for people who set its threshold.

use pharos_domain::{
    alert_metric::{AlertMetric, AlertOperator, Direction, MetricKind, MetricQuery, MetricWindow},
    ids::DomainId,
    store::StoreError,
    time_range::TimeRange,
};
use time::OffsetDateTime;

use crate::{
    catalogue::Catalogue,
    evaluate::{Baseline, holds, mean, windows},
    rule::RuleSettings,
    trend::{Granularity, bucket_window, buckets},
};

/// The last values of the metric of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// How long a bucket is.
    pub granularity: Granularity,
    /// The buckets up to now, in order. If the rule looks at more than a bucket, each value is that of its own window up to the
    /// bucket's end. A metric without a past has none.
    pub points: Vec<CoursePoint>,
    /// The value that the rule would look at now; `None` where nothing is known.
    pub latest: Option<f64>,
    /// The value from which the rule fires now; `None`: the past that it compares with does not say, or both sides are bad.
    pub bound: Option<f64>,
}

/// A bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    /// When it begins.
    pub start: OffsetDateTime,
    /// The value; `None` where nothing was measured.
    pub value: Option<f64>,
}

impl Course {
    /// How many of its values a rule that compares with no past would have fired on.
    #[must_use]
    pub fn beyond(&self, rule: &RuleSettings) -> usize {
        let values = self.points.iter().filter_map(|point| point.value);
        values
            .filter(|value| holds(rule.operator, *value, rule.threshold))
            .count()
    }

    /// How many values there are.
    #[must_use]
    pub fn measured(&self) -> usize {
        self.points.iter().filter(|point| point.value.is_some()).count()
    }
}

/// The course of the metric of a rule, which need not be stored. `None`: the metric is not in the catalogue.
///
/// # Errors
/// The store failed.
pub async fn course(
    catalogue: &Catalogue,
    domain: DomainId,
    rule: &RuleSettings,
    now: OffsetDateTime,
) -> Result<Option<Course>, StoreError> {
    let found = catalogue
        .find(rule.module, &rule.metric)
        .zip(catalogue.source(rule.module));
    let Some((metric, source)) = found else {
        return Ok(None);
    };
    let granularity = Granularity::of(rule.evaluation_window, rule.operator, metric);
    // Events are counted as they happen, so no source is queried for them.
    if metric.kind == MetricKind::Event {
        return Ok(Some(Course {
            granularity,
            points: Vec::new(),
            latest: None,
            bound: bound(rule, metric, &[]),
        }));
    }
    let buckets: Vec<TimeRange> = if metric.has_past() {
        let until = now - metric.lag();
        buckets(granularity, until, until)
    } else {
        Vec::new()
    };
    let query = |windows| MetricQuery {
        domain,
        metric,
        filter: rule.filter.clone(),
        windows,
        needs_sample: false,
    };
    let of_buckets = buckets
        .iter()
        .map(|bucket| MetricWindow::Over(bucket_window(rule.evaluation_window, metric, *bucket, now)));
    // The rule's own windows move back to where its data reach; those of the buckets do not.
    let queries = [query(of_buckets.collect()), query(windows(rule, metric, now))];
    let answers = source.read(&queries, now).await?;
    let mut answers = answers.into_iter().map(|answer| {
        let values = answer.values.into_iter();
        values.map(|value| value.reading.value())
    });
    let values = answers.next().into_iter().flatten();
    let points = buckets
        .iter()
        .zip(values.chain(std::iter::repeat(None)))
        .map(|(bucket, value)| CoursePoint {
            start: bucket.from,
            value,
        })
        .collect();
    let mut values = answers.next().into_iter().flatten();
    let latest = values.next().flatten();
    let past: Vec<f64> = values.flatten().collect();
    Ok(Some(Course {
        granularity,
        points,
        latest,
        bound: bound(rule, metric, &past),
    }))
}

/// The value from which a rule fires that compares with these past values.
fn bound(rule: &RuleSettings, metric: &AlertMetric, past: &[f64]) -> Option<f64> {
    // A change of nothing is no percentage.
    let base = || mean(past).filter(|base| *base != 0.0);
    let share = rule.threshold / 100.0;
    match rule.operator {
        AlertOperator::Gt
        | AlertOperator::Gte
        | AlertOperator::Lt
        | AlertOperator::Lte
        | AlertOperator::Eq => Some(rule.threshold),
        AlertOperator::PctDecrease => base().map(|base| base - base.abs() * share),
        AlertOperator::PctIncrease => base().map(|base| base + base.abs() * share),
        AlertOperator::Anomaly => {
            let (low, high) = Baseline::of(past, metric.step)?.band(rule.threshold);
            match metric.direction {
                Direction::HigherIsWorse => Some(high),
                Direction::LowerIsWorse => Some(low),
                Direction::Either => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use pharos_domain::alert_metric::{
        ComparisonWindow, EvaluationWindow, MetricAnswer, MetricSource, MetricValue, ModuleMetrics, Reading,
    };
    use time::{Duration, macros::datetime};
    use uuid::Uuid;

    use super::*;
    use crate::fixture::{CLICKS, Lengths, RESPONSE_MS, response_times, rule};

    /// Answers the windows of all queries with 0, 1, 2 and so on.
    struct Counting;

    #[async_trait]
    impl MetricSource for Counting {
        fn metrics(&self) -> ModuleMetrics {
            response_times()
        }

        async fn read(
            &self,
            queries: &[MetricQuery],
            _now: OffsetDateTime,
        ) -> Result<Vec<MetricAnswer>, StoreError> {
            let mut numbers = 0_u32..;
            let answer = |query: &MetricQuery| MetricAnswer {
                values: numbers
                    .by_ref()
                    .take(query.windows.len())
                    .map(|at| MetricValue {
                        reading: Reading::Value(f64::from(at)),
                        sample: None,
                    })
                    .collect(),
                ..MetricAnswer::default()
            };
            Ok(queries.iter().map(answer).collect())
        }
    }

    #[tokio::test]
    async fn the_values_come_first_and_then_what_the_rule_looks_at() {
        let catalogue = Catalogue::new(vec![Arc::new(Counting)]).unwrap();
        let (domain, now) = (DomainId(Uuid::from_u128(4)), datetime!(2026-03-31 09:15 UTC));
        let mut asked = rule(AlertOperator::PctIncrease, 50.0);
        asked.comparison_window = Some(ComparisonWindow::PreviousDay);
        let told = course(&catalogue, domain, &asked, now).await.unwrap().unwrap();
        assert_eq!(told.granularity, Granularity::Hour);
        assert_eq!((told.points.len(), told.measured()), (37, 37));
        let last = told.points[36];
        assert_eq!(
            (last.start, last.value),
            (datetime!(2026-03-31 09:00 UTC), Some(36.0))
        );
        // The 38th is that of its own window, and the 39th that of the day before.
        assert_eq!((told.latest, told.bound), (Some(37.0), Some(38.0 * 1.5)));
        assert_eq!(told.beyond(&rule(AlertOperator::Gte, 30.0)), 7);
        asked.metric = "happiness".to_owned();
        assert_eq!(course(&catalogue, domain, &asked, now).await.unwrap(), None);
    }

    #[tokio::test]
    async fn values_of_a_rule_on_many_days_are_of_as_many_days() {
        let (domain, now) = (DomainId(Uuid::from_u128(4)), datetime!(2026-03-31 09:15 UTC));
        for (window, days) in [(EvaluationWindow::Week, 7.0), (EvaluationWindow::FourWeeks, 28.0)] {
            let (source, catalogue) = Lengths::of(&RESPONSE_MS);
            let mut asked = rule(AlertOperator::Gte, days);
            asked.evaluation_window = window;
            let told = course(&catalogue, domain, &asked, now).await.unwrap().unwrap();
            assert_eq!((told.granularity, told.points.len()), (Granularity::Day, 22));
            assert!(
                told.points.iter().all(|point| point.value == Some(days)),
                "{:?}",
                told.points
            );
            assert_eq!((told.latest, told.beyond(&asked)), (Some(days), 22));
            let MetricWindow::Over(last) = source.asked()[0][21] else {
                panic!("the last day has a window");
            };
            assert_eq!(last.until, now, "not what is to come");
        }
    }

    /// Data that come three days late, as those of search do: the days in between are not queried.
    #[tokio::test]
    async fn values_end_where_the_data_reach_and_the_rule_asks_by_itself() {
        let (domain, now) = (DomainId(Uuid::from_u128(4)), datetime!(2026-03-31 09:15 UTC));
        let (source, catalogue) = Lengths::of(&CLICKS);
        let reach = datetime!(2026-03-28 09:15 UTC);
        for (window, days, last) in [
            (EvaluationWindow::Day, 1, datetime!(2026-03-29 00:00 UTC)),
            (EvaluationWindow::Week, 7, reach),
        ] {
            let asked = RuleSettings {
                metric: CLICKS.name.to_owned(),
                comparison_window: Some(ComparisonWindow::SameDayLastWeek),
                evaluation_window: window,
                ..rule(AlertOperator::PctDecrease, 20.0)
            };
            let told = course(&catalogue, domain, &asked, now).await.unwrap().unwrap();
            assert_eq!(told.points.len(), 22);
            assert_eq!(told.points[21].start, datetime!(2026-03-28 00:00 UTC));
            let over = |until| {
                let length = Duration::days(days);
                MetricWindow::Over(TimeRange::new(until - length, until))
            };
            let asked = source.asked();
            let [of_buckets, of_rule] = &asked[..] else {
                panic!("a query of the buckets, and one of the rule");
            };
            assert_eq!((of_buckets.len(), of_buckets[21]), (22, over(last)));
            assert_eq!(
                of_rule[..],
                [over(reach), over(datetime!(2026-03-21 09:00 UTC))],
                "its own comes first"
            );
        }
    }

    #[test]
    fn a_bound_is_the_threshold_or_what_the_past_makes_of_it() {
        let of = |operator, threshold, past: &[f64]| bound(&rule(operator, threshold), &RESPONSE_MS, past);
        assert_eq!(of(AlertOperator::Lt, 3.0, &[]), Some(3.0));
        assert_eq!(of(AlertOperator::PctDecrease, 25.0, &[90.0, 110.0]), Some(75.0));
        assert_eq!(of(AlertOperator::PctIncrease, 25.0, &[-100.0]), Some(-75.0));
        assert_eq!(of(AlertOperator::PctIncrease, 25.0, &[0.0]), None);
        assert_eq!(of(AlertOperator::PctIncrease, 25.0, &[]), None);
        // It gets worse upwards.
        let usual = [10.0; 8];
        let high = of(AlertOperator::Anomaly, 3.0, &usual).unwrap();
        assert!(high > 10.0, "{high}");
        assert_eq!(of(AlertOperator::Anomaly, 3.0, &[10.0]), None);
    }
}

//! The windows that a rule looks at: its own, and those of the past.

use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertOperator, ComparisonWindow, EvaluationWindow, MetricKind, MetricWindow,
    },
    time_range::TimeRange,
};
use time::{Duration, OffsetDateTime};

use crate::rule::RuleSettings;

const WEEK: Duration = Duration::days(7);

/// The windows of a rule that is evaluated at a moment: its own first, then those of the past.
#[must_use]
pub fn windows(rule: &RuleSettings, metric: &AlertMetric, now: OffsetDateTime) -> Vec<MetricWindow> {
    let own = own_window(rule.evaluation_window, metric, now);
    let past = past(rule, now - metric.lag()).into_iter().map(MetricWindow::Over);
    std::iter::once(own).chain(past).collect()
}

/// The window that a rule looks at by itself at a moment: of what is measured a time up to where the data reach then, else the
/// newest value.
pub(crate) fn own_window(
    looks_at: EvaluationWindow,
    metric: &AlertMetric,
    moment: OffsetDateTime,
) -> MetricWindow {
    let until = moment - metric.lag();
    match looks_at.length() {
        Some(length) if metric.kind == MetricKind::Measure => {
            MetricWindow::Over(TimeRange::new(until - length, until))
        }
        _ => MetricWindow::Latest,
    }
}

/// The windows of the past that a rule compares with. They begin on whole hours, which are rolled up.
fn past(rule: &RuleSettings, until: OffsetDateTime) -> Vec<TimeRange> {
    let length = rule.evaluation_window.length().unwrap_or(Duration::HOUR);
    let earlier = |by: Duration| before(until, length, by);
    match (rule.operator, rule.comparison_window) {
        (AlertOperator::Anomaly, _) => usual(until, length),
        (AlertOperator::PctDecrease | AlertOperator::PctIncrease, Some(window)) => match window {
            ComparisonWindow::PreviousDay => vec![earlier(Duration::DAY.max(length))],
            ComparisonWindow::SameDayLastWeek => vec![earlier(WEEK.max(length))],
            ComparisonWindow::Previous7Days => days_before(7, length, earlier),
            ComparisonWindow::Previous28Days => days_before(28, length, earlier),
        },
        _ => Vec::new(),
    }
}

/// The windows that tell what is usual in one that ends at a moment: hours are compared with the same hour of the last four
/// weeks, longer windows with the same one of the last eight.
#[must_use]
pub fn usual(until: OffsetDateTime, length: Duration) -> Vec<TimeRange> {
    let earlier = |by| before(until, length, by);
    if length <= Duration::HOUR {
        // The neighbours of that hour count too, or four weeks would be too few.
        (1..=4)
            .flat_map(|week| [-1, 0, 1].map(|hours| earlier(WEEK * week + Duration::hours(hours))))
            .collect()
    } else {
        (1..=8).map(|week| earlier(WEEK * week)).collect()
    }
}

/// A window that ends so long before a moment, on a whole hour.
fn before(until: OffsetDateTime, length: Duration, by: Duration) -> TimeRange {
    let end = whole_hour(until) - by;
    TimeRange::new(end - length, end)
}

/// The same window on each of the days before; of one that is longer than a day those that lie end to end before it.
fn days_before(days: i32, length: Duration, earlier: impl Fn(Duration) -> TimeRange) -> Vec<TimeRange> {
    let step = Duration::DAY.max(length);
    let reach = Duration::DAY * days;
    let mut by = step;
    let mut windows = Vec::new();
    while by <= reach.max(step) {
        windows.push(earlier(by));
        by += step;
    }
    windows
}

fn whole_hour(moment: OffsetDateTime) -> OffsetDateTime {
    moment
        - Duration::seconds(moment.unix_timestamp().rem_euclid(3_600))
        - Duration::nanoseconds(moment.nanosecond().into())
}

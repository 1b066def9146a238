//! GET /domains/{domain_id}/notifications/{notification_id}/trend

use pharos_alerting::{
    alert::Alert,
    catalogue::Catalogue,
    store::{AlertStore, NotificationStore},
    trend::{Granularity, Trend, TrendPoint, trend},
};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::NotificationId, module::Module, problem::Suffix, scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getNotificationTrend",
    path: "/domains/{domain_id}/notifications/{notification_id}/trend",
    module: Module::Notifications,
    summary: "The course of an alert's metric around its firing",
    description: "By hours from 36 before the firing to 11 after it, or by days from 21 before to 6 after, as far as \
                  they have begun. Where data come days late, they lie around the moment that the data reached to \
                  at the firing. `expected_low` and `expected_high` are the centre of the same hours or weekdays of \
                  the weeks before, less and plus three deviations, or as many as the rule has. A metric of what \
                  stands (counts of URLs, days remaining) goes by days, unless the rule asks for an anomaly. Where \
                  nothing is kept of a metric's past, as of failures in a row and of events, the value that the alert \
                  fired by is the only one, and nothing is expected. Each point of a rule that looks at 7 or 28 days \
                  is of as many days up to the bucket's end, or up to now, and what was to be expected is told of the \
                  firing alone. The point of the firing is of what the rule looked at, up to `fired_at`, and the one of \
                  a bucket that is not over of as long a time up to now; data that come by days are of whole \
                  days. A notification that is no alert has no trend.",
    scope: Some(Scope::ReadNotifications),
    credits: Credits::Cheap,
    problems: &[Suffix::NotificationNotFound, Suffix::NotificationTrendNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<NotificationId>,
    notifications: Port<dyn NotificationStore>,
    alerts: Port<dyn AlertStore>,
    catalogue: Port<Catalogue>,
    clock: Port<dyn Clock>,
) -> ApiResult<NotificationTrendPublic> {
    let notification = notifications
        .find(&access, id)
        .await?
        .ok_or_else(|| missing(id))?;
    let no_alert = || none("It tells of no alert, so there is no metric to follow.");
    let alert = notification.alert_id.ok_or_else(no_alert)?;
    let reach = [access.workspace().clone()];
    let alert = alerts.find(&reach, alert).await?;
    let alert = alert.ok_or_else(|| none("Its alert is no longer kept."))?;
    let trend = trend(&catalogue, &alert, clock.now()).await?;
    let told = &alert.told;
    let trend = trend.ok_or_else(|| {
        none(&format!(
            "{} is no longer a metric of {}.",
            told.metric, told.module
        ))
    })?;
    Ok(NotificationTrendPublic::new(id, &alert, trend))
}

fn none(why: &str) -> Problem {
    Problem::new(Suffix::NotificationTrendNotFound, why)
}

/// The course of a metric around a firing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NotificationTrend)]
pub(crate) struct NotificationTrendPublic {
    /// The notification.
    notification_id: NotificationId,
    /// The metric that the alert's rule watched.
    metric: String,
    /// The unit as shown behind a value.
    unit: String,
    /// How long a bucket is.
    granularity: Granularity,
    /// When the rule fired.
    fired_at: Timestamp,
    /// The threshold that it fired by: a value, a percentage or deviations. Never null: every rule has one.
    #[schema(required)]
    threshold_value: Option<f64>,
    /// The base of the change, or the centre of the usual, at the firing; null for operators that look at no past.
    #[schema(required)]
    baseline_value: Option<f64>,
    /// The buckets, in order.
    points: Vec<TrendPointPublic>,
    /// When the first bucket begins.
    window_start: Timestamp,
    /// When the last bucket ends.
    window_end: Timestamp,
}

/// A bucket.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TrendPoint)]
pub(crate) struct TrendPointPublic {
    /// When it begins.
    bucket_start: Timestamp,
    /// The value: over the bucket, or as it stood at its end; of a rule that looks at 7 or 28 days over those up to its end. That of
    /// the firing is the one that the rule fired by, and that of a bucket that is not over is of as long a time up to now. Null where
    /// nothing was measured, or nothing is kept.
    #[schema(required)]
    value: Option<f64>,
    /// The lowest value to be expected; null where the past does not tell.
    #[schema(required)]
    expected_low: Option<f64>,
    /// The highest value to be expected; null where the past does not tell.
    #[schema(required)]
    expected_high: Option<f64>,
}

impl NotificationTrendPublic {
    fn new(notification_id: NotificationId, alert: &Alert, trend: Trend) -> Self {
        let Trend {
            granularity,
            points,
            range,
        } = trend;
        let told = &alert.told;
        Self {
            notification_id,
            metric: told.metric.clone(),
            unit: told.unit.clone(),
            granularity,
            fired_at: told.fired_at.into(),
            threshold_value: Some(told.threshold),
            baseline_value: told.figures.baseline,
            points: points.into_iter().map(TrendPointPublic::from).collect(),
            window_start: range.from.into(),
            window_end: range.until.into(),
        }
    }
}

impl From<TrendPoint> for TrendPointPublic {
    fn from(point: TrendPoint) -> Self {
        let TrendPoint {
            start,
            value,
            expected,
        } = point;
        let (expected_low, expected_high) = expected.unzip();
        Self {
            bucket_start: start.into(),
            value,
            expected_low,
            expected_high,
        }
    }
}

impl Example for NotificationTrendPublic {
    fn example() -> Self {
        Self {
            notification_id: NotificationId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e22")),
            metric: "response_ms".to_owned(),
            unit: "ms".to_owned(),
            granularity: Granularity::Hour,
            fired_at: datetime!(2026-03-31 09:15:30 UTC).into(),
            threshold_value: Some(2_000.0),
            baseline_value: None,
            points: vec![TrendPointPublic {
                bucket_start: datetime!(2026-03-31 09:00:00 UTC).into(),
                value: Some(2_345.5),
                expected_low: Some(180.0),
                expected_high: Some(420.0),
            }],
            window_start: datetime!(2026-03-31 09:00:00 UTC).into(),
            window_end: datetime!(2026-03-31 10:00:00 UTC).into(),
        }
    }
}

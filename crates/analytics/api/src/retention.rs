//! GET /domains/{domain_id}/analytics/retention

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    overview::ratio,
    paths::{Cohort, MOST_DAYS_BY_DAY, RetentionGranularity, USUAL_GRANULARITY},
    store::{PathStore, SiteStore},
};
use pharos_domain::{
    day::Day,
    documented_wire_enum,
    identity::DomainAccess,
    window::{DateRange, Meta},
};
use pharos_http::{
    extract::{
        port::Port,
        query::{Query, RuledQuery, Rules},
        window::FullWindow,
    },
    operation::{ApiResult, Example},
    problem::Fault,
    spec::OperationSpec,
};
use serde::{Deserialize, Serialize};
use time::macros::date;
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsRetention",
    path: "/domains/{domain_id}/analytics/retention",
    summary: "How many visitors come back",
    description: "Visitors have another identity every day, so only those count whom the site itself identifies, by a property \
                  `user` of its events. A cohort are those who were first seen in a period within the window; period 0 is that \
                  one. Where the site identifies nobody `basis` is `none` and `cohorts` null: that is not known, and not zero. \
                  By the day a window has at most 400 days.",
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct RetentionParameters {
    /// How long the periods are; left out: a week.
    #[param(inline, value_type = Option<RetentionGranularity>)]
    granularity: RetentionGranularity,
}

impl Default for RetentionParameters {
    fn default() -> Self {
        Self {
            granularity: USUAL_GRANULARITY,
        }
    }
}

impl Rules for RetentionParameters {
    fn faults(&self, days: Option<DateRange>) -> Vec<Fault> {
        let is_long = days.is_some_and(|days| days.days() > MOST_DAYS_BY_DAY);
        if self.granularity == RetentionGranularity::Day && is_long {
            let why = format!(
                "by the day a window has at most {MOST_DAYS_BY_DAY} days; ask by the week, or for fewer"
            );
            vec![Fault::parameter("granularity", why)]
        } else {
            Vec::new()
        }
    }
}

pub(super) async fn view(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    RuledQuery(parameters): RuledQuery<RetentionParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    paths: Port<dyn PathStore>,
) -> ApiResult<AnalyticsRetentionPublic> {
    let RetentionParameters { granularity } = parameters;
    sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let found = paths
        .returns(&access, asked.window, &filters, granularity)
        .await?;
    let cohorts = found.cohorts(asked.window, granularity);
    Ok(AnalyticsRetentionPublic {
        granularity,
        basis: if cohorts.is_some() {
            RetentionBasis::Identified
        } else {
            RetentionBasis::None
        },
        cohorts: cohorts.map(|cohorts| cohorts.into_iter().map(AnalyticsCohortPublic::from).collect()),
        meta: meta(&asked, found.last_at),
    })
}

documented_wire_enum! {
    /// By what visitors are recognised.
    RetentionBasis {
        /// By the property user of events.
        Identified = "identified",
        /// By nothing: the site identified nobody in the window.
        None = "none",
    }
}

/// How many visitors come back.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRetention)]
pub(super) struct AnalyticsRetentionPublic {
    /// How long the periods are.
    granularity: RetentionGranularity,
    /// By what visitors are recognised.
    basis: RetentionBasis,
    /// Those who were first seen in each period of the window, in order; null where the site identifies nobody.
    #[schema(required)]
    cohorts: Option<Vec<AnalyticsCohortPublic>>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// Those who were first seen in one period.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsCohort)]
pub(super) struct AnalyticsCohortPublic {
    /// The first day of the period; that of the first may lie before the window.
    cohort_start: Day,
    /// How many they are.
    #[schema(minimum = 0)]
    visitors: u64,
    /// That period and each after it, up to the window's end.
    periods: Vec<AnalyticsCohortPeriodPublic>,
}

impl From<Cohort> for AnalyticsCohortPublic {
    fn from(cohort: Cohort) -> Self {
        let Cohort {
            start,
            visitors,
            returning,
        } = cohort;
        let periods = (0..).zip(returning).map(|(index, returning)| {
            // A cohort without visitors has no figure of those who come back.
            AnalyticsCohortPeriodPublic {
                index,
                returning_visitors: (visitors > 0).then_some(returning),
                retention_pct: ratio(returning, visitors).map(|share| share * 100.0),
            }
        });
        Self {
            cohort_start: Day(start),
            visitors,
            periods: periods.collect(),
        }
    }
}

/// A period of a cohort.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsCohortPeriod)]
pub(super) struct AnalyticsCohortPeriodPublic {
    /// How many periods after the first.
    index: u32,
    /// How many of the cohort were seen in it; null of an empty cohort.
    #[schema(required, minimum = 0)]
    returning_visitors: Option<u64>,
    /// Their share of the cohort, in percent; null of an empty cohort.
    #[schema(required, minimum = 0, maximum = 100)]
    retention_pct: Option<f64>,
}

impl Example for AnalyticsRetentionPublic {
    fn example() -> Self {
        let period = |index, returning, pct| AnalyticsCohortPeriodPublic {
            index,
            returning_visitors: Some(returning),
            retention_pct: Some(pct),
        };
        Self {
            granularity: RetentionGranularity::Week,
            basis: RetentionBasis::Identified,
            cohorts: Some(vec![AnalyticsCohortPublic {
                cohort_start: Day(date!(2026 - 03 - 09)),
                visitors: 200,
                periods: vec![period(0, 200, 100.0), period(1, 84, 42.0)],
            }]),
            meta: Meta::example(),
        }
    }
}

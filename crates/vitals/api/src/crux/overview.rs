//! GET /domains/{domain_id}/crux/overview

use pharos_domain::{
    day::Day, identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp,
    window::Change,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_vitals::crux::{
    FormFactor, Metric,
    figures::{Figures, PERIOD},
    store::{CruxStore, Followed},
    target::OriginSource,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::{
    figures::{self, AssessmentsPublic, FormFactorsPublic, OriginVitalsPublic, p75},
    never_answered, origin, populations,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxOverview",
    path: "/domains/{domain_id}/crux/overview",
    module: Module::Crux,
    summary: "The origin's field data: the headline figures",
    description: concat!(
        populations!(),
        " `comparison` is with the period that ended 28 days earlier, which shares no day with this one."
    ),
    scope: Some(Scope::ReadCrux),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::CruxNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(access: DomainAccess, store: Port<dyn CruxStore>) -> ApiResult<CruxOverviewPublic> {
    let found = origin(&*store, &access).await?;
    let status = found.target.status;
    let fetched_at = found.target.fetched_at.ok_or_else(|| never_answered(status))?;
    let (own, source) = found.target.origin.clone().unwrap_or_else(|| {
        (
            format!("https://{}", access.domain().hostname),
            OriginSource::Exact,
        )
    });
    let period = found.newest.values().map(|(period, _)| *period).max();
    let before = match period {
        None => None,
        Some(period) => Some(store.ended_on(&found, period.end - PERIOD).await?),
    };
    let comparison = before.filter(|before| !before.is_empty()).map(|before| {
        let of = |form_factor| {
            figures::of(&found.newest, form_factor)
                .map(|now| VitalsChange::new(now, before.get(&form_factor)))
        };
        ComparisonPublic {
            mobile: of(FormFactor::Mobile),
            desktop: of(FormFactor::Desktop),
        }
    });
    Ok(CruxOverviewPublic::new(
        own,
        source,
        &found,
        comparison,
        fetched_at.into(),
    ))
}

/// The field data of an origin.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxOverview)]
pub(crate) struct CruxOverviewPublic {
    /// The origin that answered.
    origin: String,
    /// How it came about.
    origin_source: OriginSource,
    /// The first of the 28 days; null where the origin is not in the report.
    #[schema(required)]
    collection_period_start: Option<Day>,
    /// The last; null where the origin is not in the report.
    #[schema(required)]
    collection_period_end: Option<Day>,
    /// On phones; null where there are too few of them.
    #[schema(required)]
    mobile: Option<OriginVitalsPublic>,
    /// On computers; null where there are too few of them.
    #[schema(required)]
    desktop: Option<OriginVitalsPublic>,
    /// On tablets; null where there are too few of them, as is usual.
    #[schema(required)]
    tablet: Option<OriginVitalsPublic>,
    /// On all devices together; null where the origin is not in the report.
    #[schema(required)]
    all: Option<OriginVitalsPublic>,
    /// Whether Core Web Vitals are passed.
    assessment: AssessmentsPublic,
    /// The devices that people came with; null where it is not known.
    #[schema(required)]
    form_factors: Option<FormFactorsPublic>,
    /// Whether the origin is in the report: whether it has visitors enough.
    eligible: bool,
    /// The figures beside those of the period that ended 28 days earlier; null where that is not known.
    #[schema(required)]
    comparison: Option<ComparisonPublic>,
    /// When the report was last asked.
    fetched_at: Timestamp,
}

impl CruxOverviewPublic {
    fn new(
        origin: String,
        origin_source: OriginSource,
        found: &Followed,
        comparison: Option<ComparisonPublic>,
        fetched_at: Timestamp,
    ) -> Self {
        let of = |form_factor| figures::of(&found.newest, form_factor);
        let period = found.newest.values().map(|(period, _)| *period).max();
        let all = of(FormFactor::All);
        Self {
            origin,
            origin_source,
            collection_period_start: period.map(|period| Day(period.start)),
            collection_period_end: period.map(|period| Day(period.end)),
            mobile: of(FormFactor::Mobile).map(OriginVitalsPublic::from),
            desktop: of(FormFactor::Desktop).map(OriginVitalsPublic::from),
            tablet: of(FormFactor::Tablet).map(OriginVitalsPublic::from),
            all: all.map(OriginVitalsPublic::from),
            assessment: found.into(),
            form_factors: all.and_then(|all| all.form_factors).map(FormFactorsPublic::from),
            eligible: all.is_some(),
            comparison,
            fetched_at,
        }
    }
}

/// Figures beside those of the period that ended 28 days earlier.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxComparison)]
pub(crate) struct ComparisonPublic {
    /// On phones; null where there are none now.
    #[schema(required)]
    mobile: Option<VitalsChange>,
    /// On computers; null where there are none now.
    #[schema(required)]
    desktop: Option<VitalsChange>,
}

/// The 75th percentiles beside those of before. A negative change is an improvement.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxVitalsChange)]
pub(crate) struct VitalsChange {
    /// Largest Contentful Paint in milliseconds.
    lcp: Change,
    /// Interaction to Next Paint in milliseconds.
    inp: Change,
    /// Cumulative Layout Shift.
    cls: Change,
    /// First Contentful Paint in milliseconds.
    fcp: Change,
    /// Time to First Byte in milliseconds.
    ttfb: Change,
    /// The round-trip time in milliseconds.
    rtt: Change,
}

impl VitalsChange {
    fn new(now: &Figures, before: Option<&Figures>) -> Self {
        let of = |metric| Change::of(p75(now, metric), before.and_then(|before| p75(before, metric)));
        Self {
            lcp: of(Metric::Lcp),
            inp: of(Metric::Inp),
            cls: of(Metric::Cls),
            fcp: of(Metric::Fcp),
            ttfb: of(Metric::Ttfb),
            rtt: of(Metric::Rtt),
        }
    }
}

impl Example for CruxOverviewPublic {
    fn example() -> Self {
        let figures = figures::example();
        let vitals = OriginVitalsPublic::from(&figures);
        let period = figures::EXAMPLE_PERIOD;
        Self {
            origin: "https://shop.example".to_owned(),
            origin_source: OriginSource::Exact,
            collection_period_start: Some(Day(period.start)),
            collection_period_end: Some(Day(period.end)),
            mobile: Some(vitals),
            desktop: Some(vitals),
            tablet: None,
            all: Some(vitals),
            assessment: AssessmentsPublic::example(),
            form_factors: figures.form_factors.map(FormFactorsPublic::from),
            eligible: true,
            comparison: Some(ComparisonPublic {
                mobile: Some(VitalsChange::new(&figures, Some(&figures))),
                desktop: None,
            }),
            fetched_at: datetime!(2026-03-31 04:10:02 UTC).into(),
        }
    }
}

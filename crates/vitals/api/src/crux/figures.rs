//! Figures as answers show them.

use pharos_domain::{day::Day, wire_enum};
use pharos_vitals::{
    crux::{
        FormFactor, Metric, Scope, Unit,
        assessment::{Assessment, AssessmentStatus, CoreMetric},
        figures::{
            Bin, Figures, FormFactors, LcpImage, LcpResourceTypes, MetricFigures, NavigationTypes, Period,
        },
        pct,
        record::Subject,
        store::{Followed, Newest},
    },
    metric::Metric as Vital,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

/// Web vitals: 75th percentiles. A metric that the report has no figure of is null.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxVitals)]
pub(super) struct VitalsPublic {
    /// Largest Contentful Paint in milliseconds.
    #[schema(required, minimum = 0)]
    lcp_ms: Option<f64>,
    /// Interaction to Next Paint in milliseconds; null where too few people interacted.
    #[schema(required, minimum = 0)]
    inp_ms: Option<f64>,
    /// Cumulative Layout Shift, without a unit; 0 is a real value, and common.
    #[schema(required, minimum = 0)]
    cls: Option<f64>,
    /// First Contentful Paint in milliseconds.
    #[schema(required, minimum = 0)]
    fcp_ms: Option<f64>,
    /// Time to First Byte in milliseconds.
    #[schema(required, minimum = 0)]
    ttfb_ms: Option<f64>,
}

impl From<&Figures> for VitalsPublic {
    fn from(figures: &Figures) -> Self {
        let of = |metric| p75(figures, metric);
        Self {
            lcp_ms: of(Metric::Lcp),
            inp_ms: of(Metric::Inp),
            cls: of(Metric::Cls),
            fcp_ms: of(Metric::Fcp),
            ttfb_ms: of(Metric::Ttfb),
        }
    }
}

/// The 75th percentile of a metric.
pub(super) fn p75(figures: &Figures, metric: Metric) -> Option<f64> {
    figures.metrics.get(&metric).and_then(|found| found.p75)
}

/// Web vitals and the round-trip time.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxOverviewVitals)]
pub(super) struct OriginVitalsPublic {
    #[serde(flatten)]
    vitals: VitalsPublic,
    /// The round-trip time of the connection in milliseconds; null where the report has none.
    #[schema(required, minimum = 0)]
    rtt_ms: Option<f64>,
}

impl From<&Figures> for OriginVitalsPublic {
    fn from(figures: &Figures) -> Self {
        Self {
            vitals: figures.into(),
            rtt_ms: p75(figures, Metric::Rtt),
        }
    }
}

/// The newest figures of a form factor.
pub(super) fn of(newest: &Newest, form_factor: FormFactor) -> Option<&Figures> {
    newest.get(&form_factor).map(|(_, figures)| figures)
}

/// Whether Core Web Vitals are passed, by class of device.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxAssessments)]
pub(super) struct AssessmentsPublic {
    /// On phones.
    mobile: AssessmentPublic,
    /// On computers.
    desktop: AssessmentPublic,
}

/// Whether Core Web Vitals are passed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxAssessment)]
pub(super) struct AssessmentPublic {
    /// Passed where the 75th percentiles of LCP, INP and CLS are good; a missing INP is passed over.
    status: AssessmentStatus,
    /// The metrics that are not good.
    failing: Vec<CoreMetric>,
    /// The end of the first period of the present run of passes, as far as it is known; null where it does not pass.
    #[schema(required)]
    first_passed_on: Option<Day>,
}

impl From<Assessment> for AssessmentPublic {
    fn from(assessment: Assessment) -> Self {
        Self {
            status: assessment.status,
            failing: assessment.failing,
            first_passed_on: assessment.first_passed_on.map(Day),
        }
    }
}

impl From<&Followed> for AssessmentsPublic {
    fn from(followed: &Followed) -> Self {
        let since = followed.target.passing_since;
        let of = |form_factor, since| Assessment::of(of(&followed.newest, form_factor), since).into();
        Self {
            mobile: of(FormFactor::Mobile, since.mobile),
            desktop: of(FormFactor::Desktop, since.desktop),
        }
    }
}

impl AssessmentsPublic {
    pub(super) fn example() -> Self {
        Self {
            mobile: AssessmentPublic {
                status: AssessmentStatus::Failed,
                failing: vec![CoreMetric::Inp],
                first_passed_on: None,
            },
            desktop: AssessmentPublic {
                status: AssessmentStatus::Passed,
                failing: Vec::new(),
                first_passed_on: Some(Day(date!(2026 - 01 - 10))),
            },
        }
    }
}

/// The devices that people came with.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxFormFactorMix)]
pub(super) struct FormFactorsPublic {
    /// Phones, in percent.
    #[schema(minimum = 0, maximum = 100)]
    mobile_pct: f64,
    /// Computers, in percent.
    #[schema(minimum = 0, maximum = 100)]
    desktop_pct: f64,
    /// Tablets, in percent.
    #[schema(minimum = 0, maximum = 100)]
    tablet_pct: f64,
}

impl From<FormFactors> for FormFactorsPublic {
    fn from(mix: FormFactors) -> Self {
        Self {
            mobile_pct: pct(mix.mobile),
            desktop_pct: pct(mix.desktop),
            tablet_pct: pct(mix.tablet),
        }
    }
}

wire_enum! {
    /// Where a 75th percentile lies.
    Rating as "CruxRating" {
        /// It is good.
        Good = "good",
        /// It lies between.
        NeedsImprovement = "needs_improvement",
        /// It is poor.
        Poor = "poor",
    }
}

fn rating(metric: Metric, p75: Option<f64>) -> Option<Rating> {
    let bands = metric.vital().map(Vital::bands)?;
    let value = p75?;
    Some(if value <= bands.good {
        Rating::Good
    } else if value <= bands.poor {
        Rating::NeedsImprovement
    } else {
        Rating::Poor
    })
}

/// A record's subject and devices.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxRecordKey)]
pub(super) struct KeyPublic {
    /// Whether it is about an origin or one page.
    pub(super) scope: Scope,
    /// The origin.
    pub(super) origin: String,
    /// The page; null in records of an origin.
    #[schema(required)]
    pub(super) url: Option<String>,
    /// The devices.
    pub(super) form_factor: FormFactor,
}

impl KeyPublic {
    pub(super) fn new(subject: Subject, form_factor: FormFactor) -> Self {
        let scope = subject.scope();
        let (origin, url) = match subject {
            Subject::Origin(origin) => (origin, None),
            Subject::Url(url) => (origin_of(&url), Some(url)),
        };
        Self {
            scope,
            origin,
            url,
            form_factor,
        }
    }
}

/// The scheme and the host of a URL in normal form.
pub(super) fn origin_of(url: &str) -> String {
    url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
}

/// A band of a histogram.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxBin)]
pub(super) struct BinPublic {
    /// The lower edge in the metric's unit, included.
    start: f64,
    /// The upper edge, left out; null: it has none.
    #[schema(required)]
    end: Option<f64>,
    /// The share of views in it, 0 to 1. Those of a histogram add up to about 1.
    #[schema(minimum = 0)]
    density: f64,
    /// Always null: the report has no counts.
    #[schema(required)]
    count: Option<u64>,
}

impl From<Bin> for BinPublic {
    fn from(bin: Bin) -> Self {
        let Bin { start, end, density } = bin;
        Self {
            start,
            end,
            density,
            count: None,
        }
    }
}

/// A metric of a record.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CruxMetricFigures)]
pub(super) struct MetricPublic {
    /// The 75th percentile; null where the report has none.
    #[schema(required, minimum = 0)]
    p75: Option<f64>,
    /// The unit of `p75` and of the edges.
    unit: Unit,
    /// Where `p75` lies by the bands of web.dev; null for a round-trip time, which is low, medium or high.
    #[schema(required)]
    rating: Option<Rating>,
    /// Three bands, or none.
    histogram: Vec<BinPublic>,
    /// The share of the first band in percent: good, of round-trip times low. Null without a histogram.
    #[schema(required, minimum = 0)]
    good_pct: Option<f64>,
    /// That of the second; null without a histogram.
    #[schema(required, minimum = 0)]
    needs_improvement_pct: Option<f64>,
    /// That of the third: poor, of round-trip times high. Null without a histogram.
    #[schema(required, minimum = 0)]
    poor_pct: Option<f64>,
}

impl MetricPublic {
    fn new(metric: Metric, figures: &MetricFigures) -> Self {
        let shares = figures.shares().map(|shares| shares.map(pct));
        Self {
            p75: figures.p75,
            unit: metric.unit(),
            rating: rating(metric, figures.p75),
            histogram: figures.histogram.iter().copied().map(BinPublic::from).collect(),
            good_pct: shares.map(|[good, ..]| good),
            needs_improvement_pct: shares.map(|[_, middling, _]| middling),
            poor_pct: shares.map(|[.., poor]| poor),
        }
    }
}

/// The metrics of a record. One that the report has no figure of is left out.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = CruxMetrics)]
pub(super) struct MetricsPublic {
    /// Largest Contentful Paint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lcp: Option<MetricPublic>,
    /// Interaction to Next Paint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    inp: Option<MetricPublic>,
    /// Cumulative Layout Shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cls: Option<MetricPublic>,
    /// First Contentful Paint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fcp: Option<MetricPublic>,
    /// Time to First Byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ttfb: Option<MetricPublic>,
    /// The round-trip time of the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rtt: Option<MetricPublic>,
}

impl From<&Figures> for MetricsPublic {
    fn from(figures: &Figures) -> Self {
        let of = |metric| {
            figures
                .metrics
                .get(&metric)
                .map(|found| MetricPublic::new(metric, found))
        };
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

/// The parts of the Largest Contentful Paint of images: 75th percentiles, each of its own, so they need not add up. A
/// part that is not known is null.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[schema(as = CruxLcpImage)]
pub(super) struct LcpImagePublic {
    /// Until the first byte of the page, in milliseconds.
    #[schema(required, minimum = 0)]
    ttfb_ms: Option<f64>,
    /// From there until the image is asked for.
    #[schema(required, minimum = 0)]
    resource_load_delay_ms: Option<f64>,
    /// Until the image is there.
    #[schema(required, minimum = 0)]
    resource_load_duration_ms: Option<f64>,
    /// Until it is painted.
    #[schema(required, minimum = 0)]
    element_render_delay_ms: Option<f64>,
}

impl From<LcpImage> for LcpImagePublic {
    fn from(image: LcpImage) -> Self {
        let LcpImage {
            ttfb_ms,
            resource_load_delay_ms,
            resource_load_duration_ms,
            element_render_delay_ms,
        } = image;
        Self {
            ttfb_ms,
            resource_load_delay_ms,
            resource_load_duration_ms,
            element_render_delay_ms,
        }
    }
}

/// The kinds of resources that the Largest Contentful Paint is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxLcpResourceTypes)]
pub(super) struct LcpResourceTypesPublic {
    /// An image, in percent of views.
    #[schema(minimum = 0, maximum = 100)]
    image_pct: f64,
    /// Text, in percent of views.
    #[schema(minimum = 0, maximum = 100)]
    text_pct: f64,
}

impl From<LcpResourceTypes> for LcpResourceTypesPublic {
    fn from(types: LcpResourceTypes) -> Self {
        Self {
            image_pct: pct(types.image),
            text_pct: pct(types.text),
        }
    }
}

/// How browsers came to the pages, in percent of views.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxNavigationMix)]
pub(super) struct NavigationTypesPublic {
    /// Loaded without a cache.
    #[schema(minimum = 0, maximum = 100)]
    navigate_pct: f64,
    /// Loaded from the HTTP cache.
    #[schema(minimum = 0, maximum = 100)]
    navigate_cache_pct: f64,
    /// Loaded again.
    #[schema(minimum = 0, maximum = 100)]
    reload_pct: f64,
    /// Restored after the browser was closed.
    #[schema(minimum = 0, maximum = 100)]
    restore_pct: f64,
    /// Gone back or forward to, and loaded.
    #[schema(minimum = 0, maximum = 100)]
    back_forward_pct: f64,
    /// Gone back or forward to, and there at once.
    #[schema(minimum = 0, maximum = 100)]
    back_forward_cache_pct: f64,
    /// Loaded before it was asked for, and there at once.
    #[schema(minimum = 0, maximum = 100)]
    prerender_pct: f64,
}

impl From<NavigationTypes> for NavigationTypesPublic {
    fn from(types: NavigationTypes) -> Self {
        Self {
            navigate_pct: pct(types.navigate),
            navigate_cache_pct: pct(types.navigate_cache),
            reload_pct: pct(types.reload),
            restore_pct: pct(types.restore),
            back_forward_pct: pct(types.back_forward),
            back_forward_cache_pct: pct(types.back_forward_cache),
            prerender_pct: pct(types.prerender),
        }
    }
}

/// Figures for the examples of the document.
pub(super) fn example() -> Figures {
    let metric = |p75: f64, edges: [f64; 2], shares: [f64; 3]| MetricFigures {
        p75: Some(p75),
        histogram: vec![
            Bin {
                start: 0.0,
                end: Some(edges[0]),
                density: shares[0],
            },
            Bin {
                start: edges[0],
                end: Some(edges[1]),
                density: shares[1],
            },
            Bin {
                start: edges[1],
                end: None,
                density: shares[2],
            },
        ],
    };
    Figures {
        metrics: [
            (
                Metric::Lcp,
                metric(2_310.0, [2_500.0, 4_000.0], [0.79, 0.15, 0.06]),
            ),
            (Metric::Inp, metric(236.0, [200.0, 500.0], [0.7, 0.22, 0.08])),
            (Metric::Cls, metric(0.04, [0.1, 0.25], [0.92, 0.05, 0.03])),
            (
                Metric::Fcp,
                metric(1_640.0, [1_800.0, 3_000.0], [0.78, 0.16, 0.06]),
            ),
            (Metric::Ttfb, metric(705.0, [800.0, 1_800.0], [0.8, 0.15, 0.05])),
            (Metric::Rtt, metric(118.0, [75.0, 275.0], [0.45, 0.5, 0.05])),
        ]
        .into_iter()
        .collect(),
        lcp_image: Some(LcpImage {
            ttfb_ms: Some(700.0),
            resource_load_delay_ms: Some(310.0),
            resource_load_duration_ms: Some(820.0),
            element_render_delay_ms: Some(170.0),
        }),
        lcp_resource_types: Some(LcpResourceTypes {
            image: 0.71,
            text: 0.29,
        }),
        navigation_types: Some(NavigationTypes {
            navigate: 0.62,
            navigate_cache: 0.09,
            reload: 0.04,
            restore: 0.01,
            back_forward: 0.06,
            back_forward_cache: 0.14,
            prerender: 0.04,
        }),
        form_factors: Some(FormFactors {
            mobile: 0.63,
            desktop: 0.34,
            tablet: 0.03,
        }),
    }
}

/// The period of the examples.
pub(super) const EXAMPLE_PERIOD: Period = Period {
    start: date!(2026 - 03 - 02),
    end: date!(2026 - 03 - 29),
};

/// A weekly period.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = CruxPeriod)]
pub(super) struct PeriodPublic {
    /// The first of its 28 days.
    collection_period_start: Day,
    /// The last.
    collection_period_end: Day,
}

impl From<Period> for PeriodPublic {
    fn from(period: Period) -> Self {
        Self {
            collection_period_start: Day(period.start),
            collection_period_end: Day(period.end),
        }
    }
}

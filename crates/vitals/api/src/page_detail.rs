//! GET /domains/{domain_id}/rum/pages/detail

use pharos_domain::{collect::client::Device, identity::DomainAccess};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    block::HEADLINE_PERCENT,
    causes::{VitalsCauses, inp::InpReport, lcp::LcpReport},
    chosen::{ChosenViews, Ranked},
    errors::{ErrorQuery, ErrorSort, VitalsErrors},
    metric::Rated,
    overview::{SiteFigures, ViewFigures, ViewFilter},
    slices::{Dimension, Slice, SliceReads, Slices},
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    chosen::{READ, meta},
    cls::elements::RumClsElementPublic,
    countries::RumCountryPublic,
    errors::list::RumErrorPublic,
    filters::DeviceClass,
    inp::{elements::RumInpElementPublic, view::RumInpPublic},
    lcp::{elements::RumLcpElementPublic, view::RumLcpPublic},
    meta::RumMeta,
    navigation_types::RumNavigationTypePublic,
    overview::{RumDayPublic, items},
    vitals::{RatingsPublic, VitalsPublic},
};

/// How many elements and groups of errors are told.
const TOP: usize = 5;
/// How many countries are; there are fewer ways to a page.
const MOST_SLICES: usize = 10;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRumPage",
    path: "/domains/{domain_id}/rum/pages/detail",
    summary: "One page in depth",
    description: "The answers of the reads of the parts for one page, each in short: `lcp` and `inp` as `/rum/lcp` and \
                  `/rum/inp` have them, the first rows of the elements and errors, the days, the ways to the page and \
                  the countries. Percentiles are the 75th, and exact. A page of which nothing was received has no \
                  views, and is not 404.",
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct PageParameters {
    /// The address of the page, such as `https://shop.example/cart`; what it has of a query is passed over.
    url: String,
    /// The class of device; left out: all.
    #[param(inline)]
    device: Option<DeviceClass>,
}

pub(super) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<PageParameters>,
    reads: Port<dyn VitalsReads>,
    causes: Port<dyn VitalsCauses>,
    errors: Port<dyn VitalsErrors>,
    slices: Port<dyn SliceReads>,
) -> ApiResult<RumPageDetailPublic> {
    let PageParameters { url, device } = parameters;
    let filter = ViewFilter {
        device: device.map(Device::from),
        ..ViewFilter::default()
    };
    let views = ChosenViews {
        days: asked.window,
        filter: filter.of_page(Some(&url)),
    };
    let (days, filter) = (views.days, &views.filter);
    let figures = reads.figures(&access, days, filter, HEADLINE_PERCENT).await?;
    let lcp = causes.lcp(&access, &views).await?;
    let inp = causes.inp(&access, &views).await?;
    let paints = causes.lcp_elements(&access, &views).await?;
    let interactions = causes.inp_elements(&access, &views).await?;
    let shifts = causes.cls_elements(&access, &views).await?;
    let query = ErrorQuery {
        views: views.clone(),
        handling: None,
        source: None,
        sort: ErrorSort::Occurrences,
    };
    let errors = errors.list(&access, &query).await?;
    let dimensions = [Dimension::Navigation, Dimension::Country];
    let slices = slices
        .slices(&access, days, filter, &dimensions, MOST_SLICES, HEADLINE_PERCENT)
        .await?;
    let mut slices = slices.into_iter();
    let [navigations, countries]: [Slices; 2] = std::array::from_fn(|_| slices.next().unwrap_or_default());
    Ok(RumPageDetailPublic {
        pageviews: figures.all.views,
        percentile: "p75",
        vitals: PageVitalsPublic::from(&figures),
        ratings: (&figures.all).into(),
        lcp,
        inp,
        top_lcp_elements: top(paints, RumLcpElementPublic::from),
        top_interactions: top(interactions, RumInpElementPublic::from),
        top_shift_elements: top(shifts, RumClsElementPublic::from),
        top_errors: top(errors.kinds, RumErrorPublic::from),
        timeline: items(&figures, days),
        navigation_types: rows(&navigations, RumNavigationTypePublic::new),
        countries: rows(&countries, RumCountryPublic::new),
        meta: meta(&access, &asked, &*reads).await?,
        url: views.filter.url.unwrap_or_default(),
    })
}

fn top<T, U>(ranked: Ranked<T>, turn: impl FnMut(T) -> U) -> Vec<U> {
    ranked.rows.into_iter().take(TOP).map(turn).collect()
}

fn rows<T>(slices: &Slices, turn: impl Fn(&Slices, &Slice) -> T) -> Vec<T> {
    slices.slices.iter().map(|slice| turn(slices, slice)).collect()
}

/// One page in depth. Figures that were not measured are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPageDetail)]
pub(super) struct RumPageDetailPublic {
    /// Its address, without the query.
    url: String,
    /// Views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Which percentile vitals are.
    #[schema(value_type = String)]
    percentile: &'static str,
    /// Web vitals, by class of device.
    vitals: PageVitalsPublic,
    /// How many of the values are good, by metric.
    ratings: RatingsPublic,
    /// The largest paints, and their parts.
    lcp: LcpReport,
    /// The slowest interactions, and their phases.
    inp: InpReport,
    /// The elements that most largest paints were of.
    #[schema(max_items = 5)]
    top_lcp_elements: Vec<RumLcpElementPublic>,
    /// The elements of most interactions that were slow.
    #[schema(max_items = 5)]
    top_interactions: Vec<RumInpElementPublic>,
    /// The elements that moved most.
    #[schema(max_items = 5)]
    top_shift_elements: Vec<RumClsElementPublic>,
    /// The most frequent groups of errors.
    #[schema(max_items = 5)]
    top_errors: Vec<RumErrorPublic>,
    /// The days of the window, in order.
    timeline: Vec<RumDayPublic>,
    /// How browsers came to the page; the most frequent first.
    navigation_types: Vec<RumNavigationTypePublic>,
    /// The countries of most views.
    #[schema(max_items = 10)]
    countries: Vec<RumCountryPublic>,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// Web vitals of a page by class of device.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPageVitals)]
struct PageVitalsPublic {
    /// The vitals of all views; null without any.
    #[schema(required)]
    all: Option<VitalsPublic>,
    /// The vitals of views on phones; null without any.
    #[schema(required)]
    mobile: Option<VitalsPublic>,
    /// The vitals of views on computers; null without any.
    #[schema(required)]
    desktop: Option<VitalsPublic>,
}

impl From<&SiteFigures> for PageVitalsPublic {
    fn from(figures: &SiteFigures) -> Self {
        Self {
            all: (figures.all.views > 0).then(|| (&figures.all).into()),
            mobile: figures.of(Device::Mobile).map(VitalsPublic::from),
            desktop: figures.of(Device::Desktop).map(VitalsPublic::from),
        }
    }
}

impl Example for RumPageDetailPublic {
    fn example() -> Self {
        let figures = ViewFigures {
            views: 4_812,
            rated: [Rated {
                good: 3_900,
                needs_improvement: 600,
                poor: 200,
            }; 5],
            ..ViewFigures::default()
        };
        let vitals = VitalsPublic::EXAMPLE;
        Self {
            url: "https://shop.example/cart".to_owned(),
            pageviews: figures.views,
            percentile: "p75",
            vitals: PageVitalsPublic {
                all: Some(vitals),
                mobile: Some(vitals),
                desktop: Some(vitals),
            },
            ratings: (&figures).into(),
            lcp: RumLcpPublic::example().into_report(),
            inp: RumInpPublic::example().into_report(),
            top_lcp_elements: vec![RumLcpElementPublic::example()],
            top_interactions: vec![RumInpElementPublic::example()],
            top_shift_elements: vec![RumClsElementPublic::example()],
            top_errors: vec![RumErrorPublic::example()],
            timeline: vec![RumDayPublic::example()],
            navigation_types: vec![RumNavigationTypePublic::example()],
            countries: vec![RumCountryPublic::example()],
            meta: RumMeta::exact(),
        }
    }
}

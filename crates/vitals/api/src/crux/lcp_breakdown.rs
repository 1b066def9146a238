//! GET /domains/{domain_id}/crux/lcp-breakdown

use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_vitals::crux::{
    FormFactor, Metric,
    breakdown::{dominant, shares},
    figures::{Figures, LcpImage, LcpSubpart},
    pct,
    store::{CruxStore, Grain, Stored},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    figures::{self, LcpImagePublic, PeriodPublic, p75},
    origin_or_page,
    parameters::{Devices, Page, Periods},
    populations,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxLcpBreakdown",
    path: "/domains/{domain_id}/crux/lcp-breakdown",
    module: Module::Crux,
    summary: "Where the time of the Largest Contentful Paint goes",
    description: concat!(
        populations!(),
        " The parts are of images, and each is a 75th percentile of its own: they need not add up to that of the whole. \
         Shares are of the sum of the four. `history` has up to 25 weeks, the oldest first."
    ),
    scope: Some(Scope::ReadCrux),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::CruxNotFound, Suffix::CruxUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    Query(Devices { form_factor }): Query<Devices>,
    Query(page): Query<Page>,
    store: Port<dyn CruxStore>,
) -> ApiResult<CruxLcpBreakdownPublic> {
    let found = origin_or_page(&*store, &access, page.url.as_deref()).await?;
    let weeks = store
        .periods(&found, form_factor, Grain::Week, Periods::default().periods)
        .await?;
    let newest = found.newest.get(&form_factor).map(|(_, figures)| figures);
    Ok(CruxLcpBreakdownPublic {
        form_factor,
        url: found.target.url.clone(),
        parts: PartsPublic::new(newest),
        history: weeks.iter().map(WeekPublic::new).collect(),
    })
}

/// Where the time of the Largest Contentful Paint goes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxLcpBreakdown)]
pub(crate) struct CruxLcpBreakdownPublic {
    /// The devices.
    form_factor: FormFactor,
    /// The page; null for the origin.
    #[schema(required)]
    url: Option<String>,
    #[serde(flatten)]
    parts: PartsPublic,
    /// The same week by week, the oldest first.
    history: Vec<WeekPublic>,
}

/// The parts of the Largest Contentful Paint.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxLcpParts)]
pub(crate) struct PartsPublic {
    /// The 75th percentile of the whole in milliseconds, of text and images; null where the report has none.
    #[schema(required, minimum = 0)]
    lcp_ms: Option<f64>,
    /// The parts where it is an image; each is null where it is not known.
    image: LcpImagePublic,
    /// The parts in percent of their sum; null where one is not known.
    shares: SharesPublic,
    /// Views whose Largest Contentful Paint is an image, in percent; null where that is not known.
    #[schema(required, minimum = 0, maximum = 100)]
    image_pct: Option<f64>,
    /// Views where it is text, in percent; null where that is not known.
    #[schema(required, minimum = 0, maximum = 100)]
    text_pct: Option<f64>,
    /// The largest part; null where nothing is known of any.
    #[schema(required)]
    dominant_subpart: Option<LcpSubpart>,
}

/// The parts in percent of their sum; null where one is not known.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxLcpShares)]
pub(crate) struct SharesPublic {
    /// Until the first byte of the page.
    #[schema(required, minimum = 0, maximum = 100)]
    ttfb_pct: Option<f64>,
    /// From there until the image is asked for.
    #[schema(required, minimum = 0, maximum = 100)]
    resource_load_delay_pct: Option<f64>,
    /// Until the image is there.
    #[schema(required, minimum = 0, maximum = 100)]
    resource_load_duration_pct: Option<f64>,
    /// Until it is painted.
    #[schema(required, minimum = 0, maximum = 100)]
    element_render_delay_pct: Option<f64>,
}

impl PartsPublic {
    fn new(figures: Option<&Figures>) -> Self {
        let image = figures.and_then(|figures| figures.lcp_image);
        let types = figures.and_then(|figures| figures.lcp_resource_types);
        let shares = image.as_ref().and_then(shares);
        let share = |place: usize| shares.map(|shares| shares[place]);
        Self {
            lcp_ms: figures.and_then(|figures| p75(figures, Metric::Lcp)),
            image: image.map(LcpImagePublic::from).unwrap_or_default(),
            shares: SharesPublic {
                ttfb_pct: share(0),
                resource_load_delay_pct: share(1),
                resource_load_duration_pct: share(2),
                element_render_delay_pct: share(3),
            },
            image_pct: types.map(|types| pct(types.image)),
            text_pct: types.map(|types| pct(types.text)),
            dominant_subpart: image.as_ref().and_then(|image: &LcpImage| dominant(image)),
        }
    }
}

/// A week.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxLcpWeek)]
pub(crate) struct WeekPublic {
    #[serde(flatten)]
    period: PeriodPublic,
    #[serde(flatten)]
    parts: PartsPublic,
}

impl WeekPublic {
    fn new((period, figures): &Stored) -> Self {
        Self {
            period: (*period).into(),
            parts: PartsPublic::new(Some(figures)),
        }
    }
}

impl Example for CruxLcpBreakdownPublic {
    fn example() -> Self {
        let figures = figures::example();
        Self {
            form_factor: FormFactor::All,
            url: None,
            parts: PartsPublic::new(Some(&figures)),
            history: vec![WeekPublic::new(&(figures::EXAMPLE_PERIOD, figures))],
        }
    }
}

//! GET /domains/{domain_id}/crux/navigation-types

use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_vitals::crux::{
    FormFactor,
    figures::NavigationTypes,
    store::{CruxStore, Grain, Stored},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    figures::{self, NavigationTypesPublic, PeriodPublic},
    origin_or_page,
    parameters::{Devices, Page, Periods},
    populations,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxNavigationTypes",
    path: "/domains/{domain_id}/crux/navigation-types",
    module: Module::Crux,
    summary: "How browsers come to the pages",
    description: concat!(
        populations!(),
        " Pages that are restored as they were left, or loaded before they are asked for, are there at once. `history` has \
         the last weeks, the oldest first."
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
    Query(Periods { periods }): Query<Periods>,
    store: Port<dyn CruxStore>,
) -> ApiResult<CruxNavigationTypesPublic> {
    let found = origin_or_page(&*store, &access, page.url.as_deref()).await?;
    let weeks = store.periods(&found, form_factor, Grain::Week, periods).await?;
    let newest = found.newest.get(&form_factor);
    let current = newest.and_then(|(_, figures)| figures.navigation_types);
    Ok(CruxNavigationTypesPublic {
        form_factor,
        url: found.target.url.clone(),
        mix: MixPublic::from(current),
        history: weeks.iter().map(WeekPublic::new).collect(),
    })
}

/// How browsers come to the pages.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxNavigationTypes)]
pub(crate) struct CruxNavigationTypesPublic {
    /// The devices.
    form_factor: FormFactor,
    /// The page; null for the origin.
    #[schema(required)]
    url: Option<String>,
    #[serde(flatten)]
    mix: MixPublic,
    /// The same week by week, the oldest first.
    history: Vec<WeekPublic>,
}

/// The kinds of navigation, and how many are there at once.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxNavigation)]
pub(crate) struct MixPublic {
    /// The kinds of navigation; null where they are not known.
    #[schema(required)]
    current: Option<NavigationTypesPublic>,
    /// Views that were there at once: `back_forward_cache_pct` and `prerender_pct` together. Null where they are not
    /// known.
    #[schema(required, minimum = 0, maximum = 100)]
    instant_pct: Option<f64>,
    /// Views that were restored as they were left, among those by going back or forward, in percent; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    bfcache_share_of_back_forward_pct: Option<f64>,
}

impl From<Option<NavigationTypes>> for MixPublic {
    fn from(types: Option<NavigationTypes>) -> Self {
        Self {
            current: types.map(NavigationTypesPublic::from),
            instant_pct: types.map(|types| types.instant_pct()),
            bfcache_share_of_back_forward_pct: types.and_then(|types| types.bfcache_share_pct()),
        }
    }
}

/// A week.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxNavigationWeek)]
pub(crate) struct WeekPublic {
    #[serde(flatten)]
    period: PeriodPublic,
    #[serde(flatten)]
    mix: MixPublic,
}

impl WeekPublic {
    fn new((period, figures): &Stored) -> Self {
        Self {
            period: (*period).into(),
            mix: MixPublic::from(figures.navigation_types),
        }
    }
}

impl Example for CruxNavigationTypesPublic {
    fn example() -> Self {
        let figures = figures::example();
        Self {
            form_factor: FormFactor::All,
            url: None,
            mix: MixPublic::from(figures.navigation_types),
            history: vec![WeekPublic::new(&(figures::EXAMPLE_PERIOD, figures))],
        }
    }
}

//! GET /domains/{domain_id}/overview

use pharos_account::reporters::{ModuleReport, ModuleReporters, unavailable};
use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    ids::DomainId,
    module::Module,
    module_block::{
        AnalyticsBlock, AnalyticsComparison, DeviceVitals, OverviewBlock, OverviewReport, SearchBlock,
        SearchComparison, UptimeBlock, VitalsComparison,
    },
    scope::Scope,
    window::Meta,
};
use pharos_http::{
    extract::{port::Port, window::FixedWindow},
    kept::{Cacheable, Keep},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::window::{DAYS, OverviewWindow};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getDomainOverview",
    path: "/domains/{domain_id}/overview",
    summary: "All modules of a domain at a glance",
    description: "The last 28 days, today included, compared with the 28 before them. An answer can be up to one hour \
                  old. All modules are asked at once; one that fails, or does not answer within 2 seconds, is named in \
                  `unavailable_modules` while the others answer, and such an answer is not cached. A block that is null \
                  and named in `configured_modules` is set up but reported nothing; a null block that is not named \
                  there is not configured. For rum and analytics null only means that the window has nothing. A module \
                  that the workspace's plan lacks counts as not configured.",
    scope: Some(Scope::ReadOverview),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3600,
    window: Window::Fixed,
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    FixedWindow(window): FixedWindow<DAYS>,
    reporters: Port<ModuleReporters>,
) -> ApiResult<Cacheable<DomainOverviewPublic>> {
    let window = OverviewWindow::new(window);
    let reports = reporters
        .collect(&access, |reporter| reporter.overview(&access, &window.windows))
        .await;
    let answer = DomainOverviewPublic::new(&access, &window, reports);
    let keep = if answer.unavailable_modules.is_empty() {
        Keep::Same
    } else {
        Keep::Nothing
    };
    Ok(Cacheable { answer, keep })
}

/// All modules of a domain at a glance.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DomainOverview)]
pub(crate) struct DomainOverviewPublic {
    /// The id of the domain that it is about.
    domain_id: DomainId,
    /// Its name: ASCII, lower case.
    domain: String,
    /// Uptime, certificate and registration; null before the first check.
    #[schema(required)]
    uptime: Option<UptimeBlock>,
    /// Web vitals of real visitors; null where the window has none.
    #[schema(required)]
    rum: Option<DeviceVitals>,
    /// Web vitals of the Chrome UX Report; null where it has none of the domain.
    #[schema(required)]
    crux: Option<DeviceVitals>,
    /// Search performance; null where nothing was imported.
    #[schema(required)]
    gsc: Option<SearchBlock>,
    /// Visits; null where the window has none.
    #[schema(required)]
    analytics: Option<AnalyticsBlock>,
    /// The blocks that are compared with the window before.
    comparison: OverviewComparison,
    /// The modules that failed or were late. Their blocks are null, and what they are is not known.
    unavailable_modules: Vec<Module>,
    /// The modules with stored configuration. `rum` and `analytics` are never listed, and one that is unavailable
    /// can't be.
    configured_modules: Vec<Module>,
    /// The first day of the window before.
    compare_range_start: Day,
    /// The last day of the window before, inclusive.
    compare_range_end: Day,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// Blocks against the window before.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct OverviewComparison {
    /// Web vitals of the Chrome UX Report; null where their block is.
    #[schema(required)]
    crux: Option<VitalsComparison>,
    /// Search performance; null where its block is.
    #[schema(required)]
    gsc: Option<SearchComparison>,
    /// Visits; null where their block is.
    #[schema(required)]
    analytics: Option<AnalyticsComparison>,
}

impl DomainOverviewPublic {
    pub(super) fn new(
        access: &DomainAccess,
        window: &OverviewWindow,
        reports: Vec<(Module, ModuleReport<OverviewReport>)>,
    ) -> Self {
        let (compare_range_start, compare_range_end) = window.compare_range();
        let mut overview = Self {
            domain_id: access.id(),
            domain: access.domain().hostname.to_string(),
            uptime: None,
            rum: None,
            crux: None,
            gsc: None,
            analytics: None,
            comparison: OverviewComparison::default(),
            unavailable_modules: unavailable(&reports),
            configured_modules: Vec::new(),
            compare_range_start,
            compare_range_end,
            meta: window.meta,
        };
        for (module, report) in reports {
            let block = match report {
                ModuleReport::Failed
                | ModuleReport::Absent
                | ModuleReport::Ready(OverviewReport::NotConfigured) => continue,
                ModuleReport::Ready(OverviewReport::Empty) => None,
                ModuleReport::Ready(OverviewReport::Block(block)) => Some(*block),
            };
            if !matches!(module, Module::Rum | Module::Analytics) {
                overview.configured_modules.push(module);
            }
            if let Some(block) = block {
                overview.show(block);
            }
        }
        overview
    }

    fn show(&mut self, block: OverviewBlock) {
        match block {
            OverviewBlock::Uptime(block) => self.uptime = Some(block),
            OverviewBlock::Rum(block) => self.rum = Some(block),
            OverviewBlock::Crux(versus) => {
                self.comparison.crux = Some(VitalsComparison::from(&versus));
                self.crux = Some(versus.current);
            }
            OverviewBlock::Gsc(versus) => {
                self.comparison.gsc = Some(SearchComparison::from(&versus));
                self.gsc = Some(versus.current);
            }
            OverviewBlock::Analytics(versus) => {
                self.comparison.analytics = Some(AnalyticsComparison::from(&versus));
                self.analytics = Some(versus.current);
            }
        }
    }
}

impl Example for DomainOverviewPublic {
    fn example() -> Self {
        let window = OverviewWindow::at(datetime!(2026-03-31 09:15:00 UTC));
        let (compare_range_start, compare_range_end) = window.compare_range();
        Self {
            domain_id: DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")),
            domain: "shop.example".to_owned(),
            uptime: Some(UptimeBlock {
                uptime_pct: Some(99.98),
                ssl_days_remaining: Some(61),
                domain_days_remaining: Some(427),
                is_blocked_403: false,
                checks_total: 39_435,
            }),
            rum: None,
            crux: None,
            gsc: None,
            analytics: None,
            comparison: OverviewComparison::default(),
            unavailable_modules: Vec::new(),
            configured_modules: vec![Module::Uptime],
            compare_range_start,
            compare_range_end,
            meta: window.meta,
        }
    }
}

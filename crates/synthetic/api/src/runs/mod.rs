//! Runs: a page, measured once.

pub(crate) mod audits;
mod examples;
pub(crate) mod filmstrip;
pub(crate) mod list;
pub(crate) mod opportunities;
pub(crate) mod resources;
pub(crate) mod third_parties;
pub(crate) mod view;

use std::collections::BTreeMap;

use pharos_artefacts::links::Links;
use pharos_domain::{
    identity::DomainAccess,
    ids::{DomainId, RunId, SyntheticBudgetId, SyntheticUrlId},
    runs::{RunKind, RunStatus},
    timestamp::Timestamp,
    wire_enum,
};
use pharos_http::{problem::Problem, run::RequesterPublic};
use pharos_synthetic::{
    budget::{BudgetMetric, BudgetOutcome},
    figure::Figures,
    kept,
    median::Spread,
    result::{
        CategoryScore, GatherMode, MainThreadGroup, MainThreadWork, ResourceKind, ResourceTotal,
        RuntimeError, Summary,
    },
    run::{LabRun, Trigger},
    store::LabStore,
};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{no_such_run, poll_path};

/// A run of the domain.
async fn found(store: &dyn LabStore, access: &DomainAccess, id: RunId) -> Result<LabRun, Problem> {
    store.run(access, id).await?.ok_or_else(|| no_such_run(id))
}

wire_enum! {
    /// The program that measures.
    Engine as "LabEngine" {
        /// Lighthouse.
        Lighthouse = "lighthouse",
    }
}

/// A lab test with its result. Until it has one, and of a page that could not be measured, figures are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabRun)]
pub(crate) struct LabRunPublic {
    /// The id of the run, for paths of the API.
    run_id: RunId,
    /// The work that it does.
    kind: RunKind,
    /// The tracked URL; null for a test of none.
    #[schema(required)]
    url_id: Option<SyntheticUrlId>,
    /// How far it is. One whose page could not be measured has failed.
    status: RunStatus,
    /// When it was asked for.
    requested_at: Timestamp,
    /// When it began; null while it is queued.
    #[schema(required)]
    started_at: Option<Timestamp>,
    /// When it ended; null until it has.
    #[schema(required)]
    finished_at: Option<Timestamp>,
    /// Null: the result is kept with the other data of the module, for 12 months.
    #[schema(required)]
    expires_at: Option<Timestamp>,
    /// Null: how long a page takes can't be known.
    #[schema(required, minimum = 0, maximum = 100)]
    progress_pct: Option<f64>,
    /// Null: a test has no items.
    #[schema(required, minimum = 0)]
    total_items: Option<u32>,
    /// How many of them are done. Null: a test has no items.
    #[schema(required, minimum = 0)]
    completed_items: Option<u32>,
    /// How many of them failed. Null: a test has no items.
    #[schema(required, minimum = 0)]
    failed_items: Option<u32>,
    /// Why it failed, as the last segment of a problem's `type`; null where it did not.
    #[schema(required, example = "upstream-error")]
    error_code: Option<String>,
    /// The same in words, for people.
    #[schema(required)]
    error_detail: Option<String>,
    /// Who asked for it; null for the schedule.
    #[schema(required)]
    requested_by: Option<RequesterPublic>,
    /// Where to read it: a path on this host, base path included.
    poll_path: String,
    /// The credits that it cost; 0 of the schedule.
    #[schema(minimum = 0)]
    credits_charged: u32,
    /// Why the page was measured.
    trigger: Trigger,
    /// The URL that was asked for.
    #[schema(required)]
    requested_url: Option<String>,
    /// That of the document which answered, after redirects.
    #[schema(required)]
    main_document_url: Option<String>,
    /// The one in the address bar at the end.
    #[schema(required)]
    final_url: Option<String>,
    /// When the page was asked for; null until it has a result.
    #[schema(required)]
    fetched_at: Option<Timestamp>,
    /// The id of the profile that the page was tested with.
    profile_id: String,
    /// The program that measures.
    engine: Engine,
    /// Its version. Another major version may weigh scores otherwise.
    #[schema(required)]
    engine_version: Option<String>,
    /// How it was measured.
    gather_mode: GatherMode,
    /// How fast the machine was that measured. Where it is far below that of other runs, scores are not to be trusted.
    #[schema(required)]
    benchmark_index: Option<f64>,
    /// The circumstances that may have spoilt the result.
    run_warnings: Vec<String>,
    /// Lighthouse's code of why nothing could be measured, such as `no_fcp`, or `address_refused` where the page lies at an address
    /// that Pharos does not go to; null where something was.
    #[schema(required)]
    runtime_error_code: Option<String>,
    /// The same in words; where the test itself failed, why.
    #[schema(required)]
    runtime_error_message: Option<String>,
    /// The scores by category: `performance`, `accessibility`, `best_practices`, `seo`, as far as the URL is judged by them.
    /// Clients bear others.
    categories: BTreeMap<String, CategoryPublic>,
    /// The figures of the median test.
    metrics: LabMetricsPublic,
    /// The resources by type.
    resource_summary: Vec<ResourceTotalPublic>,
    /// Bytes over the network.
    #[schema(required, minimum = 0)]
    total_bytes: Option<u64>,
    /// Requests, and what the page has within itself (`data:`), as Lighthouse counts them.
    #[schema(required, minimum = 0)]
    request_count: Option<u64>,
    /// The work of the main thread by kind, the longest first.
    main_thread: Vec<MainThreadPublic>,
    /// Tasks of the main thread that took 50 milliseconds or more.
    #[schema(required, minimum = 0)]
    long_tasks_count: Option<u64>,
    /// Elements of the document.
    #[schema(required, minimum = 0)]
    dom_size: Option<u64>,
    /// How the budgets of the time stood.
    budget_results: Vec<BudgetOutcomePublic>,
    /// How long measuring took, in milliseconds.
    #[schema(required, minimum = 0)]
    duration_ms: Option<u64>,
    /// The number of loads that this is the middle one of; 0 until there is a result.
    #[schema(minimum = 0, maximum = 5)]
    runs_aggregated: u8,
    /// How far the figures of those loads lie apart, by their names; null of one load.
    #[schema(required)]
    variability: Option<BTreeMap<String, SpreadPublic>>,
    /// How the page looked in the end: a link that is good for 15 minutes; null where there is no picture, or no more.
    #[schema(required)]
    screenshot_url: Option<String>,
}

/// The score of a category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabCategoryScore)]
pub(crate) struct CategoryPublic {
    /// 0 to 100; null where it could not be judged.
    #[schema(required, minimum = 0, maximum = 100)]
    score: Option<u8>,
    /// The name of the category for people, as Lighthouse has it.
    title: String,
}

/// How far values lie apart.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabSpread)]
pub(crate) struct SpreadPublic {
    /// The least that a load came to.
    min: f64,
    /// The greatest that a load came to.
    max: f64,
    /// The standard deviation of the loads.
    stddev: f64,
}

/// The resources of a type.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = LabResourceTotal)]
pub(crate) struct ResourceTotalPublic {
    /// The type. Those of third parties count in their own type, too.
    #[serde(rename = "type")]
    kind: ResourceKind,
    /// How many there are.
    #[schema(minimum = 0)]
    count: u64,
    /// Their bytes over the network.
    #[schema(minimum = 0)]
    transfer_bytes: u64,
    /// Their bytes, unpacked.
    #[schema(minimum = 0)]
    resource_bytes: u64,
}

/// The work of the main thread of a kind.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabMainThreadWork)]
pub(crate) struct MainThreadPublic {
    /// The kind of work that the main thread did.
    group: MainThreadGroup,
    /// How long it took, in milliseconds.
    duration_ms: f64,
}

/// How a budget stood at a test.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabBudgetResult)]
pub(crate) struct BudgetOutcomePublic {
    /// The budget, which may have been replaced since.
    budget_id: SyntheticBudgetId,
    /// The figure that the budget bounds.
    metric: BudgetMetric,
    /// The bound, in the unit of the figure.
    limit: f64,
    /// The value; null where it was not measured.
    #[schema(required)]
    actual: Option<f64>,
    /// By how much it lies on the wrong side of the bound; null where it does not.
    #[schema(required)]
    over_by: Option<f64>,
    /// Whether it was kept; null where that can't be said.
    #[schema(required)]
    passed: Option<bool>,
}

macro_rules! metrics {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// The metrics of a test. Times are computed or observed, as the throttling of the profile says. A metric is null
        /// where Lighthouse does not tell it, as all are of a test without a result.
        #[derive(Debug, Serialize, ToSchema)]
        #[schema(as = LabMetrics)]
        pub(crate) struct LabMetricsPublic {
            $($(#[doc = $doc])+ #[schema(required)] $name: Option<f64>,)+
        }

        impl From<&Figures> for LabMetricsPublic {
            fn from(figures: &Figures) -> Self {
                Self { $($name: figures.get(stringify!($name)).copied(),)+ }
            }
        }
    };
}

metrics! {
    /// First Contentful Paint in milliseconds.
    fcp_ms,
    /// Largest Contentful Paint in milliseconds.
    lcp_ms,
    /// Total Blocking Time in milliseconds.
    tbt_ms,
    /// Cumulative Layout Shift while the page loads.
    cls,
    /// Speed Index in milliseconds.
    speed_index_ms,
    /// Time to Interactive in milliseconds.
    tti_ms,
    /// The longest that a first input could have waited, in milliseconds.
    max_potential_fid_ms,
    /// How long the server took to answer, in milliseconds.
    ttfb_ms,
    /// Interaction to Next Paint in milliseconds; null, since nobody interacts while a page loads.
    inp_ms,
    /// The part of the observed LCP until the first byte, in milliseconds.
    lcp_ttfb_ms,
    /// The part from there until its resource is asked for; null for a text.
    lcp_load_delay_ms,
    /// The part in which its resource loads; null for a text.
    lcp_load_duration_ms,
    /// The part from there until it is painted.
    lcp_render_delay_ms,
    /// When the page had loaded, as observed, in milliseconds.
    observed_load_ms,
    /// When its document was parsed, as observed, in milliseconds.
    observed_dom_content_loaded_ms,
}

impl LabRunPublic {
    /// The run as it is shown at a moment.
    pub(crate) fn new(run: LabRun, domain: DomainId, links: &Links, now: OffsetDateTime) -> Self {
        let LabRun {
            id,
            url_id,
            url,
            profile_id,
            trigger,
            status,
            requested_at,
            started_at,
            finished_at,
            error,
            summary,
            budgets,
            images_until,
            has_screenshot,
            requested_by,
            credits_charged,
        } = run;
        let screenshot_url = images_until
            .filter(|until| has_screenshot && now < *until)
            .and_then(|_| kept::key(domain, id, kept::LAST))
            .map(|key| links.link(&key, now).0);
        let measured = summary.is_some();
        let summary = summary.unwrap_or_else(|| nothing(url));
        let whole = |name: &str| summary.figures.get(name).and_then(|value| count(*value));
        let (error_code, error_detail) = error.unzip();
        let (runtime_code, runtime_message) = match summary.runtime_error {
            Some(RuntimeError {
                ref code,
                ref message,
            }) => (Some(code.clone()), Some(message.clone())),
            None => (None, error_detail.clone()),
        };
        Self {
            run_id: id,
            kind: RunKind::Synthetic,
            url_id,
            status,
            requested_at: requested_at.into(),
            started_at: started_at.map(Into::into),
            finished_at: finished_at.map(Into::into),
            expires_at: None,
            progress_pct: None,
            total_items: None,
            completed_items: None,
            failed_items: None,
            error_code,
            error_detail,
            requested_by: requested_by.map(RequesterPublic::from),
            poll_path: poll_path(domain, id),
            credits_charged,
            trigger,
            fetched_at: summary.fetched_at.map(Into::into),
            profile_id,
            engine: Engine::Lighthouse,
            gather_mode: summary.gather_mode,
            benchmark_index: summary.benchmark_index,
            runtime_error_code: runtime_code,
            runtime_error_message: runtime_message,
            metrics: (&summary.figures).into(),
            resource_summary: summary
                .resource_summary
                .iter()
                .map(ResourceTotalPublic::from)
                .collect(),
            total_bytes: whole("total_bytes"),
            request_count: whole("request_count"),
            main_thread: summary.main_thread.iter().map(MainThreadPublic::from).collect(),
            long_tasks_count: summary.long_tasks_count,
            dom_size: summary.dom_size,
            budget_results: budgets.into_iter().map(BudgetOutcomePublic::from).collect(),
            duration_ms: summary.duration_ms,
            runs_aggregated: if measured { summary.runs_aggregated } else { 0 },
            variability: summary.variability.map(|spreads| {
                let spreads = spreads.into_iter();
                spreads.map(|(name, spread)| (name, spread.into())).collect()
            }),
            screenshot_url,
            requested_url: summary.requested_url,
            main_document_url: summary.main_document_url,
            final_url: summary.final_url,
            engine_version: summary.engine_version,
            run_warnings: summary.run_warnings,
            categories: summary
                .categories
                .into_iter()
                .map(|(name, category)| (name, category.into()))
                .collect(),
        }
    }
}

/// The summary of a run without a result.
fn nothing(url: String) -> Summary {
    Summary {
        requested_url: Some(url),
        main_document_url: None,
        final_url: None,
        fetched_at: None,
        engine_version: None,
        gather_mode: GatherMode::Navigation,
        benchmark_index: None,
        run_warnings: Vec::new(),
        runtime_error: None,
        categories: BTreeMap::new(),
        figures: Figures::new(),
        resource_summary: Vec::new(),
        main_thread: Vec::new(),
        long_tasks_count: None,
        dom_size: None,
        duration_ms: None,
        runs_aggregated: 0,
        variability: None,
    }
}

/// A figure that is a count.
fn count(value: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is whole and in range"
    )]
    (0.0..=9_007_199_254_740_992.0)
        .contains(&value)
        .then(|| value.round() as u64)
}

impl From<CategoryScore> for CategoryPublic {
    fn from(category: CategoryScore) -> Self {
        let CategoryScore { score, title } = category;
        Self { score, title }
    }
}

impl From<Spread> for SpreadPublic {
    fn from(spread: Spread) -> Self {
        let Spread { min, max, stddev } = spread;
        Self { min, max, stddev }
    }
}

impl From<&ResourceTotal> for ResourceTotalPublic {
    fn from(total: &ResourceTotal) -> Self {
        let ResourceTotal {
            kind,
            count,
            transfer_bytes,
            resource_bytes,
        } = *total;
        Self {
            kind,
            count,
            transfer_bytes,
            resource_bytes,
        }
    }
}

impl From<&MainThreadWork> for MainThreadPublic {
    fn from(work: &MainThreadWork) -> Self {
        let MainThreadWork { group, duration_ms } = *work;
        Self { group, duration_ms }
    }
}

impl From<BudgetOutcome> for BudgetOutcomePublic {
    fn from(outcome: BudgetOutcome) -> Self {
        let BudgetOutcome {
            budget_id,
            metric,
            limit,
            actual,
            over_by,
            passed,
        } = outcome;
        Self {
            budget_id: SyntheticBudgetId(budget_id),
            metric,
            limit,
            actual,
            over_by,
            passed,
        }
    }
}

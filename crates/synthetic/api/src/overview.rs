//! GET /domains/{domain_id}/synthetic/overview

use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::{RunId, SyntheticUrlId},
    module::Module,
    problem::Suffix,
    runs::RunStatus,
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_synthetic::{
    budget::{BudgetStatus, exceeded},
    figure::{Figures, median},
    store::{LabStore, RunCounts, Standing},
};
use serde::Serialize;
use time::{Duration, macros::datetime};
use utoipa::ToSchema;
use uuid::uuid;

use super::not_configured;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getSyntheticOverview",
    path: "/domains/{domain_id}/synthetic/overview",
    module: Module::Synthetic,
    summary: "The newest lab test of each tracked URL on each of its profiles",
    description: "Figures are those of the newest test that ended. A test that failed has nulls: it has no scores. Scores \
                  vary by some points from test to test, so `score_change` is against the median of the five before.",
    scope: Some(Scope::ReadSynthetic),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::SyntheticNotFound],
    ..OperationSpec::GET
};

/// How far back runs are counted.
const COUNTED: Duration = Duration::days(30);

pub(super) async fn view(
    access: DomainAccess,
    store: Port<dyn LabStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<LabOverviewPublic> {
    let now = clock.now();
    let standings = store.standings(&access, now).await?;
    if standings.is_empty() && !store.is_configured(&access).await? {
        return Err(not_configured());
    }
    let RunCounts { runs, failed } = store.counts(&access, now - COUNTED).await?;
    let budgets = store.budgets(&access).await?;
    let mut urls: Vec<SyntheticUrlId> = standings.iter().map(|standing| standing.url_id).collect();
    urls.dedup();
    Ok(LabOverviewPublic {
        urls_total: urls.len() as u64,
        runs_30d: runs,
        failed_runs_30d: failed,
        budgets_exceeded: exceeded(&budgets),
        items: standings.into_iter().map(StandingPublic::from).collect(),
    })
}

/// How the tracked URLs of a domain stand.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabOverview)]
pub(super) struct LabOverviewPublic {
    /// A row for each URL on each of its profiles, the newest URL first.
    items: Vec<StandingPublic>,
    /// How many URLs are tracked.
    #[schema(minimum = 0)]
    urls_total: u64,
    /// How many tests were asked for in the last 30 days, by schedules and by callers.
    #[schema(minimum = 0)]
    runs_30d: u64,
    /// How many of them failed.
    #[schema(minimum = 0)]
    failed_runs_30d: u64,
    /// How many budgets the newest test that succeeded of a URL on a profile exceeds.
    #[schema(minimum = 0)]
    budgets_exceeded: u32,
}

/// How a tracked URL stands on a profile. All that is of the newest test is null where there is none, and a figure
/// where that test did not measure it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabStanding)]
pub(super) struct StandingPublic {
    /// The tracked URL.
    url_id: SyntheticUrlId,
    /// Its URL.
    url: String,
    /// Its name; null where it has none.
    #[schema(required)]
    label: Option<String>,
    /// The id of the profile that the page is tested with.
    profile_id: String,
    /// The newest test that ended; null where there is none.
    #[schema(required)]
    last_run_id: Option<RunId>,
    /// When it ended.
    #[schema(required)]
    last_run_at: Option<Timestamp>,
    /// How it ended.
    #[schema(required)]
    last_status: Option<RunStatus>,
    /// The score of performance, 0 to 100.
    #[schema(required, minimum = 0, maximum = 100)]
    performance_score: Option<u8>,
    /// The score of accessibility.
    #[schema(required, minimum = 0, maximum = 100)]
    accessibility_score: Option<u8>,
    /// The score of best practices.
    #[schema(required, minimum = 0, maximum = 100)]
    best_practices_score: Option<u8>,
    /// The score of search engine optimisation.
    #[schema(required, minimum = 0, maximum = 100)]
    seo_score: Option<u8>,
    /// First Contentful Paint in milliseconds.
    #[schema(required)]
    fcp_ms: Option<f64>,
    /// Largest Contentful Paint in milliseconds.
    #[schema(required)]
    lcp_ms: Option<f64>,
    /// Total Blocking Time in milliseconds.
    #[schema(required)]
    tbt_ms: Option<f64>,
    /// Cumulative Layout Shift while the page loads.
    #[schema(required)]
    cls: Option<f64>,
    /// Speed Index in milliseconds.
    #[schema(required)]
    speed_index_ms: Option<f64>,
    /// How long the server took to answer, in milliseconds.
    #[schema(required)]
    ttfb_ms: Option<f64>,
    /// By how many points the score of performance differs from the median of the five tests before that succeeded on the same
    /// major version of Lighthouse; null without any.
    #[schema(required)]
    score_change: Option<f64>,
    /// How its budgets stand by its newest test that succeeded.
    budget_status: BudgetStatus,
    /// When its schedule has it measured next; null without one.
    #[schema(required)]
    next_run_at: Option<Timestamp>,
}

impl From<Standing> for StandingPublic {
    fn from(standing: Standing) -> Self {
        let Standing {
            url_id,
            url,
            label,
            profile_id,
            last,
            figures,
            engine_major: _,
            scores_before,
            budgets,
            next_run_at,
            failures: _,
        } = standing;
        let of = |name: &str| figures.get(name).copied();
        let score = of("performance_score");
        Self {
            url_id,
            url,
            label,
            profile_id,
            last_run_id: last.map(|(run, ..)| run),
            last_run_at: last.map(|(_, _, at)| at.into()),
            last_status: last.map(|(_, status, _)| status),
            performance_score: score.and_then(points),
            accessibility_score: of("accessibility_score").and_then(points),
            best_practices_score: of("best_practices_score").and_then(points),
            seo_score: of("seo_score").and_then(points),
            fcp_ms: of("fcp_ms"),
            lcp_ms: of("lcp_ms"),
            tbt_ms: of("tbt_ms"),
            cls: of("cls"),
            speed_index_ms: of("speed_index_ms"),
            ttfb_ms: of("ttfb_ms"),
            score_change: score
                .zip(median(scores_before))
                .map(|(score, before)| score - before),
            budget_status: budgets,
            next_run_at: next_run_at.map(Into::into),
        }
    }
}

/// A score: Lighthouse's are whole points once they are out of 100.
fn points(score: f64) -> Option<u8> {
    (0..=100).find(|points| f64::from(*points) >= score.round())
}

impl Example for LabOverviewPublic {
    fn example() -> Self {
        let figures: Figures = [
            ("performance_score", 91.0),
            ("accessibility_score", 100.0),
            ("best_practices_score", 96.0),
            ("seo_score", 92.0),
            ("fcp_ms", 1_240.5),
            ("lcp_ms", 2_310.0),
            ("tbt_ms", 85.0),
            ("cls", 0.02),
            ("speed_index_ms", 1_980.0),
            ("ttfb_ms", 120.0),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let standing = Standing {
            url_id: SyntheticUrlId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
            url: "https://shop.example/shoes".to_owned(),
            label: Some("Shoes".to_owned()),
            profile_id: "mobile".to_owned(),
            last: Some((
                RunId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e41")),
                RunStatus::Succeeded,
                datetime!(2026-03-31 03:13:04 UTC),
            )),
            figures,
            engine_major: Some("13".to_owned()),
            scores_before: vec![93.0, 95.0, 94.0],
            budgets: BudgetStatus::Within,
            next_run_at: Some(datetime!(2026-04-01 03:12:00 UTC)),
            failures: 0,
        };
        Self {
            items: vec![standing.into()],
            urls_total: 1,
            runs_30d: 31,
            failed_runs_30d: 1,
            budgets_exceeded: 0,
        }
    }
}

//! GET /domains/{domain_id}/robots/overview

use pharos_crawl::{
    robots::{
        crawlers::CRAWLERS,
        monitor::{
            evaluate::{InForce, failing},
            site::{IssueCounts, RobotsSite, TestUrl},
            store::RobotsStore,
        },
        outcome::{EffectivePolicy, RobotsState},
    },
    sitemap::monitor::{site::ConflictState, store::SitemapStore},
};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RobotsVersionId, module::Module, problem::Suffix,
    scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use time::macros::datetime;
use tokio::task::spawn_blocking;
use utoipa::ToSchema;
use uuid::uuid;

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRobotsOverview",
    path: "/domains/{domain_id}/robots/overview",
    module: Module::Robots,
    summary: "How the robots.txt of a site stands, and whom it keeps out",
    description: "The file is that of one host: of the URL that uptime checks, else of https on the domain's name. Where \
                  the last fetch failed, crawlers fetch nothing (`disallow_all`), and counts are those of the last good \
                  version. `disallow` keeps crawlers from fetching a page, not from listing it.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    cache_seconds: 300,
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    store: Port<dyn RobotsStore>,
    sitemaps: Port<dyn SitemapStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<RobotsOverviewPublic> {
    let site = site(&access, &*store).await?;
    let saved = store.test_urls(&access).await?;
    let sitemaps = sitemaps.site(&access, clock.now()).await?;
    let conflicts = sitemaps.and_then(|sitemaps| sitemaps.conflicts);
    // A large file takes a while to read, in which this thread would answer nobody.
    spawn_blocking(move || RobotsOverviewPublic::new(&site, &saved, conflicts.as_ref()))
        .await
        .map_err(|error| Problem::internal(error.to_string()))
}

/// The robots.txt of a site at a glance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsOverview)]
pub(super) struct RobotsOverviewPublic {
    /// How the file stood at the last check.
    state: RobotsState,
    /// How crawlers take that (RFC 9309): without a file they fetch everything, where nobody answers nothing.
    effective_policy: EffectivePolicy,
    /// Its URL.
    robots_url: String,
    /// The status at the last check; null where nobody answered.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// When the last check began; never null, since there is no answer before the first.
    #[schema(required)]
    last_checked_at: Option<Timestamp>,
    /// When the content was last found changed; null where it never was.
    #[schema(required)]
    last_changed_at: Option<Timestamp>,
    /// The last good version; null where no fetch was answered yet.
    #[schema(required)]
    current_version_id: Option<RobotsVersionId>,
    /// How many bytes of it crawlers read; null where there is no file.
    #[schema(required, minimum = 0)]
    size_bytes: Option<usize>,
    /// Its groups; null where there is no file.
    #[schema(required, minimum = 0)]
    groups_count: Option<usize>,
    /// Its rules; null where there is no file.
    #[schema(required, minimum = 0)]
    rules_count: Option<usize>,
    /// The sitemaps that it names; null where there is no file.
    #[schema(required, minimum = 0)]
    sitemaps_count: Option<usize>,
    /// How many findings the file has, by severity.
    issues: RobotsIssueCountsPublic,
    /// Whether crawlers that no group names may not fetch the root of the site. Never null: `effective_policy` decides
    /// without a file.
    #[schema(required)]
    blocks_all_crawlers: Option<bool>,
    /// Whether Googlebot may not; never null, for the same reason.
    #[schema(required)]
    blocks_googlebot: Option<bool>,
    /// Whether Bingbot may not; never null, for the same reason.
    #[schema(required)]
    blocks_bingbot: Option<bool>,
    /// How many of the known crawlers of AI services may not; never null, for the same reason.
    #[schema(required, minimum = 0)]
    ai_crawlers_blocked: Option<usize>,
    /// How many of them are known; never null.
    #[schema(required, minimum = 0)]
    ai_crawlers_known: Option<usize>,
    /// How many saved URLs are not as expected.
    #[schema(minimum = 0)]
    failing_test_urls: usize,
    /// How many URLs of sitemaps the file keeps Googlebot from, as of the last time that this was worked out; null where it never was.
    #[schema(required, minimum = 0)]
    sitemap_conflicts: Option<u64>,
    /// When that was; null where it never was.
    #[schema(required)]
    sitemap_conflicts_computed_at: Option<Timestamp>,
}

/// Findings by how much they matter.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsIssueCounts)]
pub(super) struct RobotsIssueCountsPublic {
    /// Something is not read as it is written.
    #[schema(minimum = 0)]
    error: u32,
    /// Something is probably not meant so.
    #[schema(minimum = 0)]
    warning: u32,
    /// Something is worth knowing.
    #[schema(minimum = 0)]
    info: u32,
}

impl From<IssueCounts> for RobotsIssueCountsPublic {
    fn from(counts: IssueCounts) -> Self {
        let IssueCounts { error, warning, info } = counts;
        Self { error, warning, info }
    }
}

impl RobotsOverviewPublic {
    fn new(site: &RobotsSite, saved: &[TestUrl], conflicts: Option<&ConflictState>) -> Self {
        let in_force = InForce::of(site);
        let content = site.current.as_ref().and_then(|version| version.content.as_ref());
        let counted = |count: usize| content.map(|_| count);
        let blocks = |token: &str| !in_force.allows_root(token);
        let of_ai = || CRAWLERS.iter().filter(|crawler| crawler.purpose.is_ai());
        Self {
            state: site.state,
            effective_policy: site.policy(),
            robots_url: site.robots_url.clone(),
            status_code: site.status_code,
            last_checked_at: Some(site.last_checked_at.into()),
            last_changed_at: site.last_changed_at.map(Timestamp::from),
            current_version_id: site.current.as_ref().map(|version| RobotsVersionId(version.id)),
            size_bytes: content.map(Vec::len),
            groups_count: counted(in_force.file().groups.len()),
            rules_count: counted(in_force.file().rules_count()),
            sitemaps_count: counted(in_force.file().sitemaps.len()),
            issues: site.issue_counts.into(),
            blocks_all_crawlers: Some(blocks("")),
            blocks_googlebot: Some(blocks("Googlebot")),
            blocks_bingbot: Some(blocks("Bingbot")),
            ai_crawlers_blocked: Some(of_ai().filter(|crawler| blocks(crawler.token)).count()),
            ai_crawlers_known: Some(of_ai().count()),
            failing_test_urls: failing(&in_force, saved),
            sitemap_conflicts: conflicts.map(ConflictState::of_googlebot),
            sitemap_conflicts_computed_at: conflicts.map(|state| state.computed_at.into()),
        }
    }
}

impl Example for RobotsOverviewPublic {
    fn example() -> Self {
        Self {
            state: RobotsState::Ok,
            effective_policy: EffectivePolicy::AsWritten,
            robots_url: "https://shop.example/robots.txt".to_owned(),
            status_code: Some(200),
            last_checked_at: Some(datetime!(2026-03-31 09:14:30 UTC).into()),
            last_changed_at: Some(datetime!(2026-03-02 11:14:30 UTC).into()),
            current_version_id: Some(RobotsVersionId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e11"))),
            size_bytes: Some(212),
            groups_count: Some(2),
            rules_count: Some(6),
            sitemaps_count: Some(1),
            issues: RobotsIssueCountsPublic {
                error: 0,
                warning: 1,
                info: 2,
            },
            blocks_all_crawlers: Some(false),
            blocks_googlebot: Some(false),
            blocks_bingbot: Some(false),
            ai_crawlers_blocked: Some(3),
            ai_crawlers_known: Some(CRAWLERS.iter().filter(|crawler| crawler.purpose.is_ai()).count()),
            failing_test_urls: 0,
            sitemap_conflicts: Some(1),
            sitemap_conflicts_computed_at: Some(datetime!(2026-03-31 09:14:40 UTC).into()),
        }
    }
}

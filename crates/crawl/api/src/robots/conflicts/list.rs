//! GET /domains/{domain_id}/robots/sitemap-conflicts

use pharos_crawl::{
    robots::{file::RuleKind, monitor::site::effective, monitor::store::RobotsStore},
    sitemap::monitor::{
        conflicts,
        site::{BlockingRule, Conflict, ConflictState},
        store::{ConflictStore, SitemapStore},
    },
};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::SitemapFileId,
    module::Module,
    page::{Page, PageRequest},
    page_facts::{PageSearches, SearchValue},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::super::{RuleRefPublic, site};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRobotsSitemapConflicts",
    path: "/domains/{domain_id}/robots/sitemap-conflicts",
    module: Module::Robots,
    summary: "Pages of the sitemaps that the robots.txt keeps a crawler from",
    description: "As they were last worked out: whenever a check finds other sitemaps or another robots.txt, or when it is asked \
                  for. Held against the rules are the pages of the host that the file speaks for, by its last good version; the \
                  first 10,000 of a crawler are listed, fewer where the file speaks to more than ten crawlers and this one is no \
                  large search engine; all are counted. Impressions are null while no search data of the \
                  domain is stored.",
    scope: Some(Scope::ReadRobots),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 300,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

/// The crawler where none is named.
const GOOGLEBOT: &str = "Googlebot";

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct ConflictsQuery {
    /// A name that begins with a letter, _ or -, or * for every crawler.
    #[param(
        max_length = 500,
        pattern = "^[A-Za-z_*-]",
        default = "Googlebot",
        example = "Bingbot"
    )]
    user_agent: Option<String>,
}

#[expect(
    clippy::too_many_arguments,
    reason = "what is known of robots.txt, of sitemaps and of search is asked of each of them"
)]
pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<ConflictsQuery>,
    page: PageRequest,
    robots: Port<dyn RobotsStore>,
    sitemaps: Port<dyn SitemapStore>,
    store: Port<dyn ConflictStore>,
    searches: Port<dyn PageSearches>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<SitemapConflictPublic, SitemapConflictTotals>> {
    site(&access, &*robots).await?;
    let user_agent = query.user_agent.as_deref().unwrap_or(GOOGLEBOT);
    let known = sitemaps.site(&access, clock.now()).await?;
    let is_stale = known.as_ref().is_some_and(|known| known.are_conflicts_stale);
    let state = known.and_then(|known| known.conflicts);
    let judged_by = store.judged_by(&access).await?;
    let (found, totals) = match state.zip(judged_by) {
        None => (
            Page::cut(Vec::new(), &page, position),
            SitemapConflictTotals::default(),
        ),
        Some((state, judged_by)) => {
            let file = effective(judged_by.state, judged_by.content.as_deref());
            let crawler = conflicts::crawler(&file, user_agent);
            let found = match &crawler {
                Some(crawler) => store.conflicts(&access, crawler, &page).await?,
                // No group speaks to it.
                None => Page::cut(Vec::new(), &page, position),
            };
            let totals = SitemapConflictTotals::new(&state, crawler.as_deref(), is_stale);
            (found, totals)
        }
    };
    let urls: Vec<&str> = found.items.iter().map(|conflict| conflict.url.as_str()).collect();
    let values = searches.values(&access, &urls).await?;
    Ok(found
        .map(|conflict| {
            let value = values
                .as_ref()
                .and_then(|values| values.get(&conflict.url))
                .copied();
            SitemapConflictPublic::new(conflict, user_agent, value)
        })
        .with(totals))
}

fn position(conflict: &Conflict) -> pharos_domain::page::Position {
    pharos_domain::page::Position {
        key: conflict.first_seen_at,
        id: conflict.key,
    }
}

/// The further fields of the list's envelope.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct SitemapConflictTotals {
    /// When they were worked out; null where they never were, or not for this crawler: that is done for 50 that the file
    /// names, the large search engines before the others.
    #[schema(required)]
    computed_at: Option<Timestamp>,
    /// Pages that were held against the rules.
    #[schema(minimum = 0)]
    urls_checked: u64,
    /// Those that the crawler may not fetch.
    #[schema(minimum = 0)]
    conflicts_total: u64,
    /// Whether the sitemaps or the robots.txt are others since. The next check works them out anew.
    stale: bool,
}

impl SitemapConflictTotals {
    fn new(state: &ConflictState, crawler: Option<&str>, stale: bool) -> Self {
        let Some(conflicts_total) = state.total(crawler) else {
            return Self::default();
        };
        Self {
            computed_at: Some(state.computed_at.into()),
            urls_checked: state.urls_checked,
            conflicts_total,
            stale,
        }
    }
}

/// A page of a sitemap that a crawler may not fetch.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsSitemapConflict)]
pub(crate) struct SitemapConflictPublic {
    /// The address of the page that a sitemap lists.
    url: String,
    /// The sitemap file that names it; of several, the first.
    sitemap_file_id: SitemapFileId,
    /// Its URL.
    sitemap_url: String,
    /// The crawler, as it was asked for.
    user_agent: String,
    /// The rule that decides.
    matched_rule: RuleRefPublic,
    /// How often Google's search showed the page within the 28 days up to the newest final one; null while not all of them are
    /// imported.
    #[schema(required, minimum = 0)]
    impressions_28d: Option<u64>,
    /// When that was found first.
    first_seen_at: Timestamp,
}

impl SitemapConflictPublic {
    fn new(conflict: Conflict, user_agent: &str, value: Option<SearchValue>) -> Self {
        let Conflict {
            key: _,
            url,
            file_id,
            file_url,
            rule: BlockingRule { line, path },
            first_seen_at,
        } = conflict;
        Self {
            url,
            sitemap_file_id: SitemapFileId(file_id),
            sitemap_url: file_url,
            user_agent: user_agent.to_owned(),
            matched_rule: RuleRefPublic::new(line, RuleKind::Disallow, &path),
            impressions_28d: value.map(|value| value.impressions),
            first_seen_at: first_seen_at.into(),
        }
    }
}

impl Example for SitemapConflictTotals {
    fn example() -> Self {
        Self {
            computed_at: Some(datetime!(2026-03-31 09:14:40 UTC).into()),
            urls_checked: 2_000,
            conflicts_total: 1,
            stale: false,
        }
    }
}

impl Example for SitemapConflictPublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/cart".to_owned(),
            sitemap_file_id: SitemapFileId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
            sitemap_url: "https://shop.example/sitemap.xml".to_owned(),
            user_agent: "Googlebot".to_owned(),
            matched_rule: RuleRefPublic::example(),
            impressions_28d: Some(340),
            first_seen_at: datetime!(2026-03-02 11:14:40 UTC).into(),
        }
    }
}

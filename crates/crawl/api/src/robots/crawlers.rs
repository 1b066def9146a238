//! GET /domains/{domain_id}/robots/crawlers

use pharos_crawl::robots::{
    access::MatchedVia,
    crawlers::{CRAWLERS, Crawler, CrawlerAccess, Honours, Purpose, access_of_all},
    monitor::{evaluate::InForce, site::Expectation, store::RobotsStore},
    outcome::EffectivePolicy,
    pattern::Target,
};
use pharos_domain::{identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRobotsCrawlers",
    path: "/domains/{domain_id}/robots/crawlers",
    module: Module::Robots,
    summary: "The crawlers that are known by name, and whether each may fetch a path",
    description: "`root_access` is of the path that is asked for, `/` where none is. It follows from what crawlers make of \
                  the file now: where the last fetch failed, all are kept out. `honours_robots` is what the operator \
                  states of the crawler.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    cache_seconds: 300,
    paging: Paging::Single,
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct CrawlersQuery {
    /// A path with its query, from its first slash on.
    #[param(max_length = 2_048, pattern = "^/", default = "/")]
    path: Option<String>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<CrawlersQuery>,
    store: Port<dyn RobotsStore>,
) -> ApiResult<Page<RobotsCrawlerPublic>> {
    let target = Target::new(query.path.as_deref().unwrap_or("/"));
    let site = site(&access, &*store).await?;
    let policy = site.policy();
    let rows = tokio::task::spawn_blocking(move || access_of_all(InForce::of(&site).file(), &target))
        .await
        .map_err(|error| Problem::internal(error.to_string()))?;
    let rows = rows.into_iter();
    Ok(Page::single(
        rows.map(|row| RobotsCrawlerPublic::new(&row, policy)).collect(),
    ))
}

/// A crawler, and what the file says to it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsCrawler)]
pub(super) struct RobotsCrawlerPublic {
    /// The token by which groups name it.
    user_agent_token: String,
    /// The name that people know the crawler by.
    name: String,
    /// Who runs it.
    operator: String,
    /// The purpose for which it fetches pages.
    purpose: Purpose,
    /// The index of the first group that it obeys; null: no group speaks to it, and it may fetch everything.
    #[schema(required, minimum = 0)]
    matched_group_index: Option<usize>,
    /// By what it came to its rules.
    matched_via: MatchedVia,
    /// Whether it may fetch the path.
    root_access: Expectation,
    /// How many of its rules keep it out of something.
    #[schema(minimum = 0)]
    disallowed_rules: usize,
    /// Whether its operator says that it keeps to robots.txt.
    honours_robots: Honours,
    /// Where the operator says so; null where it says nothing.
    #[schema(required)]
    documentation_url: Option<String>,
}

impl RobotsCrawlerPublic {
    fn new(row: &CrawlerAccess, policy: EffectivePolicy) -> Self {
        let CrawlerAccess {
            crawler,
            group,
            via,
            is_allowed,
            disallowed_rules,
        } = *row;
        let Crawler {
            token,
            name,
            operator,
            purpose,
            honours,
            documentation_url,
            falls_back_to: _,
            obeys_any: _,
            is_major: _,
        } = *crawler;
        let is_allowed = match policy {
            EffectivePolicy::AsWritten => is_allowed,
            EffectivePolicy::AllowAll => true,
            EffectivePolicy::DisallowAll => false,
        };
        Self {
            user_agent_token: token.to_owned(),
            name: name.to_owned(),
            operator: operator.to_owned(),
            purpose,
            matched_group_index: group,
            matched_via: via,
            root_access: Expectation::of(is_allowed),
            disallowed_rules,
            honours_robots: honours,
            documentation_url: documentation_url.map(ToOwned::to_owned),
        }
    }
}

impl Example for RobotsCrawlerPublic {
    fn example() -> Self {
        let row = CrawlerAccess {
            crawler: &CRAWLERS[0],
            group: Some(0),
            via: MatchedVia::Wildcard,
            is_allowed: true,
            disallowed_rules: 2,
        };
        Self::new(&row, EffectivePolicy::AsWritten)
    }
}

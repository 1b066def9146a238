//! PUT /domains/{domain_id}/robots/test-urls

use std::collections::HashSet;

use pharos_crawl::robots::monitor::{
    fetch::robots_url,
    site::{Expectation, TestUrl},
    store::RobotsStore,
};
use pharos_domain::{
    credits::Charged, identity::DomainAccess, module::Module, page::Page, problem::Suffix, role::Role,
    scope::Scope, site_address::SiteAddresses,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    super::{
        schemas::{RobotsUrl, RobotsUserAgent},
        urls,
    },
    RobotsTestUrlPublic, all,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "replaceRobotsTestUrls",
    method: Verb::Put,
    path: "/domains/{domain_id}/robots/test-urls",
    module: Module::Robots,
    summary: "Replace the saved URLs",
    description: "The list takes the place of the one that is saved; an empty one ends it. URLs are of the host that the \
                  robots.txt speaks for. An item that stands twice is saved once.",
    scope: Some(Scope::WriteRobots),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::RobotsNotFound],
    // Two hundred of the longest URLs and user agents, with escapes.
    body_bytes: 1024 * 1024,
    ..OperationSpec::GET
};

pub(crate) async fn replace(
    access: Charged<DomainAccess>,
    body: Body<RobotsTestUrlsRequest>,
    store: Port<dyn RobotsStore>,
    addresses: Port<dyn SiteAddresses>,
) -> ApiResult<Page<RobotsTestUrlPublic>> {
    let site = store.site(&access).await?;
    let robots_url = match &site {
        Some(site) => site.robots_url.clone(),
        None => {
            let mut known = addresses.of(&[access.id()]).await?;
            let url = known.remove(&access.id()).and_then(|url| robots_url(&url));
            url.map(String::from).ok_or_else(|| {
                Problem::new(
                    Suffix::RobotsNotFound,
                    "The domain has no site to fetch a robots.txt of.",
                )
            })?
        }
    };
    let items = body
        .judged(|body| body.parse(&robots_url))
        .map_err(Problem::invalid)?;
    store.replace_test_urls(&access, &items).await?;
    all(items, site).await
}

/// The URLs to save.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RobotsTestUrls)]
pub(crate) struct RobotsTestUrlsRequest {
    /// At most 200.
    #[schema(max_items = 200)]
    items: Vec<RobotsTestUrlRequest>,
}

/// A URL, and what is expected of it. A member that is at fault is missing here, and the others are judged all the same.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewRobotsTestUrl)]
struct RobotsTestUrlRequest {
    /// The URL.
    #[schema(value_type = RobotsUrl, required)]
    url: Option<String>,
    /// The crawler: a product token, a longer name that begins with one, or `*`.
    #[schema(value_type = RobotsUserAgent, required)]
    user_agent: Option<String>,
    /// The result that is expected.
    #[schema(value_type = Expectation, required)]
    expectation: Option<Expectation>,
}

impl RobotsTestUrlsRequest {
    fn parse(&self, robots_url: &str) -> Result<Vec<TestUrl>, Vec<Fault>> {
        let of_url = |(at, item): (usize, &RobotsTestUrlRequest)| {
            let url = item.url.as_ref()?;
            urls::of_site(url, robots_url, &format!("/items/{at}/url")).err()
        };
        let faults: Vec<Fault> = self.items.iter().enumerate().filter_map(of_url).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut seen = HashSet::new();
        let items = self.items.iter().filter_map(|item| {
            let (url, user_agent) = (item.url.as_ref()?, item.user_agent.as_ref()?);
            let expectation = item.expectation?;
            seen.insert((url, user_agent, expectation)).then(|| TestUrl {
                id: Uuid::now_v7(),
                url: url.clone(),
                user_agent: user_agent.clone(),
                expectation,
            })
        });
        Ok(items.collect())
    }
}

impl Example for RobotsTestUrlsRequest {
    fn example() -> Self {
        Self {
            items: vec![RobotsTestUrlRequest {
                url: Some("https://shop.example/cart".to_owned()),
                user_agent: Some("Googlebot".to_owned()),
                expectation: Some(Expectation::Disallowed),
            }],
        }
    }
}

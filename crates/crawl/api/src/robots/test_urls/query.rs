//! POST /domains/{domain_id}/robots/test-urls/query

use pharos_crawl::robots::{
    effort::{Effort, Spent},
    monitor::{
        evaluate::{AccessReason, InForce, Verdict, Verdicts, called},
        store::RobotsStore,
    },
};
use pharos_domain::{
    identity::DomainAccess, ids::RobotsVersionId, module::Module, problem::Suffix, scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use url::Url;
use utoipa::ToSchema;
use uuid::uuid;

use super::super::{
    RuleRefPublic,
    schemas::{RobotsUrls, RobotsUserAgents},
    site, takes_too_long, urls, worked_out,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "testRobotsUrls",
    method: Verb::Post,
    path: "/domains/{domain_id}/robots/test-urls/query",
    module: Module::Robots,
    summary: "Whether crawlers may fetch URLs, and which rule says so",
    description: "Up to 100 URLs of the host that the robots.txt speaks for, and up to 20 crawlers; Googlebot where none is \
                  named. Nothing is fetched: the file is the one of the last check, as crawlers take it now.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    problems: &[Suffix::RobotsNotFound],
    body_bytes: 1024 * 1024,
    ..OperationSpec::GET
};

pub(crate) async fn query(
    access: DomainAccess,
    body: Body<RobotsTestRequest>,
    store: Port<dyn RobotsStore>,
) -> ApiResult<RobotsTestPublic> {
    let site = site(&access, &*store).await?;
    let (urls, agents) = body
        .judged(|body| body.parse(&site.robots_url))
        .map_err(Problem::invalid)?;
    let version_id = site.current.as_ref().map(|version| RobotsVersionId(version.id));
    let evaluated_at = site.last_checked_at.into();
    let (of_urls, of_agents) = (urls.len(), agents.len());
    let items = worked_out(move |caller| {
        let file = InForce::of(&site);
        let mut verdicts = Verdicts::new(&file, &urls);
        let mut effort = Effort::default();
        let mut items = Vec::with_capacity(urls.len() * agents.len());
        for agent in &agents {
            if caller.is_gone() {
                return Err(Spent);
            }
            let of_agent = urls.iter().zip(verdicts.to(agent, &mut effort)?);
            items.extend(of_agent.map(|(url, verdict)| RobotsTestedUrlPublic::new(url, agent, *verdict)));
        }
        Ok(items)
    })
    .await?
    .map_err(|Spent| takes_too_long(of_urls, of_agents))?;
    Ok(RobotsTestPublic {
        items,
        version_id,
        evaluated_at,
    })
}

/// The crawler where none is named.
pub(crate) fn usual_agents() -> Vec<String> {
    vec!["Googlebot".to_owned()]
}

/// URLs and crawlers to ask about.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RobotsTestQuery)]
pub(crate) struct RobotsTestRequest {
    /// URLs of the site.
    #[schema(value_type = RobotsUrls)]
    urls: Vec<String>,
    /// Crawlers: product tokens, longer names that begin with one, or `*`. A whole user agent that begins with `Mozilla` is that
    /// of the known crawler that it names.
    #[serde(default = "usual_agents")]
    #[schema(value_type = RobotsUserAgents, required = false)]
    user_agents: Vec<String>,
}

impl RobotsTestRequest {
    fn parse(&self, robots_url: &str) -> Result<(Vec<Url>, Vec<String>), Vec<Fault>> {
        let found = urls::all_of_site(&self.urls, robots_url)?;
        Ok((found, self.user_agents.clone()))
    }
}

/// The file's answers for URLs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsTest)]
pub(crate) struct RobotsTestPublic {
    /// Each URL for each crawler: crawler by crawler.
    items: Vec<RobotsTestedUrlPublic>,
    /// The version; null where no fetch was answered yet.
    #[schema(required)]
    version_id: Option<RobotsVersionId>,
    /// When the file was last fetched, which this is by.
    evaluated_at: Timestamp,
}

/// The file's answer to a crawler for a URL.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsTestedUrl)]
struct RobotsTestedUrlPublic {
    /// The URL in its normal form, as it would be asked for: with the host in lower case, and `/` where it has no path.
    url: String,
    /// The crawler, as it was asked for.
    user_agent: String,
    /// Whether it may be fetched.
    allowed: bool,
    /// The group that the crawler obeys; null where none speaks to it, or the file does not matter.
    #[schema(required)]
    matched_group: Option<RobotsMatchedGroupPublic>,
    /// The rule that decides; null where none does.
    #[schema(required)]
    matched_rule: Option<RuleRefPublic>,
    /// Why.
    reason: AccessReason,
}

/// A group that a crawler obeys.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsMatchedGroup)]
struct RobotsMatchedGroupPublic {
    /// The crawler, as the group names it.
    user_agent: String,
    /// The line of its first crawler.
    #[schema(minimum = 1)]
    start_line: u32,
}

impl RobotsTestedUrlPublic {
    fn new(url: &Url, agent: &str, verdict: Verdict<'_>) -> Self {
        let Verdict {
            is_allowed,
            reason,
            group,
            rule,
        } = verdict;
        Self {
            url: url.to_string(),
            user_agent: agent.to_owned(),
            allowed: is_allowed,
            matched_group: group.and_then(|group| {
                Some(RobotsMatchedGroupPublic {
                    user_agent: called(group, agent)?.to_owned(),
                    start_line: group.start_line,
                })
            }),
            matched_rule: rule.map(RuleRefPublic::from),
            reason,
        }
    }
}

impl Example for RobotsTestRequest {
    fn example() -> Self {
        Self {
            urls: vec!["https://shop.example/cart".to_owned()],
            user_agents: usual_agents(),
        }
    }
}

impl Example for RobotsTestPublic {
    fn example() -> Self {
        Self {
            items: vec![RobotsTestedUrlPublic {
                url: "https://shop.example/cart".to_owned(),
                user_agent: "Googlebot".to_owned(),
                allowed: false,
                matched_group: Some(RobotsMatchedGroupPublic {
                    user_agent: "*".to_owned(),
                    start_line: 1,
                }),
                matched_rule: Some(RuleRefPublic::example()),
                reason: AccessReason::RuleMatch,
            }],
            version_id: Some(RobotsVersionId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e11"))),
            evaluated_at: datetime!(2026-03-31 09:14:30 UTC).into(),
        }
    }
}

//! POST /domains/{domain_id}/robots/overlapping-rules/query

use std::collections::HashMap;

use pharos_crawl::robots::{
    effort::Effort,
    file::{RobotsFile, product_token},
    issue::IssueSeverity,
    monitor::store::RobotsStore,
    overlap::{Overlap, OverlapKind, Winner, overlaps},
};
use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{body::OptionalBody, port::Port},
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::{
    RuleRefPublic, current,
    schemas::{RobotsText, RobotsUserAgent},
    site, worked_out,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "findOverlappingRobotsRules",
    method: Verb::Post,
    path: "/domains/{domain_id}/robots/overlapping-rules/query",
    module: Module::Robots,
    summary: "Rules that get in each other's way",
    description: "The last good version is read, or the text that is sent; for one crawler, or for each that a group \
                  names (the first 50). `shadowed`: rule a never decides. `redundant`: without it nothing would \
                  change. The first 1,000 rules of a crawler are held against each other, fewer where they are very \
                  long, and 1,000 overlaps are told at most. A longer rule of the other type inside a shorter one is \
                  an exception, and not told.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    problems: &[Suffix::RobotsNotFound],
    body_bytes: 3 * 1024 * 1024,
    ..OperationSpec::GET
};

/// The crawlers of a file whose rules are looked at, where none is asked for.
const MOST_AGENTS: usize = 50;
/// How many overlaps are told.
const MOST_OVERLAPS: usize = 1_000;

pub(super) async fn find(
    access: DomainAccess,
    OptionalBody(body): OptionalBody<RobotsOverlapRequest>,
    store: Port<dyn RobotsStore>,
) -> ApiResult<RobotsOverlapsPublic> {
    let site = site(&access, &*store).await?;
    let (content, agent) = body
        .judged(RobotsOverlapRequest::parse)
        .map_err(Problem::invalid)?;
    let live = match &content {
        Some(_) => None,
        None => Some(current(&site)?.clone()),
    };
    let robots_url = site.robots_url;
    worked_out(move |_| {
        let file = match (content, live) {
            (Some(text), _) => RobotsFile::parse(text.as_bytes()),
            (None, Some(version)) => version.file(),
            (None, None) => RobotsFile::parse(b""),
        };
        RobotsOverlapsPublic::new(&file, agent.as_deref(), &robots_url)
    })
    .await
}

/// The text and the crawler to look at.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = RobotsOverlapQuery)]
pub(super) struct RobotsOverlapRequest {
    /// A text; null or left out for the last good version.
    #[schema(value_type = Option<RobotsText>)]
    content: Option<String>,
    /// A crawler; null or left out for each that a group names.
    #[schema(value_type = Option<RobotsUserAgent>)]
    user_agent: Option<String>,
}

impl RobotsOverlapRequest {
    /// The text and the crawler. Their schemas say all that they have to keep to.
    fn parse(&self) -> Result<(Option<String>, Option<String>), Vec<Fault>> {
        Ok((self.content.clone(), self.user_agent.clone()))
    }
}

/// Rules that overlap.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsOverlaps)]
pub(super) struct RobotsOverlapsPublic {
    /// Pairs of rules, crawler by crawler.
    items: Vec<RobotsOverlapPublic>,
}

/// Two rules of a crawler that overlap.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsOverlap)]
struct RobotsOverlapPublic {
    /// The crawler whose rules overlap.
    user_agent: String,
    /// How they overlap.
    kind: OverlapKind,
    /// The rule that it is about.
    rule_a: RuleRefPublic,
    /// The one beside it.
    rule_b: RuleRefPublic,
    /// Which decides where both match; `tie_allow`: both are as long, and the one that allows does.
    winner: Winner,
    /// A URL that both match; null where it would be longer than 2,048 characters.
    #[schema(required)]
    example_url: Option<String>,
    /// How much it matters.
    severity: IssueSeverity,
}

impl RobotsOverlapsPublic {
    fn new(file: &RobotsFile, agent: Option<&str>, robots_url: &str) -> Self {
        let agents = match agent {
            Some(agent) => vec![agent.to_owned()],
            None => agents_of(file),
        };
        let base = Url::parse(robots_url).ok();
        let mut effort = Effort::default();
        // Crawlers to which the same groups speak have the same overlaps, which are looked for once.
        let mut of_groups: HashMap<Vec<usize>, Vec<Overlap<'_>>> = HashMap::new();
        let mut items = Vec::new();
        for agent in &agents {
            let access = file.access(agent);
            let found = of_groups
                .entry(access.key())
                .or_insert_with(|| overlaps(&access, &mut effort));
            let row = |overlap: &Overlap<'_>| RobotsOverlapPublic {
                user_agent: agent.clone(),
                kind: overlap.kind,
                rule_a: overlap.a.into(),
                rule_b: overlap.b.into(),
                winner: overlap.winner,
                example_url: example_url(base.as_ref(), &overlap.example),
                severity: overlap.kind.severity(),
            };
            items.extend(found.iter().take(MOST_OVERLAPS - items.len()).map(row));
        }
        Self { items }
    }
}

/// The longest URL that is told of an overlap.
const LONGEST_URL: usize = 2_048;

fn example_url(base: Option<&Url>, path: &str) -> Option<String> {
    let url = format!("{}{path}", base?.origin().ascii_serialization());
    (url.len() <= LONGEST_URL).then_some(url)
}

/// The crawlers that the file names, each once.
fn agents_of(file: &RobotsFile) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for line in file.groups.iter().flat_map(|group| &group.user_agents) {
        if agents.len() == MOST_AGENTS {
            break;
        }
        let is_any = line.written.starts_with('*');
        let token = product_token(&line.written);
        if (is_any || !token.is_empty()) && known.insert(token) {
            agents.push(if is_any {
                "*".to_owned()
            } else {
                line.written.clone()
            });
        }
    }
    agents
}

impl Example for RobotsOverlapRequest {
    fn example() -> Self {
        Self {
            content: None,
            user_agent: Some("Googlebot".to_owned()),
        }
    }
}

impl Example for RobotsOverlapsPublic {
    fn example() -> Self {
        let text = "User-agent: *\nDisallow: /cart\nDisallow: /cart/help\n";
        let file = RobotsFile::parse(text.as_bytes());
        Self::new(&file, None, "https://shop.example/robots.txt")
    }
}

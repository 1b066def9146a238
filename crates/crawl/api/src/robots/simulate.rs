//! POST /domains/{domain_id}/robots/simulate/query

use std::collections::{HashMap, HashSet};

use pharos_crawl::{
    robots::{
        effort::{Effort, Spent},
        file::RobotsFile,
        line::READ_BYTES,
        monitor::{
            evaluate::{InForce, Verdicts},
            store::RobotsStore,
        },
    },
    sitemap::monitor::store::SitemapStore,
};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page_facts::{PageSearches, SearchValue},
    problem::Suffix,
    scope::Scope,
    wire_enum,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::{
    Caller, RuleRefPublic,
    issues::IssuePublic,
    schemas::{RobotsSimulatedUrls, RobotsText, RobotsUserAgents},
    site, takes_too_long,
    test_urls::query::usual_agents,
    urls, worked_out,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "simulateRobots",
    method: Verb::Post,
    path: "/domains/{domain_id}/robots/simulate/query",
    module: Module::Robots,
    summary: "The changes that a proposed robots.txt would make",
    description: "Holds URLs against the file in force and against the proposed text, for each crawler (Googlebot where \
                  none is named): 500 URLs, and 2,000 pairs of URL and crawler, at most, fewer where rules are written so \
                  that they take very long. URLs are named, or come from \
                  `source`; never both. Clicks are null while no search data of the domain is stored.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    problems: &[Suffix::RobotsNotFound],
    // 500 KiB of text, escaped as JSON, and 500 URLs.
    body_bytes: 3 * 1024 * 1024,
    ..OperationSpec::GET
};

/// How many pairs of URL and crawler are held against both texts.
const MOST_PAIRS: usize = 2_000;
/// How many pages a sample of sitemaps has, and the pages with the most clicks are: with twenty crawlers they are as many pairs
/// as may be.
const SAMPLED: u32 = 100;
/// How many findings of the proposed text are told.
const MOST_ISSUES: usize = 1_000;

pub(super) async fn simulate(
    access: DomainAccess,
    body: Body<RobotsSimulationRequest>,
    store: Port<dyn RobotsStore>,
    sitemaps: Port<dyn SitemapStore>,
    searches: Port<dyn PageSearches>,
) -> ApiResult<RobotsSimulationPublic> {
    let site = site(&access, &*store).await?;
    let source = body
        .judged(|body| Ok::<_, Vec<Fault>>(body.source))
        .ok()
        .flatten();
    let known: Vec<String> = match source {
        Some(SimulationSource::TestUrls) => {
            let saved = store.test_urls(&access).await?;
            saved.into_iter().map(|saved| saved.url).collect()
        }
        Some(SimulationSource::SitemapSample) => {
            sitemaps
                .sample(&access, &origin(&site.robots_url), SAMPLED)
                .await?
        }
        Some(SimulationSource::GscTopPages) => searches.top(&access, SAMPLED).await?.unwrap_or_default(),
        None => Vec::new(),
    };
    let is_sound = body.is_sound();
    let order = body
        .judged(|body| body.parse(&site.robots_url, &known, is_sound))
        .map_err(Problem::invalid)?;
    let urls: Vec<&str> = order.urls.iter().map(Url::as_str).collect();
    let values = searches.values(&access, &urls).await?;
    let (of_urls, of_agents) = (order.urls.len(), order.agents.len());
    worked_out(move |caller| {
        RobotsSimulationPublic::new(&InForce::of(&site), &order, values.as_ref(), caller)
    })
    .await?
    .map_err(|Spent| takes_too_long(of_urls, of_agents))
}

wire_enum! {
    /// Where simulated URLs come from.
    SimulationSource as "RobotsSimulationSource" {
        /// The saved URLs.
        TestUrls = "test_urls",
        /// A sample of the pages of sitemaps, 100 at most.
        SitemapSample = "sitemap_sample",
        /// The pages with the most clicks in Google's search within 28 days, 100 at most.
        GscTopPages = "gsc_top_pages",
    }
}

/// A proposed text, and what it is held against.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RobotsSimulationQuery)]
pub(super) struct RobotsSimulationRequest {
    /// The proposed text: at most 500 KiB in UTF-8.
    #[schema(value_type = RobotsText)]
    content: String,
    /// URLs of the site; null or left out where `source` names some.
    #[serde(default)]
    #[schema(value_type = Option<RobotsSimulatedUrls>)]
    urls: Option<Vec<String>>,
    /// Where URLs come from; null or left out where `urls` has them.
    #[serde(default)]
    source: Option<SimulationSource>,
    /// Crawlers: product tokens, longer names that begin with one, or `*`. A whole user agent that begins with `Mozilla` is that
    /// of the known crawler that it names.
    #[serde(default = "usual_agents")]
    #[schema(value_type = RobotsUserAgents, required = false)]
    user_agents: Vec<String>,
}

/// The parsed request for a simulation.
struct Order {
    content: String,
    urls: Vec<Url>,
    agents: Vec<String>,
}

impl RobotsSimulationRequest {
    /// `known` are the URLs of its source. Where the body is not sound, its source or its URLs may have been named.
    fn parse(&self, robots_url: &str, known: &[String], is_sound: bool) -> Result<Order, Vec<Fault>> {
        let length = self.content.len();
        let is_too_long = length > READ_BYTES;
        let why = format!("{length} bytes in UTF-8; crawlers read {READ_BYTES} of a robots.txt");
        let too_long = is_too_long.then(|| Fault::pointer("/content", why));
        let urls = match (self.urls(robots_url, known, is_sound), too_long) {
            (Ok(urls), None) => urls,
            (found, too_long) => {
                let of_urls = found.err().into_iter().flatten();
                return Err(too_long.into_iter().chain(of_urls).collect());
            }
        };
        if urls.len() * self.user_agents.len() > MOST_PAIRS {
            let why = format!(
                "{} URLs for {} crawlers are more than {MOST_PAIRS} pairs; ask for fewer of either",
                urls.len(),
                self.user_agents.len()
            );
            return Err(vec![Fault::pointer("/user_agents", why)]);
        }
        Ok(Order {
            content: self.content.clone(),
            urls,
            agents: self.user_agents.clone(),
        })
    }

    fn urls(&self, robots_url: &str, known: &[String], is_sound: bool) -> Result<Vec<Url>, Vec<Fault>> {
        let fault = |pointer: &str, why: &str| Err(vec![Fault::pointer(pointer, why)]);
        match (&self.urls, self.source) {
            (Some(_), Some(_)) => fault("/source", "can't be named together with urls"),
            (None, None) if !is_sound => Err(Vec::new()),
            (None, None) => fault("/urls", "is missing, and so is source: name one of them"),
            (Some(named), None) => urls::all_of_site(named, robots_url),
            (None, Some(SimulationSource::TestUrls)) => known_urls(
                known,
                robots_url,
                "no URL of this site is saved: PUT …/robots/test-urls saves some",
            ),
            (None, Some(SimulationSource::SitemapSample)) => known_urls(
                known,
                robots_url,
                "no page of this site stands in a sitemap that is known: POST …/sitemap/check reads them, or name urls",
            ),
            (None, Some(SimulationSource::GscTopPages)) => known_urls(
                known,
                robots_url,
                "no search data of a page of this site is stored; name urls",
            ),
        }
    }
}

/// The scheme, host and port that a robots.txt speaks for.
fn origin(robots_url: &str) -> String {
    let site = Url::parse(robots_url).map(|url| url.origin());
    site.map(|site| site.ascii_serialization()).unwrap_or_default()
}

/// Those of the URLs that are of this site, which may have moved since they became known, each once: it may be saved for several
/// crawlers.
fn known_urls(known: &[String], robots_url: &str, none: &str) -> Result<Vec<Url>, Vec<Fault>> {
    let of_site = |url: &String| urls::of_site(url, robots_url, "").ok();
    let mut seen = HashSet::new();
    let found: Vec<Url> = known
        .iter()
        .filter_map(of_site)
        .filter(|url| seen.insert(url.clone()))
        .collect();
    if found.is_empty() {
        return Err(vec![Fault::pointer("/source", none.to_owned())]);
    }
    Ok(found)
}

/// The changes that a proposed text would make.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsSimulation)]
pub(super) struct RobotsSimulationPublic {
    /// Each URL for each crawler: crawler by crawler.
    items: Vec<RobotsSimulatedUrlPublic>,
    /// How many of them would change, and the clicks at risk.
    summary: RobotsSimulationSummaryPublic,
    /// The findings of the proposed text, 1,000 at most.
    issues: Vec<IssuePublic>,
}

/// A URL for a crawler, by both texts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsSimulatedUrl)]
struct RobotsSimulatedUrlPublic {
    /// The URL in its normal form, as it would be asked for.
    url: String,
    /// The crawler, as it was asked for.
    user_agent: String,
    /// Whether it may be fetched now.
    allowed_current: bool,
    /// Whether it might with the proposed text.
    allowed_proposed: bool,
    /// Whether the two differ.
    changed: bool,
    /// The rule that decides now; null where none does.
    #[schema(required)]
    matched_rule_current: Option<RuleRefPublic>,
    /// The rule that would decide; null where none would.
    #[schema(required)]
    matched_rule_proposed: Option<RuleRefPublic>,
    /// Clicks in Google's search within the 28 days up to the newest final one; null while not all of them are imported.
    #[schema(required, minimum = 0)]
    clicks_28d: Option<u64>,
}

/// How many simulated URLs would change, and the clicks at risk.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsSimulationSummary)]
struct RobotsSimulationSummaryPublic {
    /// Pairs of URL and crawler.
    #[schema(minimum = 0)]
    evaluated: usize,
    /// Those that would be blocked, and are not.
    #[schema(minimum = 0)]
    newly_blocked: usize,
    /// Those that would be allowed, and are not.
    #[schema(minimum = 0)]
    newly_allowed: usize,
    /// The others.
    #[schema(minimum = 0)]
    unchanged: usize,
    /// The clicks of all URLs that would be blocked for some crawler and are not, each counted once; null while not all
    /// clicks of these 28 days are imported.
    #[schema(required, minimum = 0)]
    clicks_at_risk_28d: Option<u64>,
}

impl RobotsSimulationPublic {
    /// # Errors
    /// It takes too long, or nobody waits for it any more.
    fn new(
        current: &InForce,
        order: &Order,
        values: Option<&HashMap<String, SearchValue>>,
        caller: &Caller,
    ) -> Result<Self, Spent> {
        let clicks = |url: &str| values?.get(url).map(|value| value.clicks);
        let proposed = InForce::proposed(&order.content);
        let mut of_current = Verdicts::new(current, &order.urls);
        let mut of_proposed = Verdicts::new(&proposed, &order.urls);
        let mut effort = Effort::default();
        let mut items = Vec::with_capacity(order.urls.len() * order.agents.len());
        for agent in &order.agents {
            if caller.is_gone() {
                return Err(Spent);
            }
            let now = of_current.to(agent, &mut effort)?;
            let verdicts = now.iter().zip(of_proposed.to(agent, &mut effort)?);
            let items_of_agent = order.urls.iter().zip(verdicts);
            items.extend(items_of_agent.map(|(url, (now, then))| RobotsSimulatedUrlPublic {
                url: url.to_string(),
                user_agent: agent.clone(),
                allowed_current: now.is_allowed,
                allowed_proposed: then.is_allowed,
                changed: now.is_allowed != then.is_allowed,
                matched_rule_current: now.rule.map(RuleRefPublic::from),
                matched_rule_proposed: then.rule.map(RuleRefPublic::from),
                clicks_28d: clicks(url.as_str()),
            }));
        }
        let changed = |to: bool| {
            let is_so = |item: &&RobotsSimulatedUrlPublic| item.changed && item.allowed_proposed == to;
            items.iter().filter(is_so).count()
        };
        let is_lost = |item: &&RobotsSimulatedUrlPublic| item.changed && !item.allowed_proposed;
        let lost: HashSet<&str> = items
            .iter()
            .filter(is_lost)
            .map(|item| item.url.as_str())
            .collect();
        let at_risk: u64 = lost.into_iter().filter_map(clicks).sum();
        let summary = RobotsSimulationSummaryPublic {
            evaluated: items.len(),
            newly_blocked: changed(false),
            newly_allowed: changed(true),
            unchanged: items.iter().filter(|item| !item.changed).count(),
            clicks_at_risk_28d: values.map(|_| at_risk),
        };
        let issues = RobotsFile::clone(proposed.file()).issues.into_iter();
        Ok(Self {
            items,
            summary,
            issues: issues.take(MOST_ISSUES).map(IssuePublic::from).collect(),
        })
    }
}

impl Example for RobotsSimulationRequest {
    fn example() -> Self {
        Self {
            content: "User-agent: *\nDisallow: /cart\n".to_owned(),
            urls: Some(vec!["https://shop.example/cart".to_owned()]),
            source: None,
            user_agents: usual_agents(),
        }
    }
}

impl Example for RobotsSimulationPublic {
    fn example() -> Self {
        Self {
            items: vec![RobotsSimulatedUrlPublic {
                url: "https://shop.example/cart".to_owned(),
                user_agent: "Googlebot".to_owned(),
                allowed_current: true,
                allowed_proposed: false,
                changed: true,
                matched_rule_current: None,
                matched_rule_proposed: Some(RuleRefPublic::example()),
                clicks_28d: Some(12),
            }],
            summary: RobotsSimulationSummaryPublic {
                evaluated: 1,
                newly_blocked: 1,
                newly_allowed: 0,
                unchanged: 0,
                clicks_at_risk_28d: Some(12),
            },
            issues: vec![IssuePublic::example()],
        }
    }
}

//! GET /domains/{domain_id}/robots/rules

use pharos_crawl::robots::{
    file::{Group, OtherKind, OtherLine, RobotsFile, Rule, RuleKind, SitemapLine},
    monitor::{fetch::SitemapAnswer, store::RobotsStore},
};
use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use tokio::task::spawn_blocking;
use url::Url;
use utoipa::ToSchema;

use super::{MOST_LINES, current, site};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRobotsRules",
    path: "/domains/{domain_id}/robots/rules",
    module: Module::Robots,
    summary: "The robots.txt as crawlers read it: groups, rules, sitemaps, other lines",
    description: "Where the last fetch failed it is the last good version. Several groups that name one crawler count as \
                  one. Lines behind the first 20,000 are not told. The first ten sitemaps that are written whole are asked \
                  for once a day and whenever the file changes.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    cache_seconds: 300,
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(access: DomainAccess, store: Port<dyn RobotsStore>) -> ApiResult<RobotsRulesPublic> {
    let site = site(&access, &*store).await?;
    let version = current(&site)?.clone();
    // A large file takes a while to read, in which this thread would answer nobody.
    spawn_blocking(move || RobotsRulesPublic::new(version.file(), &site.sitemaps, &site.robots_url))
        .await
        .map_err(|error| Problem::internal(error.to_string()))
}

/// A robots.txt as crawlers read it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsRules)]
pub(super) struct RobotsRulesPublic {
    /// The groups, in the order of the file.
    groups: Vec<RobotsGroupPublic>,
    /// The sitemaps that it names.
    sitemaps: Vec<RobotsSitemapPublic>,
    /// Lines with other keys than those of RFC 9309, and misspelled ones.
    other_lines: Vec<RobotsOtherLinePublic>,
}

/// Rules for the crawlers that a group names.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsGroup)]
struct RobotsGroupPublic {
    /// Its place in the file, from 0.
    #[schema(minimum = 0)]
    index: usize,
    /// The crawlers, as they are written.
    user_agents: Vec<String>,
    /// The line of its first crawler.
    #[schema(minimum = 1)]
    start_line: u32,
    /// Its last line.
    #[schema(minimum = 1)]
    end_line: u32,
    /// The rules.
    rules: Vec<RobotsRulePublic>,
    /// The pause between two requests that it asks for; null where it asks for none. Google ignores it.
    #[schema(required)]
    crawl_delay_seconds: Option<f64>,
}

/// A rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsRule)]
struct RobotsRulePublic {
    /// The line of the file that the rule stands on.
    #[schema(minimum = 1)]
    line: u32,
    /// Whether it lets in or keeps out.
    r#type: RuleKind,
    /// The path, as it is written.
    path: String,
    /// By how many octets it counts beside other rules: the longest that matches decides.
    #[schema(minimum = 0)]
    path_length: usize,
    /// Whether it holds a `*`.
    has_wildcard: bool,
    /// Whether it ends in a `$`.
    has_end_anchor: bool,
    /// Whether it has no path, and so says nothing.
    is_empty: bool,
}

/// A line that names a sitemap.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsSitemap)]
struct RobotsSitemapPublic {
    /// The line of the file that it stands on.
    #[schema(minimum = 1)]
    line: u32,
    /// The address, as it is written.
    url: String,
    /// Whether it can be fetched; null where it was not asked for.
    #[schema(required)]
    reachable: Option<bool>,
    /// The status; null where there was none.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// Whether it lies on the host of the file.
    same_host: bool,
}

/// A line with another key.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsOtherLine)]
struct RobotsOtherLinePublic {
    /// The line of the file that it stands on.
    #[schema(minimum = 1)]
    line: u32,
    /// The key; the whole line where it has no value.
    key: String,
    /// The text behind its colon.
    value: String,
    /// `unused`: some crawlers know the key, RFC 9309 does not. `unknown`: none does. `typo`: it is misspelled.
    kind: OtherKind,
    /// The key that Google takes it for; null where it is not misspelled.
    #[schema(required)]
    accepted_as: Option<String>,
}

impl RobotsRulesPublic {
    fn new(file: RobotsFile, asked: &[SitemapAnswer], robots_url: &str) -> Self {
        let host = Url::parse(robots_url)
            .ok()
            .and_then(|url| url.host().map(|host| host.to_owned()));
        let sitemap = |line: SitemapLine| {
            let SitemapLine { line, url } = line;
            let found = asked.iter().find(|asked| asked.url == url);
            let parsed = Url::parse(&url).ok();
            RobotsSitemapPublic {
                line,
                reachable: found.map(SitemapAnswer::is_reachable),
                status_code: found.and_then(|found| found.status_code),
                same_host: parsed
                    .and_then(|url| url.host().map(|host| host.to_owned()))
                    .is_none_or(|of_sitemap| Some(of_sitemap) == host),
                url,
            }
        };
        Self {
            groups: file
                .groups
                .into_iter()
                .enumerate()
                .filter(|(_, group)| group.start_line <= MOST_LINES)
                .map(|(index, group)| group_public(index, group))
                .collect(),
            sitemaps: file
                .sitemaps
                .into_iter()
                .filter(|line| line.line <= MOST_LINES)
                .map(sitemap)
                .collect(),
            other_lines: file
                .other_lines
                .into_iter()
                .filter(|line| line.line <= MOST_LINES)
                .map(|line| {
                    let OtherLine {
                        line,
                        key,
                        value,
                        kind,
                        accepted_as,
                    } = line;
                    RobotsOtherLinePublic {
                        line,
                        key,
                        value,
                        kind,
                        accepted_as: accepted_as.map(ToOwned::to_owned),
                    }
                })
                .collect(),
        }
    }
}

fn group_public(index: usize, group: Group) -> RobotsGroupPublic {
    let Group {
        user_agents,
        rules,
        crawl_delay_seconds,
        start_line,
        end_line,
    } = group;
    RobotsGroupPublic {
        index,
        user_agents: user_agents
            .into_iter()
            .filter(|line| line.line <= MOST_LINES)
            .map(|line| line.written)
            .collect(),
        start_line,
        end_line,
        rules: rules
            .into_iter()
            .filter(|rule| rule.line <= MOST_LINES)
            .map(RobotsRulePublic::from)
            .collect(),
        crawl_delay_seconds,
    }
}

impl From<Rule> for RobotsRulePublic {
    fn from(rule: Rule) -> Self {
        let Rule {
            line,
            kind,
            path,
            pattern,
        } = rule;
        Self {
            line,
            r#type: kind,
            path,
            path_length: pattern.octets(),
            has_wildcard: pattern.has_wildcard(),
            has_end_anchor: pattern.is_anchored(),
            is_empty: pattern.is_empty(),
        }
    }
}

impl Example for RobotsRulesPublic {
    fn example() -> Self {
        let text = "User-agent: *\nDisallow: /cart\nAllow: /cart/help$\nCrawl-delay: 2\n\nSitemap: https://shop.example/sitemap.xml\n";
        let asked = SitemapAnswer {
            url: "https://shop.example/sitemap.xml".to_owned(),
            status_code: Some(200),
        };
        let file = RobotsFile::parse(text.as_bytes());
        Self::new(file, &[asked], "https://shop.example/robots.txt")
    }
}

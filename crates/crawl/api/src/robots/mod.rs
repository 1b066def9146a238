//! Operations of the module robots.

mod check;
mod checks;
mod conflicts;
mod crawlers;
mod current;
mod issues;
mod overlaps;
mod overview;
mod rules;
mod schemas;
mod simulate;
mod test_urls;
mod urls;
mod versions;
pub(crate) mod widgets;

use pharos_crawl::robots::{
    file::{Rule, RuleKind},
    monitor::{
        site::{CurrentVersion, RobotsSite},
        store::RobotsStore,
    },
};
use pharos_domain::{identity::DomainAccess, problem::Suffix};
use pharos_http::{operation::Operation, problem::Problem};
use serde::Serialize;
use utoipa::ToSchema;

/// The operations of robots.txt.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&current::SPEC, current::view),
        Operation::new(&rules::SPEC, rules::view),
        Operation::new(&issues::SPEC, issues::list),
        Operation::new(&crawlers::SPEC, crawlers::list),
        Operation::new(&versions::list::SPEC, versions::list::list),
        Operation::new(&versions::detail::SPEC, versions::detail::view),
        Operation::new(&checks::SPEC, checks::list),
        Operation::new(&check::SPEC, check::run),
        Operation::new(&test_urls::list::SPEC, test_urls::list::list),
        Operation::new(&test_urls::replace::SPEC, test_urls::replace::replace),
        Operation::new(&test_urls::query::SPEC, test_urls::query::query),
        Operation::new(&simulate::SPEC, simulate::simulate),
        Operation::new(&overlaps::SPEC, overlaps::find),
        Operation::new(&conflicts::list::SPEC, conflicts::list::list),
        Operation::new(&conflicts::recompute::SPEC, conflicts::recompute::recompute),
    ]
}

/// The state of the domain's file.
async fn site(access: &DomainAccess, store: &dyn RobotsStore) -> Result<RobotsSite, Problem> {
    store.site(access).await?.ok_or_else(|| {
        Problem::new(
            Suffix::RobotsNotFound,
            "The robots.txt of this domain has not been fetched yet. POST …/robots/check fetches it now.",
        )
    })
}

/// The version that is in force, or was at the last good fetch.
fn current(site: &RobotsSite) -> Result<&CurrentVersion, Problem> {
    site.current.as_ref().ok_or_else(|| {
        Problem::new(
            Suffix::RobotsNotFound,
            "No fetch of this domain's robots.txt has been answered yet. GET …/robots/checks says why.",
        )
    })
}

/// How much of a path is told where a rule is pointed at, in characters: one rule may be pointed at thousands of times.
const LONGEST_PATH: usize = 500;

/// A rule of the file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = RobotsRuleRef)]
struct RuleRefPublic {
    /// Its line; the first is 1.
    #[schema(minimum = 1)]
    line: u32,
    /// Whether it lets in or keeps out.
    r#type: RuleKind,
    /// The path, as it is written; of a longer one its first 500 characters.
    path: String,
}

impl From<&Rule> for RuleRefPublic {
    fn from(rule: &Rule) -> Self {
        Self::new(rule.line, rule.kind, &rule.path)
    }
}

impl RuleRefPublic {
    fn new(line: u32, kind: RuleKind, path: &str) -> Self {
        Self {
            line,
            r#type: kind,
            path: path.chars().take(LONGEST_PATH).collect(),
        }
    }

    fn example() -> Self {
        Self {
            line: 2,
            r#type: RuleKind::Disallow,
            path: "/cart".to_owned(),
        }
    }
}

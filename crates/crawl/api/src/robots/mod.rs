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

use std::sync::{Arc, Weak};

use pharos_crawl::robots::{
    file::{Rule, RuleKind},
    monitor::{
        site::{CurrentVersion, RobotsSite},
        store::RobotsStore,
    },
};
use pharos_domain::{identity::DomainAccess, problem::Suffix};
use pharos_http::{
    operation::Operation,
    problem::{Fault, Problem},
};
use serde::Serialize;
use tokio::{sync::Semaphore, task::spawn_blocking};
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

/// The most lines of a file that an answer lists one by one. No file that people wrote has more, and one of half a megabyte can have
/// half a million.
const MOST_LINES: u32 = 20_000;

/// How many answers a node works out at once that take a processor for a while.
static TURNS: Semaphore = Semaphore::const_new(2);

/// The caller of an answer that is worked out.
struct Caller(Weak<()>);

impl Caller {
    /// Whether nobody waits for the answer any more.
    fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// Works out an answer that takes a processor for a while, in which other requests are answered.
async fn worked_out<T, W>(work: W) -> Result<T, Problem>
where
    T: Send + 'static,
    W: FnOnce(&Caller) -> T + Send + 'static,
{
    // It is never closed.
    let turn = TURNS.acquire().await.ok();
    let here = Arc::new(());
    let caller = Caller(Arc::downgrade(&here));
    let answer = spawn_blocking(move || {
        // Whoever hangs up does not end the work, which looks whether its caller is there.
        let _turn = turn;
        work(&caller)
    });
    let answer = answer.await;
    drop(here);
    answer.map_err(|error| Problem::internal(error.to_string()))
}

/// The refusal of URLs that are not held against rules, since that would take too long.
fn takes_too_long(urls: usize, agents: usize) -> Problem {
    let why = format!(
        "the rules are written so that holding {urls} URLs for {agents} crawlers against them takes too long; ask for \
         fewer of either"
    );
    Problem::invalid(vec![Fault::pointer("/user_agents", why)])
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

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_knows_that_its_caller_hung_up() {
        let ((begin, has_begun), (end, has_ended)) = (oneshot::channel(), oneshot::channel());
        let call = tokio::spawn(worked_out(move |caller| {
            assert!(!caller.is_gone());
            begin.send(()).unwrap();
            while !caller.is_gone() {
                thread::sleep(Duration::from_millis(1));
            }
            end.send(()).unwrap();
        }));
        has_begun.await.unwrap();
        call.abort();
        has_ended.await.unwrap();
        assert!(worked_out(|_| 1).await.is_ok_and(|answer| answer == 1));
    }
}

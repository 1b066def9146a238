//! The pages of sitemaps that robots.txt keeps crawlers from.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, LazyLock, Mutex, PoisonError, Weak},
    time::{Duration, Instant},
};

use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use time::OffsetDateTime;
use tokio::{sync::Semaphore, task::spawn_blocking};
use url::Url;
use uuid::Uuid;

use super::{
    site::{ListedPage, SiteRobots},
    store::{ConflictArchive, FoundConflicts, OfCrawler, SitemapArchive},
};
use crate::robots::{
    asked::LONGEST_USER_AGENT,
    crawlers::CRAWLERS,
    effort::Effort,
    file::{Agent, RobotsFile, Rule, product_token},
    monitor::{evaluate::target, site::effective},
};

/// How many crawlers pages are checked against. No search engine obeys a file differently that names more crawlers.
pub const MOST_CRAWLERS: usize = 50;
/// How many pages of a crawler are kept. All are counted.
pub const MOST_KEPT: usize = 10_000;
/// How many pages are kept of all crawlers together. Each search engine, and the crawlers that no group names, have room for as
/// many as above; the other crawlers share the rest.
const MOST_KEPT_OF_ALL: usize = 100_000;
/// How many bytes their addresses and paths may have, shared as the pages are. As many pages as above need less, unless their
/// addresses are long.
const MOST_KEPT_BYTES: usize = 32 << 20;
/// How many pages are read at once.
const BATCH: usize = 10_000;
/// How many sites a node checks against their robots.txt at once. A site at the bounds takes some 50 MB.
static AT_ONCE: Semaphore = Semaphore::const_new(2);
/// A workspace takes one permit at a time, so that it leaves the other for other workspaces.
static OF_WORKSPACES: LazyLock<Mutex<HashMap<WorkspaceId, Weak<Semaphore>>>> = LazyLock::new(Mutex::default);
/// How long a check may take, beside reading the pages. A site with millions of pages takes less.
const MOST_TIME: Duration = Duration::from_secs(60);
/// How many pages of a crawler the effort of one query has to suffice for.
const OF_EFFORT: usize = 1_000;

/// The crawlers that no group names.
const ANY: &str = "*";

/// The name under which a crawler's conflicts are kept: the alphabetically first of the names by which groups call the crawlers
/// that obey the same rules. `None`: no group speaks to it, and it may fetch everything.
#[must_use]
pub fn crawler(file: &RobotsFile, user_agent: &str) -> Option<String> {
    name(&known(file), file, user_agent)
}

/// The names by which groups call crawlers, with the groups that each obeys.
fn known(file: &RobotsFile) -> Vec<(String, Vec<usize>)> {
    let tokens = tokens(file).into_iter();
    tokens
        .map(|token| {
            let groups = file.access(&token).key();
            (token, groups)
        })
        .collect()
}

fn name(known: &[(String, Vec<usize>)], file: &RobotsFile, user_agent: &str) -> Option<String> {
    let groups = file.access(user_agent).key();
    if groups.is_empty() {
        return None;
    }
    let alike = known.iter().filter(|(_, of_token)| *of_token == groups);
    let first = alike.map(|(token, _)| token).min();
    Some(first.map_or_else(|| product_token(user_agent), String::clone))
}

/// Whether much depends on what this crawler may fetch: the large search engines, and all that no group names.
fn comes_first(token: &str) -> bool {
    let mut large = CRAWLERS.iter().filter(|crawler| crawler.is_major);
    token == ANY || large.any(|crawler| crawler.token.eq_ignore_ascii_case(token))
}

/// The names by which groups call crawlers, [`MOST_CRAWLERS`] at most: first those of [`comes_first`], wherever they stand, then
/// the others in the order of the file.
fn tokens(file: &RobotsFile) -> Vec<String> {
    let lines = file.groups.iter().flat_map(|group| &group.user_agents);
    let (first, others): (Vec<&str>, Vec<&str>) = lines
        .map(|line| match &line.agent {
            Agent::Any => ANY,
            Agent::Token(token) => token.as_str(),
        })
        .partition(|token| comes_first(token));
    let mut tokens: Vec<String> = Vec::new();
    for token in first.into_iter().chain(others) {
        // A line whose name is no token speaks to nobody, and nobody can query a longer name.
        let is_asked_for = (1..=LONGEST_USER_AGENT as usize).contains(&token.len());
        let is_new = is_asked_for && !tokens.iter().any(|known| known == token);
        if is_new && tokens.len() < MOST_CRAWLERS {
            tokens.push(token.to_owned());
        }
    }
    tokens
}

/// The turns of a workspace's sites.
fn turns_of(workspace: WorkspaceId) -> Arc<Semaphore> {
    let mut known = OF_WORKSPACES.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|_, turns| turns.strong_count() > 0);
    let turns = known.get(&workspace).and_then(Weak::upgrade);
    turns.unwrap_or_else(|| {
        let turns = Arc::new(Semaphore::new(1));
        known.insert(workspace, Arc::downgrade(&turns));
        turns
    })
}

/// Checks all pages of a site against its robots.txt, and stores the result. If no robots.txt was fetched it computes nothing.
/// `false`: the rules are written so that it takes too long, and the last result stands.
///
/// # Errors
/// The store failed; what was known stands.
pub async fn recompute(
    archive: &dyn SitemapArchive,
    store: &dyn ConflictArchive,
    (workspace, domain): (WorkspaceId, DomainId),
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let Some(robots) = archive.robots(domain).await? else {
        return Ok(true);
    };
    let turns = turns_of(workspace);
    // They are never closed.
    let _turn_of_workspace = turns.acquire().await.ok();
    let _turn = AT_ONCE.acquire().await.ok();
    let mut judge = Judge::new(&robots);
    let mut after = Uuid::nil();
    loop {
        let pages = store.listed(domain, after, BATCH).await?;
        let Some(last) = pages.last() else { break };
        after = last.key;
        let is_last = pages.len() < BATCH;
        judge = spawn_blocking(move || {
            judge.hold(&pages);
            judge
        })
        .await
        .map_err(|error| StoreError::Failed(Box::new(error)))?;
        if judge.is_spent {
            tracing::warn!(%domain, "pages of sitemaps are not held against a robots.txt whose rules take too long");
            return Ok(false);
        }
        if is_last {
            break;
        }
    }
    store.put(domain, &judge.found(robots.version_id, now)).await?;
    Ok(true)
}

/// A robots.txt with what it blocks so far.
struct Judge {
    file: RobotsFile,
    origin: Option<url::Origin>,
    /// How long it may still take.
    left: Duration,
    /// Whether it took too long, so that the result is not complete.
    is_spent: bool,
    checked: u64,
    googlebot: Option<String>,
    googlebot_files: BTreeMap<Uuid, u64>,
    of_crawlers: BTreeMap<String, Blocked>,
}

/// The pages of a crawler so far, and the room that there is for them.
struct Blocked {
    found: OfCrawler,
    room: Room,
    kept_bytes: usize,
}

/// How much is kept of a crawler.
#[derive(Clone, Copy)]
struct Room {
    pages: usize,
    bytes: usize,
}

/// The room for each of these names.
fn rooms(names: BTreeSet<String>, first: &BTreeSet<String>) -> BTreeMap<String, Room> {
    let firsts = names.intersection(first).count();
    let others = names.len() - firsts;
    let left = MOST_KEPT_OF_ALL.saturating_sub(firsts * MOST_KEPT);
    let of_another = MOST_KEPT.min(left / others.max(1));
    let of_all = firsts * MOST_KEPT + others * of_another;
    let bytes_of_page = MOST_KEPT_BYTES / of_all.max(1);
    let room = |name: &String| {
        let pages = if first.contains(name) {
            MOST_KEPT
        } else {
            of_another
        };
        Room {
            pages,
            bytes: pages * bytes_of_page,
        }
    };
    names
        .into_iter()
        .map(|name| {
            let room = room(&name);
            (name, room)
        })
        .collect()
}

impl Blocked {
    fn new(room: Room) -> Self {
        Self {
            found: OfCrawler::default(),
            room,
            kept_bytes: 0,
        }
    }

    fn add(&mut self, page: &ListedPage, rule: &Rule) {
        self.found.total += 1;
        if self.found.first.len() < self.room.pages && self.kept_bytes < self.room.bytes {
            self.kept_bytes += page.url.len() + rule.path.len();
            self.found
                .first
                .push((page.clone(), rule.line, rule.path.clone()));
        }
    }
}

impl Judge {
    fn new(robots: &SiteRobots) -> Self {
        let file = effective(robots.state, robots.content.as_deref());
        let known = known(&file);
        let tokens = known.iter().map(|(token, _)| token.as_str());
        let names: BTreeSet<String> = tokens.filter_map(|token| name(&known, &file, token)).collect();
        let large = CRAWLERS.iter().filter(|crawler| crawler.is_major);
        let first = large.map(|crawler| crawler.token).chain([ANY]);
        let first: BTreeSet<String> = first.filter_map(|token| name(&known, &file, token)).collect();
        let of_crawlers = rooms(names, &first)
            .into_iter()
            .map(|(name, room)| (name, Blocked::new(room)))
            .collect();
        let googlebot = name(&known, &file, "Googlebot");
        Self {
            file,
            origin: Url::parse(&robots.robots_url).ok().map(|url| url.origin()),
            left: MOST_TIME,
            is_spent: false,
            checked: 0,
            googlebot,
            googlebot_files: BTreeMap::new(),
            of_crawlers,
        }
    }

    /// A file is about one scheme, host and port, so pages elsewhere are skipped.
    fn hold(&mut self, pages: &[ListedPage]) {
        let began = Instant::now();
        let urls = pages
            .iter()
            .filter_map(|page| Some((page, Url::parse(&page.url).ok()?)));
        let is_here = |url: &Url| self.origin.as_ref() == Some(&url.origin());
        let targets: Vec<_> = urls
            .filter(|(_, url)| is_here(url))
            .map(|(page, url)| (page, target(&url)))
            .collect();
        self.checked += targets.len() as u64;
        for (name, blocked) in &mut self.of_crawlers {
            let access = self.file.access(name).in_order();
            let is_googlebot = self.googlebot.as_ref() == Some(name);
            let mut effort = Effort::default();
            for (at, (page, target)) in targets.iter().enumerate() {
                if at.is_multiple_of(OF_EFFORT) {
                    effort = Effort::default();
                }
                let decision = access.decide_within(target, &mut effort);
                let Some(decision) = decision.ok().filter(|_| began.elapsed() < self.left) else {
                    self.is_spent = true;
                    return;
                };
                let Some(rule) = decision.rule.filter(|_| !decision.is_allowed) else {
                    continue;
                };
                blocked.add(page, rule);
                if is_googlebot {
                    *self.googlebot_files.entry(page.file_id).or_default() += 1;
                }
            }
        }
        self.left = self.left.saturating_sub(began.elapsed());
    }

    fn found(self, version_id: Uuid, computed_at: OffsetDateTime) -> FoundConflicts {
        let of_crawlers = self.of_crawlers.into_iter();
        FoundConflicts {
            computed_at,
            version_id,
            urls_checked: self.checked,
            googlebot: self.googlebot,
            googlebot_files: self.googlebot_files,
            of_crawlers: of_crawlers.map(|(name, blocked)| (name, blocked.found)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::outcome::RobotsState;

    const FILE: &str = "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\n\
                        User-agent: Googlebot\nDisallow: /search\nAllow: /search/help\n";

    fn robots() -> SiteRobots {
        SiteRobots {
            robots_url: "https://shop.example/robots.txt".to_owned(),
            version_id: Uuid::nil(),
            state: RobotsState::Ok,
            content: Some(FILE.as_bytes().to_vec()),
            is_out_of_reach: false,
        }
    }

    fn page(url: String) -> ListedPage {
        ListedPage {
            key: Uuid::nil(),
            url,
            file_id: Uuid::nil(),
        }
    }

    #[test]
    fn crawlers_that_obey_the_same_groups_have_one_name() {
        let file = RobotsFile::parse(FILE.as_bytes());
        let of = |agent| crawler(&file, agent);
        assert_eq!(of("GPTBot").as_deref(), Some("ccbot"));
        assert_eq!(of("ccbot/2.0").as_deref(), Some("ccbot"));
        assert_eq!(of("Bingbot").as_deref(), Some("*"));
        assert_eq!(of("*").as_deref(), Some("*"));
        assert_eq!(of("Googlebot-Image").as_deref(), Some("googlebot"));
        assert_eq!(of("AdsBot-Google"), None, "it does not follow *");
    }

    #[test]
    fn a_group_whose_name_is_no_token_has_no_conflicts() {
        let file =
            RobotsFile::parse(b"User-agent: 360Spider\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n");
        assert_eq!(tokens(&file), ["*"]);
        assert_eq!(crawler(&file, "*").as_deref(), Some("*"));
    }

    /// By hand: /cart is blocked for *, /search/x for Googlebot, everything for GPTBot and CCBot; the page on another host is
    /// none of this file's.
    #[test]
    fn pages_are_held_against_the_rules_of_each_crawler() {
        let mut judge = Judge::new(&robots());
        judge.hold(&[
            page("https://shop.example/".to_owned()),
            page("https://shop.example/cart".to_owned()),
            page("https://shop.example/search/x".to_owned()),
            page("https://shop.example/search/help".to_owned()),
            page("https://other.example/cart".to_owned()),
        ]);
        let found = judge.found(Uuid::nil(), OffsetDateTime::UNIX_EPOCH);
        assert_eq!(found.urls_checked, 4);
        let told: Vec<_> = found
            .of_crawlers
            .iter()
            .map(|(name, of)| {
                let lines: Vec<u32> = of.first.iter().map(|(_, line, _)| *line).collect();
                (name.as_str(), of.total, lines)
            })
            .collect();
        assert_eq!(
            told,
            [
                ("*", 1, vec![2]),
                ("ccbot", 4, vec![6; 4]),
                ("googlebot", 1, vec![9])
            ]
        );
    }

    #[test]
    fn more_are_counted_than_are_kept() {
        let mut judge = Judge::new(&robots());
        let pages = (0..=MOST_KEPT).map(|number| page(format!("https://shop.example/cart/{number}")));
        judge.hold(&pages.collect::<Vec<_>>());
        let found = judge.found(Uuid::nil(), OffsetDateTime::UNIX_EPOCH);
        let any = &found.of_crawlers["*"];
        assert_eq!((any.total, any.first.len()), (MOST_KEPT as u64 + 1, MOST_KEPT));
    }

    /// Twelve crawlers of models, none of which may fetch anything, precede Googlebot in the alphabet and in the file, and fill
    /// all the room that they have.
    #[test]
    fn search_engines_have_room_however_many_others_are_kept_out() {
        let others: Vec<String> = ('a'..='l').map(|letter| format!("{letter}bot")).collect();
        let groups: String = others
            .iter()
            .map(|token| format!("User-agent: {token}\nDisallow: /\nAllow: /{token}$\n\n"))
            .collect();
        let text = format!("{groups}User-agent: Googlebot\nUser-agent: Bingbot\nDisallow: /cart\n");
        let mut judge = Judge::new(&SiteRobots {
            content: Some(text.into_bytes()),
            ..robots()
        });
        let file_id = Uuid::from_u128(7);
        for batch in 0..11 {
            let listed = |number| ListedPage {
                file_id,
                ..page(format!("https://shop.example/cart/{batch}/{number}"))
            };
            judge.hold(&(0..1_000).map(listed).collect::<Vec<_>>());
        }
        let found = judge.found(Uuid::nil(), OffsetDateTime::UNIX_EPOCH);
        assert_eq!(found.googlebot.as_deref(), Some("bingbot"));
        assert_eq!(
            found.googlebot_files,
            BTreeMap::from([(file_id, 11_000)]),
            "all are counted, file by file"
        );
        let of = |name: &str| {
            let of = &found.of_crawlers[name];
            (of.total, of.first.len())
        };
        assert_eq!(of("bingbot"), (11_000, MOST_KEPT));
        // 90,000 are left for twelve.
        for other in &others {
            assert_eq!(of(other), (11_000, 7_500), "{other}");
        }
        let kept: usize = found.of_crawlers.values().map(|of| of.first.len()).sum();
        assert_eq!(kept, MOST_KEPT_OF_ALL);
    }

    #[test]
    fn long_addresses_take_no_more_than_there_is_room_for() {
        let mut judge = Judge::new(&robots());
        let path = "a".repeat(8_000);
        let pages = (0..2_000).map(|number| page(format!("https://shop.example/cart/{number}/{path}")));
        judge.hold(&pages.collect::<Vec<_>>());
        let found = judge.found(Uuid::nil(), OffsetDateTime::UNIX_EPOCH);
        let kept: Vec<usize> = found
            .of_crawlers
            .values()
            .map(|of| {
                of.first
                    .iter()
                    .map(|(page, _, path)| page.url.len() + path.len())
                    .sum()
            })
            .collect();
        // Googlebot may fetch them all; the others have a third each, of which the last page may lie beyond.
        assert_eq!(kept[2], 0);
        for bytes in &kept[..2] {
            assert!(
                (MOST_KEPT_BYTES / 4..MOST_KEPT_BYTES / 3 + 9_000).contains(bytes),
                "{kept:?}"
            );
        }
        assert_eq!(found.of_crawlers["*"].total, 2_000);
    }

    /// 60 crawlers stand before Googlebot in the file.
    #[test]
    fn a_search_engine_is_known_wherever_it_stands() {
        let token = |number: u8| {
            let letter = |digit: u8| char::from(b'a' + digit);
            format!("x{}{}", letter(number / 10), letter(number % 10))
        };
        let groups: String = (0..60)
            .map(|number| format!("User-agent: {}\nDisallow: /{number}\n\n", token(number)))
            .collect();
        let text = format!("{groups}User-agent: Googlebot\nDisallow: /cart\n\nUser-agent: *\nDisallow: /x\n");
        let file = RobotsFile::parse(text.as_bytes());
        let tokens = tokens(&file);
        assert_eq!(tokens.len(), MOST_CRAWLERS);
        assert_eq!(&tokens[..3], ["googlebot", "*", "xaa"]);
        assert_eq!(crawler(&file, "Googlebot").as_deref(), Some("googlebot"));
    }

    /// The rules are those of which each stands in a page in a thousand places.
    #[test]
    fn rules_that_take_too_long_are_let_be() {
        let rules: String = (1..900)
            .map(|length| format!("Disallow: /*{}*b\n", "a".repeat(length)))
            .collect();
        let hostile = SiteRobots {
            content: Some(format!("User-agent: *\n{rules}").into_bytes()),
            ..robots()
        };
        let pages = |count: usize, path: &str| -> Vec<ListedPage> {
            (0..count)
                .map(|number| page(format!("https://shop.example/{number}{path}")))
                .collect()
        };
        let mut judge = Judge::new(&hostile);
        judge.hold(&pages(100, &"a".repeat(2_000)));
        assert!(judge.is_spent);
        let mut judge = Judge::new(&hostile);
        for _ in 0..5 {
            judge.hold(&pages(1_000, &"xyz".repeat(500)));
        }
        assert!(!judge.is_spent, "many long pages are no effort by themselves");
        judge.left = Duration::ZERO;
        judge.hold(&pages(1, "b"));
        assert!(judge.is_spent, "there is an end to the time, too");
    }

    #[test]
    fn sites_of_a_workspace_take_turns_and_those_of_others_go_on() {
        let (one, other) = (WorkspaceId(Uuid::now_v7()), WorkspaceId(Uuid::now_v7()));
        let (first, second, third) = (turns_of(one), turns_of(one), turns_of(other));
        let turn = first.try_acquire().unwrap();
        assert!(second.try_acquire().is_err() && third.try_acquire().is_ok());
        drop(turn);
        assert!(second.try_acquire().is_ok());
    }
}

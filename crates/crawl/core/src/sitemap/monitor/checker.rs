//! Checks the sitemaps of a site once: finds the files, fetches each, has what changed stored.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use pharos_domain::{
    clock::Clock,
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use tokio::time::Instant;
use url::Url;
use uuid::Uuid;

use super::{
    conflicts,
    fetch::{Held, SitemapClient},
    figures::{self, FigureArchive},
    languages::{self, LanguageArchive},
    metrics,
    outcome::{Content, FileOutcome},
    sample::{SampleArchive, Sampler},
    site::{AskedBy, CheckCounts, DEEPEST, SiteRobots, WatchedFile},
    store::{Concluded, ConflictArchive, SitemapArchive},
};
use crate::{
    hosts::{HostStore, ListedHost},
    robots::monitor::{
        fetch::robots_url,
        site::{effective, named},
    },
    sitemap::entry::SitemapKind,
};

/// How long a check of a node goes on with the next file.
pub const BUDGET: Duration = Duration::from_secs(20 * 60);

/// Checks sitemaps.
#[derive(Clone)]
pub struct SitemapChecker {
    /// Fetches files.
    pub client: Arc<SitemapClient>,
    /// The clock that stamps checks.
    pub clock: Arc<dyn Clock>,
    /// Where what is found is kept.
    pub archive: Arc<dyn SitemapArchive>,
    /// Where pages that robots.txt blocks are kept.
    pub conflicts: Arc<dyn ConflictArchive>,
    /// Where pages that are not named back are kept.
    pub languages: Arc<dyn LanguageArchive>,
    /// The pages that totals are counted from.
    pub figures: Arc<dyn FigureArchive>,
    /// The further hosts of domains.
    pub hosts: Arc<dyn HostStore>,
    /// Looks at some pages.
    pub sampler: Arc<Sampler>,
    /// Where what they answered is kept.
    pub samples: Arc<dyn SampleArchive>,
    /// How long a check goes on with the next file. The rest is done by the next one.
    pub budget: Duration,
}

impl std::fmt::Debug for SitemapChecker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapChecker").finish_non_exhaustive()
    }
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckEnd {
    /// The counts of its changes.
    pub counts: CheckCounts,
    /// Whether all files were fetched. The next check does the rest.
    pub is_whole: bool,
    /// Whether nothing was done, since another check of the domain is under way.
    pub is_busy: bool,
    /// The files that an earlier attempt of the run fetched.
    pub fetched_before: u64,
}

impl SitemapChecker {
    /// Checks the site that lies at this URL. `None`: the domain is deleted, or it is no URL of a site.
    ///
    /// # Errors
    /// The store failed. Rows that were stored until then stay.
    pub async fn check(
        &self,
        domain: DomainId,
        address: &str,
        run: AskedBy,
    ) -> Result<Option<CheckEnd>, StoreError> {
        let Some(usual) = usual_path(address) else {
            return Ok(None);
        };
        let Some(claim) = self.client.claim(domain) else {
            return Ok(Some(CheckEnd {
                counts: CheckCounts::default(),
                is_whole: false,
                is_busy: true,
                fetched_before: 0,
            }));
        };
        let Some(workspace) = self.archive.begin(domain).await? else {
            return Ok(None);
        };
        let robots = self.archive.robots(domain).await?;
        let declared = robots.as_ref().map(declared);
        let hosts = self.hosts.of(domain).await?;
        let named = named_by_all(declared.as_deref(), &hosts);
        self.archive.declare(domain, &named, self.clock.now()).await?;
        let of_hosts = hosts.iter().filter_map(|host| usual_path(&host.origin));
        let usual: Vec<Url> = [usual].into_iter().chain(of_hosts).collect();
        self.archive.keep_usual(domain, &usual).await?;
        let mut walk = Walk {
            checker: self,
            domain,
            workspace,
            run,
            seen: HashSet::new(),
            until: Instant::now() + self.budget,
            counts: CheckCounts::default(),
            fetched_before: 0,
        };
        let mut is_whole = walk.files().await?;
        for usual in &usual {
            if walk.is_late() {
                is_whole = false;
                break;
            }
            if !self.archive.knows(domain, usual).await? {
                is_whole &= walk.try_usual(usual).await?;
            }
        }
        // An index may have dropped one just now, which would be let go of otherwise.
        self.archive.keep_usual(domain, &usual).await?;
        let counts = walk
            .counts
            .and(self.archive.sweep(domain, self.clock.now()).await?);
        spared(domain, self.hold_against_robots(workspace, domain, counts).await);
        let is_other = spared(domain, self.has_other_pages(domain, counts).await);
        let figures = match is_other {
            Some(true) => spared(domain, figures::count(&*self.figures, domain).await),
            Some(false) | None => None,
        };
        let is_compared = match is_other {
            Some(true) => spared(domain, self.hold_against_each_other(domain).await).is_some(),
            Some(false) => true,
            None => false,
        };
        let concluded = Concluded {
            counts,
            is_declared: declared.map(|declared| !declared.is_empty()),
            figures,
            is_compared,
        };
        self.archive
            .conclude(domain, &concluded, self.clock.now())
            .await?;
        // Whoever asks for a check wants to know of files, and waits for no pages: neither its own nor those of another check.
        drop(claim);
        if let Some(robots) = robots.filter(|robots| run.is_none() && !robots.is_out_of_reach) {
            spared(domain, self.look_at_pages(domain, &robots).await);
        }
        Ok(Some(CheckEnd {
            counts,
            is_whole,
            is_busy: false,
            fetched_before: walk.fetched_before,
        }))
    }

    /// Asks some pages, and has findings follow from what they answered.
    async fn look_at_pages(&self, domain: DomainId, robots: &SiteRobots) -> Result<(), StoreError> {
        let (samples, clock) = (&*self.samples, &*self.clock);
        if self.sampler.look(samples, domain, robots, clock).await? {
            self.archive.weigh_samples(domain, clock.now()).await?;
        }
        Ok(())
    }

    async fn hold_against_robots(
        &self,
        workspace: WorkspaceId,
        domain: DomainId,
        counts: CheckCounts,
    ) -> Result<(), StoreError> {
        if counts.is_changed || self.conflicts.is_stale(domain).await? {
            let (archive, store, now) = (&*self.archive, &*self.conflicts, self.clock.now());
            conflicts::recompute(archive, store, (workspace, domain), now).await?;
        }
        Ok(())
    }

    /// Whether the pages have changed since they were last counted and compared with each other.
    async fn has_other_pages(&self, domain: DomainId, counts: CheckCounts) -> Result<bool, StoreError> {
        Ok(counts.is_changed || self.languages.is_stale(domain).await?)
    }

    async fn hold_against_each_other(&self, domain: DomainId) -> Result<(), StoreError> {
        languages::recompute(&*self.languages, domain, self.clock.now()).await
    }
}

/// Findings that can't be computed stay as they were, and the check ends all the same.
/// `None`: they were not computed.
fn spared<T>(domain: DomainId, found: Result<T, StoreError>) -> Option<T> {
    found
        .inspect_err(|error| tracing::error!(%domain, %error, "findings of sitemaps can't be worked out"))
        .ok()
}

/// A check under way.
struct Walk<'a> {
    checker: &'a SitemapChecker,
    domain: DomainId,
    workspace: WorkspaceId,
    run: AskedBy,
    seen: HashSet<Uuid>,
    until: Instant,
    counts: CheckCounts,
    fetched_before: u64,
}

impl Walk<'_> {
    /// Fetches all files that are known, and those that they name. `false`: the time was over before.
    async fn files(&mut self) -> Result<bool, StoreError> {
        let archive = &self.checker.archive;
        let roots = archive.watched(self.domain, None, self.run).await?;
        self.all_of(roots).await
    }

    async fn all_of(&mut self, roots: Vec<WatchedFile>) -> Result<bool, StoreError> {
        let mut queue = VecDeque::from(roots);
        while let Some(file) = queue.pop_front() {
            // A file that several indexes name, or that names itself, is fetched once.
            if !self.seen.insert(file.id) {
                continue;
            }
            if self.is_late() {
                return Ok(false);
            }
            let kind = if file.is_done {
                self.fetched_before += 1;
                file.kind
            } else {
                self.one(&file).await?
            };
            if kind == SitemapKind::Index && file.depth < DEEPEST {
                let archive = &self.checker.archive;
                queue.extend(archive.watched(self.domain, Some(file.id), self.run).await?);
            }
        }
        Ok(true)
    }

    /// Whether the time is over.
    fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Fetches one file, and says what form it has.
    async fn one(&mut self, file: &WatchedFile) -> Result<SitemapKind, StoreError> {
        let held = self.fetch(file).await;
        let (checker, domain) = (self.checker, self.domain);
        let counts = checker
            .archive
            .import(domain, self.run, file, &held.outcome)
            .await?;
        self.counts = self.counts.and(counts);
        Ok(match &held.outcome.content {
            Content::Read(read) => read.summary.kind,
            Content::Unknown | Content::Same(_) | Content::Broken(_) => file.kind,
        })
    }

    async fn fetch(&self, file: &WatchedFile) -> Held<FileOutcome> {
        let now = self.checker.clock.now();
        let Ok(url) = Url::parse(&file.url) else {
            // Stored URLs were parsed once, so this is a file of a later version of Pharos.
            return Held::of_nothing(FileOutcome {
                status: super::site::FileStatus::Invalid,
                status_code: None,
                error_class: None,
                fetched_at: now,
                response_ms: None,
                content: Content::Unknown,
            });
        };
        let client = &self.checker.client;
        let held = client
            .fetch(
                self.workspace,
                &url,
                file.validators.as_ref(),
                now,
                async |fetched| FileOutcome::of(file, fetched).await,
            )
            .await;
        metrics::fetched(&held.outcome);
        if let Some(failure) = held.outcome.error_class {
            let failure = failure.name();
            tracing::info!(domain = %self.domain, url = %file.url, failure, "a sitemap could not be fetched");
        }
        held
    }

    /// Looks whether there is a sitemap at the usual path. If not, there is nothing wrong with that.
    async fn try_usual(&mut self, url: &Url) -> Result<bool, StoreError> {
        let mut file = WatchedFile {
            id: Uuid::nil(),
            url: url.to_string(),
            is_child: false,
            depth: 1,
            kind: SitemapKind::Unknown,
            validators: None,
            sha256: None,
            is_done: false,
        };
        let held = self.fetch(&file).await;
        let Content::Read(read) = &held.outcome.content else {
            return Ok(true);
        };
        let kind = read.summary.kind;
        let archive = &self.checker.archive;
        file.id = archive.adopt(self.domain, url, self.checker.clock.now()).await?;
        let counts = archive
            .import(self.domain, self.run, &file, &held.outcome)
            .await?;
        // The files that it names take places of their own.
        drop(held);
        self.counts = self.counts.and(counts);
        self.seen.insert(file.id);
        if kind != SitemapKind::Index {
            return Ok(true);
        }
        let children = archive.watched(self.domain, Some(file.id), self.run).await?;
        self.all_of(children).await
    }
}

/// The usual path of a sitemap on the site that lies at this URL.
fn usual_path(address: &str) -> Option<Url> {
    let mut url = robots_url(address)?;
    url.set_path("/sitemap.xml");
    Some(url)
}

/// The sitemaps that the robots.txt of a site names.
fn declared(robots: &SiteRobots) -> Vec<Url> {
    named(effective(robots.state, robots.content.as_deref()))
}

/// The sitemaps that the site's and those of further hosts name, each once. A site's that never answered names none, and what a
/// fetch found once stands while later ones fail.
fn named_by_all(declared: Option<&[Url]>, hosts: &[ListedHost]) -> Vec<Url> {
    let mut all = declared.unwrap_or_default().to_vec();
    let robots = hosts.iter().filter_map(|host| host.robots.as_ref());
    for url in robots.flat_map(|robots| &robots.sitemaps) {
        let Ok(url) = Url::parse(url) else { continue };
        if !all.contains(&url) {
            all.push(url);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{hosts::HostRobots, robots::outcome::RobotsState};

    #[test]
    fn the_usual_path_lies_at_the_root_of_the_site() {
        let of = |address| usual_path(address).map(String::from);
        assert_eq!(
            of("https://user:secret@shop.example:8443/de/?a=1#b").as_deref(),
            Some("https://shop.example:8443/sitemap.xml")
        );
        assert_eq!(of("ftp://shop.example/"), None);
    }

    #[test]
    fn a_sitemap_that_several_hosts_name_is_named_once() {
        let host = |sitemaps: &[&str]| ListedHost {
            origin: "https://www.shop.example".to_owned(),
            robots: Some(HostRobots {
                state: RobotsState::Ok,
                checked_at: time::OffsetDateTime::UNIX_EPOCH,
                sitemaps: sitemaps.iter().map(|url| (*url).to_owned()).collect(),
            }),
        };
        let of = |declared: Option<&[Url]>, hosts: &[ListedHost]| {
            let named = named_by_all(declared, hosts);
            named.into_iter().map(String::from).collect::<Vec<_>>()
        };
        let (one, two) = ("https://shop.example/1.xml", "https://www.shop.example/2.xml");
        let declared: Vec<Url> = vec![one.parse().unwrap()];
        let named = of(Some(&declared), &[host(&[one, two]), host(&[two])]);
        assert_eq!(named, [one, two]);
        assert_eq!(of(None, &[host(&[two])]), [two]);
        assert!(of(None, &[host(&[])]).is_empty());
        assert!(of(None, &[]).is_empty(), "so those of a host that was removed go");
    }
}

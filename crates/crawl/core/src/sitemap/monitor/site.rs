//! The state of a site's sitemaps.

use pharos_domain::ids::RunId;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    robots::{
        file::Rule,
        issue::IssueSeverity,
        monitor::{
            fetch::{FetchFailure, Validators},
            site::IssueCounts,
        },
    },
    sitemap::{entry::SitemapKind, issue::SitemapIssue},
};

/// How many files of a site are watched. An index may name more; they are counted and not read.
pub const MOST_FILES: u32 = 1_000;
/// The deepest file that is read: one of an index in an index.
pub const DEEPEST: u32 = 3;
/// How many checks of a file are shown.
pub const SHOWN_CHECKS: u32 = 30;

/// The key of a URL: the first 128 bits of its SHA-256.
#[must_use]
pub fn key(url: &str) -> Uuid {
    let digest = digest(&SHA256, url.as_bytes());
    let mut first = [0; 16];
    first.copy_from_slice(&digest.as_ref()[..16]);
    Uuid::from_bytes(first)
}

names! {
    /// How a file stood at its last fetch.
    FileStatus as "SitemapFileStatus" {
        /// It was read.
        Ok = "ok",
        /// The server answered with an error.
        Error = "error",
        /// Nobody answered.
        Unreachable = "unreachable",
        /// The server says that it is what it was.
        NotModified = "not_modified",
        /// It is no sitemap, or broken.
        Invalid = "invalid",
        /// The server says that there is no such file (404, 410).
        Gone = "gone",
        /// It was not fetched yet.
        Pending = "pending",
    }
}

impl FileStatus {
    /// Whether the fetch failed.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Error | Self::Unreachable | Self::Invalid | Self::Gone)
    }
}

names! {
    /// A source that a file is known by.
    FileSource as "SitemapFileSource" {
        /// robots.txt names it.
        RobotsTxt = "robots_txt",
        /// It lies at the usual path, `/sitemap.xml`.
        DefaultPath = "default_path",
        /// An index names it.
        Index = "index",
        /// It was submitted to Google.
        Google = "google",
        /// Somebody named it.
        Manual = "manual",
    }
}

/// All sources that a file is known by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// robots.txt names it.
    pub in_robots: bool,
    /// The index that names it.
    pub parent: Option<Uuid>,
    /// Somebody named it.
    pub is_manual: bool,
    /// It was found at the usual path.
    pub is_default: bool,
}

impl Sources {
    /// The one that is shown: the first of robots.txt, an index, people, the usual path.
    #[must_use]
    pub const fn shown(self) -> FileSource {
        if self.in_robots {
            FileSource::RobotsTxt
        } else if self.parent.is_some() {
            FileSource::Index
        } else if self.is_manual {
            FileSource::Manual
        } else {
            FileSource::DefaultPath
        }
    }
}

/// A sitemap file, as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct SitemapFile {
    /// The id by which it is looked up.
    pub id: Uuid,
    /// Its URL.
    pub url: String,
    /// The sources that it is known by.
    pub sources: Sources,
    /// Its form, as of the last time that it was read.
    pub kind: SitemapKind,
    /// How it stood at the last fetch.
    pub status: FileStatus,
    /// The status of that; `None` without an answer.
    pub status_code: Option<u16>,
    /// How many entries it has; `None` where it was never read.
    pub entries: Option<u64>,
    /// How many bytes it has, as they are sent.
    pub size_bytes: Option<u64>,
    /// The same uncompressed.
    pub uncompressed_bytes: Option<u64>,
    /// Whether it is a compressed file.
    pub is_gzip: Option<bool>,
    /// The date that its index gives it.
    pub index_lastmod: Option<OffsetDateTime>,
    /// The newest date of its entries.
    pub newest_lastmod: Option<OffsetDateTime>,
    /// When the last fetch began.
    pub fetched_at: Option<OffsetDateTime>,
    /// When its content was last found changed.
    pub changed_at: Option<OffsetDateTime>,
    /// How long the last fetch took.
    pub response_ms: Option<f64>,
    /// How many findings it has, by severity.
    pub issue_counts: IssueCounts,
    /// Whether it has more entries or bytes than it may.
    pub is_over_limits: bool,
}

/// A fetch of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCheck {
    /// When it began.
    pub checked_at: OffsetDateTime,
    /// The status; `None` without an answer.
    pub status_code: Option<u16>,
    /// How many entries the file has; `None` where it was not read.
    pub entries: Option<u64>,
    /// Pages that were new; `None` where the file was not read.
    pub added: Option<u64>,
    /// Pages that were gone; `None` where the file was not read.
    pub removed: Option<u64>,
    /// How long it took.
    pub response_ms: Option<f64>,
    /// Why there was no answer.
    pub error_class: Option<FetchFailure>,
}

/// A file with what is told of it alone.
#[derive(Clone, Debug, PartialEq)]
pub struct FileDetail {
    /// The file as lists have it.
    pub file: SitemapFile,
    /// Its last fetches, the newest first, [`SHOWN_CHECKS`] at most.
    pub checks: Vec<FileCheck>,
    /// The files that it names and that are watched.
    pub children: Vec<Uuid>,
}

/// A finding about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileIssue {
    /// The kind of fault.
    pub code: SitemapIssue,
    /// The file that has it.
    pub file_id: Uuid,
    /// How often.
    pub count: u64,
    /// The first places.
    pub examples: Vec<String>,
    /// When a fetch found it first.
    pub first_seen_at: OffsetDateTime,
}

/// Which findings are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IssueFilter {
    /// Those that matter so much.
    pub severity: Option<IssueSeverity>,
    /// Those of this kind.
    pub code: Option<SitemapIssue>,
}

impl IssueFilter {
    /// The kinds that it lets through.
    #[must_use]
    pub fn codes(self) -> Vec<SitemapIssue> {
        let is_meant = |issue: &SitemapIssue| {
            self.code.is_none_or(|code| code == *issue)
                && self.severity.is_none_or(|severity| severity == issue.severity())
        };
        SitemapIssue::ALL.iter().copied().filter(is_meant).collect()
    }
}

/// Totals over all files of a site, as of the last check that changed them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Entries of all files, those that stand twice included.
    pub urls_total: u64,
    /// Pages.
    pub urls_unique: u64,
    /// Pages that have a date.
    pub dated: u64,
    /// The date in the middle, of those that have one.
    #[serde(with = "time::serde::rfc3339::option")]
    pub median_lastmod: Option<OffsetDateTime>,
    /// Images.
    pub images: u64,
    /// Videos.
    pub videos: u64,
    /// Pages that are news.
    pub news: u64,
    /// Pages that name others in other languages.
    pub alternates: u64,
}

/// The last comparison of pages with robots.txt, and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictState {
    /// When pages were compared.
    #[serde(with = "time::serde::rfc3339")]
    pub computed_at: OffsetDateTime,
    /// The version of robots.txt.
    pub version_id: Uuid,
    /// Pages on the host that the file speaks for.
    pub urls_checked: u64,
    /// The name under which Googlebot's are kept; `None`: no group speaks to it.
    pub googlebot: Option<String>,
    /// How many of Googlebot's each file names; a page that several name counts for the first. Empty where a version of Pharos
    /// worked it out that did not count them.
    #[serde(default)]
    pub googlebot_files: std::collections::BTreeMap<Uuid, u64>,
    /// How many of them a crawler may not fetch, by the name that groups call it.
    pub totals: std::collections::BTreeMap<String, u64>,
}

impl ConflictState {
    /// How many pages a crawler may not fetch; `None` where that was not computed. Nobody keeps a crawler from anything
    /// to which no group speaks.
    #[must_use]
    pub fn total(&self, crawler: Option<&str>) -> Option<u64> {
        crawler.map_or(Some(0), |crawler| self.totals.get(crawler).copied())
    }

    /// How many of them Googlebot may not fetch.
    #[must_use]
    pub fn of_googlebot(&self) -> u64 {
        self.total(self.googlebot.as_deref()).unwrap_or(0)
    }
}

/// A page that robots.txt keeps a crawler from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The key of the page.
    pub key: Uuid,
    /// The address of the page that is listed.
    pub url: String,
    /// The sitemap file that names it.
    pub file_id: Uuid,
    /// Its URL.
    pub file_url: String,
    /// The rule that decides.
    pub rule: BlockingRule,
    /// When that was found first.
    pub first_seen_at: OffsetDateTime,
}

/// The rule that keeps a crawler out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingRule {
    /// The line of the robots.txt that it stands on.
    pub line: u32,
    /// The path, as it is written.
    pub path: String,
}

impl From<&Rule> for BlockingRule {
    fn from(rule: &Rule) -> Self {
        Self {
            line: rule.line,
            path: rule.path.clone(),
        }
    }
}

/// The sitemaps of a site at a glance.
#[derive(Clone, Debug, PartialEq)]
pub struct SitemapSite {
    /// Files that are watched.
    pub files: u32,
    /// Those of them that are indexes.
    pub indexes: u32,
    /// The sources that they are known by.
    pub discovered_via: Vec<FileSource>,
    /// Totals.
    pub figures: Figures,
    /// When the last check ended.
    pub last_checked_at: Option<OffsetDateTime>,
    /// When one last found other pages or files.
    pub last_changed_at: Option<OffsetDateTime>,
    /// Whether robots.txt names a sitemap.
    pub is_declared: bool,
    /// The findings of all files.
    pub issue_counts: IssueCounts,
    /// Pages that were added in the last seven UTC days.
    pub added_7d: u64,
    /// Pages that were removed in the last seven UTC days.
    pub removed_7d: u64,
    /// Pages that answered with an error when they were last asked; `None`: none was asked.
    pub non_200: Option<u64>,
    /// The last comparison of pages with robots.txt.
    pub conflicts: Option<ConflictState>,
    /// Whether the pages or robots.txt have changed since.
    pub are_conflicts_stale: bool,
}

/// A UTC day of checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapDay {
    /// The day (UTC) that the figures are of.
    pub day: time::Date,
    /// Entries of all files, as of the last check of it; `None`: there was none.
    pub urls_total: Option<u64>,
    /// Pages that were added.
    pub added: u64,
    /// Pages that were removed.
    pub removed: u64,
    /// Pages that have another date.
    pub lastmod_changed: u64,
    /// The most files that failed in one check.
    pub files_failed: u64,
}

/// A file that is to be fetched.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedFile {
    /// The id by which it is stored.
    pub id: Uuid,
    /// Its URL.
    pub url: String,
    /// Whether an index names it.
    pub is_child: bool,
    /// 1 for a file that no index names.
    pub depth: u32,
    /// Its form, as of the last time that it was read.
    pub kind: SitemapKind,
    /// The last good fetch's URL and headers.
    pub validators: Option<Validators>,
    /// The digest of the bytes of that.
    pub sha256: Option<String>,
    /// Whether this run has fetched it already: its job is done twice.
    pub is_done: bool,
}

/// The robots.txt of a site, as sitemaps need it.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteRobots {
    /// Its URL.
    pub robots_url: String,
    /// The last good version.
    pub version_id: Uuid,
    /// How that stood.
    pub state: crate::robots::outcome::RobotsState,
    /// Its bytes; `None`: there is no file.
    pub content: Option<Vec<u8>>,
    /// Whether the last fetch failed, so that crawlers fetch nothing.
    pub is_out_of_reach: bool,
}

/// A page to compare with robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPage {
    /// The digest of its URL, by which it is stored.
    pub key: Uuid,
    /// The address, as the file lists it.
    pub url: String,
    /// A file that names it.
    pub file_id: Uuid,
}

/// The counts of a check, by a run or by the schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Files that were fetched.
    pub files: u64,
    /// Those that failed.
    pub failed: u64,
    /// Pages that are new.
    pub added: u64,
    /// Pages that are gone.
    pub removed: u64,
    /// Pages that another file names now.
    pub moved: u64,
    /// Pages that have another date.
    pub lastmod_changed: u64,
    /// Whether files or their pages have changed, as at the first check.
    pub is_changed: bool,
}

impl CheckCounts {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            failed: self.failed + other.failed,
            added: self.added + other.added,
            removed: self.removed + other.removed,
            moved: self.moved + other.moved,
            lastmod_changed: self.lastmod_changed + other.lastmod_changed,
            is_changed: self.is_changed || other.is_changed,
        }
    }
}

/// The run that a check is of; `None`: the schedule.
pub type AskedBy = Option<RunId>;

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf 'https://shop.example/' | sha256sum | cut -c1-32`
    #[test]
    fn a_page_is_known_by_its_digest() {
        assert_eq!(
            key("https://shop.example/").as_simple().to_string(),
            "0ebceea5fcc8e4fb9f50357d113c3287"
        );
    }

    #[test]
    fn one_source_is_shown_of_several() {
        let all = Sources {
            in_robots: true,
            parent: Some(Uuid::nil()),
            is_manual: true,
            is_default: true,
        };
        assert_eq!(all.shown(), FileSource::RobotsTxt);
        let without_robots = Sources {
            in_robots: false,
            ..all
        };
        assert_eq!(without_robots.shown(), FileSource::Index);
        let alone = Sources {
            parent: None,
            ..without_robots
        };
        assert_eq!(alone.shown(), FileSource::Manual);
        assert_eq!(Sources::default().shown(), FileSource::DefaultPath);
    }

    #[test]
    fn a_filter_names_the_kinds_that_it_lets_through() {
        let of = |severity, code| IssueFilter { severity, code }.codes();
        assert_eq!(of(None, None).len(), 25);
        assert!(
            of(Some(IssueSeverity::Warning), None)
                .iter()
                .all(|code| code.severity() == IssueSeverity::Warning)
        );
        assert_eq!(of(None, Some(SitemapIssue::Empty)), [SitemapIssue::Empty]);
        assert_eq!(of(Some(IssueSeverity::Error), Some(SitemapIssue::Empty)), []);
    }
}

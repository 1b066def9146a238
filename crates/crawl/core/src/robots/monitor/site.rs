//! The state of a site's robots.txt.

use pharos_domain::ids::{DomainId, RunId};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::fetch::{FetchFailure, FileHeaders, RedirectStep, SitemapAnswer};
use crate::robots::{
    change::Impact,
    file::RobotsFile,
    issue::{Issue, IssueSeverity},
    outcome::{EffectivePolicy, RobotsState},
};

/// How many findings of a file are kept. All findings are counted.
pub const MOST_ISSUES: usize = 1_000;
/// How many sitemaps of a file are watched.
const MOST_DECLARED: usize = 100;

/// A finding, and since when it is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenIssue {
    /// The finding.
    #[serde(flatten)]
    pub issue: Issue,
    /// When a fetch found it first.
    #[serde(with = "time::serde::rfc3339")]
    pub first_seen_at: OffsetDateTime,
}

/// How many findings there are, by how much they matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueCounts {
    /// Errors.
    pub error: u32,
    /// Warnings.
    pub warning: u32,
    /// The others.
    pub info: u32,
}

impl IssueCounts {
    /// Counts these findings.
    #[must_use]
    pub fn of(issues: &[Issue]) -> Self {
        let mut counts = Self::default();
        for issue in issues {
            match issue.code.severity() {
                IssueSeverity::Error => counts.error += 1,
                IssueSeverity::Warning => counts.warning += 1,
                IssueSeverity::Info => counts.info += 1,
            }
        }
        counts
    }
}

/// The last fetch that gave the file, or that said that there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoodFetch {
    /// How the file stood.
    pub state: RobotsState,
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub fetched_at: OffsetDateTime,
    /// The status that it was answered with.
    pub status_code: u16,
    /// The redirects on the way.
    pub redirects: Vec<RedirectStep>,
    /// The URL that gave it.
    pub final_url: String,
    /// The headers that are kept of the answer.
    pub headers: FileHeaders,
    /// How long it took.
    pub response_ms: Option<f64>,
}

/// The robots.txt of a site, as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotsSite {
    /// Its URL.
    pub robots_url: String,
    /// How it stood at the last check.
    pub state: RobotsState,
    /// The status at the last check; `None` where nobody answered.
    pub status_code: Option<u16>,
    /// When the last check began.
    pub last_checked_at: OffsetDateTime,
    /// When the content was last found changed; `None` where it never was.
    pub last_changed_at: Option<OffsetDateTime>,
    /// The last good version; `None` before the first good fetch.
    pub current: Option<CurrentVersion>,
    /// The findings of it, the first [`MOST_ISSUES`].
    pub issues: Vec<SeenIssue>,
    /// How many there are.
    pub issue_counts: IssueCounts,
    /// The sitemaps that it names, as far as they were asked for.
    pub sitemaps: Vec<SitemapAnswer>,
}

impl RobotsSite {
    /// How crawlers treat it now.
    #[must_use]
    pub const fn policy(&self) -> EffectivePolicy {
        self.state.policy()
    }
}

/// The version that is in force, or was when a fetch last was good.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentVersion {
    /// The id by which it is looked up.
    pub id: Uuid,
    /// The bytes that were read; `None`: there is no file.
    pub content: Option<Vec<u8>>,
    /// SHA-256 of them, hex.
    pub sha256: String,
    /// The fetch that saw it last.
    pub fetch: GoodFetch,
}

impl CurrentVersion {
    /// The file as it is written; an empty one where there is none, or a page stands in its place.
    #[must_use]
    pub fn file(&self) -> RobotsFile {
        effective(self.fetch.state, self.content.as_deref())
    }
}

/// The file as crawlers read it: an empty one where there is none, or a page stands in its place.
#[must_use]
pub fn effective(state: RobotsState, content: Option<&[u8]>) -> RobotsFile {
    match (state, content) {
        (RobotsState::HtmlInstead | RobotsState::Missing, _) | (_, None) => RobotsFile::parse(b""),
        (_, Some(content)) => RobotsFile::parse(content),
    }
}

/// The sitemaps that a file names, the first of them. Those that are written without a host are a fault of the file.
pub(crate) fn named(file: RobotsFile) -> Vec<Url> {
    let mut named: Vec<Url> = Vec::new();
    for line in file.sitemaps {
        let Ok(url) = Url::parse(&line.url) else { continue };
        let is_meant = matches!(url.scheme(), "http" | "https") && url.has_host();
        if is_meant && !named.contains(&url) {
            named.push(url);
        }
        if named.len() == MOST_DECLARED {
            break;
        }
    }
    named
}

/// Whether a crawler might fetch the root of the site before a version, and whether it may since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAccessChange {
    /// Its product token, or `*`.
    pub user_agent_token: String,
    /// Before.
    pub was_allowed: bool,
    /// After.
    pub is_allowed: bool,
}

/// A version of a robots.txt, with its differences from the version before it. The first version has none: all its counts are
/// zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsVersion {
    /// The id by which it is looked up.
    pub id: Uuid,
    /// When a fetch found it.
    pub detected_at: OffsetDateTime,
    /// When another was found; `None` while it is current.
    pub replaced_at: Option<OffsetDateTime>,
    /// SHA-256 of its bytes, hex; that of nothing where there is no file.
    pub sha256: String,
    /// How many bytes were read.
    pub size_bytes: u32,
    /// The status with which it came.
    pub status_code: u16,
    /// How the file stood.
    pub state: RobotsState,
    /// Rules that are new.
    pub rules_added: u32,
    /// Rules that are gone.
    pub rules_removed: u32,
    /// Groups that came, went or have other rules.
    pub groups_changed: u32,
    /// Sitemaps that came or went.
    pub sitemaps_changed: u32,
    /// How far it reaches.
    pub impact: Impact,
    /// The change in a line.
    pub change_summary: String,
}

/// A version with its text, and that of the one before it.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionDetail {
    /// The version.
    pub version: RobotsVersion,
    /// Its bytes; `None`: there is no file.
    pub content: Option<Vec<u8>>,
    /// Those of the version before; `None`: there was none, or no file.
    pub previous_content: Option<Vec<u8>>,
    /// Crawlers that lost or gained the root.
    pub access_changes: Vec<StoredAccessChange>,
    /// Findings that were new.
    pub issues_added: Vec<Issue>,
    /// Findings that were gone.
    pub issues_resolved: Vec<Issue>,
}

names! {
    /// The outcome of a check.
    CheckOutcome as "RobotsCheckOutcome" {
        /// The file is what it was.
        Unchanged = "unchanged",
        /// It is another, or was found for the first time.
        Changed = "changed",
        /// Nobody answered, or the server failed: what was known stands.
        Failed = "failed",
    }
}

/// A check of a robots.txt.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotsCheck {
    /// The run that asked for it; `None`: the schedule.
    pub run_id: Option<RunId>,
    /// When it began.
    pub checked_at: OffsetDateTime,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// The status; `None` without an answer.
    pub status_code: Option<u16>,
    /// How long it took; `None` without an answer.
    pub response_ms: Option<f64>,
    /// How many bytes were read; `None` where nothing was.
    pub size_bytes: Option<u32>,
    /// Why it failed; `None` where it did not, or the status says so.
    pub error_class: Option<FetchFailure>,
    /// The version that it found; `None` where it failed.
    pub version_id: Option<Uuid>,
}

names! {
    /// Whether a URL may be fetched.
    Expectation as "RobotsExpectation" {
        /// It may.
        Allowed = "allowed",
        /// It may not.
        Disallowed = "disallowed",
    }
}

impl Expectation {
    /// Whether it may.
    #[must_use]
    pub const fn of(is_allowed: bool) -> Self {
        if is_allowed {
            Self::Allowed
        } else {
            Self::Disallowed
        }
    }
}

/// A URL, and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestUrl {
    /// The id of the row.
    pub id: Uuid,
    /// The URL.
    pub url: String,
    /// The crawler that is to fetch it, or not.
    pub user_agent: String,
    /// The expected result.
    pub expectation: Expectation,
}

/// A site whose robots.txt is to be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedSite {
    /// The domain that it is of.
    pub domain: DomainId,
    /// The digest of the known content; `None`: nothing is known of the file.
    pub sha256: Option<String>,
    /// The last good fetch's URL and headers, where it gave a file.
    pub validators: Option<super::fetch::Validators>,
    /// When the sitemaps that it names were last asked for.
    pub sitemaps_asked_at: Option<OffsetDateTime>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitemaps_of_a_robots_txt_are_absolute_and_named_once() {
        let mut text =
            "Sitemap: /relative.xml\nSitemap: file:///etc/passwd\nSitemap: https://shop.example/0.xml\n"
                .to_owned();
        for number in 0..200 {
            text.push_str(&format!("Sitemap: https://shop.example/{number}.xml\n"));
        }
        let named = named(effective(RobotsState::Ok, Some(text.as_bytes())));
        assert_eq!(named.len(), MOST_DECLARED);
        assert_eq!(named[0].as_str(), "https://shop.example/0.xml");
        assert_eq!(named[99].as_str(), "https://shop.example/99.xml");
        assert_eq!(
            super::named(effective(RobotsState::HtmlInstead, Some(text.as_bytes()))),
            []
        );
    }
}

//! Applies a fetch: the state of a site, its findings, and whether there is another version.

use std::collections::HashMap;

use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::{
    checker::{kept, sha256},
    fetch::{FetchEnd, FetchFailure, Fetched, FileHeaders, RedirectStep, SitemapAnswer},
    site::{
        CheckOutcome, GoodFetch, IssueCounts, MOST_ISSUES, RobotsVersion, SeenIssue, StoredAccessChange,
        effective,
    },
};
use crate::robots::{
    change::{Change, Impact, new_issues},
    file::RobotsFile,
    issue::{Issue, IssueCode},
    line::READ_BYTES,
    outcome::{Answer, MOST_REDIRECTS, RobotsState, state},
};

/// The state of a site before a fetch is settled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// The version that is current, with its bytes and the fetch that saw it last.
    pub version: Option<KnownVersion>,
    /// Its findings.
    pub issues: Vec<SeenIssue>,
    /// The sitemaps that it names.
    pub sitemaps: Vec<SitemapAnswer>,
}

/// A version that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownVersion {
    /// The id by which it is stored.
    pub id: Uuid,
    /// Its bytes; `None`: there is no file.
    pub content: Option<Vec<u8>>,
    /// The fetch that saw it last.
    pub fetch: GoodFetch,
    /// Its findings when it was found.
    pub issues: Vec<Issue>,
}

/// The result of a fetch.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// How the file stands.
    pub state: RobotsState,
    /// The outcome of the check.
    pub outcome: CheckOutcome,
    /// The status; `None` without an answer.
    pub status_code: Option<u16>,
    /// How many bytes were read.
    pub size_bytes: Option<u32>,
    /// Why it failed.
    pub error_class: Option<FetchFailure>,
    /// The new state of the file; `None`: the fetch failed, and the former state stands.
    pub good: Option<Good>,
}

/// The state of the file after a good fetch.
#[derive(Clone, Debug, PartialEq)]
pub struct Good {
    /// The fetch.
    pub fetch: GoodFetch,
    /// The findings, the first of them.
    pub issues: Vec<SeenIssue>,
    /// How many there are.
    pub counts: IssueCounts,
    /// The sitemaps that the file names.
    pub sitemaps: Vec<SitemapAnswer>,
    /// The version that took the place of the last one; `None`: it is the same.
    pub version: Option<NewVersion>,
}

/// A version that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVersion {
    /// The version.
    pub version: RobotsVersion,
    /// Its bytes; `None`: there is no file.
    pub content: Option<Vec<u8>>,
    /// All of its findings that are kept.
    pub issues: Vec<Issue>,
    /// Crawlers that lost or gained the root.
    pub access_changes: Vec<StoredAccessChange>,
    /// Findings that are new.
    pub issues_added: Vec<Issue>,
    /// Findings that are gone.
    pub issues_resolved: Vec<Issue>,
}

/// Computes what the fetch changes, by the clock that says `now`.
#[must_use]
pub fn settle(known: &Known, fetched: &Fetched, now: OffsetDateTime) -> Settled {
    let seen = match &fetched.end {
        FetchEnd::Failed(failure) => {
            return failed(RobotsState::Unreachable, None, Some(*failure));
        }
        FetchEnd::NotModified => match &known.version {
            // The site keeps to what it gave us, so it stands as it stood.
            Some(version) => Seen::again(version),
            None => return failed(RobotsState::Unreachable, Some(304), Some(FetchFailure::Invalid)),
        },
        FetchEnd::TooManyRedirects { status, final_url } => Seen {
            state: RobotsState::Missing,
            status: *status,
            shown_status: *status,
            final_url: final_url.clone(),
            headers: FileHeaders::default(),
            content: None,
        },
        FetchEnd::Answer {
            status,
            final_url,
            headers,
            body,
            is_off_host,
        } => {
            let state = state(Some(Answer {
                status: *status,
                redirects: fetched.redirects.len(),
                is_off_host: *is_off_host,
                body,
            }));
            if state == RobotsState::ServerError {
                return failed(state, Some(*status), None);
            }
            Seen {
                state,
                status: *status,
                shown_status: *status,
                final_url: final_url.clone(),
                headers: headers.clone(),
                content: (state != RobotsState::Missing).then(|| kept(body).to_vec()),
            }
        }
    };
    good(known, fetched, seen, now)
}

/// The file as a good fetch saw it.
struct Seen {
    state: RobotsState,
    /// That of the answer which gave the file.
    status: u16,
    /// That of this fetch.
    shown_status: u16,
    final_url: String,
    headers: FileHeaders,
    content: Option<Vec<u8>>,
}

impl Seen {
    fn again(version: &KnownVersion) -> Self {
        let GoodFetch {
            state,
            status_code,
            final_url,
            headers,
            ..
        } = version.fetch.clone();
        Self {
            state,
            status: status_code,
            shown_status: 304,
            final_url,
            headers,
            content: version.content.clone(),
        }
    }
}

fn failed(state: RobotsState, status_code: Option<u16>, error_class: Option<FetchFailure>) -> Settled {
    Settled {
        state,
        outcome: CheckOutcome::Failed,
        status_code,
        size_bytes: None,
        error_class,
        good: None,
    }
}

fn good(known: &Known, fetched: &Fetched, seen: Seen, now: OffsetDateTime) -> Settled {
    let sitemaps = fetched.sitemaps.as_ref().unwrap_or(&known.sitemaps).clone();
    let fetch = GoodFetch {
        state: seen.state,
        fetched_at: now,
        status_code: seen.status,
        redirects: fetched.redirects.clone(),
        final_url: seen.final_url,
        headers: seen.headers,
        response_ms: fetched.response_ms,
    };
    let content = seen.content;
    let found = findings(&fetch, content.as_deref(), &sitemaps, &fetched.robots_url);
    let counts = IssueCounts::of(&found);
    let size = content.as_ref().map_or(0, Vec::len);
    let size_bytes = u32::try_from(size).unwrap_or(u32::MAX);
    let is_same = known
        .version
        .as_ref()
        .is_some_and(|version| version.content == content);
    let kept: Vec<Issue> = found.into_iter().take(MOST_ISSUES).collect();
    let issues = since(&known.issues, &kept, now);
    let version = (!is_same).then(|| new_version(known.version.as_ref(), &fetch, content, kept, now));
    Settled {
        state: fetch.state,
        outcome: if version.is_some() {
            CheckOutcome::Changed
        } else {
            CheckOutcome::Unchanged
        },
        status_code: Some(seen.shown_status),
        size_bytes: Some(size_bytes),
        error_class: None,
        good: Some(Good {
            fetch,
            issues,
            counts,
            sitemaps,
            version,
        }),
    }
}

fn new_version(
    before: Option<&KnownVersion>,
    fetch: &GoodFetch,
    content: Option<Vec<u8>>,
    issues: Vec<Issue>,
    now: OffsetDateTime,
) -> NewVersion {
    let after = effective(fetch.state, content.as_deref());
    let change = before.map(|before| {
        let was = effective(before.fetch.state, before.content.as_deref());
        Change::between(&was, &after)
    });
    let bytes = content.as_deref().unwrap_or_default();
    let count = |of: fn(&Change) -> usize| {
        let count = change.as_ref().map_or(0, of);
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let version = RobotsVersion {
        id: Uuid::now_v7(),
        detected_at: now,
        replaced_at: None,
        sha256: sha256(bytes),
        size_bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        status_code: fetch.status_code,
        state: fetch.state,
        rules_added: count(|change| change.rules_added),
        rules_removed: count(|change| change.rules_removed),
        groups_changed: count(|change| change.groups_changed),
        sitemaps_changed: count(|change| change.sitemaps_changed),
        impact: change.as_ref().map_or(Impact::None, |change| change.impact),
        change_summary: change
            .as_ref()
            .map_or_else(|| "the first version that was seen".to_owned(), Change::summary),
    };
    let none = Vec::new();
    let known = before.map_or(&none, |before| &before.issues);
    let (issues_added, issues_resolved) = if before.is_some() {
        (new_issues(known, &issues), new_issues(&issues, known))
    } else {
        (Vec::new(), Vec::new())
    };
    let access = change.map(|change| change.access_changes).unwrap_or_default();
    NewVersion {
        version,
        content,
        issues,
        access_changes: access
            .into_iter()
            .map(|change| StoredAccessChange {
                user_agent_token: change.user_agent_token.to_owned(),
                was_allowed: change.was_allowed,
                is_allowed: change.is_allowed,
            })
            .collect(),
        issues_added,
        issues_resolved,
    }
}

/// All findings: of the text, of the way to it, and of the sitemaps that it names.
fn findings(
    fetch: &GoodFetch,
    content: Option<&[u8]>,
    sitemaps: &[SitemapAnswer],
    robots_url: &Url,
) -> Vec<Issue> {
    let Some(content) = content else {
        return endless(fetch).into_iter().collect();
    };
    let mut found = Vec::new();
    if fetch.state == RobotsState::TooLarge {
        // The bytes that are kept do not tell that there were more.
        let message = format!(
            "Crawlers read the first {} KiB of the file. The rest has no effect.",
            READ_BYTES / 1024
        );
        found.push(Issue::of_file(IssueCode::FileTooLarge, message));
    }
    if fetch.redirects.len() > 1 {
        let message = format!(
            "{} redirects lead to the file. Crawlers follow five at most; answer with the file at once.",
            fetch.redirects.len()
        );
        found.push(Issue::of_file(IssueCode::RedirectChain, message));
    }
    if let Some(kind) = &fetch.headers.content_type
        && !is_text(kind)
    {
        let mut issue = Issue::of_file(
            IssueCode::WrongContentType,
            "The file is sent as another type than text/plain. Crawlers may not read it.",
        );
        issue.excerpt = Some(kind.chars().take(200).collect());
        found.push(issue);
    }
    let file = RobotsFile::parse(content);
    for line in &file.sitemaps {
        let parsed = Url::parse(&line.url).ok();
        if parsed.is_some_and(|url| url.has_host() && url.host() != robots_url.host()) {
            found.push(Issue::of_line(
                IssueCode::SitemapOffHost,
                line.line,
                line.url.as_bytes(),
                "The sitemap lies on another host. Search engines take it only if they know both hosts as yours.",
            ));
        }
        let asked = sitemaps.iter().find(|asked| asked.url == line.url);
        if asked.is_some_and(|asked| !asked.is_reachable()) {
            found.push(Issue::of_line(
                IssueCode::SitemapUnreachable,
                line.line,
                line.url.as_bytes(),
                "The sitemap can't be fetched. Correct the address, or take the line out.",
            ));
        }
    }
    let of_text = file.issues.into_iter();
    if fetch.state == RobotsState::HtmlInstead {
        // The lines of a page are no lines of a file.
        found.extend(of_text.filter(|issue| issue.line.is_none()));
    } else {
        found.extend(of_text);
    }
    found.sort_by_key(|issue| issue.line);
    found
}

/// Why there is no file, where redirects lead to none: the last URL that was asked is that of one.
fn endless(fetch: &GoodFetch) -> Option<Issue> {
    let is_last = |step: &RedirectStep| step.url == fetch.final_url;
    if !fetch.redirects.iter().any(is_last) {
        return None;
    }
    let message = if fetch.redirects.len() > MOST_REDIRECTS {
        format!(
            "More than {MOST_REDIRECTS} redirects lead to the file, so crawlers take it for missing. Answer with the file at once."
        )
    } else {
        "The redirects lead in a circle, so crawlers take the file for missing. Answer with the file at once."
            .to_owned()
    };
    Some(Issue::of_file(IssueCode::RedirectChain, message))
}

fn is_text(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("text/plain")
}

/// The findings with the moment from which on each was there. Lines move, so one is known by what stands there.
fn since(known: &[SeenIssue], found: &[Issue], now: OffsetDateTime) -> Vec<SeenIssue> {
    let mut first: HashMap<(IssueCode, Option<&str>), OffsetDateTime> = HashMap::new();
    for seen in known {
        let key = (seen.issue.code, seen.issue.excerpt.as_deref());
        let at = first.entry(key).or_insert(seen.first_seen_at);
        *at = (*at).min(seen.first_seen_at);
    }
    let seen = |issue: &Issue| SeenIssue {
        first_seen_at: first
            .get(&(issue.code, issue.excerpt.as_deref()))
            .copied()
            .unwrap_or(now),
        issue: issue.clone(),
    };
    found.iter().map(seen).collect()
}

//! The findings: what is told of a line, of a rule beside others, and of a file as a whole.

use std::collections::HashMap;

use super::{
    directive::nearest,
    file::{Agent, RobotsFile, Rule, RuleKind},
    issue::{Issue, IssueCode, excerpt},
    line::{LINE_BYTES, Line, READ_BYTES},
    pattern::{Pattern, Target},
};

/// Findings about the bytes of a line.
pub(super) fn of_bytes(line: &Line<'_>) -> impl Iterator<Item = Issue> + use<> {
    let cut = line.is_cut.then(|| {
        let message =
            format!("Only the first {LINE_BYTES} bytes of this line are read. Split it into several.");
        Issue::of_line(IssueCode::LineTooLong, line.number, line.bytes, message)
    });
    // A cut may lie within a character.
    let is_text = match std::str::from_utf8(line.bytes) {
        Ok(_) => true,
        Err(error) => line.is_cut && error.error_len().is_none(),
    };
    let foreign = (!is_text).then(|| {
        let message = "This line is not UTF-8, so crawlers read other characters than were meant. Save the file as UTF-8.";
        Issue::of_line(IssueCode::NotUtf8, line.number, line.bytes, message)
    });
    cut.into_iter().chain(foreign)
}

fn of(code: IssueCode, line: &Line<'_>, message: impl Into<String>) -> Issue {
    Issue::of_line(code, line.number, line.bytes, message)
}

pub(super) fn no_pair(line: &Line<'_>) -> Issue {
    of(
        IssueCode::UnknownDirective,
        line,
        "This line has no colon, so no crawler reads it. Write a key, a colon and a value, or put # before a comment.",
    )
}

pub(super) fn unknown(line: &Line<'_>, key: &str) -> Issue {
    of(
        IssueCode::UnknownDirective,
        line,
        match nearest(key) {
            Some(meant) => format!("No crawler is known to read {key:?}. Did you mean {meant:?}?"),
            None => format!("No crawler is known to read {key:?}. Correct the key, or take the line out."),
        },
    )
}

pub(super) fn missing_colon(line: &Line<'_>, key: &str) -> Issue {
    of(
        IssueCode::MissingColon,
        line,
        format!("A colon is missing after {key:?}. Google reads the line all the same; others may not."),
    )
}

pub(super) fn typo(line: &Line<'_>, key: &str, meant: &str) -> Issue {
    of(
        IssueCode::DirectiveTypo,
        line,
        format!("{key:?} is misspelled. Google reads it as {meant:?}; others ignore the line."),
    )
}

pub(super) fn unsupported(line: &Line<'_>, key: &str) -> Issue {
    of(
        IssueCode::UnsupportedDirective,
        line,
        format!("{key:?} is not part of the standard (RFC 9309). Google and Bing ignore it."),
    )
}

pub(super) fn crawl_delay(line: &Line<'_>) -> Issue {
    of(
        IssueCode::CrawlDelayIgnored,
        line,
        "Google ignores crawl-delay. It slows down by itself when a site answers slowly or with 429 or 503.",
    )
}

pub(super) fn before_user_agent(line: &Line<'_>, kind: RuleKind) -> Issue {
    let kind = kind.name();
    of(
        IssueCode::RuleBeforeUserAgent,
        line,
        format!("No user-agent line stands before this {kind} line, so no crawler obeys it."),
    )
}

pub(super) fn of_sitemap(line: &Line<'_>, url: &str) -> Option<Issue> {
    let is_absolute = ["http://", "https://"].iter().any(|scheme| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    (!is_absolute).then(|| {
        of(
            IssueCode::RelativeSitemapUrl,
            line,
            "The address of a sitemap has to begin with https:// or http:// and the host, or crawlers ignore it.",
        )
    })
}

/// A finding about the path of a rule.
pub(super) fn of_path(line: &Line<'_>, kind: RuleKind, path: &[u8]) -> Option<Issue> {
    let begins = |with: &[u8]| {
        path.get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    if path.is_empty() || path.starts_with(b"/") || path.starts_with(b"*") {
        return None;
    }
    if begins(b"http://") || begins(b"https://") {
        let kind = kind.name();
        return Some(of(
            IssueCode::FullUrlInPath,
            line,
            format!(
                "This {kind} line names a URL, and matches nothing. Write the path alone, from its first slash on."
            ),
        ));
    }
    Some(of(
        IssueCode::PathNotAbsolute,
        line,
        "The path begins with neither / nor *, so it matches nothing.",
    ))
}

/// Findings about rules beside others: repeated groups and rules, paths that differ in case, and rules that block too much.
pub(super) fn of_rules(file: &RobotsFile) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut named: HashMap<&Agent, u32> = HashMap::new();
    for group in &file.groups {
        // Lines whose names are no token speak to nobody, and so to no crawler twice.
        let is_nobody = |agent: &Agent| matches!(agent, Agent::Token(token) if token.is_empty());
        for user_agent in group.user_agents.iter().filter(|line| !is_nobody(&line.agent)) {
            match named.get(&user_agent.agent) {
                // Within one group it is the same line twice.
                Some(first) if *first < group.start_line => {
                    let message = format!(
                        "{} has a group in line {first} already. Crawlers take both together; write them as one.",
                        excerpt(&user_agent.written)
                    );
                    let text = user_agent.written.as_bytes();
                    issues.push(Issue::of_line(
                        IssueCode::DuplicateGroup,
                        user_agent.line,
                        text,
                        message,
                    ));
                }
                Some(_) => {}
                None => {
                    named.insert(&user_agent.agent, group.start_line);
                }
            }
        }
        let mut seen: HashMap<(RuleKind, &Pattern), u32> = HashMap::new();
        let mut spelled: HashMap<String, &Rule> = HashMap::new();
        let speaks_to_all = group.user_agents.iter().any(|named| named.agent == Agent::Any);
        for rule in &group.rules {
            if rule.pattern.is_empty() {
                continue;
            }
            let of = |code, message: String| Issue::of_line(code, rule.line, rule.path.as_bytes(), message);
            if let Some(first) = seen.get(&(rule.kind, &rule.pattern)) {
                issues.push(of(
                    IssueCode::DuplicateRule,
                    format!("The same rule stands in line {first}."),
                ));
                continue;
            }
            seen.insert((rule.kind, &rule.pattern), rule.line);
            match spelled.get(&rule.path.to_lowercase()) {
                Some(other) if other.path != rule.path => issues.push(of(
                    IssueCode::CaseMismatchSuspect,
                    format!("It differs from line {} in case only. Paths are case-sensitive: check which one the site uses.", other.line),
                )),
                Some(_) => {}
                None => {
                    spelled.insert(rule.path.to_lowercase(), rule);
                }
            }
            if rule.kind == RuleKind::Disallow {
                issues.extend(of_disallow(rule, speaks_to_all));
            }
        }
    }
    issues
}

/// Paths that stand for what pages are made of, each with one that begins alike and is something else: a rule that matches both is
/// about neither, such as that of `/a`, whether or not the site has a folder of assets.
const PARTS_OF_PAGES: &[(&str, &str)] = &[
    ("/style.css", "/styl"),
    ("/css/style.css", "/cs"),
    ("/script.js", "/scrip"),
    ("/js/script.js", "/j"),
    ("/assets/a.css", "/asset"),
    ("/assets/a.js", "/asset"),
];

fn of_disallow(rule: &Rule, speaks_to_all: bool) -> Option<Issue> {
    let of = |code, message: &str| Issue::of_line(code, rule.line, rule.path.as_bytes(), message);
    if rule.pattern.matches(&Target::new("/")) && !rule.pattern.is_anchored() {
        return speaks_to_all.then(|| {
            of(
                IssueCode::BlocksRoot,
                "This rule keeps all crawlers that have no group of their own from the whole site.",
            )
        });
    }
    let matches = |path: &str| rule.pattern.matches(&Target::new(path));
    let blocks_parts = PARTS_OF_PAGES
        .iter()
        .any(|(part, other)| matches(part) && !matches(other));
    blocks_parts.then(|| {
        of(
            IssueCode::BlocksCssJs,
            "This rule keeps crawlers from stylesheets or scripts, so they can't see pages as visitors do.",
        )
    })
}

/// Findings about the file as a whole.
pub(super) fn of_file(file: &RobotsFile, text: &[u8]) -> Vec<Issue> {
    let mut issues = Vec::new();
    if file.is_truncated {
        let message = format!(
            "Crawlers read the first {} KiB of the file. The rest has no effect.",
            READ_BYTES / 1024
        );
        issues.push(Issue::of_file(IssueCode::FileTooLarge, message));
    }
    if file.has_bom {
        let message = "The file begins with a byte order mark. Crawlers skip it; save the file without one.";
        issues.push(Issue::of_file(IssueCode::BomPresent, message));
    }
    if is_html(text) {
        let message = "The server answers with a web page in place of a robots.txt, so no rule is in force.";
        issues.push(Issue::of_file(IssueCode::HtmlContent, message));
    } else if file.groups.is_empty() && file.sitemaps.is_empty() {
        let message = "The file has no rule and no sitemap, so every crawler may fetch everything.";
        issues.push(Issue::of_file(IssueCode::EmptyFile, message));
    }
    issues
}

/// Whether the text is a page: it begins with markup.
#[must_use]
pub(super) fn is_html(text: &[u8]) -> bool {
    const OPENINGS: &[&[u8]] = &[b"<!doctype", b"<html", b"<head", b"<body", b"<!--", b"<?xml"];
    let text = text.trim_ascii_start();
    OPENINGS.iter().any(|opening| {
        text.get(..opening.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(opening))
    })
}

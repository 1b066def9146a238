//! The robots.txt of a site: the file with its findings line by line, which crawlers may come in, and a box to try it out.

use std::collections::BTreeMap;

use maud::{Markup, html};
use pharos_crawl::robots::{
    crawlers::{CrawlerAccess, Honours, Purpose, access_of_all},
    issue::{Issue, IssueSeverity},
    line::{Line, lines, without_bom},
    monitor::{
        evaluate::InForce,
        fetch::FetchFailure,
        site::{CurrentVersion, RobotsCheck, RobotsSite, RobotsVersion},
    },
    outcome::EffectivePolicy,
    pattern::Target,
};
use pharos_domain::{
    module::Module,
    page::{ListKey, PageRequest},
};

use super::{saved, severity, try_out, version};
use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::{
        form::Faults,
        mark::{self, Tone},
        table::Part,
    },
    refusal::Refusal,
    shown::shown,
};

/// How many lines of the file a page has.
const LINES: usize = 100;
/// How many versions are shown. The API has all.
const VERSIONS: usize = 10;
/// How many characters of a line are shown.
const MOST_CHARACTERS: usize = 160;

/// The purposes in the order in which they are shown: those of models first.
const PURPOSES: [Purpose; 10] = [
    Purpose::AiTraining,
    Purpose::AiSearch,
    Purpose::AiAgent,
    Purpose::Search,
    Purpose::Ads,
    Purpose::SocialPreview,
    Purpose::SeoTool,
    Purpose::Archiver,
    Purpose::Monitoring,
    Purpose::Other,
];

/// A purpose in words.
fn words(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::AiTraining => "Train models",
        Purpose::AiSearch => "Search with answers of a model",
        Purpose::AiAgent => "Fetch what people ask an assistant for",
        Purpose::Search => "Search engines",
        Purpose::Ads => "Advertisements",
        Purpose::SocialPreview => "Previews of links",
        Purpose::SeoTool => "Tools for search results",
        Purpose::Archiver => "Archives",
        Purpose::Monitoring => "Monitoring",
        Purpose::Other => "Others",
    }
}

pub(super) async fn sections(console: &Console, here: &AtDomain, query: &str) -> Result<Markup, Refusal> {
    let Some(site) = console.parts.crawl.robots.site(&here.access).await? else {
        return Ok(html! {});
    };
    let failed = match site.policy() {
        EffectivePolicy::DisallowAll => console
            .parts
            .crawl
            .robots
            .checks(&here.access, None, 1)
            .await?
            .pop(),
        EffectivePolicy::AsWritten | EffectivePolicy::AllowAll => None,
    };
    let newest = PageRequest::first(ListKey::new("console.robots_versions", here.id().0), VERSIONS);
    let newest = console.parts.crawl.robots.versions(&here.access, &newest).await?;
    let in_force = InForce::of(&site);
    let content = site
        .current
        .as_ref()
        .and_then(|version| version.content.as_deref());
    Ok(html! {
        p { a href=(domain_path(here.id(), saved::PATH)) { "URLs that are saved with what is expected of them" } }
        @if let Some(check) = &failed { (failure(check)) }
        @if let Some(version) = &site.current { (file(here, &site, version, query)) }
        (versions(here, &newest.items))
        (matrix(&in_force))
        (try_out::section(here, &try_out::Fields::of_file(content), &Faults::default()))
    })
}

/// The newest versions, each with the way to its difference.
fn versions(here: &AtDomain, versions: &[RobotsVersion]) -> Markup {
    html! {
        section.card aria-labelledby="versions-head" {
            h2 id="versions-head" { "Versions, line by line" }
            ul.rows {
                @for version in versions {
                    li {
                        a href=(domain_path(here.id(), &version::path(version.id))) { (moment(version.detected_at)) }
                        ": " (shown(&version.change_summary))
                    }
                }
            }
        }
    }
}

/// Why the last fetch failed.
fn failure(check: &RobotsCheck) -> Markup {
    let why = match (check.error_class, check.status_code) {
        (Some(failure), _) => reason(failure).to_owned(),
        (None, Some(status)) => format!("the server answered {status}"),
        (None, None) => return html! {},
    };
    html! {
        section.card aria-labelledby="failure-head" {
            h2 id="failure-head" { "The last fetch failed" }
            p { (moment(check.checked_at)) ": " (why) ". Crawlers stay away from the whole site while that is so." }
        }
    }
}

/// Why there was no answer, in words.
fn reason(failure: FetchFailure) -> &'static str {
    match failure {
        FetchFailure::Dns => "the name has no address",
        FetchFailure::Connect => "no connection came about",
        FetchFailure::Tls => "the connection can’t be encrypted",
        FetchFailure::Timeout => "no answer came in time",
        FetchFailure::Broken => "the connection broke off",
        FetchFailure::Invalid => "the answer is not one of HTTP",
        FetchFailure::Refused => {
            "the address, or one that it redirects to, is internal, and Pharos asks public ones alone"
        }
    }
}

/// Whether each crawler may come in.
fn matrix(in_force: &InForce) -> Markup {
    let all = access_of_all(in_force.file(), &Target::new("/"));
    let of = |purpose: Purpose| {
        let is_of = move |access: &&CrawlerAccess| access.crawler.purpose == purpose;
        all.iter().filter(is_of).collect::<Vec<_>>()
    };
    html! {
        section.card aria-labelledby="crawlers-head" {
            h2 id="crawlers-head" { "Who may come in" }
            p.note {
                (mark::state(Tone::Good, "everywhere")) " " (mark::state(Tone::Planned, "in part")) " "
                (mark::state(Tone::Bad, "not at all"))
                " – the root of the site, by what the file says now. Whether a crawler keeps to it is its operator’s word."
            }
            @for purpose in PURPOSES {
                @let crawlers = of(purpose);
                h3 { (words(purpose)) }
                ul.tiles {
                    @for access in crawlers { (tile(in_force, access)) }
                }
            }
        }
    }
}

fn tile(in_force: &InForce, access: &CrawlerAccess) -> Markup {
    let crawler = access.crawler;
    let (class, tone) = match (in_force.allows_root(crawler.token), access.disallowed_rules) {
        (false, _) => ("shut", Tone::Bad),
        (true, 0) => ("open", Tone::Good),
        (true, _) => ("partly", Tone::Planned),
    };
    let word = match tone {
        Tone::Bad => "not at all",
        Tone::Good => "everywhere",
        _ => "in part",
    };
    let honours = match crawler.honours {
        Honours::Yes => None,
        Honours::Partly => Some("keeps to it in part"),
        Honours::No => Some("does not keep to it"),
        Honours::Unknown => Some("does not say whether it keeps to it"),
    };
    html! {
        li.tile.(class) {
            (mark::state(tone, crawler.token)) span.aside { ": " (word) }
            span.note { (crawler.operator) @if let Some(honours) = honours { ", " (honours) } }
        }
    }
}

/// The part of the file that a page has, each line with its number and what is wrong with it.
fn file(here: &AtDomain, site: &RobotsSite, version: &CurrentVersion, query: &str) -> Markup {
    let Some(content) = version.content.as_deref() else {
        return html! {};
    };
    let mut of_lines: BTreeMap<u32, Vec<&Issue>> = BTreeMap::new();
    for seen in &site.issues {
        of_lines
            .entry(seen.issue.line.unwrap_or(0))
            .or_default()
            .push(&seen.issue);
    }
    let (text, _) = without_bom(content);
    // A line ending at the end of the file begins no further line.
    let count = lines(text).count() - usize::from(text.ends_with(b"\n") || text.ends_with(b"\r"));
    let all: Vec<Line<'_>> = lines(text).take(count).collect();
    let part = Part::at_most(LINES, &all, query);
    let place = format!("{}#file-head", domain_path(here.id(), Module::Robots.as_str()));
    html! {
        section.card aria-labelledby="file-head" {
            h2 id="file-head" { "The file, line by line" }
            p.note { bdi { (shown(&site.robots_url)) } ", as of " (moment(version.fetch.fetched_at)) }
            @if let Some(of_file) = of_lines.get(&0) {
                ul.rows { @for issue in of_file { li { (severity(issue.code.severity())) " " (shown(&issue.message)) } } }
            }
            div.file role="region" aria-label="The file" tabindex="0" { ol {
                @for line in part.items {
                    @let issues = of_lines.get(&line.number).map(Vec::as_slice).unwrap_or_default();
                    li class=[gravest(issues)] id={ "line-" (line.number) } {
                        span.number { (line.number) }
                        div {
                            code { bdi { (beginning(line.bytes)) } }
                            @for issue in issues { p { (severity(issue.code.severity())) " " (shown(&issue.message)) } }
                        }
                    }
                }
            } }
            (part.pages_named("Pages of the file", &place))
        }
    }
}

fn gravest(issues: &[&Issue]) -> Option<&'static str> {
    let gravest = issues.iter().map(|issue| issue.code.severity()).max()?;
    Some(match gravest {
        IssueSeverity::Error => "error",
        IssueSeverity::Warning => "warning",
        IssueSeverity::Info => "info",
    })
}

/// As much of a line as is shown.
pub(super) fn beginning(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let cut: String = text.chars().take(MOST_CHARACTERS).collect();
    let rest = if cut.len() < text.len() { "…" } else { "" };
    shown(&cut.replace('\t', "  ")) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawlers_of_every_purpose_are_shown_once() {
        let mut shown = PURPOSES;
        shown.sort();
        assert_eq!(shown, Purpose::ALL);
    }
}

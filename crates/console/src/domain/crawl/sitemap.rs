//! The sitemaps of a site: how they grew, and what is wrong with them, with examples.

use std::collections::HashMap;

use maud::{Markup, html};
use pharos_crawl::sitemap::monitor::site::{FileIssue, IssueFilter, SitemapDay};
use pharos_domain::{
    module::Module,
    window::{Granularity, Horizon, ResolvedWindow},
};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::{number, short},
};
use pharos_reporting::render::labels::word;
use time::Date;
use uuid::Uuid;

use super::severity;
use crate::{
    console::Console, enter::AtDomain, page::moment, period::short_day, refusal::Refusal, shown::shown,
};

/// How many days the picture has.
const DAYS: u16 = 90;
/// How many findings are shown, the gravest first. The API has all.
const MOST_ISSUES: usize = 50;

pub(super) async fn sections(console: &Console, here: &AtDomain) -> Result<Markup, Refusal> {
    let store = &console.parts.crawl.sitemaps;
    let now = console.parts.clock.now();
    if store.site(&here.access, now).await?.is_none() {
        return Ok(html! {});
    }
    let window = ResolvedWindow::fixed(DAYS, &Horizon::of(Module::Sitemap, now));
    let (days, issues, files) = tokio::try_join!(
        store.days(&here.access, window.window),
        store.issues(&here.access, IssueFilter::default()),
        store.files(&here.access, None)
    )?;
    let files: HashMap<Uuid, String> = files.into_iter().map(|file| (file.id, file.url)).collect();
    Ok(html! {
        (growth(&window, &days))
        (findings(&issues, &files))
    })
}

/// The entries of all files, and the pages that came and went, day by day.
fn growth(window: &ResolvedWindow, days: &[SitemapDay]) -> Markup {
    let known: HashMap<_, _> = days.iter().map(|day| (day.day, day)).collect();
    let dates: Vec<_> = window
        .window
        .buckets(Granularity::Day)
        .map(|bucket| bucket.start.date())
        .collect();
    let labels: Vec<String> = dates.iter().map(|date| short_day(*date)).collect();
    let of = |figure: fn(&SitemapDay) -> Option<f64>| {
        let value = |date: &Date| known.get(date).and_then(|day| figure(day));
        dates.iter().map(value).collect::<Vec<Option<f64>>>()
    };
    let entries = [Series {
        name: "Entries",
        values: carried(of(|day| day.urls_total.map(|total| total as f64))),
    }];
    let moves = [
        Series {
            name: "Added",
            values: of(|day| Some(day.added as f64)),
        },
        Series {
            name: "Removed",
            values: of(|day| Some(day.removed as f64)),
        },
    ];
    let measured: Vec<f64> = entries[0].values.iter().flatten().copied().collect();
    let told = match (measured.first(), measured.last()) {
        (Some(first), Some(last)) => format!(
            "From {} to {} entries within {DAYS} days.",
            number(*first, 0),
            number(*last, 0)
        ),
        _ => format!("No check within {DAYS} days."),
    };
    let chart = |id, title, series| Chart {
        id,
        title,
        description: &told,
        places: "Day",
        labels: &labels,
        series,
        words: |value| number(value, 0),
        short,
        threshold: None,
        ground: Ground::default(),
    };
    html! {
        section.card aria-labelledby="growth-head" {
            h2 id="growth-head" { "Growth over " (DAYS) " days" }
            p.note { (told) " A day without a check has what the one before it found." }
            (chart("entries", "Entries of all sitemaps by day", &entries[..]).lines())
            (chart("moves", "Pages that came and went by day", &moves[..]).bars())
        }
    }
}

/// The values, where none was measured the last one before: files stand as they were found until they are read anew.
fn carried(values: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let mut last = None;
    let carry = |value: Option<f64>| {
        last = value.or(last);
        last
    };
    values.into_iter().map(carry).collect()
}

/// The findings, each with its examples.
fn findings(issues: &[FileIssue], files: &HashMap<Uuid, String>) -> Markup {
    html! {
        section.card aria-labelledby="findings-head" {
            h2 id="findings-head" { "What is wrong, with examples" }
            @if issues.is_empty() { p.none { "Nothing that is known." } }
            ul.rows {
                @for issue in issues.iter().take(MOST_ISSUES) {
                    li {
                        (severity(issue.code.severity())) " " strong { (word(issue.code.name())) }
                        ", " (number(issue.count as f64, 0)) @if issue.count == 1 { " place" } @else { " places" }
                        @if let Some(file) = files.get(&issue.file_id) { " in " bdi { (shown(file)) } }
                        span.note { " since " (moment(issue.first_seen_at)) }
                        @if !issue.examples.is_empty() {
                            details {
                                summary { "Examples" }
                                ul.examples { @for example in &issue.examples { li { code { bdi { (shown(example)) } } } } }
                            }
                        }
                    }
                }
            }
            @if issues.len() > MOST_ISSUES {
                p.note { "The first " (MOST_ISSUES) " of " (issues.len()) ". The API has all of them." }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_without_a_check_has_what_was_found_before() {
        let values = vec![None, Some(2.0), None, None, Some(3.0), None];
        let expected = [None, Some(2.0), Some(2.0), Some(2.0), Some(3.0), Some(3.0)];
        assert_eq!(carried(values), expected);
    }
}

//! How often robots.txt and sitemaps are checked.

use maud::{Markup, html};
use pharos_crawl::intervals::{Interval, Intervals, ROBOTS, SITEMAPS};
use pharos_domain::{credits::SettleError, module::Module};
use serde_json::json;

use super::{action, changed};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, SEEN, state, unlike},
    refusal::Refusal,
    words,
};

/// The intervals that are stored, or those that a domain begins with.
pub(super) async fn stored(console: &Console, here: &AtDomain) -> Result<Intervals, Refusal> {
    let stored = console.parts.crawl.intervals.of(here.id()).await?;
    Ok(stored.unwrap_or_default())
}

/// The state of the intervals, that the form is filled from.
fn state_of(intervals: Intervals) -> String {
    state([intervals.robots().name(), intervals.sitemaps().name()])
}

/// Changes those of the modules that the plan has; gives the faults of the form where it has some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), Faults>, Refusal> {
    let present = stored(console, here).await?;
    if let Some(faults) = unlike(sent.one(SEEN), &state_of(present)) {
        return Ok(Err(faults));
    }
    let robots = chosen(
        here,
        Module::Robots,
        sent.one("robots_interval"),
        present.robots(),
    );
    let sitemaps = chosen(
        here,
        Module::Sitemap,
        sent.one("sitemap_interval"),
        present.sitemaps(),
    );
    // One of a choice: no browser sends anything else.
    let intervals = robots
        .zip(sitemaps)
        .and_then(|(robots, sitemaps)| Intervals::new(robots, sitemaps))
        .ok_or(Refusal::NoForm)?;
    let details = json!({
        "robots_interval": intervals.robots(),
        "sitemap_interval": intervals.sitemaps(),
    });
    let noted = changed(console, here, Module::Robots, details);
    match console.parts.crawl.intervals.set(&noted, intervals).await {
        Ok(()) => Ok(Ok(())),
        Err(SettleError::Store(error)) => Err(error.into()),
        Err(error) => {
            tracing::error!(%error, "the intervals of a domain can't be changed at the console");
            Err(Refusal::Internal)
        }
    }
}

/// The interval that was chosen for a module; the present one where the plan does not have the module.
fn chosen(here: &AtDomain, module: Module, sent: &str, present: Interval) -> Option<Interval> {
    if here.has(module) {
        Interval::named(sent)
    } else {
        Some(present)
    }
}

pub(super) fn section(here: &AtDomain, stored: Intervals, faults: &Faults) -> Markup {
    html! {
        section.card id="crawl-intervals" aria-labelledby="crawl-intervals-head" {
            h2 id="crawl-intervals-head" { "robots.txt and sitemaps" }
            (faults.summary())
            form method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value="intervals";
                input type="hidden" name=(SEEN) value=(state_of(stored));
                @if here.has(Module::Robots) {
                    (choice("robots_interval", "How often robots.txt is checked", ROBOTS, stored.robots()))
                }
                @if here.has(Module::Sitemap) {
                    (choice("sitemap_interval", "How often sitemaps are checked", SITEMAPS, stored.sitemaps()))
                }
                div.actions { button type="submit" { "Save intervals" } }
            }
        }
    }
}

fn choice(name: &str, label: &str, choices: &[Interval], stored: Interval) -> Markup {
    let options: Vec<(&str, String)> = choices
        .iter()
        .map(|interval| {
            (
                interval.name(),
                format!("every {}", words::length(interval.length())),
            )
        })
        .collect();
    Field::new(name, label, stored.name()).select(options.iter().map(|(value, text)| (*value, text.as_str())))
}

//! The operations that are asked over HTTP, and what has to be in their answers.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use form_urlencoded::byte_serialize;
use pharos_domain::window::DateRange;
use serde_json::Value;
use time::Date;

use super::site::{page_text, query_text};
use crate::{
    exchange::Wire,
    interrupt,
    world::{Callers, World},
};

/// Each with its path below `gsc`, and a pointer to what it may not be without. `{28}` and the like are windows of so many days,
/// `{query}` and `{page}` those that have most impressions, `{place}` a country and a device.
const OPERATIONS: [(&str, &str, &str); 43] = [
    ("property", "property", "/data_through"),
    ("config", "config", "/brand_terms/0"),
    ("reports", "reports", "/items/0"),
    ("report-runs", "reports/runs", "/items"),
    (
        "overview-28",
        "overview?{28}&compare_previous=true",
        "/comparison",
    ),
    ("overview-400", "overview?{400}", "/clicks"),
    ("timeseries-28", "timeseries?{28}", "/points/27/clicks"),
    ("timeseries-400", "timeseries?{400}", "/points/399/clicks"),
    (
        "timeseries-400-query",
        "timeseries?{400}&query={query}",
        "/points/399/clicks",
    ),
    (
        "timeseries-400-place",
        "timeseries?{400}&{place}",
        "/points/399/clicks",
    ),
    (
        "queries-28",
        "queries?{28}&compare_previous=true&limit=100",
        "/items/99",
    ),
    ("queries-400", "queries?{400}&limit=100", "/items/99"),
    ("queries-28-place", "queries?{28}&{place}", "/items/0"),
    ("queries-28-page", "queries?{28}&page={page}", "/items/0"),
    ("queries-28-search", "queries?{28}&search=product", "/items/0"),
    ("queries-28-branded", "queries?{28}&branded=true", "/items/0"),
    ("query", "queries/detail?query={query}", "/pages/0"),
    (
        "pages-28",
        "pages?{28}&compare_previous=true&limit=100",
        "/items/99",
    ),
    ("pages-400", "pages?{400}&limit=100", "/items/99"),
    ("pages-28-place", "pages?{28}&{place}", "/items/0"),
    ("pages-28-query", "pages?{28}&query={query}", "/items/0"),
    ("page", "pages/detail?url={page}", "/queries/0"),
    ("countries-28", "countries?{28}", "/items/0"),
    ("countries-400", "countries?{400}", "/items/0"),
    ("devices-28", "devices?{28}", "/items/0"),
    ("devices-400", "devices?{400}", "/items/0"),
    ("search-appearances", "search-appearances", "/items/0"),
    ("hourly", "hourly", "/points/0"),
    ("new-rankings-28", "new-rankings?{28}", "/items/0"),
    ("new-rankings-200", "new-rankings?{200}", "/items/0"),
    ("lost-rankings-28", "lost-rankings?{28}", "/items/0"),
    ("lost-rankings-200", "lost-rankings?{200}", "/items/0"),
    ("movers", "movers", "/items/0"),
    ("movers-pages", "movers?dimension=page", "/items/0"),
    ("position-distribution", "position-distribution", "/items/0"),
    (
        "position-distribution-place",
        "position-distribution?{place}",
        "/items/0",
    ),
    ("brand-split", "brand-split", "/branded/clicks"),
    ("opportunities", "opportunities", "/items/0"),
    ("ctr-gaps", "ctr-gaps", "/curve/0"),
    ("ctr-gaps-pages", "ctr-gaps?dimension=page", "/curve/0"),
    ("cannibalization", "cannibalization", "/items/0"),
    ("content-decay", "content-decay", "/items/0"),
    ("directories", "directories?depth=3", "/items/0"),
];

/// An operation that is asked.
pub(super) struct Operation {
    pub(super) name: &'static str,
    request: Vec<u8>,
    /// What its answer may not be without.
    shown: &'static str,
}

/// All of them, of windows that end with `last`.
pub(super) fn all(world: &World, last: Date) -> Result<Vec<Operation>> {
    OPERATIONS
        .into_iter()
        .map(|(name, path, shown)| {
            let path = format!("/domains/{{domain_id}}/gsc/{}", with_values(path, last));
            let request = world.requests(&path, Callers::All).into_iter().next();
            Ok(Operation {
                name,
                request: request.context("there is no key")?,
                shown,
            })
        })
        .collect()
}

fn with_values(path: &str, last: Date) -> String {
    let encoded = |text: String| byte_serialize(text.as_bytes()).collect::<String>();
    let mut path = path
        .replace("{query}", &encoded(query_text(0)))
        .replace("{page}", &encoded(page_text(0)))
        .replace("{place}", "country=DE&device=mobile");
    for days in [28, 200, 400] {
        let window = DateRange::ending(last, days);
        let dates = format!("start_date={}&end_date={}", window.first(), window.last());
        path = path.replace(&format!("{{{days}}}"), &dates);
    }
    path
}

impl Operation {
    /// Asks, and looks whether the answer is about anything.
    pub(super) fn check(&self, wire: &mut Wire) -> Result<()> {
        let reply = wire.ask(&self.request).context(self.name)?;
        let answer: Value = serde_json::from_slice(&reply.body)?;
        ensure!(
            answer.pointer(self.shown).is_some_and(|shown| !shown.is_null()),
            "{}: {} has no {}",
            self.name,
            String::from_utf8_lossy(&reply.body),
            self.shown
        );
        Ok(())
    }

    /// How long its answer takes, in milliseconds.
    pub(super) fn time(&self, wire: &mut Wire) -> Result<f64> {
        if interrupt::came() {
            bail!("interrupted");
        }
        let began = Instant::now();
        let reply = wire.ask(&self.request).context(self.name)?;
        let lasted = began.elapsed().as_secs_f64() * 1e3;
        ensure!(
            reply.header("x-cache") != Some("HIT"),
            "{}: an answer came from the cache",
            self.name
        );
        Ok(lasted)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn all_that_stands_in_braces_is_filled_in() {
        for (name, path, _) in OPERATIONS {
            let path = with_values(path, date!(2026 - 03 - 29));
            assert!(!path.contains(['{', '}', ' ']), "{name}: {path}");
        }
        assert_eq!(
            with_values("queries?{28}", date!(2026 - 03 - 29)),
            "queries?start_date=2026-03-02&end_date=2026-03-29"
        );
    }
}

//! The operations that are asked over HTTP, and what has to be in their answers.

use anyhow::Result;
use form_urlencoded::byte_serialize;
use pharos_domain::window::DateRange;
use time::Date;

use super::site::{page_text, query_text};
use crate::{asked::Operation, world::World};

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

/// All of them, of windows that end with `last`.
pub(super) fn all(world: &World, last: Date) -> Result<Vec<Operation>> {
    OPERATIONS
        .into_iter()
        .map(|(name, path, shown)| {
            let path = format!("gsc/{}", with_values(path, last));
            Operation::new(world, name.to_owned(), &path, shown)
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

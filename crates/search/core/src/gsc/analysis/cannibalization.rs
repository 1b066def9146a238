//! Queries for which several pages of a site are shown.

use std::collections::{BTreeMap, HashMap};

use pharos_domain::wire_enum;
use time::Date;

use super::super::figures::{Figures, share_pct};
use super::ServedQuery;

/// From which share of the impressions on, in percent, the pages that are not shown most are rivals, and strong ones.
const RIVALS: f64 = 20.0;
const STRONG_RIVALS: f64 = 40.0;
/// From so many changes of the top page on the search engine is unsure, and very unsure.
const SWITCHES: u32 = 3;
const MANY_SWITCHES: u32 = 7;

wire_enum! {
    /// How much pages get in each other's way.
    Severity as "SearchCannibalizationSeverity" {
        /// One page is shown, the others now and then.
        Low = "low",
        /// At least 20 % of the impressions are of other pages than the one that is shown most, or the top page changed on at
        /// least 3 days.
        Medium = "medium",
        /// At least 40 %, and the top page changed on at least 7 days.
        High = "high",
    }
}

/// A page that is shown for a query.
#[derive(Clone, Debug, PartialEq)]
pub struct RivalPage {
    /// Its URL.
    pub page: String,
    /// Its figures, counted by page.
    pub figures: Figures,
    /// Its share of the clicks of all of them, in percent; `None` where nobody clicked.
    pub share_pct: Option<f64>,
    /// On how many days it was the top page.
    pub days_top: u32,
}

/// A query for which several pages are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Cannibalized {
    /// The query that several pages are shown for.
    pub query: String,
    /// Its figures, counted by property.
    pub figures: Figures,
    /// The pages, those with most clicks first, and of the same with most impressions.
    pub pages: Vec<RivalPage>,
    /// On how many days the top page was another than on the day before that had one.
    pub switch_count: u32,
    /// How much the pages get in each other's way.
    pub severity: Severity,
    /// The page that is clicked most: to be kept where the others are merged into one. `None` where nobody clicked.
    pub recommended_page: Option<String>,
}

/// Which of two pages is shown better: by clicks, then by impressions, then by its URL.
type Rank<'a> = (u64, u64, std::cmp::Reverse<&'a str>);

fn rank<'a>(page: &'a str, figures: &Figures) -> Rank<'a> {
    (figures.clicks, figures.impressions, std::cmp::Reverse(page))
}

impl Cannibalized {
    /// Judges a query by its days.
    #[must_use]
    pub fn of(served: ServedQuery) -> Self {
        let ServedQuery {
            id: _,
            query,
            figures,
            days,
        } = served;
        let mut sums: BTreeMap<&str, Figures> = BTreeMap::new();
        let mut tops: BTreeMap<Date, Rank<'_>> = BTreeMap::new();
        for (date, page, figures) in &days {
            *sums.entry(page).or_default() += *figures;
            let rank = rank(page, figures);
            let top = tops.entry(*date).or_insert(rank);
            *top = rank.max(*top);
        }
        let tops: Vec<&str> = tops.into_values().map(|(.., page)| page.0).collect();
        let switches = tops
            .windows(2)
            .filter(|pair| matches!(pair, [one, next] if one != next));
        let switch_count = u32::try_from(switches.count()).unwrap_or(u32::MAX);
        let mut days_top: HashMap<&str, u32> = HashMap::new();
        for page in tops {
            *days_top.entry(page).or_default() += 1;
        }
        let clicks: u64 = sums.values().map(|figures| figures.clicks).sum();
        let severity = severity(sums.values(), switch_count);
        let mut pages: Vec<RivalPage> = sums
            .into_iter()
            .map(|(page, figures)| RivalPage {
                page: page.to_owned(),
                figures,
                share_pct: share_pct(figures.clicks, clicks),
                days_top: days_top.get(page).copied().unwrap_or(0),
            })
            .collect();
        pages.sort_by(|one, other| rank(&other.page, &other.figures).cmp(&rank(&one.page, &one.figures)));
        Self {
            recommended_page: pages
                .first()
                .filter(|page| page.figures.clicks > 0)
                .map(|page| page.page.clone()),
            query,
            figures,
            pages,
            switch_count,
            severity,
        }
    }
}

fn severity<'a>(pages: impl Iterator<Item = &'a Figures>, switches: u32) -> Severity {
    let (mut all, mut most) = (0_u64, 0);
    for page in pages {
        all += page.impressions;
        most = page.impressions.max(most);
    }
    let rivals = if all > 0 {
        100.0 * (all - most) as f64 / all as f64
    } else {
        0.0
    };
    if rivals >= STRONG_RIVALS && switches >= MANY_SWITCHES {
        Severity::High
    } else if rivals >= RIVALS || switches >= SWITCHES {
        Severity::Medium
    } else {
        Severity::Low
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::date};

    use super::*;

    fn day(number: i64, page: &str, clicks: u64, impressions: u64) -> (Date, String, Figures) {
        let figures = Figures {
            clicks,
            impressions,
            position_sum: 5.0 * impressions as f64,
        };
        (
            date!(2026 - 03 - 01) + Duration::days(number),
            page.to_owned(),
            figures,
        )
    }

    fn served(days: Vec<(Date, String, Figures)>) -> ServedQuery {
        ServedQuery {
            id: 1,
            query: "red shoes".to_owned(),
            figures: Figures {
                clicks: 9,
                impressions: 100,
                position_sum: 500.0,
            },
            days,
        }
    }

    /// By hand: on day 0 /a has more clicks, on day 1 /b, on day 3 (day 2 is missing) both have none and /a more impressions.
    /// So the top pages are a, b, a: 2 switches. /a has 6 of 10 clicks.
    #[test]
    fn the_top_page_of_a_day_has_most_clicks_and_then_most_impressions() {
        let found = Cannibalized::of(served(vec![
            day(0, "/a", 4, 10),
            day(0, "/b", 1, 60),
            day(1, "/b", 3, 10),
            day(1, "/a", 2, 10),
            day(3, "/b", 0, 5),
            day(3, "/a", 0, 8),
        ]));
        let pages: Vec<_> = found
            .pages
            .iter()
            .map(|page| {
                (
                    page.page.as_str(),
                    page.figures.clicks,
                    page.share_pct,
                    page.days_top,
                )
            })
            .collect();
        assert_eq!(pages, [("/a", 6, Some(60.0), 2), ("/b", 4, Some(40.0), 1)]);
        assert_eq!(found.switch_count, 2);
        assert_eq!(found.recommended_page.as_deref(), Some("/a"));
        // 28 of 103 impressions are of /a, which is shown less: 27 %.
        assert_eq!(found.severity, Severity::Medium);
    }

    /// The figures of `docs/guides/search-figures.md`.
    #[test]
    fn severity_goes_by_the_share_of_rivals_and_by_switches() {
        let alternating = |days, rival| {
            let days = (0..days).flat_map(|number| {
                let (first, second) = if number % 2 == 0 { (2, 1) } else { (1, 2) };
                [day(number, "/a", first, 100), day(number, "/b", second, rival)]
            });
            Cannibalized::of(served(days.collect())).severity
        };
        // Eight days have seven switches; 80 of 180 are 44 %, 60 of 160 are 37.5 %.
        assert_eq!(alternating(8, 80), Severity::High);
        assert_eq!(alternating(7, 80), Severity::Medium);
        assert_eq!(alternating(8, 60), Severity::Medium);
        assert_eq!(alternating(1, 10), Severity::Low);
        assert_eq!(alternating(4, 10), Severity::Medium);
    }

    #[test]
    fn where_nobody_clicked_no_page_is_recommended() {
        let found = Cannibalized::of(served(vec![day(0, "/b", 0, 10), day(0, "/a", 0, 10)]));
        assert_eq!(found.recommended_page, None);
        assert_eq!(found.pages[0].share_pct, None);
        // With the same figures, the page whose URL comes first is on top.
        assert_eq!((found.pages[0].page.as_str(), found.pages[0].days_top), ("/a", 1));
    }
}

//! The searches that brought people to the demo shop: generated, by a seed, the same at every start.

use time::Date;

use super::play::{Fact, Facts};
use crate::demo::shop::goods::GOODS;

/// Queries that no good is called by: their page, impressions on a usual day, and the position about which they stand.
const QUERIES: [(&str, &str, f64, f64); 22] = [
    ("demo shop", "/", 60.0, 1.1),
    ("demo shop lamps", "/", 28.0, 1.4),
    ("demoshop", "/", 14.0, 1.2),
    ("designer lamps", "/", 160.0, 9.2),
    ("modern lamps online", "/", 120.0, 12.6),
    ("lamp shop", "/", 90.0, 7.4),
    ("buy lamps", "/", 75.0, 14.8),
    ("arc lamp", "/product/arc", 140.0, 5.3),
    ("steel floor lamp", "/product/arc", 80.0, 8.6),
    ("big arc floor lamp", "/product/arc", 34.0, 3.8),
    ("glass table lamp", "/product/buoy", 110.0, 6.2),
    ("oak table lamp", "/product/buoy", 52.0, 4.4),
    ("bedside lamp glass", "/product/buoy", 66.0, 17.5),
    ("up down wall light", "/product/cove", 95.0, 4.9),
    ("wall light indirect", "/product/cove", 48.0, 10.7),
    ("wall lamp hallway", "/product/cove", 58.0, 22.3),
    ("paper pendant", "/product/drift", 102.0, 3.4),
    ("paper lamp", "/product/drift", 210.0, 11.2),
    ("folded paper lamp shade", "/product/drift", 41.0, 2.6),
    ("how to hang a pendant lamp", "/product/drift", 37.0, 28.4),
    ("warm light living room", "/", 44.0, 34.1),
    ("lamp price list", "/files/price-list.pdf", 18.0, 6.9),
];
/// Queries for which a second page is shown, week by week the better one.
const RIVALS: [(&str, &str); 3] = [
    ("designer lamps", "/product/arc"),
    ("glass table lamp", "/product/buoy?shade=9"),
    ("paper lamp", "/product/drift?shade=4"),
];
/// Queries whose page fades within a year, each with the day of the year, by a count of its own, on which it is at its best again.
const FADING: [(&str, &str, f64, f64, i32); 2] = [
    ("brass arc lamp", "/product/arc?shade=7", 400.0, 3.0, 0),
    ("green glass lamp", "/product/buoy?shade=3", 380.0, 3.2, 183),
];
/// Things that people search for one after the other: a new one every so many days, each for so many.
const MATERIALS: [&str; 12] = [
    "copper",
    "linen",
    "smoked glass",
    "terracotta",
    "marble",
    "rattan",
    "brass",
    "cork",
    "velvet",
    "ceramic",
    "bamboo",
    "walnut",
];
const KINDS: [&str; 5] = ["lamp", "floor lamp", "table lamp", "pendant lamp", "wall light"];
const NEW_FASHION: i32 = 9;
const FASHIONS: i32 = 5;
/// Countries with their share.
const COUNTRIES: [(&str, f64); 4] = [("usa", 0.55), ("gbr", 0.2), ("deu", 0.15), ("zzz", 0.1)];
/// Devices with their share.
const DEVICES: [(&str, f64); 3] = [("MOBILE", 0.6), ("DESKTOP", 0.35), ("TABLET", 0.05)];
/// The share of impressions whose query is too rare to be told.
const RARE: f64 = 0.22;
/// The day of each year on which an update of the search changes rankings.
const UPDATE_DAY: u16 = 75;

/// The searches of the demo shop. Their pages have the addresses at which the shop is really served, so that what else is known of
/// a page stands beside them.
#[derive(Clone, Debug)]
pub(super) struct Lamps {
    /// The address of the shop, with a slash at its end.
    pub(super) shop: String,
}

impl Facts for Lamps {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        let share = match search_type {
            "WEB" => 1.0,
            "IMAGE" => 0.3,
            "DISCOVER" => 0.5,
            _ => return Vec::new(),
        };
        let mut random = fastrand::Rng::with_seed(seed(date, search_type));
        let mut facts = Vec::new();
        for Line {
            query,
            page,
            usual,
            position,
        } in lines(date)
        {
            let position = ranked(position, date, &mut random);
            for (country, of_country) in COUNTRIES {
                for (device, of_device) in DEVICES {
                    let impressions = about(usual * share * of_country * of_device, &mut random);
                    if impressions == 0 {
                        continue;
                    }
                    let is_told = search_type != "DISCOVER" && random.f64() > RARE;
                    facts.push(Fact {
                        query: is_told.then(|| query.clone()),
                        page: format!("{}{page}", self.shop.trim_end_matches('/')),
                        country,
                        device,
                        look: page.starts_with("/product/").then_some("PRODUCT_SNIPPETS"),
                        hour: random.u8(0..24),
                        clicks: about(f64::from(impressions) * ctr(position), &mut random).min(impressions),
                        impressions,
                        position,
                    });
                }
            }
        }
        facts
    }
}

/// A query of a day, with the page that it shows.
struct Line {
    query: String,
    page: String,
    /// Impressions of web search, about.
    usual: f64,
    /// The position about which it stands.
    position: f64,
}

/// Whether searches of a day lead to a page, which is its path with its query.
pub(super) fn is_found(page: &str, date: Date) -> bool {
    lines(date).iter().any(|line| line.page == page)
}

fn lines(date: Date) -> Vec<Line> {
    let (season, day) = (season(date), date.to_julian_day());
    let line = |query: &str, page: &str, usual: f64, position: f64| Line {
        query: query.to_owned(),
        page: page.to_owned(),
        usual,
        position,
    };
    let mut lines: Vec<Line> = GOODS
        .iter()
        .map(|good| {
            let page = format!("/product/{}", good.id);
            line(&good.name.to_lowercase(), &page, 46.0 * season, 1.7)
        })
        .collect();
    for (query, page, usual, position) in QUERIES {
        let rival = RIVALS.iter().find(|(known, _)| *known == query);
        let of_rival = match rival {
            Some(_) if day / 7 % 2 == 0 => 0.3,
            Some(_) => 0.6,
            None => 0.0,
        };
        lines.push(line(query, page, usual * season * (1.0 - of_rival), position));
        if let Some((_, rival)) = rival {
            lines.push(line(query, rival, usual * season * of_rival, position));
        }
    }
    for (query, page, usual, position, best) in FADING {
        let year = f64::from((day + best) % 365) / 365.0;
        lines.push(line(query, page, usual * (-3.2 * year).exp(), position));
    }
    let newest = day / NEW_FASHION;
    for fashion in newest - FASHIONS + 1..=newest {
        let place = usize::try_from(fashion).unwrap_or(0);
        let query = format!(
            "{} {}",
            MATERIALS[place % MATERIALS.len()],
            KINDS[place % KINDS.len()]
        );
        let good = GOODS[place % GOODS.len()].id;
        let page = format!("/product/{good}?shade={}", place % 300 + 10);
        let position = 5.0 + f64::from(fashion % 9);
        lines.push(line(&query, &page, 26.0 * season, position));
    }
    lines
}

/// A seed of the day and type.
fn seed(date: Date, search_type: &str) -> u64 {
    let of_type = search_type
        .bytes()
        .fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    (u64::from(date.to_julian_day().unsigned_abs()) << 20) ^ of_type
}

/// Lamps sell in the dark months, and on working days less.
fn season(date: Date) -> f64 {
    let year = f64::from(date.ordinal()) / 365.0;
    let week = if date.weekday().number_from_monday() > 5 {
        1.2
    } else {
        0.95
    };
    week * (1.0 + 0.35 * (year * std::f64::consts::TAU).cos())
}

/// The position on a day: it drifts, and changes with each year's update.
fn ranked(position: f64, date: Date, random: &mut fastrand::Rng) -> f64 {
    let after = if date.ordinal() >= UPDATE_DAY { 0.92 } else { 1.08 };
    let drift = 0.9 + 0.2 * random.f64();
    (position * after * drift).max(1.0)
}

/// How many of those who see a result click on it.
fn ctr(position: f64) -> f64 {
    (0.32 / position.powf(1.15)).clamp(0.002, 0.4)
}

/// A whole number whose mean is this one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is small, whole and not below zero"
)]
fn about(mean: f64, random: &mut fastrand::Rng) -> u32 {
    let noisy = mean * (0.7 + 0.6 * random.f64());
    let whole = noisy.floor();
    let rest = u32::from(random.f64() < noisy - whole);
    whole as u32 + rest
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use time::{Duration, macros::date};

    use super::*;

    #[test]
    fn pages_have_the_addresses_of_the_shop() {
        let lamps = Lamps {
            shop: "http://demo.localhost:7071/".to_owned(),
        };
        let facts = lamps.of(date!(2026 - 03 - 31), "WEB");
        for page in ["", "product/arc", "files/price-list.pdf"] {
            let url = format!("{}{page}", lamps.shop);
            assert!(facts.iter().any(|fact| fact.page == url), "{url}");
        }
        assert!(facts.iter().all(|fact| fact.page.starts_with(&lamps.shop)));
    }

    /// The facts of some days that end with one.
    fn web(end: Date, days: i64) -> Vec<Fact> {
        let lamps = Lamps {
            shop: "http://demo.localhost:7071/".to_owned(),
        };
        (0..days)
            .flat_map(|ago| lamps.of(end - Duration::days(ago), "WEB"))
            .collect()
    }

    /// Whenever the demo is started.
    #[test]
    fn queries_come_and_go_and_pages_share_them_and_fade() {
        for month in 0..13 {
            let today = date!(2026 - 03 - 31) + Duration::days(30 * month);
            let (now, before) = (web(today, 28), web(today - Duration::days(28), 28));
            let queries = |facts: &[Fact]| -> HashSet<String> {
                facts.iter().filter_map(|fact| fact.query.clone()).collect()
            };
            let (seen, known) = (queries(&now), queries(&before));
            assert!(seen.difference(&known).count() > 0, "new on {today}");
            assert!(known.difference(&seen).count() > 0, "lost on {today}");
            let shared: HashSet<&str> = now
                .iter()
                .filter(|fact| fact.query.as_deref() == Some("paper lamp"))
                .map(|fact| fact.page.as_str())
                .collect();
            assert_eq!(shared.len(), 2, "{today}");
            let clicks = |facts: &[Fact], page: &str| -> u32 {
                let of_page = facts.iter().filter(|fact| fact.page.ends_with(page));
                of_page.map(|fact| fact.clicks).sum()
            };
            let earlier = web(today - Duration::weeks(9), 28);
            let fades = |(_, page, ..): &(&str, &str, f64, f64, i32)| {
                f64::from(clicks(&now, page)) < 0.9 * f64::from(clicks(&earlier, page))
            };
            assert!(FADING.iter().any(fades), "{today}");
        }
    }
}

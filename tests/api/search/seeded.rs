//! A site of 40,000 queries with 16 months of history, made by a seed: seasons, weekends, rare queries that Google hides, a core
//! update.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use pharos_domain::window::DateRange;
use pharos_search::{
    google::search_analytics::{DataState, Dimension, PAGE, SearchAnalyticsQuery},
    gsc::figures::SearchType,
};
use pharos_server::demo::google::play::{Fact, Facts};
use time::{Date, Month, Weekday, macros::date};

use super::{
    google::{Google, SITE},
    misread::account,
    read,
    sync::{client, linked, of_types, round},
};
use crate::harness::TestApp;

/// How many queries people ask.
const QUERIES: usize = 40_000;
/// Those behind this one are so rare that Google tells none of them.
const TOLD: usize = 30_000;
/// Google began a core update: every other query stands five places lower since.
const UPDATE: Date = date!(2026 - 03 - 27);

#[derive(Clone, Copy)]
struct Seeded;

impl Facts for Seeded {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        if search_type != "WEB" {
            return Vec::new();
        }
        let mut rng = Rng::with_seed(u64::from(date.to_julian_day().unsigned_abs()));
        (0..draws(date)).map(|_| fact(&mut rng, date)).collect()
    }
}

/// Most before Christmas, fewest in summer, and fewer on weekends.
fn draws(date: Date) -> u32 {
    let season = match date.month() {
        Month::November | Month::December => 500,
        Month::June | Month::July | Month::August => 300,
        _ => 400,
    };
    match date.weekday() {
        Weekday::Saturday | Weekday::Sunday => season * 7 / 10,
        _ => season,
    }
}

fn fact(rng: &mut Rng, date: Date) -> Fact {
    // Half of all searches are for few things: each octave of the queries is as likely as the one before.
    let query = if rng.bool() {
        let octave = rng.u32(0..15);
        rng.usize(1 << octave..2 << octave) - 1
    } else {
        rng.usize(..QUERIES)
    };
    let fallen = if date >= UPDATE && query % 2 == 1 { 5 } else { 0 };
    let position = u32::try_from(query % 20).unwrap() + 1 + fallen;
    let impressions = rng.u32(1..=5);
    Fact {
        query: (query < TOLD).then(|| format!("query {query}")),
        page: format!("https://shop.example/{}", query % 500),
        country: ["deu", "fra", "usa"][query % 3],
        device: if rng.bool() { "MOBILE" } else { "DESKTOP" },
        look: query.is_multiple_of(50).then_some("VIDEOS"),
        hour: rng.u8(..24),
        clicks: impressions / position,
        impressions,
        position: position.into(),
    }
}

/// Sums of clicks, impressions and positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    clicks: u64,
    impressions: u64,
    positions: f64,
}

/// The sums of days by query, and under none those of the hidden ones, straight from the facts.
fn sums(days: DateRange) -> BTreeMap<Option<String>, Sums> {
    let mut sums: BTreeMap<Option<String>, Sums> = BTreeMap::new();
    for fact in days.dates().flat_map(|date| Seeded.of(date, "WEB")) {
        let sum = sums.entry(fact.query).or_default();
        sum.clicks += u64::from(fact.clicks);
        sum.impressions += u64::from(fact.impressions);
        sum.positions += fact.position * f64::from(fact.impressions);
    }
    sums
}

/// The ten final days of a first import.
#[tokio::test]
async fn the_top_queries_of_a_large_site_are_those_that_it_has() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Seeded, app.clock.clone()).await;
    round(&app, &google).await;

    let days = DateRange::new(date!(2026 - 03 - 19), date!(2026 - 03 - 28)).unwrap();
    let mut known = sums(days);
    let hidden = known.remove(&None).unwrap();
    let mut best: Vec<(u64, u64)> = known.values().map(|sum| (sum.clicks, sum.impressions)).collect();
    best.sort_unstable();
    best.reverse();
    best.truncate(50);

    let window = "start_date=2026-03-19&end_date=2026-03-28";
    let found = read(&app, &format!("queries?{window}&limit=50")).await;
    assert_eq!(found["total_queries"], known.len());
    let items = found["items"].as_array().unwrap();
    let figures = |item: &serde_json::Value| {
        let count = |name: &str| item[name].as_u64().unwrap();
        (count("clicks"), count("impressions"))
    };
    assert_eq!(items.iter().map(figures).collect::<Vec<_>>(), best);
    for item in items {
        let sum = &known[&item["query"].as_str().map(str::to_owned)];
        assert_eq!(figures(item), (sum.clicks, sum.impressions), "{item}");
        let position = sum.positions / sum.impressions as f64;
        assert!(
            (item["position"].as_f64().unwrap() - position).abs() < 1e-9,
            "{item}"
        );
    }
    let overview = read(&app, &format!("overview?{window}")).await;
    assert_eq!(overview["anonymized_clicks"], hidden.clicks);
    assert_eq!(overview["anonymized_impressions"], hidden.impressions);
}

/// One question about all of the history: its answer has more rows than a page.
#[tokio::test]
async fn the_queries_of_sixteen_months_come_in_page_by_page() {
    let app = TestApp::start().await;
    let google = Google::of(Seeded, app.clock.clone()).await;
    let days = DateRange::new(date!(2024 - 11 - 30), date!(2026 - 03 - 28)).unwrap();
    let question = SearchAnalyticsQuery {
        site_url: SITE,
        search_type: SearchType::Web,
        start: days.first(),
        end: days.last(),
        dimensions: &[Dimension::Query],
        data_state: DataState::Final,
        appearance: None,
    };
    let (client, account) = (client(&google), account(&app));
    let answered = client.search_analytics(&account, &question, &*app.clock).await;
    let rows = answered.unwrap().rows;
    assert!(rows.len() > PAGE, "{} rows", rows.len());
    let mut known = sums(days);
    known.remove(&None);
    assert_eq!(rows.len(), known.len());
    let mut seen = BTreeSet::new();
    for row in &rows {
        let sum = known[&Some(row.keys[0].clone())];
        assert_eq!(
            (row.figures.clicks, row.figures.impressions),
            (sum.clicks, sum.impressions)
        );
        assert!(seen.insert(&row.keys[0]), "{:?} comes twice", row.keys);
    }
}

//! A property as the upstream tells of it: 16 months by a fixed seed, day by day.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use fastrand::Rng;
use pharos_search::gsc::{
    figures::{Device, Figures},
    import::{ImportedDay, Row},
    place::{Country, Place},
};

/// 16 months: as many days as the upstream has.
pub(super) const DAYS: u32 = 486;
const SEED: u64 = 25;
/// How many of its last days a page takes to lose most of its clicks, where it decays.
const FADING: u32 = 91;
/// How long people ask what they ask for a while only.
const ASKED_FOR: u32 = 120;
const LOOKS: [&str; 3] = ["review_snippet", "videos", "translated_result"];
const DEVICES: [Device; 3] = [Device::Mobile, Device::Desktop, Device::Tablet];
const COUNTRIES: [&str; 30] = [
    "DE", "US", "FR", "GB", "AT", "CH", "NL", "IT", "ES", "PL", "BE", "SE", "DK", "CZ", "NO", "FI", "PT",
    "IE", "CA", "AU", "IN", "BR", "MX", "JP", "KR", "TR", "GR", "HU", "RO", "BG",
];

/// The searches of a site.
#[derive(Debug)]
pub(super) struct Site {
    queries: usize,
    pages: usize,
    /// How many rows a day has.
    rows: usize,
}

/// A country and a device, by their places in the lists.
type At = (usize, usize);
type Sums<Key> = BTreeMap<Key, Figures>;

/// The rows of a day.
#[derive(Default)]
struct Drawn {
    places: Sums<At>,
    queries: Sums<(usize, At)>,
    pages: Sums<(usize, At)>,
    pairs: Sums<(usize, usize, At)>,
    looks: Sums<(usize, usize)>,
}

impl Drawn {
    fn rows(&self) -> usize {
        self.places.len() + self.queries.len() + self.pages.len() + self.pairs.len() + self.looks.len()
    }
}

impl Site {
    /// A site with so many rows in all. A smaller one has fewer queries and pages, up to those of 20 million rows.
    pub(super) fn of(rows: u64) -> Result<Self> {
        let rows = usize::try_from(rows)?;
        let queries = (rows / 500).clamp(1_000, 40_000);
        let a_day = rows / usize::try_from(DAYS)?;
        ensure!(a_day > 0, "there is no row a day");
        Ok(Self {
            queries,
            pages: queries / 8,
            rows: a_day,
        })
    }

    /// How many queries and pages there are.
    pub(super) const fn size(&self) -> (usize, usize) {
        (self.queries, self.pages)
    }

    /// A day, the first of which is 0. Impressions are drawn until there are enough rows: few queries have most of them, the
    /// queries of three in ten are too rare to be told, and some are asked for a while only.
    pub(super) fn day(&self, day: u32) -> ImportedDay {
        let mut rng = Rng::with_seed(SEED + u64::from(day));
        let mut drawn = Drawn::default();
        while drawn.rows() < self.rows {
            let query = skewed(&mut rng, self.queries);
            let page = self.page(query, rng.u8(..) < 51);
            let at = (skewed(&mut rng, COUNTRIES.len()), device(&mut rng));
            let figures = figures(&mut rng, query, page, day);
            let is_told = rng.u8(..) >= 77 && is_asked(query, day);
            *drawn.places.entry(at).or_default() += figures;
            *drawn.pages.entry((page, at)).or_default() += figures;
            if is_told {
                *drawn.queries.entry((query, at)).or_default() += figures;
                *drawn.pairs.entry((query, page, at)).or_default() += figures;
            }
            if rng.u8(..) < 26 {
                *drawn.looks.entry((page % LOOKS.len(), page)).or_default() += figures;
            }
        }
        imported(&drawn)
    }

    /// The page that is shown for a query: mostly the same one, now and then another.
    const fn page(&self, query: usize, is_other: bool) -> usize {
        (query * 7_919 + if is_other { 613 } else { 0 }) % self.pages
    }
}

/// A number below `many`: each octave is as likely as the one before, so that few numbers come most often.
fn skewed(rng: &mut Rng, many: usize) -> usize {
    loop {
        let octave = rng.u32(0..=many.ilog2());
        let number = rng.usize(1 << octave..2 << octave) - 1;
        if number < many {
            return number;
        }
    }
}

fn device(rng: &mut Rng) -> usize {
    match rng.u8(0..20) {
        0..12 => 0,
        12..19 => 1,
        _ => 2,
    }
}

/// A few impressions at a position that is the query's own, give or take some, and their clicks: fewer further down, and on pages
/// that decay. Positions are whole, so that their sums are exact.
fn figures(rng: &mut Rng, query: usize, page: usize, day: u32) -> Figures {
    let own = u32::try_from(query * 31 % 30).unwrap_or(0);
    let position = (own + rng.u32(0..5)).saturating_sub(2).max(1);
    let left = if page.is_multiple_of(10) {
        (DAYS - day).clamp(FADING / 10, FADING)
    } else {
        FADING
    };
    let in_thousand = 300 * left / (FADING * position);
    let impressions = rng.u32(1..=5);
    let clicks = (0..impressions).filter(|_| rng.u32(0..1_000) < in_thousand);
    Figures {
        clicks: clicks.map(|_| 1_u64).sum(),
        impressions: impressions.into(),
        position_sum: f64::from(position * impressions),
    }
}

/// Three of four queries are asked on every day, the others for some months.
fn is_asked(query: usize, day: u32) -> bool {
    let shift = u32::try_from(query * 7_919 % 486).unwrap_or(0);
    query % 4 != 3 || (day + shift) % DAYS < ASKED_FOR
}

/// One in fifty is for the brand.
pub(super) fn query_text(query: usize) -> String {
    let brand = if query.is_multiple_of(50) { BRAND } else { "buy" };
    format!("{brand} product {query}")
}

/// The name of the site.
pub(super) const BRAND: &str = "acme";

pub(super) fn page_text(page: usize) -> String {
    format!("https://site-0.example/section-{}/page-{page}", page % 20)
}

fn place((country, device): At) -> Place {
    Place {
        country: COUNTRIES.get(country).and_then(|letters| Country::new(letters)),
        device: DEVICES.get(device).copied(),
    }
}

fn imported(drawn: &Drawn) -> ImportedDay {
    let Drawn {
        places,
        queries,
        pages,
        pairs,
        looks,
    } = drawn;
    ImportedDay {
        is_final: true,
        totals: Some(places.values().copied().sum()),
        places: rows(places, |_| (), |at| *at),
        queries: rows(queries, |(query, _)| query_text(*query), |(_, at)| *at),
        pages: rows(pages, |(page, _)| page_text(*page), |(_, at)| *at),
        pairs: rows(
            pairs,
            |(query, page, _)| (query_text(*query), page_text(*page)),
            |(.., at)| *at,
        ),
        appearances: looks
            .iter()
            .map(|((look, page), figures)| (LOOKS[*look].to_owned(), page_text(*page), *figures))
            .collect(),
        refused: Vec::new(),
    }
}

fn rows<Key, Value>(
    sums: &Sums<Key>,
    value: impl Fn(&Key) -> Value,
    at: impl Fn(&Key) -> At,
) -> Vec<Row<Value>> {
    sums.iter()
        .map(|(key, figures)| Row {
            value: value(key),
            place: place(at(key)),
            figures: *figures,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_the_same_each_time_and_has_as_many_rows_as_were_asked_for() {
        let site = Site::of(500_000).unwrap();
        let day = site.day(7);
        let rows = day.places.len() + day.queries.len() + day.pages.len() + day.pairs.len();
        assert!((1_028..1_033).contains(&(rows + day.appearances.len())));
        assert_eq!(day, site.day(7));
        assert_ne!(day, site.day(8));
    }

    #[test]
    fn impressions_of_queries_are_those_of_their_pages() {
        let day = Site::of(500_000).unwrap().day(0);
        let queries: Figures = day.queries.iter().map(|row| row.figures).sum();
        let pairs: Figures = day.pairs.iter().map(|row| row.figures).sum();
        let pages: Figures = day.pages.iter().map(|row| row.figures).sum();
        assert_eq!(queries, pairs);
        assert_eq!(Some(pages), day.totals);
        assert!(queries.impressions < pages.impressions, "some are hidden");
    }

    #[test]
    fn numbers_are_skewed_and_in_range() {
        let mut rng = Rng::with_seed(1);
        let drawn: Vec<usize> = (0..10_000).map(|_| skewed(&mut rng, 1_000)).collect();
        assert!(drawn.iter().all(|number| *number < 1_000));
        let few = drawn.iter().filter(|number| **number < 31).count();
        assert!((4_000..7_000).contains(&few), "{few}");
    }
}

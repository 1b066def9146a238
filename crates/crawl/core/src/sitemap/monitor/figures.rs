//! Totals over all pages of a site, counted a slice of them at a time, so that neither memory nor a statement grows with the site.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError};
use time::OffsetDateTime;
use uuid::Uuid;

use super::site::Figures;

/// The pages from which the totals of a site are counted.
#[async_trait]
pub trait FigureArchive: Send + Sync {
    /// The pages that follow one in the order of their keys, some thousands of them. A page that several files name is one.
    async fn slice(&self, domain: DomainId, after: Uuid) -> Result<PageSlice, StoreError>;

    /// The entries of all files, those that stand twice included.
    async fn entries(&self, domain: DomainId) -> Result<u64, StoreError>;
}

/// The counts of some pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSlice {
    /// The key of the last of them; `None`: there were none left.
    pub last: Option<Uuid>,
    /// How many there are.
    pub pages: u64,
    /// The dates of those that have one, in any order.
    pub dates: Vec<OffsetDateTime>,
    /// Images.
    pub images: u64,
    /// Videos.
    pub videos: u64,
    /// Pages that are news.
    pub news: u64,
    /// Pages that name others in other languages.
    pub alternates: u64,
}

/// Counts the pages of a site.
///
/// # Errors
/// The store failed.
pub async fn count(archive: &dyn FigureArchive, domain: DomainId) -> Result<Figures, StoreError> {
    let mut figures = Figures {
        urls_total: archive.entries(domain).await?,
        ..Figures::default()
    };
    let (mut dates, mut after) = (Dates::default(), Uuid::nil());
    loop {
        let slice = archive.slice(domain, after).await?;
        figures.urls_unique += slice.pages;
        figures.images += slice.images;
        figures.videos += slice.videos;
        figures.news += slice.news;
        figures.alternates += slice.alternates;
        slice.dates.into_iter().for_each(|date| dates.add(date));
        match slice.last {
            Some(last) => after = last,
            None => break,
        }
    }
    figures.dated = dates.count;
    figures.median_lastmod = dates.median();
    Ok(figures)
}

/// The most different dates that are told apart.
const MOST_DATES: usize = 100_000;
/// How coarse dates become, in microseconds, while there are more of them: a minute, an hour, a day, a hundred days, of which all
/// years that a date can have hold fewer.
const COARSER: [i64; 4] = [60_000_000, 3_600_000_000, 86_400_000_000, 8_640_000_000_000];

/// Dates, of which the one in the middle is wanted.
struct Dates {
    /// How many lie in a span, by its beginning in microseconds since 1970.
    spans: BTreeMap<i64, u64>,
    /// How long a span is.
    width: i64,
    count: u64,
}

impl Default for Dates {
    fn default() -> Self {
        Self {
            spans: BTreeMap::new(),
            width: 1,
            count: 0,
        }
    }
}

impl Dates {
    fn add(&mut self, date: OffsetDateTime) {
        let micros = i64::try_from(date.unix_timestamp_nanos() / 1_000).unwrap_or_default();
        self.count += 1;
        *self.spans.entry(beginning(micros, self.width)).or_default() += 1;
        while self.spans.len() > MOST_DATES {
            let Some(width) = COARSER.into_iter().find(|width| *width > self.width) else {
                break;
            };
            self.width = width;
            let mut spans = BTreeMap::new();
            for (begins, dates) in &self.spans {
                *spans.entry(beginning(*begins, width)).or_default() += dates;
            }
            self.spans = spans;
        }
    }

    /// The date in the middle, the earlier one of two, or the beginning of the span that it lies in.
    fn median(&self) -> Option<OffsetDateTime> {
        let place = self.count.div_ceil(2);
        let mut passed = 0;
        let (begins, _) = self.spans.iter().find(|(_, dates)| {
            passed += **dates;
            passed >= place
        })?;
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(*begins) * 1_000).ok()
    }
}

const fn beginning(micros: i64, width: i64) -> i64 {
    micros - micros.rem_euclid(width)
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;

    const FIRST: OffsetDateTime = datetime!(2026-03-01 10:20:30.5 UTC);

    fn dates(dates: impl IntoIterator<Item = OffsetDateTime>) -> Dates {
        let mut known = Dates::default();
        dates.into_iter().for_each(|date| known.add(date));
        known
    }

    #[test]
    fn the_date_in_the_middle_is_the_earlier_one_of_two() {
        assert_eq!(dates([]).median(), None);
        let at = |seconds| FIRST + Duration::seconds(seconds);
        assert_eq!(dates([at(9), at(0), at(3)]).median(), Some(at(3)));
        assert_eq!(dates([at(9), at(0), at(3), at(4)]).median(), Some(at(3)));
        assert_eq!(dates([at(9), at(9), at(0)]).median(), Some(at(9)));
        let long_ago = datetime!(1969-12-31 23:59:59.75 UTC);
        assert_eq!(dates([long_ago]).median(), Some(long_ago));
    }

    #[test]
    fn so_many_dates_that_they_are_no_longer_told_apart_take_no_more_memory() {
        let many = (0..250_001).map(|second| FIRST + Duration::seconds(second));
        let many = dates(many);
        assert!(many.spans.len() <= MOST_DATES);
        assert_eq!(many.count, 250_001);
        // By hand: the one in the middle is 125,000 seconds later, 2026-03-02 21:03:50, of which the minute is kept.
        assert_eq!(many.median(), Some(datetime!(2026-03-02 21:03 UTC)));
        let of_all_years = (0..150_000).map(|day| datetime!(1601-01-01 12:00 UTC) + Duration::days(day * 20));
        let of_all_years = dates(of_all_years);
        assert!(of_all_years.spans.len() <= MOST_DATES);
    }

    struct Played(Vec<PageSlice>);

    #[async_trait]
    impl FigureArchive for Played {
        async fn slice(&self, _: DomainId, after: Uuid) -> Result<PageSlice, StoreError> {
            let next = self.0.iter().find(|slice| slice.last > Some(after));
            Ok(next.cloned().unwrap_or_default())
        }

        async fn entries(&self, _: DomainId) -> Result<u64, StoreError> {
            Ok(70)
        }
    }

    #[tokio::test]
    async fn slices_add_up() {
        let slice = |last, pages, dates: &[OffsetDateTime]| PageSlice {
            last: Some(Uuid::from_u128(last)),
            pages,
            dates: dates.to_vec(),
            images: 5,
            videos: 4,
            news: 3,
            alternates: 2,
        };
        let later = FIRST + Duration::DAY;
        let played = Played(vec![slice(1, 40, &[later, later]), slice(2, 20, &[FIRST])]);
        let found = count(&played, DomainId(Uuid::nil())).await.unwrap();
        let expected = Figures {
            urls_total: 70,
            urls_unique: 60,
            dated: 3,
            median_lastmod: Some(later),
            images: 10,
            videos: 8,
            news: 6,
            alternates: 4,
        };
        assert_eq!(found, expected);
    }
}

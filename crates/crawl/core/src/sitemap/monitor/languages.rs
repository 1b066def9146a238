//! Pages of sitemaps that name others in a language and are not named back.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError};
use time::OffsetDateTime;
use tokio::{sync::Mutex, task::spawn_blocking};
use uuid::Uuid;

/// The most pages of a site that are compared with each other. A page of several files counts once a file.
const MOST_PAGES: usize = 500_000;
/// The most names of other pages, of all pages together.
const MOST_NAMED: usize = 3_000_000;
/// How many pages are read at once. Each names 200 others at most.
const BATCH: usize = 1_000;
/// How many places of a finding are shown.
const SHOWN: usize = 10;

/// A site at the bounds takes some 100 MB, so a node has one of them in memory at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// A page of a file, with those that it names in languages. URLs are hashes of 64 bits, since there may be millions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamingPage {
    /// The file that lists it.
    pub file_id: Uuid,
    /// The key of the page.
    pub key: Uuid,
    /// Its URL.
    pub url: i64,
    /// The URLs that it names, its own perhaps among them.
    pub named: Vec<i64>,
}

/// Pages of a file that are not named back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoReturn {
    /// How many times a page of the file names one that does not name it back.
    pub count: u64,
    /// The first of them: the page, and the one that it names.
    pub first: Vec<(Uuid, Uuid)>,
}

/// The pages that are compared with each other, and their findings.
#[async_trait]
pub trait LanguageArchive: Send + Sync {
    /// Whether the pages of the site have changed since a check last ended.
    async fn is_stale(&self, domain: DomainId) -> Result<bool, StoreError>;

    /// Pages that are there, by key and file, the next `limit` after one of a file. None at all where no page names another.
    async fn naming(
        &self,
        domain: DomainId,
        after: (Uuid, Uuid),
        limit: usize,
    ) -> Result<Vec<NamingPage>, StoreError>;

    /// Puts what was found of each file in the place of what was known.
    async fn put(
        &self,
        domain: DomainId,
        found: &BTreeMap<Uuid, NoReturn>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;
}

/// Holds the pages of a site against each other, in the order of their keys, and has what comes of it stored. If a site has
/// more pages or names than are compared with each other, the rest is passed over.
///
/// # Errors
/// The store failed; what was known stands.
pub async fn recompute(
    archive: &dyn LanguageArchive,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let _turn = ONE_AT_A_TIME.lock().await;
    let mut held = Held::default();
    let mut after = (Uuid::nil(), Uuid::nil());
    while held.has_room() {
        let pages = archive.naming(domain, after, BATCH).await?;
        let is_last = pages.len() < BATCH;
        if let Some(last) = pages.last() {
            after = (last.key, last.file_id);
        }
        pages.into_iter().for_each(|page| held.add(page));
        if is_last {
            break;
        }
    }
    let found = spawn_blocking(move || held.without_return()).await;
    let found = found.map_err(|error| StoreError::Failed(Box::new(error)))?;
    archive.put(domain, &found, now).await
}

struct Page {
    file_id: Uuid,
    key: Uuid,
    url: i64,
    /// Where in [`Held::named`] the others lie, sorted.
    named: Range<usize>,
}

/// Pages that are compared with each other.
#[derive(Default)]
struct Held {
    pages: Vec<Page>,
    named: Vec<i64>,
}

impl Held {
    fn has_room(&self) -> bool {
        self.pages.len() < MOST_PAGES && self.named.len() < MOST_NAMED
    }

    fn add(&mut self, page: NamingPage) {
        let NamingPage {
            file_id,
            key,
            url,
            mut named,
        } = page;
        // A page that is meant for several languages is named several times.
        named.sort_unstable();
        named.dedup();
        let start = self.named.len();
        self.named.extend(named.into_iter().filter(|other| *other != url));
        self.pages.push(Page {
            file_id,
            key,
            url,
            named: start..self.named.len(),
        });
    }

    fn named_by(&self, page: &Page) -> &[i64] {
        self.named.get(page.named.clone()).unwrap_or_default()
    }

    /// The pages that are not named back. A named page that is in no sitemap is skipped: its languages may stand in the page
    /// itself. If several files have it, it suffices that one of them names the other back.
    fn without_return(&self) -> BTreeMap<Uuid, NoReturn> {
        let mut by_url: HashMap<i64, Vec<&Page>> = HashMap::with_capacity(self.pages.len());
        for page in &self.pages {
            by_url.entry(page.url).or_default().push(page);
        }
        let mut found: BTreeMap<Uuid, NoReturn> = BTreeMap::new();
        for page in &self.pages {
            for other in self.named_by(page) {
                let Some(others) = by_url.get(other) else { continue };
                let is_back = |other: &&Page| self.named_by(other).binary_search(&page.url).is_ok();
                let Some(first) = others.first().filter(|_| !others.iter().any(is_back)) else {
                    continue;
                };
                let of_file = found.entry(page.file_id).or_default();
                of_file.count += 1;
                if of_file.first.len() < SHOWN {
                    of_file.first.push((page.key, first.key));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Uuid = Uuid::from_u128(0xa);
    const OTHER_FILE: Uuid = Uuid::from_u128(0xb);

    fn page(file_id: Uuid, url: i64, named: &[i64]) -> NamingPage {
        NamingPage {
            file_id,
            key: key(url),
            url,
            named: named.to_vec(),
        }
    }

    fn key(url: i64) -> Uuid {
        Uuid::from_u128(u128::from(url.unsigned_abs()))
    }

    fn found(pages: &[NamingPage]) -> BTreeMap<Uuid, NoReturn> {
        let mut held = Held::default();
        pages.iter().for_each(|page| held.add(page.clone()));
        held.without_return()
    }

    #[test]
    fn pages_that_name_each_other_are_no_finding() {
        let pages = [page(FILE, 1, &[1, 2]), page(OTHER_FILE, 2, &[2, 1])];
        assert_eq!(found(&pages), BTreeMap::new());
    }

    #[test]
    fn a_page_that_does_not_name_back_is_one_of_the_file_that_names_it() {
        // 3 is in no sitemap. 2 is named for two languages.
        let pages = [page(FILE, 1, &[2, 1, 3, 2]), page(OTHER_FILE, 2, &[])];
        let expected = NoReturn {
            count: 1,
            first: vec![(key(1), key(2))],
        };
        assert_eq!(found(&pages), BTreeMap::from([(FILE, expected)]));
    }

    #[test]
    fn one_of_the_files_of_a_page_suffices() {
        let pages = [page(FILE, 1, &[2]), page(FILE, 2, &[]), page(OTHER_FILE, 2, &[1])];
        assert_eq!(found(&pages), BTreeMap::new());
    }

    #[test]
    fn all_are_counted_and_the_first_ten_are_shown() {
        let mut pages = vec![page(FILE, 100, &(1..=12).collect::<Vec<_>>())];
        pages.extend((1..=12).map(|url| page(OTHER_FILE, url, &[])));
        let found = found(&pages);
        assert_eq!((found[&FILE].count, found[&FILE].first.len()), (12, SHOWN));
    }
}

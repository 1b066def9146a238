//! Imports days: which are asked for, what is asked of each, and where it goes.

mod day;
mod horizon;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, runs::RunItems, store::StoreError};
use thiserror::Error;
use time::{Date, Duration};

use self::horizon::{Horizon, horizon};
use super::{
    figures::{Figures, SearchType},
    import::SearchImport,
    link::{Link, LinkStore, Marks},
    pacific,
    property::HISTORY,
};
use crate::google::{
    account::Account, client::GoogleClient, error::GoogleError, search_analytics::DataState,
};

/// How far back the newest days may lie: some days late, and the days that a caller may ask for.
const NEWEST: Duration = Duration::days(20);
/// How many days the first import has.
const FIRST: Duration = Duration::days(10);
/// How many days before the newest final one are imported again, since corrections come late.
const AGAIN: Duration = Duration::days(3);
/// How many days of the past are looked at together.
const CHUNK: Duration = Duration::days(28);

/// Why an import stopped.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The upstream gave no answer.
    #[error(transparent)]
    Google(#[from] GoogleError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ImportError {
    /// Whether nothing else need be tried now. An answer that is not as documented may be that of one day.
    const fn is_of_all(&self) -> bool {
        !matches!(
            self,
            Self::Google(GoogleError::Malformed(_) | GoogleError::NotJson(_) | GoogleError::Refused { .. })
        )
    }
}

/// Which of the newest days are imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// Those since the last import, and the last final ones before.
    Since(Option<Date>),
    /// So many, provisional ones included.
    Last(u8),
}

/// What an import of the newest days came to.
#[derive(Debug, Default)]
pub struct Imported {
    /// How far data are, by what was imported.
    pub marks: Marks,
    /// How many days of search types there were.
    pub items: RunItems,
    /// Why not all of them were imported: the first reason.
    pub error: Option<ImportError>,
}

/// Is told how far an import is.
#[async_trait]
pub trait Progress: Send + Sync {
    /// So many days of search types are done. `false`: nobody waits for the rest.
    async fn items(&self, items: RunItems) -> Result<bool, StoreError>;
}

/// Imports days.
#[derive(Clone)]
pub struct Importer {
    /// Asks the upstream.
    pub google: Arc<GoogleClient>,
    /// Where links come from.
    pub links: Arc<dyn LinkStore>,
    /// Where days go.
    pub import: Arc<dyn SearchImport>,
    /// The clock that days are counted by.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Importer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Importer")
            .field("google", &self.google)
            .finish_non_exhaustive()
    }
}

/// A property on its way in: who asks, of what.
#[derive(Clone, Copy)]
struct Source<'a> {
    link: &'a Link,
    account: &'a Account,
}

/// The totals of a search type by day, and from which day on they are not final.
#[derive(Debug, Default)]
struct Totals {
    days: BTreeMap<Date, Figures>,
    first_incomplete: Option<Date>,
}

impl Importer {
    /// Imports the newest days of every search type, the last ten days by hour, and which sitemaps were submitted. Not to learn of
    /// these is no failure.
    pub async fn newest(&self, link: &Link, days: Days, progress: Option<&dyn Progress>) -> Imported {
        let mut imported = Imported::default();
        let ended = match account(link) {
            Ok(account) => {
                self.import_newest(Source { link, account }, days, progress, &mut imported)
                    .await
            }
            Err(error) => Err(error.into()),
        };
        if let Err(error) = ended {
            imported.error.get_or_insert(error);
        }
        if imported.error.is_none()
            && let Ok(account) = account(link)
            && let Err(error) = self.import_sitemaps(Source { link, account }).await
        {
            tracing::warn!(domain = %link.domain, %error, "the submitted sitemaps are not known anew; those of before stay");
        }
        imported
    }

    async fn import_sitemaps(&self, Source { link, account }: Source<'_>) -> Result<(), ImportError> {
        let sitemaps = self.google.sitemaps(account, &link.site_url, self.clock.now());
        let sitemaps = sitemaps.await?;
        let stored = self
            .import
            .replace_sitemaps(link.domain, &link.site_url, &sitemaps);
        Ok(stored.await?)
    }

    async fn import_newest(
        &self,
        source: Source<'_>,
        days: Days,
        progress: Option<&dyn Progress>,
        imported: &mut Imported,
    ) -> Result<(), ImportError> {
        let link = source.link;
        let today = pacific::day(self.clock.now());
        let kept = link
            .data_through
            .map_or(today - NEWEST, |through| (through - AGAIN).min(today - NEWEST));
        let start = kept.max(today - HISTORY);
        let mut totals = BTreeMap::new();
        for &search_type in &link.search_types {
            let of_type = self
                .totals(source, search_type, (start, today), DataState::All)
                .await?;
            totals.insert(search_type, of_type);
        }
        let Some(Horizon {
            last_final,
            last,
            first_incomplete,
        }) = horizon(totals.values(), (start, today))
        else {
            return self.import_hours(source, today, imported).await;
        };
        imported.marks.first_incomplete_date = first_incomplete;
        let first = match days {
            Days::Last(days) => last - Duration::days(i64::from(days) - 1),
            Days::Since(Some(through)) => (through + Duration::DAY - AGAIN).min(last_final),
            Days::Since(None) => last_final + Duration::DAY - FIRST,
        };
        let first = first.clamp(start, last);
        let dates =
            || std::iter::successors(Some(first), |date| date.next_day()).take_while(|date| *date <= last);
        let count = dates().count().saturating_mul(link.search_types.len());
        imported.items = RunItems::of(u32::try_from(count).unwrap_or(u32::MAX));
        let mut missed: BTreeSet<Date> = BTreeSet::new();
        let mut whole: BTreeSet<SearchType> = link.search_types.iter().copied().collect();
        for date in dates() {
            for (&search_type, of_type) in &totals {
                let figures = of_type.days.get(&date).copied();
                let is_final = date <= last_final;
                let done = self
                    .import_day(source, search_type, date, figures, is_final)
                    .await;
                match done {
                    Ok(()) => imported.items.completed += 1,
                    Err(error) if error.is_of_all() => {
                        imported.items.failed = imported.items.total - imported.items.completed;
                        imported
                            .marks
                            .set(first, date.previous_day(), last_final, &missed);
                        return Err(error);
                    }
                    Err(error) => {
                        tracing::warn!(domain = %link.domain, %search_type, %date, %error, "a day of search data is missing");
                        imported.items.failed += 1;
                        missed.insert(date);
                        whole.remove(&search_type);
                        imported.error.get_or_insert(error);
                    }
                }
            }
            if let Some(progress) = progress
                && !progress.items(imported.items).await?
            {
                imported.marks.set(first, Some(date), last_final, &missed);
                return Ok(());
            }
        }
        imported.marks.set(first, Some(last), last_final, &missed);
        // The days between would be missing for good.
        if link
            .data_through
            .and_then(|through| through.next_day())
            .is_some_and(|next| first > next)
        {
            imported.marks.data_through = None;
        }
        for search_type in whole {
            if !link.reached.contains_key(&search_type) {
                self.links.reached(link.domain, search_type, first).await?;
            }
        }
        if let Some(through) = imported.marks.data_through {
            for &search_type in &link.search_types {
                self.import.sum_months(link.domain, search_type, through).await?;
            }
        }
        self.import_hours(source, today, imported).await
    }

    /// Imports days of the past, the newest of those that are missing first, until `until`. `true`: there are none left.
    ///
    /// # Errors
    /// Why it stopped before.
    pub async fn backfill(&self, link: &Link, until: Instant) -> Result<bool, ImportError> {
        let account = account(link)?;
        let source = Source { link, account };
        let oldest = pacific::day(link.linked_at) - HISTORY;
        let mut is_done = true;
        for &search_type in &link.search_types {
            // Without newest days there is nothing that the past could go on from.
            let Some(&reached) = link.reached.get(&search_type) else {
                is_done = false;
                continue;
            };
            let mut reached = reached;
            while reached > oldest {
                if Instant::now() >= until {
                    is_done = false;
                    break;
                }
                let first = (reached - CHUNK).max(oldest);
                let last = reached - Duration::DAY;
                let totals = self
                    .totals(source, search_type, (first, last), DataState::Final)
                    .await?;
                for (&date, &figures) in totals.days.iter().rev() {
                    if Instant::now() >= until {
                        break;
                    }
                    self.import_day(source, search_type, date, Some(figures), true)
                        .await?;
                    reached = date;
                    self.links.reached(link.domain, search_type, reached).await?;
                }
                // The days before the oldest one of the chunk have nothing.
                if totals.days.keys().next().is_none_or(|oldest| reached <= *oldest) {
                    reached = first;
                    self.links.reached(link.domain, search_type, reached).await?;
                }
            }
            if let Some(through) = link.data_through {
                self.import.sum_months(link.domain, search_type, through).await?;
            }
        }
        Ok(is_done)
    }
}

fn account(link: &Link) -> Result<&Account, GoogleError> {
    let unlinked = || GoogleError::Unauthorized { reason: None };
    link.account.as_ref().ok_or_else(unlinked)
}

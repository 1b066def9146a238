//! Imports days: which days, with which queries, and where the answers go.

mod day;
mod horizon;
mod past;
mod pieces;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, runs::RunItems, store::StoreError};
use thiserror::Error;
use time::{Date, Duration};

use self::{
    horizon::{Horizon, horizon},
    pieces::{Time, Turn},
};
pub use self::{
    past::Past,
    pieces::{DoneDay, Newest, Tried},
};
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

/// How far back the newest days may lie: some days that are late, and the days that a caller may request.
const NEWEST: Duration = Duration::days(20);
/// How many days the first import has.
const FIRST: Duration = Duration::days(10);
/// How many days before the newest final one are imported again, since corrections come late.
const AGAIN: Duration = Duration::days(3);
/// How long a day of which nothing could be read holds up later days. Then it counts as missed, and is tried again like other
/// past days.
const HELD: Duration = Duration::days(7);

/// Why an import stopped.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The upstream gave no answer.
    #[error(transparent)]
    Google(#[from] GoogleError),
    /// The store failed, and nothing else would fare better.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The rows that came in can't be stored, and are set aside with the reason.
    #[error("Pharos could not store what came in")]
    Unstored,
    /// It was of a link that is no more.
    #[error("the domain was linked to another property meanwhile, or anew")]
    Relinked,
    /// The time that the newest days have was over before they were all there.
    #[error(
        "Search Console answers so slowly that not all of the newest days were imported; the others follow"
    )]
    TooSlow,
    /// A piece before this one asked for the day in vain.
    #[error("{0}")]
    Unread(Arc<str>),
}

impl ImportError {
    /// Whether it concerns all days, so that nothing else need be tried now. An answer that differs from the documentation may
    /// be that of one day, and so may one that can't be stored.
    pub(super) const fn is_of_all(&self) -> bool {
        !matches!(
            self,
            Self::Google(GoogleError::Malformed(_) | GoogleError::NotJson(_) | GoogleError::Refused { .. })
                | Self::Unread(_)
                | Self::Unstored
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

/// The result of an import of the newest days.
#[derive(Debug, Default)]
pub struct Imported {
    /// Up to when there are data, after this import.
    pub marks: Marks,
    /// How many days of search types there were.
    pub items: RunItems,
    /// Why not all of them were imported: the first reason.
    pub error: Option<ImportError>,
}

impl Imported {
    /// Notes how far the days from the first to the last reach; some of them hold up later days.
    fn mark(
        &mut self,
        link: &Link,
        (first, last): (Date, Option<Date>),
        last_final: Date,
        held: &BTreeSet<Date>,
    ) {
        self.marks.set(first, last, last_final, held);
        let next = link.data_through.and_then(|through| through.next_day());
        if next.is_some_and(|next| first > next) {
            // The days between would be missing for good.
            self.marks.data_through = None;
        }
    }
}

/// Is told how far an import is.
#[async_trait]
pub trait Progress: Send + Sync {
    /// Reports how many days of search types are done. `false`: nobody waits for the rest.
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

/// The totals of a search type by day, and the day from which they are not final.
#[derive(Debug, Default)]
struct Totals {
    days: BTreeMap<Date, Figures>,
    /// Days whose totals are impossible.
    bad: BTreeSet<Date>,
    first_incomplete: Option<Date>,
}

impl Totals {
    /// The totals of a day; `None`: the property had none.
    fn of(&self, date: Date) -> Result<Option<Figures>, GoogleError> {
        if self.bad.contains(&date) {
            return Err(GoogleError::Malformed("the totals of a day are impossible"));
        }
        Ok(self.days.get(&date).copied())
    }

    /// Holds days between the others to be unknown, instead of without anything.
    fn doubt_gaps(&mut self) {
        let (first, last) = (self.days.first_key_value(), self.days.last_key_value());
        if let (Some((&first, _)), Some((&last, _))) = (first, last) {
            let dates = std::iter::successors(Some(first), |date| date.next_day());
            let gaps = dates
                .take_while(|date| *date <= last)
                .filter(|date| !self.days.contains_key(date));
            self.bad.extend(gaps);
        }
    }

    /// The days that have any, or should.
    fn dates(&self) -> BTreeSet<Date> {
        self.days.keys().chain(&self.bad).copied().collect()
    }
}

/// Fails unless the stored data belong to a link that still exists.
fn of_link(is_linked: bool) -> Result<(), ImportError> {
    if is_linked {
        Ok(())
    } else {
        Err(ImportError::Relinked)
    }
}

impl Importer {
    /// Imports the newest days of every search type, the last ten days by hour, and the submitted sitemaps. If these can't be
    /// read, that is no failure. No day is begun after `until`.
    pub async fn newest(
        &self,
        link: &Link,
        days: Days,
        progress: Option<&dyn Progress>,
        until: Instant,
    ) -> Imported {
        self.newest_days(link, days, progress, Time::Ends(until)).await
    }

    /// Imports a piece of the same days, those since the last import. The rest comes with the last piece.
    pub async fn newest_piece(&self, link: &Link, newest: &mut Newest) -> Imported {
        let days = Days::Since(link.data_through);
        self.newest_days(link, days, None, Time::Pauses(newest)).await
    }

    async fn newest_days(
        &self,
        link: &Link,
        days: Days,
        progress: Option<&dyn Progress>,
        mut time: Time<'_>,
    ) -> Imported {
        let mut imported = Imported::default();
        let forgotten = self.forget_others(link).await;
        let ended = match forgotten.and_then(|()| account(link).map_err(ImportError::from)) {
            Ok(account) => {
                let source = Source { link, account };
                self.import_newest(source, days, progress, &mut time, &mut imported)
                    .await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = ended {
            imported.error.get_or_insert(error);
        }
        if imported.error.is_none()
            && !time.is_paused()
            && let Ok(account) = account(link)
            && let Err(error) = self.import_sitemaps(Source { link, account }).await
        {
            tracing::warn!(domain = %link.domain, %error, "the submitted sitemaps are not known anew; those of before stay");
        }
        imported
    }

    /// Deletes the days of a property that was linked before: they must not be shown as those of this one, so they go before
    /// any of it is imported.
    async fn forget_others(&self, link: &Link) -> Result<(), ImportError> {
        of_link(self.import.forget_others(link.of()).await?)
    }

    async fn import_sitemaps(&self, Source { link, account }: Source<'_>) -> Result<(), ImportError> {
        let sitemaps = self.google.sitemaps(account, &link.site_url, self.clock.now());
        let sitemaps = sitemaps.await?;
        of_link(self.import.replace_sitemaps(link.of(), &sitemaps).await?)
    }

    async fn import_newest(
        &self,
        source: Source<'_>,
        days: Days,
        progress: Option<&dyn Progress>,
        time: &mut Time<'_>,
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
                .await
                .map_err(ImportError::from);
            match of_type {
                Ok(of_type) => {
                    totals.insert(search_type, of_type);
                }
                Err(error) if error.is_of_all() => return Err(error),
                // The other search types count all the same.
                Err(error) => {
                    tracing::warn!(domain = %link.domain, %search_type, %error, "the newest days of a search type are missing");
                    imported.error.get_or_insert(error);
                }
            }
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
        // Missing days that data may not reach beyond.
        let mut held: BTreeSet<Date> = BTreeSet::new();
        let mut whole: BTreeSet<SearchType> = totals.keys().copied().collect();
        let mut is_any = false;
        for date in dates() {
            let is_final = date <= last_final;
            let mut unread = Vec::new();
            for &search_type in &link.search_types {
                let Some(of_type) = totals.get(&search_type) else {
                    imported.items.failed += 1;
                    unread.push(search_type);
                    continue;
                };
                let day = DoneDay {
                    search_type,
                    date,
                    is_final,
                };
                let done = match time.turn(day, is_any) {
                    Turn::Begins => {
                        let done = self
                            .import_day(source, search_type, date, of_type, is_final)
                            .await;
                        is_any = true;
                        match &done {
                            Ok(()) => time.came_in(day),
                            Err(error) if error.is_of_all() => {}
                            Err(error) => {
                                tracing::warn!(domain = %link.domain, %search_type, %date, %error, "a day of search data is missing");
                                time.was_unread(day, &error.to_string());
                            }
                        }
                        done
                    }
                    Turn::IsDone => Ok(()),
                    Turn::IsUnread(why) => Err(ImportError::Unread(why)),
                    Turn::IsLate => Err(ImportError::TooSlow),
                    Turn::IsOthers => return Ok(()),
                };
                match done {
                    Ok(()) => imported.items.completed += 1,
                    Err(error) if error.is_of_all() => {
                        imported.items.failed = imported.items.total - imported.items.completed;
                        imported.mark(link, (first, date.previous_day()), last_final, &held);
                        return Err(error);
                    }
                    Err(error) => {
                        imported.items.failed += 1;
                        unread.push(search_type);
                        imported.error.get_or_insert(error);
                    }
                }
            }
            let is_new = link.data_through.is_none_or(|through| date > through);
            let holds = unread.len() == link.search_types.len() && is_new && date >= today - HELD;
            if is_final && !holds {
                for search_type in unread {
                    // A stored day stays, though it could not be read again. A search type that never began has no days.
                    let is_missing = if link.reached.contains_key(&search_type) {
                        is_new
                    } else {
                        totals.contains_key(&search_type)
                    };
                    if is_missing {
                        self.miss(source, search_type, date).await?;
                    }
                }
            } else if !unread.is_empty() {
                held.insert(date);
                whole.retain(|search_type| !unread.contains(search_type));
            }
            if let Some(progress) = progress
                && !progress.items(imported.items).await?
            {
                imported.mark(link, (first, Some(date)), last_final, &held);
                return Ok(());
            }
        }
        // A property that was linked before may have left later days.
        if let Some(next) = last.next_day().filter(|next| *next <= today) {
            for &search_type in totals.keys() {
                let emptied = self.import.empty_days(link.of(), search_type, (next, today), &[]);
                of_link(emptied.await?)?;
            }
        }
        imported.mark(link, (first, Some(last)), last_final, &held);
        for search_type in whole {
            if !link.reached.contains_key(&search_type) {
                of_link(self.links.reached(link.of(), search_type, first).await?)?;
            }
        }
        if let Some(through) = imported.marks.data_through {
            for &search_type in &link.search_types {
                self.import.sum_months(link.domain, search_type, through).await?;
            }
        }
        self.import_hours(source, today, imported).await
    }
}

fn account(link: &Link) -> Result<&Account, GoogleError> {
    let unlinked = || GoogleError::Unauthorized { reason: None };
    link.account.as_ref().ok_or_else(unlinked)
}

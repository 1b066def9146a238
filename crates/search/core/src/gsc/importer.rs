//! Imports days: which are asked for, what is asked of each, and where it goes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

use async_trait::async_trait;
use http::StatusCode;
use pharos_domain::{clock::Clock, runs::RunItems, store::StoreError};
use thiserror::Error;
use time::{Date, Duration};

use super::{
    figures::{Device, Figures, SearchType},
    hours::HOURS,
    import::{ImportedDay, Place, Row, SearchImport},
    link::{Link, LinkStore, Marks},
    pacific,
    property::HISTORY,
};
use crate::google::{
    account::Account,
    client::GoogleClient,
    countries::country,
    error::GoogleError,
    search_analytics::{self, Answered, DataState, Dimension, Question},
};

/// How far back the newest days may lie: some days late, and the days that a caller may ask for.
const NEWEST: Duration = Duration::days(20);
/// How many days the first import has.
const FIRST: Duration = Duration::days(10);
/// How many days before the newest final one are imported again, since corrections come late.
const AGAIN: Duration = Duration::days(3);
/// How many days of the past are looked at together.
const CHUNK: Duration = Duration::days(28);
/// How many looks of results are asked for one by one.
const MOST_LOOKS: usize = 50;

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

    async fn totals(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        (start, end): (Date, Date),
        data_state: DataState,
    ) -> Result<Totals, GoogleError> {
        let answered = self
            .ask(
                source,
                search_type,
                (start, end),
                &[Dimension::Date],
                data_state,
                None,
            )
            .await?;
        let mut totals = Totals {
            first_incomplete: answered.first_incomplete_date,
            ..Totals::default()
        };
        for row in answered.rows {
            let date = row
                .keys
                .first()
                .map(|key| search_analytics::date(key))
                .transpose()?;
            if let Some(date) = date.filter(|date| (start..=end).contains(date)) {
                totals.days.insert(date, row.figures);
            }
        }
        Ok(totals)
    }

    /// Asks for all of a day and stores it.
    async fn import_day(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
        totals: Option<Figures>,
        is_final: bool,
    ) -> Result<(), ImportError> {
        let day = match totals {
            Some(totals) => self.day(source, search_type, date, totals, is_final).await?,
            None => ImportedDay {
                is_final,
                ..ImportedDay::default()
            },
        };
        let domain = source.link.domain;
        Ok(self.import.replace_day(domain, search_type, date, &day).await?)
    }

    async fn day(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
        totals: Figures,
        is_final: bool,
    ) -> Result<ImportedDay, GoogleError> {
        use Dimension::{Country, Device, Page, Query, SearchAppearance};
        let day = (date, date);
        let state = if is_final {
            DataState::Final
        } else {
            DataState::All
        };
        let ask = async |dimensions: &[Dimension], look: Option<&str>| {
            let asked = self.ask(source, search_type, day, dimensions, state, look).await;
            match asked {
                // The upstream does not tell these of this search type: the rest of the day counts all the same.
                Err(GoogleError::Refused { status, .. }) if status == StatusCode::BAD_REQUEST => {
                    tracing::warn!(%search_type, ?dimensions, "Search Console refuses a question; its rows are left out");
                    Ok(Vec::new())
                }
                asked => asked.map(|answered| answered.rows),
            }
        };
        let mut imported = ImportedDay {
            is_final,
            totals: Some(totals),
            ..ImportedDay::default()
        };
        // Discover does not tell of devices.
        let places: &[Dimension] = if search_type == SearchType::Discover {
            &[Country]
        } else {
            &[Country, Device]
        };
        let with = |values: &[Dimension]| [values, places].concat();
        imported.places = placed(ask(places, None).await?, |_| Some(()));
        imported.pages = placed(ask(&with(&[Page]), None).await?, |keys| keys.next());
        if search_type.is_ranked() {
            imported.queries = placed(ask(&with(&[Query]), None).await?, |keys| keys.next());
            imported.pairs = placed(ask(&with(&[Query, Page]), None).await?, |keys| {
                Some((keys.next()?, keys.next()?))
            });
        }
        if search_type == SearchType::GoogleNews {
            return Ok(imported);
        }
        let looks = ask(&[SearchAppearance], None).await?;
        for look in looks
            .into_iter()
            .filter_map(|row| row.keys.into_iter().next())
            .take(MOST_LOOKS)
        {
            let rows = ask(&[Page], Some(&look)).await?;
            let name = look.to_ascii_lowercase();
            imported.appearances.extend(
                rows.into_iter()
                    .filter_map(|row| Some((name.clone(), row.keys.into_iter().next()?, row.figures))),
            );
        }
        Ok(imported)
    }

    /// Replaces the last ten days by hour.
    async fn import_hours(
        &self,
        source: Source<'_>,
        today: Date,
        imported: &mut Imported,
    ) -> Result<(), ImportError> {
        let from = self.clock.now() - Duration::hours(HOURS);
        for &search_type in &source.link.search_types {
            let days = (today - Duration::days(HOURS / 24), today);
            let answered = self
                .ask(
                    source,
                    search_type,
                    days,
                    &[Dimension::Hour],
                    DataState::HourlyAll,
                    None,
                )
                .await?;
            let mut hours = Vec::with_capacity(answered.rows.len());
            for row in answered.rows {
                let hour = row
                    .keys
                    .first()
                    .map(|key| search_analytics::hour(key))
                    .transpose()?;
                hours.extend(hour.map(|hour| (hour, row.figures)));
            }
            let marks = &mut imported.marks;
            let first = marks
                .first_incomplete_hour
                .into_iter()
                .chain(answered.first_incomplete_hour)
                .min();
            marks.first_incomplete_hour = first;
            self.links
                .replace_hours(source.link.domain, search_type, from, &hours)
                .await?;
        }
        Ok(())
    }

    async fn ask(
        &self,
        Source { link, account }: Source<'_>,
        search_type: SearchType,
        (start, end): (Date, Date),
        dimensions: &[Dimension],
        data_state: DataState,
        appearance: Option<&str>,
    ) -> Result<Answered, GoogleError> {
        let question = Question {
            site_url: &link.site_url,
            search_type,
            start,
            end,
            dimensions,
            data_state,
            appearance,
        };
        self.google
            .search_analytics(account, &question, &*self.clock)
            .await
    }
}

fn account(link: &Link) -> Result<&Account, GoogleError> {
    let unlinked = || GoogleError::Unauthorized { reason: None };
    link.account.as_ref().ok_or_else(unlinked)
}

/// The rows with their places: country and, where it is told, device come last.
fn placed<Value>(
    rows: Vec<search_analytics::Row>,
    value: impl Fn(&mut std::vec::IntoIter<String>) -> Option<Value>,
) -> Vec<Row<Value>> {
    let read = |row: search_analytics::Row| {
        let mut keys = row.keys.into_iter();
        let value = value(&mut keys)?;
        Some(Row {
            value,
            place: Place {
                country: keys.next().and_then(|letters| country(&letters)),
                device: keys.next().and_then(|name| device(&name)),
            },
            figures: row.figures,
        })
    };
    rows.into_iter().filter_map(read).collect()
}

fn device(name: &str) -> Option<Device> {
    name.to_ascii_lowercase().parse().ok()
}

/// How far the upstream's days are.
#[derive(Debug, PartialEq, Eq)]
struct Horizon {
    last_final: Date,
    last: Date,
    first_incomplete: Option<Date>,
}

/// By all search types together; `None`: there are no days from `start` on. Where the upstream calls no day up to `today`
/// incomplete, all that it has are final; where it calls one incomplete that lies before, none is.
fn horizon<'a>(
    totals: impl Iterator<Item = &'a Totals> + Clone,
    (start, today): (Date, Date),
) -> Option<Horizon> {
    let newest = totals
        .clone()
        .filter_map(|totals| totals.days.keys().next_back().copied())
        .max();
    let first_incomplete = totals
        .filter_map(|totals| totals.first_incomplete)
        .min()
        .filter(|first| *first <= today)
        .map(|first| first.max(start));
    let last_final = first_incomplete.map_or(newest, |first| first.previous_day())?;
    let last = newest.map_or(last_final, |newest| newest.max(last_final));
    (last >= start).then_some(Horizon {
        last_final,
        last,
        first_incomplete,
    })
}

impl Marks {
    /// How far the days from `first` to `last` lead, of which some are missing: as far as none is missing.
    fn set(&mut self, first: Date, last: Option<Date>, last_final: Date, missed: &BTreeSet<Date>) {
        let before_gap = missed.first().and_then(|gap| gap.previous_day());
        let reached = last.into_iter().chain(before_gap).min();
        let reached = reached.filter(|reached| *reached >= first);
        let final_day = reached.map(|reached| reached.min(last_final));
        self.data_through = final_day.filter(|day| *day >= first);
        self.provisional_through = reached.filter(|reached| *reached > last_final);
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn totals(days: &[Date], first_incomplete: Option<Date>) -> Totals {
        Totals {
            days: days.iter().map(|day| (*day, Figures::default())).collect(),
            first_incomplete,
        }
    }

    #[test]
    fn the_horizon_is_that_of_all_types() {
        let web = totals(
            &[date!(2026 - 03 - 27), date!(2026 - 03 - 29)],
            Some(date!(2026 - 03 - 29)),
        );
        let news = totals(&[date!(2026 - 03 - 30)], Some(date!(2026 - 03 - 28)));
        let both = [web, news];
        let span = (date!(2026 - 03 - 11), date!(2026 - 03 - 31));
        let horizon_of_both = horizon(both.iter(), span).unwrap();
        assert_eq!(
            horizon_of_both,
            Horizon {
                last_final: date!(2026 - 03 - 27),
                last: date!(2026 - 03 - 30),
                first_incomplete: Some(date!(2026 - 03 - 28)),
            }
        );
        assert_eq!(horizon([totals(&[], None)].iter(), span), None);
    }

    #[test]
    fn a_first_incomplete_day_out_of_bounds_leads_to_no_days_out_of_bounds() {
        let (start, today) = (date!(2026 - 03 - 11), date!(2026 - 03 - 31));
        let newest = date!(2026 - 03 - 30);
        let of = |days: &[Date], first| horizon([totals(days, Some(first))].iter(), (start, today));
        for beyond in [date!(2026 - 04 - 01), date!(9999 - 12 - 31)] {
            assert_eq!(
                of(&[newest], beyond),
                Some(Horizon {
                    last_final: newest,
                    last: newest,
                    first_incomplete: None,
                })
            );
            assert_eq!(of(&[], beyond), None);
        }
        for before in [Date::MIN, date!(2026 - 03 - 10), start] {
            assert_eq!(
                of(&[newest], before),
                Some(Horizon {
                    last_final: date!(2026 - 03 - 10),
                    last: newest,
                    first_incomplete: Some(start),
                })
            );
            assert_eq!(of(&[], before), None);
        }
    }

    #[test]
    fn data_reach_as_far_as_no_day_is_missing() {
        let (first, last) = (date!(2026 - 03 - 20), date!(2026 - 03 - 30));
        let last_final = date!(2026 - 03 - 28);
        let set = |last: Option<Date>, missed: &[Date]| {
            let mut marks = Marks::default();
            marks.set(first, last, last_final, &missed.iter().copied().collect());
            (marks.data_through, marks.provisional_through)
        };
        assert_eq!(set(Some(last), &[]), (Some(last_final), Some(last)));
        assert_eq!(
            set(Some(last), &[date!(2026 - 03 - 25), date!(2026 - 03 - 30)]),
            (Some(date!(2026 - 03 - 24)), None)
        );
        assert_eq!(set(Some(last), &[first]), (None, None));
        assert_eq!(set(first.previous_day(), &[]), (None, None));
        let mut provisional = Marks::default();
        provisional.set(date!(2026 - 03 - 30), Some(last), last_final, &BTreeSet::new());
        assert_eq!(
            (provisional.data_through, provisional.provisional_through),
            (None, Some(last)),
            "no final day was imported"
        );
    }
}

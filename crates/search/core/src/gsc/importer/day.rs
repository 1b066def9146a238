//! Asks the upstream for a day, for its totals and for its hours, and stores them.

use http::StatusCode;
use time::{Date, Duration, OffsetDateTime};

use super::{ImportError, Imported, Importer, Source, Totals, of_link};
use crate::{
    google::{
        countries::country,
        error::GoogleError,
        search_analytics::{self, Answered, DataState, Dimension, MOST_OF_KEYS, SearchAnalyticsQuery},
    },
    gsc::{
        figures::{Device, Figures, SearchType},
        hours::HOURS,
        import::{DayList, ImportedDay, Row},
        link::Link,
        place::Place,
    },
};

/// How many looks of results are asked for one by one.
const MOST_LOOKS: usize = 50;
/// The most bytes of the name of one: it stands beside each of its pages.
const MOST_OF_LOOK: usize = 100;

impl Importer {
    pub(super) async fn totals(
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
        let date_of = |keys: &[String]| keys.first().and_then(|key| search_analytics::date(key).ok());
        for row in answered.rows {
            let date = date_of(&row.keys);
            if let Some(date) = date.filter(|date| (start..=end).contains(date)) {
                totals.days.insert(date, row.figures);
            }
        }
        let bad = answered.bad.iter().filter_map(|keys| date_of(keys));
        totals.bad.extend(bad.filter(|date| (start..=end).contains(date)));
        let is_any_unknown = answered.unread > 0 || answered.bad.iter().any(|keys| date_of(keys).is_none());
        // A day of which something is stored, and that seems to have nothing, may be the one that can't be read.
        if data_state == DataState::All && is_any_unknown {
            totals.doubt_gaps();
        }
        Ok(totals)
    }

    /// Asks for all of a day and stores it. One that can't be stored is set aside.
    pub(super) async fn import_day(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
        totals: &Totals,
        is_final: bool,
    ) -> Result<(), ImportError> {
        let imported = self.try_day(source, search_type, date, totals, is_final).await;
        self.or_set_aside(source, &format!("{search_type} of {date}"), imported)
            .await
    }

    async fn try_day(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
        totals: &Totals,
        is_final: bool,
    ) -> Result<(), ImportError> {
        let day = match totals.of(date)? {
            Some(totals) => {
                let day = self.day(source, search_type, date, totals, is_final).await?;
                self.against_stored(source, search_type, date, &day).await?;
                day
            }
            None => ImportedDay {
                is_final,
                ..ImportedDay::default()
            },
        };
        let stored = self.import.replace_day(source.link.of(), search_type, date, &day);
        of_link(stored.await?)
    }

    /// A final day does not lose its queries or pages while its totals stand: an answer that says so is none.
    async fn against_stored(
        &self,
        Source { link, .. }: Source<'_>,
        search_type: SearchType,
        date: Date,
        day: &ImportedDay,
    ) -> Result<(), ImportError> {
        let has_figures = day.totals.is_some_and(|totals| totals.impressions > 0);
        if !day.is_final || !has_figures || !(day.queries.is_empty() || day.pages.is_empty()) {
            return Ok(());
        }
        let stored = self.import.final_rows(link.domain, search_type, date).await?;
        // A list that the upstream refuses stays as it was stored.
        let vanished = |list: DayList, has_stored: bool, has_rows: bool| {
            has_stored && !has_rows && !day.refused.contains(&list)
        };
        if vanished(DayList::Queries, stored.queries, !day.queries.is_empty())
            || vanished(DayList::Pages, stored.pages, !day.pages.is_empty())
        {
            let why = "a final day has its totals, but its queries or pages no more";
            return Err(GoogleError::Malformed(why).into());
        }
        Ok(())
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
                    tracing::warn!(%search_type, ?dimensions, "Search Console refuses a question; its rows stay as they are");
                    Ok(None)
                }
                asked => asked.map(|answered| Some(answered.rows)),
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
        let refused = &mut imported.refused;
        let rows = told(ask(places, None).await?, DayList::Places, refused);
        imported.places = placed(rows, |_| Some(()));
        let rows = told(ask(&with(&[Page]), None).await?, DayList::Pages, refused);
        imported.pages = placed(rows, |keys| keys.next());
        if search_type.is_ranked() {
            let rows = told(ask(&with(&[Query]), None).await?, DayList::Queries, refused);
            imported.queries = placed(rows, |keys| keys.next());
            let rows = told(ask(&with(&[Query, Page]), None).await?, DayList::Pairs, refused);
            imported.pairs = placed(rows, |keys| Some((keys.next()?, keys.next()?)));
        }
        if search_type == SearchType::GoogleNews {
            return Ok(imported);
        }
        let looks = told(
            ask(&[SearchAppearance], None).await?,
            DayList::Appearances,
            refused,
        );
        let mut bytes = 0;
        for look in looks
            .into_iter()
            .filter_map(|row| row.keys.into_iter().next())
            .filter(|look| look.len() <= MOST_OF_LOOK)
            .take(MOST_LOOKS)
        {
            if bytes > MOST_OF_KEYS {
                tracing::warn!(%search_type, %date, "looks of results have more pages than any; the others are left out");
                break;
            }
            let rows = ask(&[Page], Some(&look)).await?.unwrap_or_default();
            let name = look.to_ascii_lowercase();
            bytes += rows
                .iter()
                .flat_map(|row| &row.keys)
                .map(|key| key.len() + name.len())
                .sum::<usize>();
            imported.appearances.extend(
                rows.into_iter()
                    .filter_map(|row| Some((name.clone(), row.keys.into_iter().next()?, row.figures))),
            );
        }
        Ok(imported)
    }

    /// Replaces the last ten days by hour. A search type that can't be read keeps no other waiting.
    pub(super) async fn import_hours(
        &self,
        source: Source<'_>,
        today: Date,
        imported: &mut Imported,
    ) -> Result<(), ImportError> {
        for &search_type in &source.link.search_types {
            let hours = self.import_hours_of(source, search_type, today).await;
            match self
                .or_set_aside(source, &format!("the hours of {search_type}"), hours)
                .await
            {
                Ok(first_incomplete) => {
                    let first = imported.marks.first_incomplete_hour;
                    imported.marks.first_incomplete_hour = first.into_iter().chain(first_incomplete).min();
                }
                Err(error) if error.is_of_all() => return Err(error),
                Err(error) => {
                    tracing::warn!(domain = %source.link.domain, %search_type, %error, "the hours of a search type are missing");
                    imported.error.get_or_insert(error);
                }
            }
        }
        Ok(())
    }

    /// The first hour that is not complete, where the upstream says so.
    async fn import_hours_of(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        today: Date,
    ) -> Result<Option<OffsetDateTime>, ImportError> {
        let from = self.clock.now() - Duration::hours(HOURS);
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
            let hour = row.keys.first().and_then(|key| search_analytics::hour(key).ok());
            hours.extend(hour.map(|hour| (hour, row.figures)));
        }
        let stored = self
            .links
            .replace_hours(source.link.of(), search_type, from, &hours);
        of_link(stored.await?)?;
        Ok(answered.first_incomplete_hour)
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
        let question = SearchAnalyticsQuery {
            site_url: &link.site_url,
            search_type,
            start,
            end,
            dimensions,
            data_state,
            appearance,
        };
        let answered = self
            .google
            .search_analytics(account, &question, &*self.clock)
            .await?;
        let rows = answered.unread;
        if rows > 0 {
            let why = format!(
                "Search Console sent rows that have a key that is no text, or are none: {rows} of {search_type} from {start} \
                 to {end} by {dimensions:?}"
            );
            self.set_aside(link, &why).await;
        }
        Ok(answered)
    }

    /// Sets aside what can't be stored, so that it stops nothing else. A store that can take nothing stays the error that it is.
    pub(super) async fn or_set_aside<Done>(
        &self,
        Source { link, .. }: Source<'_>,
        what: &str,
        done: Result<Done, ImportError>,
    ) -> Result<Done, ImportError> {
        match done {
            Err(ImportError::Store(error)) if self.import.lies_in_what_came(&error) => {
                self.set_aside(link, &format!("{what} can't be stored: {error}"))
                    .await;
                Err(ImportError::Unstored)
            }
            done => done,
        }
    }

    /// Notes what is left out. The rest counts, whether that can be noted or not.
    async fn set_aside(&self, link: &Link, why: &str) {
        if let Err(error) = self.import.set_aside(link.domain, why).await {
            tracing::warn!(domain = %link.domain, why, %error, "search data are left out, and that can't be noted");
        }
    }
}

/// The rows of a list; none of one that is refused, which is noted.
fn told(
    rows: Option<Vec<search_analytics::Row>>,
    list: DayList,
    refused: &mut Vec<DayList>,
) -> Vec<search_analytics::Row> {
    rows.unwrap_or_else(|| {
        refused.push(list);
        Vec::new()
    })
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

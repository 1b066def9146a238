//! Asks the upstream for a day, for its totals and for its hours, and stores them.

use http::StatusCode;
use time::{Date, Duration};

use super::{ImportError, Imported, Importer, Source, Totals};
use crate::{
    google::{
        countries::country,
        error::GoogleError,
        search_analytics::{self, Answered, DataState, Dimension, Question},
    },
    gsc::{
        figures::{Device, Figures, SearchType},
        hours::HOURS,
        import::{ImportedDay, Row},
        place::Place,
    },
};

/// How many looks of results are asked for one by one.
const MOST_LOOKS: usize = 50;

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
    pub(super) async fn import_day(
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
    pub(super) async fn import_hours(
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

//! The past of a property, as far as the upstream has it.

use std::{cmp::Reverse, time::Instant};

use time::{Date, Duration};

use super::{ImportError, Importer, Source, account, of_link};
use crate::{
    google::search_analytics::DataState,
    gsc::{figures::SearchType, link::Link, pacific, property::HISTORY},
};

/// How many days of the past are looked at together.
const CHUNK: Duration = Duration::days(28);
/// How many days in a row may be missed before it is held to be no matter of days.
const MOST_MISSED: u32 = 5;

/// The result of importing a piece of the past.
#[derive(Debug, Default)]
pub struct Past {
    /// Whether a day came in.
    pub is_any: bool,
    /// Whether there are more days to import, of search types that can be read.
    pub is_left: bool,
    /// Why the past of a search type does not come in: the first reason.
    pub error: Option<ImportError>,
}

/// How far the past of a search type is.
struct Course {
    search_type: SearchType,
    /// The oldest day that was imported, with all after it.
    reached: Date,
    /// How many days in a row were missed last.
    missed_in_a_row: u32,
}

impl Importer {
    /// Imports days of the past, the newest of those that are missing first, until `until`. The search types go back in step, some
    /// days at a time. A day that can't be read is missed, and tried again on another day; a search type that can't be read keeps no
    /// other waiting.
    ///
    /// # Errors
    /// Why no more of any search type can be had.
    pub async fn backfill(&self, link: &Link, until: Instant) -> Result<Past, ImportError> {
        let account = account(link)?;
        let source = Source { link, account };
        let mut past = Past::default();
        let oldest = pacific::day(link.linked_at) - HISTORY;
        // Without newest days there is nothing that the past of a search type could go on from.
        let begun = link.search_types.iter().filter_map(|search_type| {
            link.reached.get(search_type).map(|reached| Course {
                search_type: *search_type,
                reached: *reached,
                missed_in_a_row: 0,
            })
        });
        let mut courses: Vec<Course> = begun.collect();
        for course in &courses {
            self.try_again(source, course.search_type, until).await?;
        }
        // The first of those that reach least comes next.
        while let Some(course) = courses
            .iter_mut()
            .filter(|course| course.reached > oldest)
            .min_by_key(|course| Reverse(course.reached))
        {
            if Instant::now() >= until {
                past.is_left = true;
                break;
            }
            let search_type = course.search_type;
            let imported = self.import_chunk(source, course, oldest, until, &mut past).await;
            match self
                .or_set_aside(source, &format!("the past of {search_type}"), imported)
                .await
            {
                Ok(()) => {}
                Err(error) if error.is_of_all() => return Err(error),
                Err(error) => {
                    tracing::warn!(domain = %link.domain, %search_type, %error, "the past of a search type does not come in");
                    past.error.get_or_insert(error);
                    courses.retain(|course| course.search_type != search_type);
                }
            }
        }
        if let Some(through) = link.data_through {
            for course in &courses {
                self.import
                    .sum_months(link.domain, course.search_type, through)
                    .await?;
            }
        }
        Ok(past)
    }

    /// Imports the next days of a search type, or those of them that can be until `until`.
    async fn import_chunk(
        &self,
        source: Source<'_>,
        course: &mut Course,
        oldest: Date,
        until: Instant,
        past: &mut Past,
    ) -> Result<(), ImportError> {
        let (link, search_type) = (source.link, course.search_type);
        let first = (course.reached - CHUNK).max(oldest);
        let last = course.reached - Duration::DAY;
        let totals = self
            .totals(source, search_type, (first, last), DataState::Final)
            .await?;
        let told: Vec<Date> = totals.dates().into_iter().collect();
        // A property that was linked before may have left some on other days.
        let emptied = self
            .import
            .empty_days(link.of(), search_type, (first, last), &told);
        of_link(emptied.await?)?;
        for date in told.into_iter().rev() {
            if Instant::now() >= until {
                return Ok(());
            }
            match self.import_day(source, search_type, date, &totals, true).await {
                Ok(()) => {
                    course.missed_in_a_row = 0;
                    past.is_any = true;
                }
                Err(error) if error.is_of_all() || course.missed_in_a_row >= MOST_MISSED => {
                    return Err(error);
                }
                Err(error) => {
                    course.missed_in_a_row += 1;
                    self.miss_for(source, search_type, date, &error).await?;
                }
            }
            course.reached = date;
            of_link(self.links.reached(link.of(), search_type, date).await?)?;
        }
        // The days before the oldest one of the chunk have nothing.
        course.reached = first;
        of_link(self.links.reached(link.of(), search_type, first).await?)
    }

    /// Asks once more for days that were missed.
    async fn try_again(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        until: Instant,
    ) -> Result<(), ImportError> {
        let missed = source.link.missed.iter().filter(|(of, _)| *of == search_type);
        for &(_, date) in missed {
            if Instant::now() >= until {
                break;
            }
            match self.import_again(source, search_type, date).await {
                Ok(()) => {}
                Err(error) if error.is_of_all() => return Err(error),
                Err(error) => self.miss_for(source, search_type, date, &error).await?,
            }
        }
        Ok(())
    }

    async fn import_again(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<(), ImportError> {
        let totals = self
            .totals(source, search_type, (date, date), DataState::Final)
            .await?;
        self.import_day(source, search_type, date, &totals, true).await
    }

    /// Notes that a day is missing, and tells why.
    async fn miss_for(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
        error: &ImportError,
    ) -> Result<(), ImportError> {
        let domain = source.link.domain;
        tracing::warn!(%domain, %search_type, %date, %error, "a day of search data is missing");
        self.miss(source, search_type, date).await
    }

    /// Notes that a day is missing. Stored rows of that day are of a time when it was not final, or of another property that was
    /// linked before. Where even they can't be deleted, the day is tried again all the same.
    pub(super) async fn miss(
        &self,
        source: Source<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<(), ImportError> {
        let link = source.link;
        let emptied = self.import.empty_days(link.of(), search_type, (date, date), &[]);
        let emptied = emptied.await.map_err(ImportError::from).and_then(of_link);
        match self
            .or_set_aside(
                source,
                &format!("{search_type} of {date} as a missing day"),
                emptied,
            )
            .await
        {
            Ok(()) | Err(ImportError::Unstored) => {}
            Err(error) => return Err(error),
        }
        of_link(self.links.missed(link.of(), search_type, date).await?)
    }
}

//! The response times of the last day that the overview draws, hour by hour.

use std::collections::HashMap;

use moka::sync::Cache;
use pharos_domain::{ids::DomainId, store::StoreError, time_range::TimeRange};
use pharos_uptime::alert_metrics::MetricStore;
use time::{Duration, OffsetDateTime, Time, UtcOffset};

/// How many hours a course has.
const HOURS: u8 = 24;
/// How long after its end an hour is still read anew: its last checks may be on their way.
const SETTLES: Duration = Duration::minutes(10);
/// How long an hour is shown as it was read. Checks that come later, of a node that could not reach the database, show after it.
const KEPT: Duration = Duration::hours(1);
/// At most so many hours are kept, which take some 10 MB.
const MOST_HOURS: u64 = 50_000;

/// The mean response times of hours that are over, as they were read. Until their day is rolled up they are read check by check: in
/// the evening those are 72,000 for 50 domains that are checked every minute.
#[derive(Debug)]
pub(crate) struct Courses(Cache<(DomainId, OffsetDateTime), Option<f64>>);

impl Default for Courses {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MOST_HOURS)
                .time_to_live(KEPT.unsigned_abs())
                .build(),
        )
    }
}

impl Courses {
    /// The mean response times of these domains in milliseconds, in the last 24 UTC hours, the present one included; `None` where
    /// nothing was measured.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn of(
        &self,
        store: &dyn MetricStore,
        domains: &[DomainId],
        now: OffsetDateTime,
    ) -> Result<HashMap<DomainId, Vec<Option<f64>>>, StoreError> {
        let mut courses: HashMap<DomainId, Vec<Option<f64>>> = HashMap::new();
        let mut asked = Vec::new();
        let mut places = Vec::new();
        for domain in domains {
            let course = courses.entry(*domain).or_default();
            for (at, hour) in hours(now).enumerate() {
                let kept = self.0.get(&(*domain, hour.from));
                course.push(kept.flatten());
                if kept.is_none() {
                    asked.push((*domain, hour));
                    places.push(at);
                }
            }
        }
        if asked.is_empty() {
            return Ok(courses);
        }
        let read = store.times(&asked).await?;
        for (((domain, hour), at), times) in asked.into_iter().zip(places).zip(read) {
            if hour.until + SETTLES <= now {
                self.0.insert((domain, hour.from), times.response_ms);
            }
            if let Some(place) = courses.get_mut(&domain).and_then(|course| course.get_mut(at)) {
                *place = times.response_ms;
            }
        }
        Ok(courses)
    }
}

/// The last 24 UTC hours, the present one included. They begin where roll-ups do, so that those of days that are over are read
/// from there.
fn hours(now: OffsetDateTime) -> impl Iterator<Item = TimeRange> {
    let present = now.to_offset(UtcOffset::UTC);
    let present = present.replace_time(Time::MIDNIGHT) + Duration::hours(present.hour().into());
    (0..HOURS).rev().map(move |back| {
        let since = present - Duration::hours(back.into());
        TimeRange::new(since, since + Duration::HOUR)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use pharos_uptime::{
        alert_metrics::MeanTimes, knowledge::MonitorKnowledge, monitor::settings::MonitorSettings,
    };
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_course_has_the_utc_hours_until_now() {
        let all: Vec<TimeRange> = hours(datetime!(2026-03-31 11:15 +2)).collect();
        assert_eq!(all.len(), usize::from(HOURS));
        let hour = |since| TimeRange::new(since, since + Duration::HOUR);
        assert_eq!(all[0], hour(datetime!(2026-03-30 10:00 UTC)));
        assert_eq!(all[23], hour(datetime!(2026-03-31 09:00 UTC)));
    }

    /// A store in which the response time of an hour is its number in the day; it notes what it was asked for. Nothing was measured
    /// in the first hour of a day.
    #[derive(Default)]
    struct Hours(Mutex<Vec<(DomainId, TimeRange)>>);

    #[async_trait]
    impl MetricStore for Hours {
        async fn known(
            &self,
            _: &HashMap<DomainId, OffsetDateTime>,
        ) -> Result<HashMap<DomainId, MonitorKnowledge>, StoreError> {
            Ok(HashMap::new())
        }

        async fn settings(&self, _: &[DomainId]) -> Result<HashMap<DomainId, MonitorSettings>, StoreError> {
            Ok(HashMap::new())
        }

        async fn times(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<MeanTimes>, StoreError> {
            self.0.lock().unwrap().extend_from_slice(asked);
            let times = |hour: u8| MeanTimes {
                checks: 60,
                response_ms: (hour > 0).then_some(f64::from(hour)),
                ttfb_ms: None,
            };
            Ok(asked.iter().map(|(_, range)| times(range.from.hour())).collect())
        }
    }

    #[tokio::test]
    async fn hours_that_are_over_are_read_once_and_the_present_one_each_time() {
        let (store, courses) = (Hours::default(), Courses::default());
        let [first, second] = [DomainId::generate(), DomainId::generate()];
        let asked = || std::mem::take(&mut *store.0.lock().unwrap());
        let now = datetime!(2026-03-31 02:15 UTC);
        let whole = courses.of(&store, &[first], now).await.unwrap();
        assert_eq!(asked().len(), 24);
        let hours = (3..24).chain(0..=2);
        let expected: Vec<Option<f64>> = hours
            .map(|hour: u8| (hour > 0).then_some(f64::from(hour)))
            .collect();
        assert_eq!(whole[&first], expected);

        // A domain that was not measured is known as such, and is not read again.
        let again = courses.of(&store, &[first, second], now).await.unwrap();
        let present = datetime!(2026-03-31 02:00 UTC);
        let read = asked();
        assert_eq!(read.len(), 25);
        assert_eq!(
            read[0],
            (first, TimeRange::new(present, present + Duration::HOUR))
        );
        assert_eq!((&again[&first], &again[&second]), (&expected, &expected));

        // The hour before may still get checks for a while after its end.
        let later = datetime!(2026-03-31 03:05 UTC);
        courses.of(&store, &[first], later).await.unwrap();
        courses.of(&store, &[first], later).await.unwrap();
        assert_eq!(asked().len(), 4);
    }
}

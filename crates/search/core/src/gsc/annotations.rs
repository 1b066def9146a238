//! Events in the world on days for which figures are shown.

use pharos_domain::{
    experiments::BegunExperiment, ranking_updates::RankingUpdates, releases::SiteRelease, window::DateRange,
    wire_enum,
};
use time::{Date, macros::date};

use self::AnnotationKind::{DataAnomaly, Deploy, Experiment, SearchUpdate};
use super::pacific;

wire_enum! {
    /// The kind of an event.
    AnnotationKind as "SearchAnnotationKind" {
        /// Google began to roll out an update of its ranking.
        SearchUpdate = "search_update",
        /// The upstream lost or changed data.
        DataAnomaly = "data_anomaly",
        /// The site was deployed.
        Deploy = "deploy",
        /// An experiment began.
        Experiment = "experiment",
    }
}

/// Something that happened on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The day that is noted.
    pub date: Date,
    /// The kind of event.
    pub kind: AnnotationKind,
    /// Its name for people.
    pub label: String,
}

/// The events that Google has told of, as of May 2026: updates of its ranking by the day on which the rollout began, from the ranking
/// incidents of the Google Search Status Dashboard (status.search.google.com), and the long error of its counts from "Data
/// anomalies in Search Console" (support.google.com/webmasters/answer/6211453).
const EVENTS: &[(Date, AnnotationKind, &str)] = &[
    (date!(2022 - 05 - 25), SearchUpdate, "May 2022 core update"),
    (
        date!(2022 - 07 - 27),
        SearchUpdate,
        "July 2022 product reviews update",
    ),
    (
        date!(2022 - 08 - 25),
        SearchUpdate,
        "August 2022 helpful content update",
    ),
    (date!(2022 - 09 - 12), SearchUpdate, "September 2022 core update"),
    (
        date!(2022 - 09 - 20),
        SearchUpdate,
        "September 2022 product reviews update",
    ),
    (date!(2022 - 10 - 19), SearchUpdate, "October 2022 spam update"),
    (
        date!(2022 - 12 - 05),
        SearchUpdate,
        "December 2022 helpful content update",
    ),
    (
        date!(2022 - 12 - 14),
        SearchUpdate,
        "December 2022 link spam update",
    ),
    (
        date!(2023 - 02 - 21),
        SearchUpdate,
        "February 2023 product reviews update",
    ),
    (date!(2023 - 03 - 15), SearchUpdate, "March 2023 core update"),
    (date!(2023 - 04 - 12), SearchUpdate, "April 2023 reviews update"),
    (date!(2023 - 08 - 22), SearchUpdate, "August 2023 core update"),
    (
        date!(2023 - 09 - 14),
        SearchUpdate,
        "September 2023 helpful content update",
    ),
    (date!(2023 - 10 - 04), SearchUpdate, "October 2023 spam update"),
    (date!(2023 - 10 - 05), SearchUpdate, "October 2023 core update"),
    (date!(2023 - 11 - 02), SearchUpdate, "November 2023 core update"),
    (
        date!(2023 - 11 - 08),
        SearchUpdate,
        "November 2023 reviews update",
    ),
    (date!(2024 - 03 - 05), SearchUpdate, "March 2024 core update"),
    (date!(2024 - 03 - 05), SearchUpdate, "March 2024 spam update"),
    (date!(2024 - 06 - 20), SearchUpdate, "June 2024 spam update"),
    (date!(2024 - 08 - 15), SearchUpdate, "August 2024 core update"),
    (date!(2024 - 11 - 11), SearchUpdate, "November 2024 core update"),
    (date!(2024 - 12 - 12), SearchUpdate, "December 2024 core update"),
    (date!(2024 - 12 - 19), SearchUpdate, "December 2024 spam update"),
    (date!(2025 - 03 - 13), SearchUpdate, "March 2025 core update"),
    (
        date!(2025 - 05 - 13),
        DataAnomaly,
        "Google counts too many impressions from here on",
    ),
    (date!(2025 - 06 - 30), SearchUpdate, "June 2025 core update"),
    (date!(2025 - 08 - 26), SearchUpdate, "August 2025 spam update"),
    (date!(2025 - 12 - 11), SearchUpdate, "December 2025 core update"),
    (
        date!(2026 - 02 - 05),
        SearchUpdate,
        "February 2026 Discover core update",
    ),
    (date!(2026 - 03 - 24), SearchUpdate, "March 2026 spam update"),
    (date!(2026 - 03 - 27), SearchUpdate, "March 2026 core update"),
    (
        date!(2026 - 04 - 27),
        DataAnomaly,
        "Google counts impressions rightly again",
    ),
    (date!(2026 - 05 - 21), SearchUpdate, "May 2026 core update"),
];

/// Google's events in a window, in order.
fn events(window: DateRange) -> Vec<Annotation> {
    EVENTS
        .iter()
        .filter(|(date, ..)| window.contains(*date))
        .map(|(date, kind, label)| Annotation {
            date: *date,
            kind: *kind,
            label: (*label).to_owned(),
        })
        .collect()
}

/// The updates of its ranking that Google has told of.
#[derive(Clone, Copy, Debug)]
pub struct GoogleUpdates;

impl RankingUpdates for GoogleUpdates {
    fn begun(&self, window: DateRange) -> Vec<Date> {
        EVENTS
            .iter()
            .filter(|(date, kind, _)| *kind == SearchUpdate && window.contains(*date))
            .map(|(date, ..)| *date)
            .collect()
    }
}

/// The days of UTC on which a window of the upstream's days lies: those begin some hours later.
#[must_use]
pub fn days_of_utc(window: DateRange) -> DateRange {
    let next = window.last().next_day();
    next.and_then(|next| DateRange::new(window.first(), next))
        .unwrap_or(window)
}

/// The events of a window, in order: those that Google told of, and on the same day after them the site's own experiments and
/// releases. Only releases that came in the window count, by the upstream's days.
#[must_use]
pub fn annotations(
    window: DateRange,
    begun: Vec<BegunExperiment>,
    released: Vec<SiteRelease>,
) -> Vec<Annotation> {
    let mut all = events(window);
    all.extend(
        begun
            .into_iter()
            .map(|BegunExperiment { date, name }| Annotation {
                date,
                kind: Experiment,
                label: name,
            }),
    );
    let deploys = released
        .into_iter()
        .map(|SiteRelease { name, released_at }| Annotation {
            date: pacific::day(released_at),
            kind: Deploy,
            label: name,
        });
    all.extend(deploys.filter(|deploy| window.contains(deploy.date)));
    all.sort_by_key(|event| event.date);
    all
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn events_are_told_on_their_days() {
        assert!(EVENTS.is_sorted_by_key(|(date, ..)| *date));
        let march = DateRange::new(date!(2024 - 03 - 05), date!(2024 - 06 - 20)).unwrap();
        let labels: Vec<String> = events(march).into_iter().map(|event| event.label).collect();
        assert_eq!(
            labels,
            [
                "March 2024 core update",
                "March 2024 spam update",
                "June 2024 spam update"
            ]
        );
    }

    #[test]
    fn updates_of_the_ranking_are_told_without_other_events() {
        let spring = DateRange::new(date!(2026 - 03 - 25), date!(2026 - 05 - 21)).unwrap();
        assert_eq!(events(spring).len(), 3);
        assert_eq!(
            GoogleUpdates.begun(spring),
            [date!(2026 - 03 - 27), date!(2026 - 05 - 21)]
        );
    }

    #[test]
    fn experiments_and_releases_stand_on_their_days() {
        let march = DateRange::new(date!(2024 - 03 - 05), date!(2024 - 06 - 20)).unwrap();
        let begun = |date, name: &str| BegunExperiment {
            date,
            name: name.to_owned(),
        };
        // The first and the last of these are of the days before and after, as clocks in California show it.
        let released = |released_at, name: &str| SiteRelease {
            name: name.to_owned(),
            released_at,
        };
        let found = annotations(
            march,
            vec![
                begun(date!(2024 - 03 - 05), "Titles"),
                begun(date!(2024 - 06 - 01), "Prices"),
            ],
            vec![
                released(datetime!(2024-03-05 07:59 UTC), "1.0"),
                released(datetime!(2024-03-05 08:00 UTC), "1.1"),
                released(datetime!(2024-06-21 06:59 UTC), "2.0"),
                released(datetime!(2024-06-21 07:00 UTC), "2.1"),
            ],
        );
        let told: Vec<(&str, AnnotationKind)> = found
            .iter()
            .map(|event| (event.label.as_str(), event.kind))
            .collect();
        assert_eq!(
            told,
            [
                ("March 2024 core update", SearchUpdate),
                ("March 2024 spam update", SearchUpdate),
                ("Titles", Experiment),
                ("1.1", Deploy),
                ("Prices", Experiment),
                ("June 2024 spam update", SearchUpdate),
                ("2.0", Deploy),
            ]
        );
    }
}

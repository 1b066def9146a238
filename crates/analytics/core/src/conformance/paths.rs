//! Which ways visitors take: funnels, journeys, and how many come back. The numbers in brackets are those of the sessions in the log.

use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};
use time::macros::date;

use super::{
    answers::text,
    log::{FIRST, LAST, days},
};
use crate::{
    filter::{self, Filters},
    funnel::{FunnelQuery, Reached},
    paths::{Journey, JourneysQuery, RetentionGranularity},
    store::PathStore,
};

/// Pages; sessions, seconds, sessions that viewed no further page.
type ExpectedJourney = (&'static [&'static str], [u64; 3]);

/// 2, 4, 8, 13, 18; 3, 5, 7, 14; 6, 12, 19; 11, 17; 1; 10; 9. 15 and 16 viewed nothing.
const OF_THREE: [ExpectedJourney; 7] = [
    (&["/"], [5, 685, 5]),
    (&["/a"], [4, 60, 4]),
    (&["/b"], [3, 0, 3]),
    (&["/", "/a"], [2, 2_730, 2]),
    (&["/", "/a", "/b"], [1, 2_140, 1]),
    (&["/landing", "/"], [1, 1_200, 1]),
    (&["/shop"], [1, 360, 1]),
];

/// 1 goes on.
const OF_TWO: [ExpectedJourney; 6] = [
    (&["/"], [5, 685, 5]),
    (&["/a"], [4, 60, 4]),
    (&["/b"], [3, 0, 3]),
    (&["/", "/a"], [3, 4_870, 2]),
    (&["/landing", "/"], [1, 1_200, 1]),
    (&["/shop"], [1, 360, 1]),
];

/// 3, 5, 7, 11, 14, 17; 1.
const FROM_A: [ExpectedJourney; 2] = [(&["/a"], [6, 2_790, 6]), (&["/a", "/b"], [1, 2_140, 1])];

/// 2, 13, 18; 3, 5; 6; 10.
const IN_FRANCE: [ExpectedJourney; 4] = [
    (&["/"], [3, 25, 3]),
    (&["/a"], [2, 0, 2]),
    (&["/b"], [1, 0, 1]),
    (&["/landing", "/"], [1, 1_200, 1]),
];

/// Steps; of each: sessions, and the median of the seconds since the step before.
type ExpectedFunnel = (&'static [&'static str], &'static [(u64, Option<f64>)]);

/// No visitor takes a way in two sessions of a day, so visitors are as many as sessions.
const OF_ALL: [ExpectedFunnel; 7] = [
    // 1, 2, 4, 8, 10, 11, 13, 17, 18; 1, 11, 17 after 300, 1,500 and 1,200 s; 1.
    (
        &["page:/", "page:/a", "page:/b"],
        &[(9, None), (3, Some(1_200.0)), (1, Some(1_840.0))],
    ),
    // 1, 3, 5, 7, 11, 14, 17: none goes back.
    (&["page:/a", "page:/"], &[(7, None), (0, None)]),
    // 4 and 17, after 60 and 1,230 s.
    (&["page:/", "event:signup"], &[(9, None), (2, Some(645.0))]),
    // 9 twice, whose second purchase repeats the order; 16 three times.
    (
        &["event:purchase", "event:purchase", "event:purchase"],
        &[(2, None), (2, Some(60.0)), (1, Some(60.0))],
    ),
    // 9.
    (
        &[
            "page:/shop",
            "event:view_item",
            "event:add_to_cart",
            "event:begin_checkout",
            "event:purchase",
        ],
        &[
            (1, None),
            (1, Some(120.0)),
            (1, Some(60.0)),
            (1, Some(60.0)),
            (1, Some(60.0)),
        ],
    ),
    // One view is no two steps.
    (&["page:/", "page:/"], &[(9, None), (0, None)]),
    // A page that was never viewed, and an event that is called as a page is.
    (&["page:/nowhere", "event:/"], &[(0, None), (0, None)]),
];

/// 1, 4, 11, 17; 1, 11, 17; 1.
const ON_DESKTOPS: ExpectedFunnel = (
    &["page:/", "page:/a", "page:/b"],
    &[(4, None), (3, Some(1_200.0)), (1, Some(1_840.0))],
);

/// 1: whoever did it viewed /b later.
const WITH_B: ExpectedFunnel = (&["page:/", "page:/a"], &[(1, None), (1, Some(300.0))]);

/// Holds what is said of ways against what it must be, however much is rolled up.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check(paths: &dyn PathStore, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let all = Filters::default();
    let france = Filters {
        country: text("FR"),
        ..Filters::default()
    };
    let query = |filters, depth, start| JourneysQuery {
        window,
        filters,
        depth,
        start,
    };
    let asked: [(JourneysQuery<'_>, &[ExpectedJourney]); 5] = [
        (query(&all, 3, None), &OF_THREE),
        (query(&all, 2, None), &OF_TWO),
        (query(&all, 2, Some("/a")), &FROM_A),
        (query(&all, 6, Some("/nowhere")), &[]),
        (query(&france, 3, None), &IN_FRANCE),
    ];
    for (query, expected) in asked {
        let mut found = paths.journeys(domain, &query).await?;
        let fewer = |pair: &[Journey]| pair[0].sessions >= pair[1].sessions;
        assert!(found.journeys.windows(2).all(fewer), "{found:?}");
        let mut expected: Vec<Journey> = expected.iter().map(journey).collect();
        let sessions = expected.iter().map(|journey| journey.sessions).sum();
        let total = u64::try_from(expected.len()).unwrap_or_default();
        assert_eq!((found.total, found.sessions), (total, sessions), "{query:?}");
        found.journeys.sort_by(|a, b| a.path.cmp(&b.path));
        expected.sort_by(|a, b| a.path.cmp(&b.path));
        assert_eq!(found.journeys, expected, "{query:?}");
    }
    check_funnels(paths, domain, window).await?;
    check_returns(paths, domain, window, &france).await
}

async fn check_funnels(
    paths: &dyn PathStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let all = Filters::default();
    let desktops = Filters {
        device: Some(filter::device("desktop")),
        ..Filters::default()
    };
    let with_b = Filters {
        page: text("/b"),
        ..Filters::default()
    };
    let of_all = OF_ALL.iter().map(|expected| (&all, expected));
    for (filters, (steps, expected)) in of_all.chain([(&desktops, &ON_DESKTOPS), (&with_b, &WITH_B)]) {
        let steps: Vec<_> = steps.iter().filter_map(|step| step.parse().ok()).collect();
        let query = FunnelQuery {
            window,
            filters,
            steps: &steps,
        };
        let found = paths.funnel(domain, &query).await?;
        let expected: Vec<Reached> = expected.iter().map(reached).collect();
        assert_eq!(found.steps, expected, "{query:?}");
    }
    Ok(())
}

fn reached((sessions, seconds): &(u64, Option<f64>)) -> Reached {
    Reached {
        sessions: *sessions,
        visitors: *sessions,
        median_ms: seconds.map(|seconds| seconds * 1_000.0),
    }
}

fn journey((path, [sessions, seconds, exits]): &ExpectedJourney) -> Journey {
    Journey {
        path: path.iter().map(|page| (*page).to_owned()).collect(),
        sessions: *sessions,
        duration_ms: seconds * 1_000,
        exits: *exits,
    }
}

/// Ada was there on 30 March and 3 April, bob on 1 April.
async fn check_returns(
    paths: &dyn PathStore,
    domain: &DomainAccess,
    window: DateRange,
    france: &Filters,
) -> Result<(), StoreError> {
    let all = Filters::default();
    let (monday, wednesday, friday) = (FIRST, date!(2026 - 04 - 01), LAST);
    let (march, april) = (date!(2026 - 03 - 01), wednesday);
    let expected = [
        (
            RetentionGranularity::Day,
            vec![
                (monday, monday, 1),
                (monday, friday, 1),
                (wednesday, wednesday, 1),
            ],
        ),
        (RetentionGranularity::Week, vec![(monday, monday, 2)]),
        (
            RetentionGranularity::Month,
            vec![(march, march, 1), (march, april, 1), (april, april, 1)],
        ),
    ];
    for (granularity, expected) in expected {
        let found = paths.returns(domain, window, &all, granularity).await?;
        assert_eq!(found.counts, expected, "{granularity}");
    }
    let found = paths
        .returns(domain, window, france, RetentionGranularity::Week)
        .await?;
    assert_eq!(found.counts, []);
    Ok(())
}

//! The answers. The numbers in brackets are those of the sessions in the log.

use pharos_domain::{
    collect::client::Device,
    identity::DomainAccess,
    page::{OffsetRequest, SortOrder},
    store::StoreError,
    window::DateRange,
};
use time::{
    Date,
    macros::{date, datetime},
};

use super::log::{FIRST, LAST, NOW, days};
use crate::{
    channel::Channel,
    filter::{Filters, Fitting},
    overview::Totals,
    pages::{PageFigures, PagePart, PageSort, PagesQuery},
    realtime::{RealtimeRow, since},
    store::VisitStore,
};

/// Visitors, sessions, page views, bounces, seconds, events.
pub(super) type Expected = [u64; 6];

pub(super) fn totals([visitors, sessions, pageviews, bounces, seconds, events]: Expected) -> Totals {
    Totals {
        visitors,
        sessions,
        pageviews,
        bounces,
        duration_ms: seconds * 1_000,
        events,
    }
}

/// By day: sessions 1 to 5, 6 to 10, 11 to 16, 17 to 19.
const DAYS: [(Date, Expected, i64); 4] = [
    (date!(2026 - 03 - 30), [4, 5, 7, 3, 2_200, 1], 0),
    (date!(2026 - 03 - 31), [5, 5, 6, 1, 2_220, 5], 10_000),
    // 20.50 twice, less 100.00; 50.00 dollars are not among it.
    (date!(2026 - 04 - 01), [4, 6, 5, 3, 1_700, 5], -5_900),
    (date!(2026 - 04 - 03), [3, 3, 4, 2, 1_235, 1], 0),
];

/// All of them.
pub(super) const ALL: Expected = [16, 19, 22, 9, 7_355, 12];
/// On phones in France: 2, 3, 5, 6, 10, 13, 18.
pub(super) const FRANCE: Expected = [6, 7, 8, 6, 1_225, 0];
/// From Google without pay: 1, 14, 15, 18.
pub(super) const SEARCHED: Expected = [3, 4, 5, 2, 2_145, 1];

pub(super) fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

/// Filters, what their sessions come to, and their revenue in hundredths.
fn filtered() -> Vec<(Filters, Expected, i64)> {
    let none = Filters::default;
    vec![
        (none(), ALL, 4_100),
        (
            Filters {
                channel: Some(Fitting::Is(Channel::OrganicSearch)),
                ..none()
            },
            SEARCHED,
            0,
        ),
        // With 5.
        (
            Filters {
                source: text("google"),
                ..none()
            },
            [4, 5, 6, 3, 2_145, 1],
            0,
        ),
        (
            Filters {
                medium: text("cpc"),
                ..none()
            },
            [1, 1, 1, 1, 0, 0],
            0,
        ),
        (
            Filters {
                campaign: text("spring"),
                ..none()
            },
            [1, 1, 1, 1, 0, 0],
            0,
        ),
        // 10, though its second page view came from Google.
        (
            Filters {
                channel: Some(Fitting::Is(Channel::Email)),
                ..none()
            },
            [1, 1, 2, 0, 1_200, 0],
            0,
        ),
        (
            Filters {
                country: text("FR"),
                ..none()
            },
            FRANCE,
            0,
        ),
        (
            Filters {
                device: Some(Fitting::Is(Device::Mobile)),
                ..none()
            },
            FRANCE,
            0,
        ),
        (
            Filters {
                browser: text("Safari"),
                ..none()
            },
            FRANCE,
            0,
        ),
        (
            Filters {
                os: text("iOS"),
                ..none()
            },
            FRANCE,
            0,
        ),
        // 8.
        (
            Filters {
                device: Some(Fitting::Is(Device::Tablet)),
                ..none()
            },
            [1, 1, 1, 0, 600, 0],
            0,
        ),
        (
            Filters {
                referrer: text("google.com"),
                ..none()
            },
            SEARCHED,
            0,
        ),
        // 1, 6, 12, 19.
        (
            Filters {
                page: text("/b"),
                ..none()
            },
            [4, 4, 6, 3, 2_140, 0],
            0,
        ),
        // 4, 15, 17.
        (
            Filters {
                event: text("signup"),
                ..none()
            },
            [3, 3, 3, 0, 1_290, 3],
            0,
        ),
        // 9, 16.
        (
            Filters {
                event: text("purchase"),
                ..none()
            },
            [2, 2, 1, 0, 540, 9],
            4_100,
        ),
        // 15.
        (
            Filters {
                channel: Some(Fitting::Is(Channel::OrganicSearch)),
                event: text("signup"),
                device: Some(Fitting::Is(Device::Desktop)),
                ..none()
            },
            [1, 1, 0, 0, 0, 1],
            0,
        ),
        (
            Filters {
                channel: Some(Fitting::Nothing),
                ..none()
            },
            [0; 6],
            0,
        ),
        (
            Filters {
                source: text("nobody' OR '%"),
                ..none()
            },
            [0; 6],
            0,
        ),
    ]
}

/// Path; visitors, page views, sessions, entries, exits, bounces, seconds and views of engagement, percent and views of scroll.
pub(super) type ExpectedPage = (&'static str, [u64; 10]);

const PAGES: [ExpectedPage; 5] = [
    ("/", [9, 9, 9, 8, 6, 3, 32, 2, 80, 2]),
    ("/a", [7, 7, 7, 4, 6, 3, 40, 2, 120, 2]),
    ("/b", [4, 4, 4, 3, 4, 3, 0, 0, 0, 0]),
    ("/landing", [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]),
    ("/shop", [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]),
];

const ENTRIES: [ExpectedPage; 5] = [
    ("/", [8, 8, 8, 8, 0, 3, 32, 2, 80, 2]),
    ("/a", [4, 4, 4, 4, 0, 3, 0, 0, 0, 0]),
    ("/b", [3, 3, 3, 3, 0, 3, 0, 0, 0, 0]),
    ("/landing", [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]),
    ("/shop", [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]),
];

const EXITS: [ExpectedPage; 4] = [
    ("/", [6, 6, 6, 0, 6, 0, 12, 1, 30, 1]),
    ("/a", [6, 6, 6, 0, 6, 0, 0, 0, 0, 0]),
    ("/b", [4, 4, 4, 0, 4, 0, 0, 0, 0, 0]),
    ("/shop", [1, 1, 1, 0, 1, 0, 0, 0, 0, 0]),
];

const PAGES_IN_FRANCE: [ExpectedPage; 4] = [
    ("/", [4, 4, 4, 3, 4, 3, 12, 1, 30, 1]),
    ("/a", [2, 2, 2, 2, 2, 2, 0, 0, 0, 0]),
    ("/b", [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]),
    ("/landing", [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]),
];

fn figures((path, figures): &ExpectedPage) -> PageFigures {
    let [
        visitors,
        pageviews,
        sessions,
        entries,
        exits,
        bounces,
        seconds,
        engaged_views,
        scroll_pct,
        scrolled_views,
    ] = *figures;
    PageFigures {
        path: (*path).to_owned(),
        title: None,
        visitors,
        pageviews,
        sessions,
        entries,
        exits,
        bounces,
        engaged_ms: seconds * 1_000,
        engaged_views,
        scroll_pct,
        scrolled_views,
    }
}

/// Holds every answer to the log against what it must be. It may be asked at any time: how much is rolled up changes nothing.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check(visits: &dyn VisitStore, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    check_days(visits, domain, window).await?;
    for (filters, expected, cents) in filtered() {
        let found = visits.overview(domain, &[window], &filters, "EUR").await?;
        assert_eq!(found.totals(window), totals(expected), "{filters:?}");
        let revenue: i64 = found.revenue_cents.iter().map(|(_, cents)| cents).sum();
        assert_eq!(revenue, cents, "{filters:?}");
    }
    // In dollars it is the orders that say so, and those that say nothing.
    let dollars = visits
        .overview(domain, &[window], &Filters::default(), "USD")
        .await?;
    assert!((dollars.revenue(window) - 91.0).abs() < 1e-9, "{dollars:?}");
    check_pages(visits, domain, window).await?;
    super::breakdowns::check(visits, domain, window).await?;
    check_realtime(visits, domain).await
}

async fn check_days(
    visits: &dyn VisitStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    // A window and the days before it, with one between them.
    let (first, last) = (date!(2026 - 03 - 31), date!(2026 - 04 - 01));
    let windows = [
        Some(window),
        DateRange::new(first, last),
        DateRange::new(FIRST, FIRST),
        DateRange::new(date!(2026 - 04 - 02), LAST),
        DateRange::new(date!(2026 - 02 - 01), FIRST),
        DateRange::new(date!(2026 - 02 - 01), date!(2026 - 02 - 28)),
    ];
    for window in windows.into_iter().flatten() {
        let found = visits
            .overview(domain, &[window], &Filters::default(), "EUR")
            .await?;
        let days: Vec<(Date, Totals)> = found.days.iter().map(|day| (day.day, day.totals)).collect();
        let expected: Vec<(Date, Totals)> = DAYS
            .iter()
            .filter(|(day, _, _)| window.contains(*day))
            .map(|(day, expected, _)| (*day, totals(*expected)))
            .collect();
        assert_eq!(days, expected, "{window:?}");
        let revenue: Vec<_> = found
            .revenue_cents
            .iter()
            .filter(|(_, cents)| *cents != 0)
            .collect();
        let expected: Vec<(Date, i64)> = DAYS
            .iter()
            .filter(|(day, _, cents)| window.contains(*day) && *cents != 0)
            .map(|(day, _, cents)| (*day, *cents))
            .collect();
        assert_eq!(revenue, expected.iter().collect::<Vec<_>>(), "{window:?}");
        let last_at = found.last_at.filter(|last_at| *last_at <= NOW);
        assert!(
            last_at.is_some_and(|at| at >= datetime!(2026-04-03 11:59 UTC)),
            "{last_at:?}"
        );
    }
    Ok(())
}

async fn check_pages(
    visits: &dyn VisitStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let france = Filters {
        country: text("FR"),
        ..Filters::default()
    };
    let all = Filters::default();
    let query = |part, filters, search| PagesQuery {
        window,
        filters,
        part,
        search,
        sort: PageSort::Pageviews,
        order: SortOrder::Descending,
        page: OffsetRequest { limit: 50, offset: 0 },
    };
    let asked: [(PagesQuery<'_>, &[ExpectedPage], Expected); 6] = [
        (query(PagePart::All, &all, None), &PAGES, ALL),
        (query(PagePart::Entry, &all, None), &ENTRIES, ALL),
        (query(PagePart::Exit, &all, None), &EXITS, ALL),
        (query(PagePart::All, &france, None), &PAGES_IN_FRANCE, FRANCE),
        (query(PagePart::All, &all, Some("LAND")), &PAGES[3..4], ALL),
        (query(PagePart::All, &all, Some("%")), &[], ALL),
    ];
    for (query, expected, of_all) in asked {
        let found = visits.pages(domain, &query).await?;
        let mut items = found.items;
        assert!(
            items
                .windows(2)
                .all(|pair| pair[0].pageviews >= pair[1].pageviews)
        );
        items.sort_by(|a, b| a.path.cmp(&b.path));
        let expected: Vec<PageFigures> = expected.iter().map(figures).collect();
        assert_eq!(items, expected, "{query:?}");
        assert_eq!(found.total, u64::try_from(expected.len()).unwrap_or_default());
        assert_eq!(found.totals, totals(of_all), "{query:?}");
    }
    let second = PagesQuery {
        sort: PageSort::Visitors,
        page: OffsetRequest { limit: 1, offset: 1 },
        ..query(PagePart::All, &all, None)
    };
    let found = visits.pages(domain, &second).await?;
    assert_eq!((found.items, found.total), (vec![figures(&PAGES[1])], 5));
    let beyond = PagesQuery {
        page: OffsetRequest { limit: 1, offset: 7 },
        ..second.clone()
    };
    let found = visits.pages(domain, &beyond).await?;
    assert_eq!((found.items, found.total), (Vec::new(), 5));
    let least = PagesQuery {
        order: SortOrder::Ascending,
        page: OffsetRequest { limit: 1, offset: 4 },
        ..second
    };
    let found = visits.pages(domain, &least).await?;
    assert_eq!(found.items, [figures(&PAGES[0])]);
    Ok(())
}

async fn check_realtime(visits: &dyn VisitStore, domain: &DomainAccess) -> Result<(), StoreError> {
    let row = |key: &str, visitors, count| RealtimeRow {
        key: text(key),
        visitors,
        count,
    };
    // 17 from its second page view on, 18, 19.
    let mut found = visits.realtime(domain, since(NOW)).await?;
    assert_eq!((found.visitors, found.pageviews), (3, 3));
    let minutes = [
        (datetime!(2026-04-03 11:40 UTC), 1, 1),
        (datetime!(2026-04-03 11:59 UTC), 1, 1),
        (datetime!(2026-04-03 12:00 UTC), 1, 1),
    ];
    assert_eq!(found.minutes, minutes);
    found.pages.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(found.pages, [row("/", 1, 1), row("/a", 1, 1), row("/b", 1, 1)]);
    assert_eq!(found.sources, [row("direct", 2, 2), row("google", 1, 1)]);
    assert_eq!(found.countries, [row("DE", 2, 2), row("FR", 1, 1)]);
    assert_eq!(found.events, [row("signup", 1, 1)]);
    Ok(())
}

//! The checks of sessions by channel, place, device and so on, and by the hour. The numbers in brackets are those of the log.

use pharos_domain::{collect::client::Device, identity::DomainAccess, store::StoreError, window::DateRange};
use time::{OffsetDateTime, macros::datetime};

use super::answers::{ALL, Expected, FRANCE, SEARCHED, text, totals};
use crate::{
    breakdown::{BreakdownQuery, Grouping, MOST_PARTS, Part, PartKey},
    channel::Channel,
    filter::{Filters, Fitting},
    store::VisitStore,
    timeseries::Piece,
};

/// 5.
const PAID: Expected = [1, 1, 1, 1, 0, 0];
/// 10.
const MAILED: Expected = [1, 1, 2, 0, 1_200, 0];
/// 2, 3, 4, 6, 8, 9, 11, 12, 16, 17, 19.
const DIRECT: Expected = [9, 11, 12, 5, 3_930, 11];
/// 7.
const FACEBOOK: Expected = [1, 1, 1, 0, 60, 0];
/// 13.
const TWEETED: Expected = [1, 1, 1, 1, 20, 0];
/// All that are neither in France nor in the United States.
const GERMANY: Expected = [9, 11, 13, 3, 5_530, 12];
/// 8.
const STATES: Expected = [1, 1, 1, 0, 600, 0];

/// A key, what its sessions come to, orders and revenue in hundredths.
type ExpectedPart = (PartKey, Expected, u64, i64);

fn bought(key: PartKey, expected: Expected) -> ExpectedPart {
    (key, expected, 4, 4_100)
}

fn looked(key: PartKey, expected: Expected) -> ExpectedPart {
    (key, expected, 0, 0)
}

fn named(name: &str) -> PartKey {
    PartKey::Text(text(name))
}

fn pair(name: Option<&str>, of: Option<&str>) -> PartKey {
    PartKey::Pair(name.map(str::to_owned), of.map(str::to_owned))
}

fn place(country: &str) -> PartKey {
    PartKey::Place {
        name: None,
        region: None,
        country: text(country),
    }
}

/// Without filters: one answer for each grouping. The log knows no terms, contents, paths of referrers, versions and screens.
fn of_all() -> Vec<(Grouping, Vec<ExpectedPart>)> {
    use PartKey::{Channel as By, Text};
    let nothing = || vec![bought(Text(None), ALL)];
    let tagged = |tag: [&str; 2]| {
        vec![
            // 14 visitors, since that of 5 has another session on the next day.
            bought(Text(None), [14, 17, 19, 8, 6_155, 12]),
            looked(named(tag[0]), PAID),
            looked(named(tag[1]), MAILED),
        ]
    };
    let places = || {
        vec![
            bought(place("DE"), GERMANY),
            looked(place("FR"), FRANCE),
            looked(place("US"), STATES),
        ]
    };
    // 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 16, 17, 19.
    let unreferred: Expected = [11, 13, 15, 6, 5_130, 11];
    vec![
        (
            Grouping::Channel,
            vec![
                bought(By(Channel::Direct), DIRECT),
                looked(By(Channel::OrganicSearch), SEARCHED),
                looked(By(Channel::OrganicSocial), [2, 2, 2, 1, 80, 0]),
                looked(By(Channel::PaidSearch), PAID),
                looked(By(Channel::Email), MAILED),
            ],
        ),
        (
            Grouping::Source,
            vec![
                bought(named("direct"), DIRECT),
                looked(named("google"), [4, 5, 6, 3, 2_145, 1]),
                looked(named("facebook"), FACEBOOK),
                looked(named("twitter"), TWEETED),
                looked(named("newsletter"), MAILED),
            ],
        ),
        (Grouping::Medium, tagged(["cpc", "email"])),
        (Grouping::Campaign, tagged(["spring", "march"])),
        (
            Grouping::SourceMedium,
            vec![
                bought(pair(Some("direct"), None), DIRECT),
                looked(pair(Some("google"), None), SEARCHED),
                looked(pair(Some("google"), Some("cpc")), PAID),
                looked(pair(Some("facebook"), None), FACEBOOK),
                looked(pair(Some("twitter"), None), TWEETED),
                looked(pair(Some("newsletter"), Some("email")), MAILED),
            ],
        ),
        (Grouping::Term, nothing()),
        (Grouping::Content, nothing()),
        (
            Grouping::Referrer,
            vec![
                bought(Text(None), unreferred),
                looked(named("google.com"), SEARCHED),
                looked(named("facebook.com"), FACEBOOK),
                looked(named("t.co"), TWEETED),
            ],
        ),
        (
            Grouping::ReferrerPath,
            vec![
                bought(pair(None, None), unreferred),
                looked(pair(None, Some("google.com")), SEARCHED),
                looked(pair(None, Some("facebook.com")), FACEBOOK),
                looked(pair(None, Some("t.co")), TWEETED),
            ],
        ),
        (
            Grouping::Country,
            vec![
                bought(named("DE"), GERMANY),
                looked(named("FR"), FRANCE),
                looked(named("US"), STATES),
            ],
        ),
        (Grouping::Region, places()),
        (Grouping::City, places()),
        (
            Grouping::Device,
            vec![
                bought(PartKey::Device(Device::Desktop), GERMANY),
                looked(PartKey::Device(Device::Mobile), FRANCE),
                looked(PartKey::Device(Device::Tablet), STATES),
            ],
        ),
        (
            Grouping::Browser,
            vec![
                bought(named("Chrome"), [10, 12, 14, 3, 6_130, 12]),
                looked(named("Safari"), FRANCE),
            ],
        ),
        (
            Grouping::BrowserVersion,
            vec![
                bought(pair(None, Some("Chrome")), [10, 12, 14, 3, 6_130, 12]),
                looked(pair(None, Some("Safari")), FRANCE),
            ],
        ),
        (
            Grouping::Os,
            vec![
                bought(named("Windows"), GERMANY),
                looked(named("iOS"), FRANCE),
                looked(named("Android"), STATES),
            ],
        ),
        (
            Grouping::OsVersion,
            vec![
                bought(pair(None, Some("Windows")), GERMANY),
                looked(pair(None, Some("iOS")), FRANCE),
                looked(pair(None, Some("Android")), STATES),
            ],
        ),
        (Grouping::Screen, nothing()),
    ]
}

/// With filters.
fn of_some() -> Vec<(Filters, Grouping, Vec<ExpectedPart>)> {
    use PartKey::Channel as By;
    let france = Filters {
        country: text("FR"),
        ..Filters::default()
    };
    let bought_something = Filters {
        event: text("purchase"),
        ..Filters::default()
    };
    let searched = Filters {
        channel: Some(Fitting::Is(Channel::OrganicSearch)),
        page: text("/a"),
        ..Filters::default()
    };
    let nobody = Filters {
        device: Some(Fitting::Nothing),
        ..Filters::default()
    };
    vec![
        (
            france,
            Grouping::Channel,
            vec![
                // 2, 3, 6.
                looked(By(Channel::Direct), [2, 3, 3, 3, 0, 0]),
                looked(By(Channel::PaidSearch), PAID),
                looked(By(Channel::Email), MAILED),
                looked(By(Channel::OrganicSocial), TWEETED),
                // 18.
                looked(By(Channel::OrganicSearch), [1, 1, 1, 1, 5, 0]),
            ],
        ),
        (
            bought_something,
            Grouping::Device,
            // 9, 16.
            vec![bought(PartKey::Device(Device::Desktop), [2, 2, 1, 0, 540, 9])],
        ),
        (
            searched,
            Grouping::Os,
            // 1, 14.
            vec![looked(named("Windows"), [2, 2, 4, 1, 2_140, 0])],
        ),
        (nobody, Grouping::Country, Vec::new()),
    ]
}

fn query(window: DateRange, filters: &Filters, limit: u32) -> BreakdownQuery<'_> {
    BreakdownQuery {
        window,
        filters,
        currency: "EUR",
        limit,
    }
}

pub(super) async fn check(
    visits: &dyn VisitStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let all = Filters::default();
    let (groupings, expected): (Vec<_>, Vec<_>) = of_all().into_iter().unzip();
    assert_eq!(groupings.len(), Grouping::ALL.len());
    let found = visits
        .breakdowns(domain, &query(window, &all, MOST_PARTS), &groupings)
        .await?;
    assert_eq!(found.totals, totals(ALL));
    for ((grouping, expected), found) in groupings.iter().zip(expected).zip(found.breakdowns) {
        assert_eq!(found.total, u64::try_from(expected.len()).unwrap_or_default());
        assert_parts(*grouping, found.parts, expected);
    }
    for (filters, grouping, expected) in of_some() {
        let found = visits
            .breakdowns(domain, &query(window, &filters, MOST_PARTS), &[grouping])
            .await?;
        for breakdown in found.breakdowns {
            assert_parts(grouping, breakdown.parts, expected.clone());
        }
    }
    // The first alone, and how many there are.
    let found = visits
        .breakdowns(domain, &query(window, &all, 1), &[Grouping::Channel])
        .await?;
    for breakdown in found.breakdowns {
        assert_eq!(breakdown.total, 5);
        assert_parts(
            Grouping::Channel,
            breakdown.parts,
            vec![bought(PartKey::Channel(Channel::Direct), DIRECT)],
        );
    }
    check_hours(visits, domain, window).await
}

fn assert_parts(grouping: Grouping, mut found: Vec<Part>, expected: Vec<ExpectedPart>) {
    let fewer = |pair: &[Part]| pair[0].totals.visitors >= pair[1].totals.visitors;
    assert!(found.windows(2).all(fewer), "{grouping:?}: {found:?}");
    let mut expected: Vec<Part> = expected
        .into_iter()
        .map(|(key, expected, orders, revenue_cents)| Part {
            key,
            totals: totals(expected),
            orders,
            revenue_cents,
        })
        .collect();
    found.sort_by(|a, b| a.key.cmp(&b.key));
    expected.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(found, expected, "{grouping:?}");
}

/// Orders and revenue beside the rest: 9 at eleven, 16 at twelve.
const HOURS: [(OffsetDateTime, Expected, u64, i64); 15] = [
    (datetime!(2026-03-30 10:00 UTC), [1, 1, 3, 0, 2_140, 0], 0, 0),
    (datetime!(2026-03-30 11:00 UTC), [1, 2, 2, 2, 0, 0], 0, 0),
    (datetime!(2026-03-30 12:00 UTC), [1, 1, 1, 0, 60, 1], 0, 0),
    (datetime!(2026-03-30 23:00 UTC), [1, 1, 1, 1, 0, 0], 0, 0),
    (datetime!(2026-03-31 00:00 UTC), [1, 1, 1, 1, 0, 0], 0, 0),
    (datetime!(2026-03-31 09:00 UTC), [1, 1, 1, 0, 60, 0], 0, 0),
    (datetime!(2026-03-31 10:00 UTC), [1, 1, 1, 0, 600, 0], 0, 0),
    (datetime!(2026-03-31 11:00 UTC), [2, 2, 2, 0, 1_560, 5], 1, 10_000),
    // 10 goes on: its visitor is active, and no session began.
    (datetime!(2026-03-31 12:00 UTC), [1, 0, 1, 0, 0, 0], 0, 0),
    (datetime!(2026-04-01 08:00 UTC), [1, 2, 3, 1, 1_500, 0], 0, 0),
    (datetime!(2026-04-01 09:00 UTC), [1, 1, 1, 1, 20, 0], 0, 0),
    (datetime!(2026-04-01 10:00 UTC), [1, 2, 1, 1, 0, 1], 0, 0),
    (datetime!(2026-04-01 12:00 UTC), [1, 1, 0, 0, 180, 4], 3, -5_900),
    (datetime!(2026-04-03 11:00 UTC), [2, 2, 3, 1, 1_235, 1], 0, 0),
    (datetime!(2026-04-03 12:00 UTC), [1, 1, 1, 1, 0, 0], 0, 0),
];

async fn check_hours(
    visits: &dyn VisitStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let piece = |(hour, expected, orders, revenue_cents)| {
        let totals = totals(expected);
        (
            hour,
            Piece {
                totals,
                orders,
                revenue_cents,
            },
        )
    };
    let found = visits.hours(domain, window, &Filters::default(), "EUR").await?;
    assert_eq!(found.hours, HOURS.map(piece));
    let tablets = Filters {
        device: Some(Fitting::Is(Device::Tablet)),
        ..Filters::default()
    };
    let found = visits.hours(domain, window, &tablets, "EUR").await?;
    assert_eq!(found.hours, [piece(HOURS[6])]);
    Ok(())
}

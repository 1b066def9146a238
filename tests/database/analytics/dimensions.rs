//! Breakdowns by each dimension, of a log in which each has values.

use pharos_analytics::{
    breakdown::{BreakdownQuery, Grouping, Part, PartKey},
    channel::Channel,
    filter::Filters,
    overview::Totals,
    store::VisitStore,
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{
        Beacon, BeaconStore,
        client::{Client, Device},
        event::{Action, Events, Origin},
    },
    ids::DomainId,
    window::DateRange,
};
use time::Duration;

use super::{
    collect::{beacon, purchase},
    rollups::roll_up,
};
use crate::harness::{Fixture, NOW};

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

/// A visitor who comes twice.
fn laptop() -> Client {
    Client {
        device: Device::Desktop,
        browser: text("Chrome"),
        browser_version: text("140"),
        os: text("Windows"),
        os_version: text("11"),
        country: text("DE"),
        region: text("DE-BE"),
        city: text("Berlin"),
        screen: Some((1920, 1080)),
    }
}

fn phone() -> Client {
    Client {
        device: Device::Mobile,
        browser: text("Safari"),
        browser_version: text("18"),
        os: text("iOS"),
        os_version: text("18.1"),
        country: text("FR"),
        region: text("FR-IDF"),
        city: text("Paris"),
        screen: Some((390, 844)),
    }
}

/// The browser and the country of the first, in another version and region; no city and no screen.
fn tablet() -> Client {
    Client {
        device: Device::Tablet,
        browser: text("Chrome"),
        browser_version: text("139"),
        os: text("Android"),
        os_version: text("15"),
        country: text("DE"),
        region: text("DE-BY"),
        city: None,
        screen: None,
    }
}

/// Four sessions of three visitors on one day:
///
/// 1. from an advertisement on the laptop: two views, and an order of 19.90 two minutes after the first;
/// 2. from a tweet on the phone: a view, which is a bounce;
/// 3. the laptop again without a trace: a bounce;
/// 4. from a newsletter on the tablet: a view, and after a minute a link to another host.
fn log(domain: DomainId) -> Vec<Beacon<Events>> {
    let visit = |visitor, minutes, client: Client, origin: Origin, action| {
        let mut beacon = beacon(domain, visitor, minutes, "/", action);
        beacon.client = client;
        beacon.content.0[0].page.origin = origin;
        beacon
    };
    let advertisement = Origin {
        referrer_host: text("google.com"),
        referrer_path: text("/search"),
        source: text("google"),
        medium: text("cpc"),
        campaign: text("spring"),
        term: text("boots"),
        content: text("red"),
        click_id: None,
    };
    let tweet = Origin {
        referrer_host: text("t.co"),
        referrer_path: text("/x"),
        ..Origin::default()
    };
    let newsletter = Origin {
        source: text("newsletter"),
        medium: text("email"),
        campaign: text("march"),
        ..Origin::default()
    };
    let link = Action::Outbound {
        url: "https://other.example/".to_owned(),
    };
    vec![
        visit(1, 0, laptop(), advertisement, Action::PageView),
        visit(1, 1, laptop(), Origin::default(), Action::PageView),
        purchase(domain, 1, 2, "T1"),
        visit(2, 0, phone(), tweet, Action::PageView),
        visit(1, 100, laptop(), Origin::default(), Action::PageView),
        visit(3, 0, tablet(), newsletter, Action::PageView),
        visit(3, 1, tablet(), Origin::default(), link),
    ]
}

/// Visitors, sessions, views, bounces, seconds, events.
type Expected = [u64; 6];

/// 1.
const BOUGHT: Expected = [1, 1, 2, 0, 120, 1];
/// 2, or 3.
const BOUNCED: Expected = [1, 1, 1, 1, 0, 0];
/// 4.
const LEFT: Expected = [1, 1, 1, 0, 60, 0];
/// 1 and 3, of one visitor.
const LAPTOP: Expected = [1, 2, 3, 1, 120, 1];
/// 1, 3 and 4.
const LAPTOP_AND_TABLET: Expected = [2, 3, 4, 1, 180, 1];
/// 2 and 3.
const BOTH_BOUNCED: Expected = [2, 2, 2, 2, 0, 0];
/// 3 and 4.
const UNREFERRED: Expected = [2, 2, 2, 1, 60, 0];
/// 2, 3 and 4.
const UNNAMED: Expected = [3, 3, 3, 2, 60, 0];
/// All.
const ALL: Expected = [3, 4, 5, 2, 180, 1];

fn totals([visitors, sessions, pageviews, bounces, seconds, events]: Expected) -> Totals {
    Totals {
        visitors,
        sessions,
        pageviews,
        bounces,
        duration_ms: seconds * 1_000,
        events,
    }
}

fn named(name: &str) -> PartKey {
    PartKey::Text(text(name))
}

fn pair(name: Option<&str>, of: Option<&str>) -> PartKey {
    PartKey::Pair(name.map(str::to_owned), of.map(str::to_owned))
}

fn place(name: Option<&str>, region: Option<&str>, country: &str) -> PartKey {
    PartKey::Place {
        name: name.map(str::to_owned),
        region: region.map(str::to_owned),
        country: text(country),
    }
}

/// The parts of each grouping. Those with an event have the order, since it is the only event.
fn expected(grouping: Grouping) -> Vec<(PartKey, Expected)> {
    use PartKey::{Channel as By, Device as On, Text};
    match grouping {
        Grouping::Channel => vec![
            (By(Channel::PaidSearch), BOUGHT),
            (By(Channel::OrganicSocial), BOUNCED),
            (By(Channel::Direct), BOUNCED),
            (By(Channel::Email), LEFT),
        ],
        Grouping::Source => vec![
            (named("google"), BOUGHT),
            (named("twitter"), BOUNCED),
            (named("direct"), BOUNCED),
            (named("newsletter"), LEFT),
        ],
        Grouping::Medium => vec![
            (named("cpc"), BOUGHT),
            (named("email"), LEFT),
            (Text(None), BOTH_BOUNCED),
        ],
        Grouping::SourceMedium => vec![
            (pair(Some("google"), Some("cpc")), BOUGHT),
            (pair(Some("twitter"), None), BOUNCED),
            (pair(Some("direct"), None), BOUNCED),
            (pair(Some("newsletter"), Some("email")), LEFT),
        ],
        Grouping::Campaign => vec![
            (named("spring"), BOUGHT),
            (named("march"), LEFT),
            (Text(None), BOTH_BOUNCED),
        ],
        Grouping::Term => vec![(named("boots"), BOUGHT), (Text(None), UNNAMED)],
        Grouping::Content => vec![(named("red"), BOUGHT), (Text(None), UNNAMED)],
        Grouping::Referrer => vec![
            (named("google.com"), BOUGHT),
            (named("t.co"), BOUNCED),
            (Text(None), UNREFERRED),
        ],
        Grouping::ReferrerPath => vec![
            (pair(Some("/search"), Some("google.com")), BOUGHT),
            (pair(Some("/x"), Some("t.co")), BOUNCED),
            (pair(None, None), UNREFERRED),
        ],
        Grouping::Country => vec![(named("DE"), LAPTOP_AND_TABLET), (named("FR"), BOUNCED)],
        Grouping::Region => vec![
            (place(Some("DE-BE"), None, "DE"), LAPTOP),
            (place(Some("FR-IDF"), None, "FR"), BOUNCED),
            (place(Some("DE-BY"), None, "DE"), LEFT),
        ],
        Grouping::City => vec![
            (place(Some("Berlin"), Some("DE-BE"), "DE"), LAPTOP),
            (place(Some("Paris"), Some("FR-IDF"), "FR"), BOUNCED),
            (place(None, Some("DE-BY"), "DE"), LEFT),
        ],
        Grouping::Device => vec![
            (On(Device::Desktop), LAPTOP),
            (On(Device::Mobile), BOUNCED),
            (On(Device::Tablet), LEFT),
        ],
        Grouping::Browser => vec![(named("Chrome"), LAPTOP_AND_TABLET), (named("Safari"), BOUNCED)],
        Grouping::BrowserVersion => vec![
            (pair(Some("140"), Some("Chrome")), LAPTOP),
            (pair(Some("18"), Some("Safari")), BOUNCED),
            (pair(Some("139"), Some("Chrome")), LEFT),
        ],
        Grouping::Os => vec![
            (named("Windows"), LAPTOP),
            (named("iOS"), BOUNCED),
            (named("Android"), LEFT),
        ],
        Grouping::OsVersion => vec![
            (pair(Some("11"), Some("Windows")), LAPTOP),
            (pair(Some("18.1"), Some("iOS")), BOUNCED),
            (pair(Some("15"), Some("Android")), LEFT),
        ],
        Grouping::Screen => vec![
            (named("1920x1080"), LAPTOP),
            (named("390x844"), BOUNCED),
            (Text(None), LEFT),
        ],
    }
}

#[tokio::test]
async fn every_dimension_tells_sessions_apart_by_its_values() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&log(home.domain)).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let query = BreakdownQuery {
        window: DateRange::ending(NOW.date(), 1),
        filters: &Filters::default(),
        currency: "EUR",
        limit: 100,
    };
    // As visits say it, and as roll-ups do.
    for now in [NOW, NOW + Duration::days(2)] {
        roll_up(&fixture.database, now).await;
        let found = visits.breakdowns(&access, &query, &Grouping::ALL).await.unwrap();
        assert_eq!(found.totals, totals(ALL));
        for (grouping, breakdown) in Grouping::ALL.into_iter().zip(found.breakdowns) {
            let mut expected: Vec<Part> = expected(grouping)
                .into_iter()
                .map(|(key, figures)| Part {
                    key,
                    totals: totals(figures),
                    orders: figures[5],
                    revenue_cents: if figures[5] > 0 { 1_990 } else { 0 },
                })
                .collect();
            let mut parts = breakdown.parts;
            expected.sort_by(|a, b| a.key.cmp(&b.key));
            parts.sort_by(|a, b| a.key.cmp(&b.key));
            assert_eq!(parts, expected, "{grouping:?}, {now}");
            assert_eq!(
                breakdown.total,
                u64::try_from(parts.len()).unwrap(),
                "{grouping:?}"
            );
        }
    }
}

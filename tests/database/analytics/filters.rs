//! Reads under any combination of filters say what they say, without any, of a site that has the fitting sessions alone.

use pharos_analytics::{
    actions::{ActionKind, Actions, ActionsQuery},
    breakdown::{BreakdownQuery, Breakdowns, Grouping},
    channel::{Channel, attribute},
    filter::{Filters, Fitting},
    funnel::{Funnel, FunnelQuery, FunnelStep},
    overview::Overview,
    pages::{PagePart, PageSort, Pages, PagesQuery},
    paths::{Journeys, JourneysQuery, RetentionGranularity, Returns},
    properties::{Properties, PropertiesQuery},
    store::{ActionStore, PathStore, VisitStore},
    timeseries::Hours,
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{
        Beacon, BeaconStore, PageLoadId, VisitorId,
        client::{Client, Device},
        event::{Action, Commerce, CommerceStep, Event, Events, Origin, Page, PropertyValue},
    },
    identity::DomainAccess,
    ids::DomainId,
    page::{OffsetRequest, SortOrder},
    window::DateRange,
};
use time::{Duration, OffsetDateTime, macros::datetime};
use uuid::Uuid;

use super::{reports, rollups::roll_up};
use crate::harness::Fixture;

const FIRST: OffsetDateTime = datetime!(2026-03-02 00:00 UTC);
const DAYS: i64 = 6;
/// Visitors come ten times a day.
const A_DAY: i64 = 10;
const VISITORS: i64 = 4;
/// How many filters there are.
const FILTERS: u32 = 11;

/// A session: what one visitor does within half an hour, with hours of silence around.
struct Visit {
    visitor: i64,
    client: Client,
    origin: Origin,
    events: Vec<Event>,
}

impl Visit {
    fn beacon(&self, domain: DomainId) -> Beacon<Events> {
        Beacon {
            id: Uuid::now_v7(),
            domain,
            visitor: VisitorId(self.visitor),
            received_at: self.events[0].at,
            client: self.client.clone(),
            content: Events(self.events.clone()),
        }
    }

    fn pages(&self) -> impl Iterator<Item = &str> {
        let views = self.events.iter();
        let views = views.filter(|event| event.action == Action::PageView);
        views.map(|event| event.page.path.as_str())
    }

    fn custom_events(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match &event.action {
            Action::Custom { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    fn fits(&self, filters: &Filters) -> bool {
        let from = attribute(&self.origin);
        let is = |filter: Option<&str>, value: Option<&str>| filter.is_none_or(|it| value == Some(it));
        let page = filters.page.as_deref();
        let event = filters.event.as_deref();
        let (client, origin) = (&self.client, &self.origin);
        filters.channel.is_none_or(|it| it == Fitting::Is(from.channel))
            && filters.device.is_none_or(|it| it == Fitting::Is(client.device))
            && is(filters.source.as_deref(), Some(from.source.as_str()))
            && is(filters.medium.as_deref(), origin.medium.as_deref())
            && is(filters.campaign.as_deref(), origin.campaign.as_deref())
            && is(filters.country.as_deref(), client.country.as_deref())
            && is(filters.browser.as_deref(), client.browser.as_deref())
            && is(filters.os.as_deref(), client.os.as_deref())
            && is(filters.referrer.as_deref(), origin.referrer_host.as_deref())
            && page.is_none_or(|it| self.pages().any(|page| page == it))
            && event.is_none_or(|it| self.custom_events().any(|event| event == it))
    }
}

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

fn origin(random: &mut fastrand::Rng) -> Origin {
    let tagged = |source: &str, medium: &str, campaign: &str| Origin {
        source: text(source),
        medium: text(medium),
        campaign: text(campaign),
        ..Origin::default()
    };
    let referred = |host: &str| Origin {
        referrer_host: text(host),
        ..Origin::default()
    };
    match random.u8(0..6) {
        0 => tagged("google", "cpc", "spring"),
        1 => tagged("newsletter", "email", "spring"),
        2 => Origin {
            referrer_host: text("google.com"),
            ..tagged("google", "cpc", "march")
        },
        3 => referred("google.com"),
        4 => referred("t.co"),
        _ => Origin::default(),
    }
}

fn client(random: &mut fastrand::Rng) -> Client {
    let (device, browser, os) = random
        .choice([
            (Device::Desktop, "Chrome", "Windows"),
            (Device::Desktop, "Safari", "macOS"),
            (Device::Mobile, "Safari", "iOS"),
            (Device::Mobile, "Chrome", "Android"),
            (Device::Tablet, "Chrome", "Android"),
        ])
        .unwrap();
    let country = random.choice([None, Some("DE"), Some("FR")]).unwrap();
    Client {
        device,
        browser: text(browser),
        browser_version: None,
        os: text(os),
        os_version: None,
        country: country.map(str::to_owned),
        region: None,
        city: None,
        screen: None,
    }
}

fn sale(random: &mut fastrand::Rng) -> Action {
    let (name, step) = random
        .choice([
            ("add_to_cart", CommerceStep::AddToCart),
            ("purchase", CommerceStep::Purchase),
            ("purchase", CommerceStep::Purchase),
            ("refund", CommerceStep::Refund),
        ])
        .unwrap();
    let currency = random.choice([None, Some("EUR"), Some("USD")]).unwrap();
    Action::Custom {
        name: name.to_owned(),
        properties: Vec::new(),
        // Without ids, since whether an order repeats another depends on the sessions that there are.
        commerce: Some(Commerce {
            step,
            order_id: None,
            value_cents: random.bool().then(|| random.i64(0..10_000)),
            currency: currency.map(str::to_owned),
            items: Vec::new(),
        }),
    }
}

/// Something that is done on a page. Links tell of the page that they are on, so that none is on two.
fn action(random: &mut fastrand::Rng, path: &str) -> Action {
    match random.u8(0..12) {
        0..=5 => Action::PageView,
        6 => Action::Engagement {
            visible_ms: random.u32(0..60_000),
            scroll_pct: random.bool().then(|| random.u8(0..=100)),
        },
        7 => Action::Custom {
            name: "signup".to_owned(),
            properties: vec![
                (
                    "user".to_owned(),
                    PropertyValue::Text(random.u8(0..5).to_string()),
                ),
                ("seats".to_owned(), PropertyValue::Number(random.u8(1..4).into())),
                ("trial".to_owned(), PropertyValue::Flag(random.bool())),
            ],
            commerce: None,
        },
        8 => sale(random),
        9 => Action::Outbound {
            url: format!("https://other.example{path}"),
        },
        10 => Action::Download {
            url: format!("https://ada.example{path}.pdf"),
        },
        _ => {
            let results = random.u32(0..3);
            Action::Search {
                term: Some(results.to_string()),
                results: Some(results),
            }
        }
    }
}

/// The sessions of all visitors: each in its own two hours.
fn visits(random: &mut fastrand::Rng) -> Vec<Visit> {
    let mut visits = Vec::new();
    for visitor in 0..VISITORS {
        for place in 0..DAYS * A_DAY {
            let (day, slot) = (place / A_DAY, place % A_DAY);
            let mut at = FIRST + Duration::days(day) + Duration::hours(2 * slot);
            at += Duration::seconds(random.i64(0..1_800));
            let origin = origin(random);
            let mut events = Vec::new();
            for number in 0..random.u8(1..6) {
                let path = format!("/{}", random.u8(0..4));
                let action = match action(random, &path) {
                    // Nobody stays on a page that they have not seen.
                    Action::Engagement { .. } if number == 0 => Action::PageView,
                    action => action,
                };
                let load = visitor * DAYS * A_DAY + place + 1;
                events.push(Event {
                    at,
                    load: Some(PageLoadId(load)),
                    page: Page {
                        host: "ada.example".to_owned(),
                        path,
                        title: None,
                        origin: origin.clone(),
                    },
                    action,
                });
                at += Duration::seconds(random.i64(1..240));
            }
            visits.push(Visit {
                visitor,
                client: client(random),
                origin,
                events,
            });
        }
    }
    visits
}

/// Those of the filters whose bits are set, with the values of some session, or one that no session has.
fn filters(random: &mut fastrand::Rng, bits: u32, like: &Visit) -> Filters {
    let from = attribute(&like.origin);
    let mut bit = 1;
    let mut is_asked = || {
        let is_asked = bits & bit != 0;
        bit <<= 1;
        is_asked
    };
    let channel = is_asked().then_some(Fitting::Is(from.channel));
    let device = is_asked().then_some(Fitting::Is(like.client.device));
    let mut asked = |value: Option<&str>| -> Option<String> {
        let is_asked = is_asked();
        let value = if random.u8(0..24) == 0 {
            Some("no such value")
        } else {
            value
        };
        value.filter(|_| is_asked).map(str::to_owned)
    };
    Filters {
        channel,
        device,
        source: asked(Some(from.source.as_str())),
        medium: asked(like.origin.medium.as_deref()),
        campaign: asked(like.origin.campaign.as_deref()),
        country: asked(like.client.country.as_deref()),
        browser: asked(like.client.browser.as_deref()),
        os: asked(like.client.os.as_deref()),
        referrer: asked(like.origin.referrer_host.as_deref()),
        page: asked(like.pages().next()),
        event: asked(like.custom_events().next()),
    }
}

/// The answers of all reads that take filters, without what is about the whole site, and in an order that does not depend on which
/// number a value has.
#[derive(Debug, PartialEq)]
struct Answers {
    overview: Overview,
    hours: Hours,
    pages: Vec<Pages>,
    breakdowns: Breakdowns,
    actions: Vec<Actions>,
    properties: Properties,
    funnels: Vec<Funnel>,
    journeys: Vec<Journeys>,
    returns: Vec<Returns>,
}

async fn answers(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Answers {
    let mut overview = visits.overview(access, &[window], filters, "EUR").await.unwrap();
    overview.last_at = None;
    overview.revenue_cents.retain(|(_, cents)| *cents != 0);
    overview.orders.retain(|(_, orders)| *orders != 0);
    let mut hours = visits.hours(access, window, filters, "EUR").await.unwrap();
    hours.last_at = None;
    let query = BreakdownQuery {
        window,
        filters,
        currency: "EUR",
        limit: 100,
    };
    let mut breakdowns = visits.breakdowns(access, &query, &Grouping::ALL).await.unwrap();
    breakdowns.last_at = None;
    for breakdown in &mut breakdowns.breakdowns {
        breakdown.parts.sort_by(|a, b| a.key.cmp(&b.key));
    }
    Answers {
        overview,
        hours,
        pages: pages(visits, access, window, filters).await,
        breakdowns,
        actions: actions(visits, access, window, filters).await,
        properties: properties(visits, access, window, filters).await,
        funnels: funnels(visits, access, window, filters).await,
        journeys: journeys(visits, access, window, filters).await,
        returns: returns(visits, access, window, filters).await,
    }
}

async fn pages(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Vec<Pages> {
    let mut answers = Vec::new();
    for part in PagePart::ALL {
        let query = PagesQuery {
            window,
            filters,
            part: *part,
            search: None,
            sort: PageSort::Visitors,
            order: SortOrder::Descending,
            page: OffsetRequest {
                limit: 100,
                offset: 0,
            },
        };
        let mut pages = visits.pages(access, &query).await.unwrap();
        pages.last_at = None;
        pages.items.sort_by(|a, b| a.path.cmp(&b.path));
        answers.push(pages);
    }
    answers
}

async fn actions(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Vec<Actions> {
    let mut answers = Vec::new();
    for kind in [
        ActionKind::Event,
        ActionKind::Outbound,
        ActionKind::Download,
        ActionKind::Search,
    ] {
        let query = ActionsQuery {
            window,
            filters,
            kind,
            name: None,
            rows: 100,
            after: None,
            currency: "EUR",
        };
        let actions = visits.actions(access, &query).await.unwrap();
        answers.push(Actions {
            // Those are of the site, and of the sessions that fit the other filters.
            ever_recorded: true,
            visitors_of_any: 0,
            last_at: None,
            ..actions
        });
    }
    answers
}

async fn properties(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Properties {
    let query = PropertiesQuery {
        window,
        filters,
        event: "signup",
        property: None,
    };
    let mut properties = visits.properties(access, &query).await.unwrap();
    properties.last_at = None;
    properties.properties.sort_by(|a, b| a.name.cmp(&b.name));
    for property in &mut properties.properties {
        property.values.sort_by(|a, b| a.value.cmp(&b.value));
    }
    properties
}

async fn funnels(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Vec<Funnel> {
    let mut answers = Vec::new();
    for steps in [["page:/1", "page:/2"], ["page:/0", "event:signup"]] {
        let steps: Vec<FunnelStep> = steps.iter().map(|step| step.parse().unwrap()).collect();
        let query = FunnelQuery {
            window,
            filters,
            steps: &steps,
        };
        let mut funnel = visits.funnel(access, &query).await.unwrap();
        funnel.last_at = None;
        answers.push(funnel);
    }
    answers
}

async fn journeys(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Vec<Journeys> {
    let mut answers = Vec::new();
    for start in [None, Some("/1")] {
        let query = JourneysQuery {
            window,
            filters,
            depth: 3,
            start,
        };
        let mut journeys = visits.journeys(access, &query).await.unwrap();
        journeys.last_at = None;
        journeys.journeys.sort_by(|a, b| a.path.cmp(&b.path));
        answers.push(journeys);
    }
    answers
}

async fn returns(
    visits: &PgVisitStore,
    access: &DomainAccess,
    window: DateRange,
    filters: &Filters,
) -> Vec<Returns> {
    let mut answers = Vec::new();
    for granularity in [RetentionGranularity::Day, RetentionGranularity::Week] {
        let mut returns = visits
            .returns(access, window, filters, granularity)
            .await
            .unwrap();
        returns.last_at = None;
        answers.push(returns);
    }
    answers
}

/// The filters in the order of the SQL functions, as the statements of reports take them. A value that never occurred is -1.
async fn numbers(fixture: &Fixture, domain: DomainId, filters: &Filters) -> String {
    let channel = filters.channel.map(|channel| match channel {
        Fitting::Is(channel) => channel as i32,
        Fitting::Nothing => -1,
    });
    let device = filters.device.map(|device| match device {
        Fitting::Is(device) => device as i32,
        Fitting::Nothing => -1,
    });
    let mut numbers = vec![channel, device];
    // The numbers of dimensions are those of analytics_values.
    for (dimension, text) in [
        (1_i16, &filters.source),
        (2, &filters.medium),
        (3, &filters.campaign),
        (8, &filters.country),
        (11, &filters.browser),
        (13, &filters.os),
        (6, &filters.referrer),
        (0, &filters.page),
        (16, &filters.event),
    ] {
        numbers.push(match text {
            None => None,
            Some(text) => {
                let id = "SELECT coalesce((SELECT id FROM analytics_values
                          WHERE domain_id = $1 AND dimension = $2 AND value = $3), -1)";
                Some(fixture.value(id, &[&domain.0, &dimension, text]).await)
            }
        });
    }
    let numbers = numbers
        .into_iter()
        .map(|number| number.map_or("NULL".to_owned(), |number| number.to_string()));
    format!("ARRAY[{}]::integer[]", numbers.collect::<Vec<_>>().join(", "))
}

/// The rows of all reports, in the order of their texts.
async fn report_rows(
    fixture: &Fixture,
    domain: DomainId,
    window: DateRange,
    filters: &Filters,
) -> Vec<(&'static str, Vec<String>)> {
    let numbers = numbers(fixture, domain, filters).await;
    let channels: Vec<&str> = Channel::ALL.iter().map(|channel| channel.as_str()).collect();
    let mut answers = Vec::new();
    for (name, _) in reports() {
        let run = Uuid::now_v7();
        let execute = format!(
            "EXECUTE {name} ('{}', '{}Z', '{}Z', {numbers}, '{run}', 100000, '{{{}}}', 'EUR')",
            domain.0,
            window.start().date(),
            window.end().date(),
            channels.join(",")
        );
        fixture.sql.batch_execute(&execute).await.unwrap();
        let stored = format!("SELECT cells::text FROM wide_pull_rows WHERE run_id = '{run}'");
        let stored = fixture.sql.query(&stored, &[]).await.unwrap();
        let mut cells: Vec<String> = stored.iter().map(|row| row.get(0)).collect();
        cells.sort();
        answers.push((name, cells));
    }
    answers
}

/// How many cases there are while nothing is rolled up, half of the days are, and all: no filter, all of them, and any.
fn cases() -> u32 {
    let cases = std::env::var("PHAROS_TEST_PROPERTY_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1_000);
    // A case takes the database about as long as fifty requests take.
    (cases / 150).max(4)
}

#[tokio::test]
async fn filtered_answers_are_those_of_a_site_that_has_the_fitting_sessions_alone() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let cases = cases();
    let mut others = Vec::new();
    for number in 0..3 * cases {
        let hostname = format!("{number}.ada.example");
        others.push(fixture.domain(home.workspace, &hostname).await);
    }
    let identity = fixture.identity(&home).await;
    let access = |id| DomainAccess::open(&identity, id).unwrap();
    let store = PgEventStore::new(fixture.database.clone());
    let tell = async |visits: &[&Visit], domain: DomainId| {
        let beacons: Vec<_> = visits.iter().map(|visit| visit.beacon(domain)).collect();
        for batch in beacons.chunks(100) {
            store.store(batch).await.unwrap();
        }
    };
    let mut random = fastrand::Rng::with_seed(11);
    let all = visits(&mut random);
    tell(&all.iter().collect::<Vec<_>>(), home.domain).await;

    for (name, sql) in reports() {
        let prepare = format!(
            "PREPARE {name} (uuid, timestamptz, timestamptz, integer[], uuid, bigint, text[], text) AS {sql}"
        );
        fixture.sql.batch_execute(&prepare).await.unwrap();
    }
    let reads = PgVisitStore::new(fixture.database.clone());
    let (mut others, mut some) = (others.into_iter(), 0);
    for rolled_days in [0, DAYS / 2, DAYS + 1] {
        let now = FIRST + Duration::days(rolled_days) + Duration::HOUR;
        roll_up(&fixture.database, now).await;
        for case in 0..cases {
            let bits = match case {
                0 => 0,
                1 => (1 << FILTERS) - 1,
                // The fewer there are, the more sessions fit.
                _ => random.u32(0..1 << FILTERS) & random.u32(0..1 << FILTERS),
            };
            let like = random.choice(&all).unwrap();
            let filters = filters(&mut random, bits, like);
            let first = FIRST.date() + Duration::days(random.i64(-1..DAYS / 2));
            let window = DateRange::new(first, first + Duration::days(random.i64(DAYS / 2..DAYS))).unwrap();
            let fitting: Vec<&Visit> = all.iter().filter(|visit| visit.fits(&filters)).collect();
            some += u32::from((1..all.len()).contains(&fitting.len()));
            let other = others.next().unwrap();
            tell(&fitting, other).await;
            assert_eq!(
                answers(&reads, &access(home.domain), window, &filters).await,
                answers(&reads, &access(other), window, &Filters::default()).await,
                "{filters:?} in {window:?} fit {} sessions, {rolled_days} days are rolled up",
                fitting.len()
            );
            assert_eq!(
                report_rows(&fixture, home.domain, window, &filters).await,
                report_rows(&fixture, other, window, &Filters::default()).await,
                "reports of {filters:?} in {window:?}"
            );
        }
    }
    assert!(
        some > cases / 2,
        "{some} combinations fit some sessions and not all"
    );
}

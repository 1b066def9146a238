use std::sync::Mutex;

use async_trait::async_trait;
use pharos_domain::clock::ManualClock;
use serde_json::{Value, json};
use time::{
    OffsetDateTime,
    macros::{date, datetime},
};

use super::*;
use crate::testing::{KEY, MemorySalts, MemoryStore, NoViews, OneSite, SECRET, settings};

const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const GOOGLEBOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const NOON: OffsetDateTime = datetime!(2026-03-10 12:00 UTC);

/// Lets in so much an hour of each name, whatever the subject and the hour.
struct Few(Mutex<std::collections::HashMap<&'static str, u32>>);

#[async_trait]
impl HourlyLimiter for Few {
    async fn admit_hourly(&self, request: &HourlyRequest<'_>) -> HourlyAdmission {
        let mut counts = self.0.lock().unwrap();
        let count = counts.entry(request.limit.name).or_default();
        if *count + request.weight > request.limit.per_hour {
            return HourlyAdmission::Refused {
                retry_after_seconds: 60,
            };
        }
        *count += request.weight;
        HourlyAdmission::Admitted
    }
}

#[derive(Default)]
struct Counts(Mutex<Vec<(DomainId, u32)>>);

#[async_trait]
impl BotStore for Counts {
    async fn add(&self, counts: &[(DomainId, u32)]) -> Result<(), StoreError> {
        self.0.lock().unwrap().extend_from_slice(counts);
        Ok(())
    }
}

struct World {
    collector: Arc<Collector>,
    store: Arc<MemoryStore>,
    bots: Arc<Counts>,
    salts: Arc<MemorySalts>,
}

fn world_at(now: OffsetDateTime, settings: CollectionSettings, limits: Limits) -> World {
    world_within(Bounds::default(), now, settings, limits)
}

fn world_within(bounds: Bounds, now: OffsetDateTime, settings: CollectionSettings, limits: Limits) -> World {
    let (store, bots) = (Arc::<MemoryStore>::default(), Arc::<Counts>::default());
    let salts = Arc::new(MemorySalts::at(now));
    *store.settings.lock().unwrap() = Some(settings);
    let (collector, writers) = Collector::new(Parts {
        sites: Arc::new(OneSite),
        salts: Arc::clone(&salts) as Arc<dyn SaltStore>,
        bots: Arc::clone(&bots) as Arc<dyn BotStore>,
        events: Arc::clone(&store) as Arc<dyn BeaconStore<Events>>,
        vitals: Arc::new(NoViews),
        places: Places::default(),
        limiter: Arc::new(Few(Mutex::default())),
        limits,
        bounds,
        clock: Arc::new(ManualClock::at(now)),
    });
    tokio::spawn(async move { writers.events.run().await });
    World {
        collector: Arc::new(collector),
        store,
        bots,
        salts,
    }
}

fn world() -> World {
    world_at(NOON, settings(), Limits::default())
}

#[expect(clippy::needless_pass_by_value, reason = "callers write it on the spot")]
fn body(members: Value) -> Vec<u8> {
    let mut body = json!({
        "site": KEY, "beacon": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11", "load": "9f86d081884c7d65", "screen": [390, 844],
        "events": [{"type": "pageview", "url": "https://shop.example/a"}],
    });
    body.as_object_mut()
        .unwrap()
        .extend(members.as_object().unwrap().clone());
    body.to_string().into_bytes()
}

fn request(body: &[u8]) -> Request<'_> {
    Request {
        body,
        source: Source(Some("203.0.113.7".parse().unwrap())),
        user_agent: Some(CHROME),
        hints: Hints::default(),
        origin: Some("shop.example"),
        secret: None,
        country: Some("de"),
        asks_not_to_be_tracked: false,
    }
}

async fn collect(world: &World, request: Request<'_>) -> Result<Outcome, Refusal> {
    world.collector.collect::<Events>(&request).await
}

#[tokio::test]
async fn a_beacon_is_stored_with_who_sent_it() {
    let world = world();
    let body = body(json!({}));
    assert_eq!(collect(&world, request(&body)).await.unwrap(), Outcome::Stored);
    let beacons = world.store.beacons();
    let [
        Beacon {
            id,
            domain,
            received_at,
            client,
            content,
            ..
        },
    ] = beacons.as_slice()
    else {
        panic!("{beacons:?}")
    };
    assert_eq!(id.to_string(), "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11");
    assert_eq!((*domain, *received_at), (crate::testing::site().domain, NOON));
    assert_eq!(client.browser.as_deref(), Some("Chrome"));
    assert_eq!(
        (client.country.as_deref(), client.screen),
        (Some("DE"), Some((390, 844)))
    );
    assert_eq!(content.0[0].page.path, "/a");
}

#[tokio::test]
async fn bots_are_counted_and_not_stored() {
    let world = world();
    let body = body(json!({}));
    for user_agent in [Some(GOOGLEBOT), None] {
        let request = Request {
            user_agent,
            ..request(&body)
        };
        assert_eq!(collect(&world, request).await.unwrap(), Outcome::Bot);
    }
    world.collector.tidy().await.unwrap();
    assert!(world.store.batches().is_empty());
    assert_eq!(
        *world.bots.0.lock().unwrap(),
        [(crate::testing::site().domain, 2)]
    );
}

#[tokio::test]
async fn pages_of_other_hosts_are_refused() {
    let world = world();
    let body = body(json!({}));
    for (origin, is_taken) in [
        (None, true),
        (Some("www.shop.example"), true),
        (Some("evil.example"), false),
        (Some("shop.example.evil.example"), false),
        (Some(""), false),
    ] {
        let collected = collect(
            &world,
            Request {
                origin,
                ..request(&body)
            },
        )
        .await;
        assert_eq!(collected.is_ok(), is_taken, "{origin:?} {collected:?}");
    }
}

#[tokio::test]
async fn what_a_site_does_not_want_is_answered_and_left_out() {
    let unwanted = CollectionSettings {
        excluded_networks: vec!["203.0.113.0/24".parse().unwrap()],
        excluded_countries: vec!["FR".to_owned()],
        respect_dnt: true,
        ..settings()
    };
    let world = world_at(NOON, unwanted, Limits::default());
    let body = body(json!({}));
    let elsewhere = Request {
        source: Source(Some("198.51.100.1".parse().unwrap())),
        ..request(&body)
    };
    for request in [
        request(&body),
        Request {
            country: Some("fr"),
            ..elsewhere
        },
        Request {
            asks_not_to_be_tracked: true,
            ..elsewhere
        },
    ] {
        assert_eq!(collect(&world, request).await.unwrap(), Outcome::LeftOut);
    }
    assert_eq!(collect(&world, elsewhere).await.unwrap(), Outcome::Stored);
    let views = world.collector.collect::<View>(&elsewhere).await.unwrap();
    assert_eq!(views, Outcome::LeftOut, "real-user monitoring is off");
}

#[tokio::test]
async fn unknown_sites_and_missing_keys_are_refused() {
    let world = world();
    let unknown = body(json!({"site": "pst_zzzzzzzzzzzzzzzzzzzzzz"}));
    let refusal = collect(&world, request(&unknown)).await.unwrap_err();
    assert!(matches!(refusal, Refusal::UnknownSite), "{refusal:?}");
    let missing = body(json!({"site": null, "client": {"ip": "192.0.2.1"}}));
    let Err(Refusal::Faults(faults)) = collect(&world, request(&missing)).await else {
        panic!("a beacon of nobody is at fault")
    };
    let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/client", "/site"]);
    let number = body(json!({"site": 3}));
    let Err(Refusal::Faults(faults)) = collect(&world, request(&number)).await else {
        panic!("a number is no key")
    };
    let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/site"], "{faults:?}");
}

#[tokio::test]
async fn a_server_speaks_for_its_visitors() {
    let world = world();
    let visitor = |ip: &str, beacon: &str| {
        body(json!({"site": null, "beacon": beacon, "client": {"ip": ip, "user_agent": CHROME}}))
    };
    let bodies = [
        visitor("192.0.2.1", "0190f3c2-7a4e-7c31-9d52-000000000001"),
        visitor("192.0.2.2", "0190f3c2-7a4e-7c31-9d52-000000000002"),
    ];
    for body in &bodies {
        let request = Request {
            secret: Some(SECRET),
            user_agent: Some("curl/8.5.0"),
            origin: None,
            ..request(body)
        };
        assert_eq!(collect(&world, request).await.unwrap(), Outcome::Stored);
    }
    let beacons = world.store.beacons();
    assert_ne!(beacons[0].visitor, beacons[1].visitor);
    assert_eq!(beacons[0].client.browser.as_deref(), Some("Chrome"));
    let secret = wrong_secret('x');
    let wrong = Request {
        secret: Some(&secret),
        ..request(&bodies[0])
    };
    assert!(matches!(collect(&world, wrong).await, Err(Refusal::UnknownSite)));
}

/// A text of a secret's form that is no site's.
fn wrong_secret(last: char) -> String {
    let mut secret = SECRET.to_owned();
    secret.pop();
    secret.push(last);
    secret
}

#[tokio::test]
async fn wrong_secrets_are_counted_as_visitors_are() {
    let limits = Limits { source: 20, site: 90 };
    let world = world_at(NOON, settings(), limits);
    let body = body(json!({"site": null}));
    for (last, is_refused) in [('x', false), ('y', false), ('z', true)] {
        let secret = wrong_secret(last);
        let request = Request {
            secret: Some(&secret),
            ..request(&body)
        };
        let refusal = collect(&world, request).await.unwrap_err();
        assert_eq!(
            matches!(refusal, Refusal::TooMany { .. }),
            is_refused,
            "{refusal:?}"
        );
        assert!(
            is_refused || matches!(refusal, Refusal::UnknownSite),
            "{refusal:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_is_known_has_the_limit_of_its_site() {
    let limits = Limits { source: 10, site: 30 };
    let world = world_at(NOON, settings(), limits);
    let body = body(json!({"site": null, "client": {"ip": "192.0.2.1", "user_agent": CHROME}}));
    let of_server = Request {
        secret: Some(SECRET),
        origin: None,
        ..request(&body)
    };
    for _ in 0..3 {
        assert_eq!(collect(&world, of_server).await.unwrap(), Outcome::Stored);
    }
    let refusal = collect(&world, of_server).await.unwrap_err();
    assert!(matches!(refusal, Refusal::TooMany { .. }), "{refusal:?}");
}

#[tokio::test]
async fn both_sides_of_midnight_have_their_visitor() {
    let world = world_at(datetime!(2026-03-10 00:10 UTC), settings(), Limits::default());
    let both = body(json!({"events": [
        {"type": "pageview", "url": "https://shop.example/a", "age_ms": 900_000},
        {"type": "pageview", "url": "https://shop.example/b", "age_ms": 0},
    ]}));
    let today = body(json!({"beacon": "0190f3c2-7a4e-7c31-9d52-000000000001"}));
    for body in [&both, &today] {
        assert_eq!(collect(&world, request(body)).await.unwrap(), Outcome::Stored);
    }
    let beacons = world.store.beacons();
    let paths: Vec<_> = beacons
        .iter()
        .map(|beacon| beacon.content.0[0].page.path.as_str())
        .collect();
    assert_eq!(paths, ["/a", "/b", "/a"]);
    assert_ne!(beacons[0].visitor, beacons[1].visitor);
    assert_ne!(beacons[0].id, beacons[1].id);
    assert_eq!(beacons[1].visitor, beacons[2].visitor);
    assert_eq!(beacons[0].content.0[0].at, datetime!(2026-03-09 23:55 UTC));
}

#[tokio::test]
async fn the_salt_of_the_day_before_is_dropped_after_an_hour() {
    let world = world_at(datetime!(2026-03-10 00:59:59 UTC), settings(), Limits::default());
    let body = body(json!({}));
    assert_eq!(collect(&world, request(&body)).await.unwrap(), Outcome::Stored);
    let (yesterday, today) = (date!(2026 - 03 - 09), date!(2026 - 03 - 10));
    world.collector.tidy().await.unwrap();
    assert_eq!(world.salts.days(), [yesterday, today]);
    world.salts.set(datetime!(2026-03-10 01:00 UTC));
    world.collector.tidy().await.unwrap();
    assert_eq!(world.salts.days(), [today]);
}

/// It was stored at 23:59:50 and its answer was lost: it comes again after midnight, and once more when a computer wakes up.
#[tokio::test]
async fn a_beacon_that_comes_again_on_another_day_has_the_same_id() {
    let mut seen = Vec::new();
    for (now, age_ms) in [
        (datetime!(2026-03-09 23:59:50 UTC), 5_000),
        (datetime!(2026-03-10 00:00:10 UTC), 25_000),
        (datetime!(2026-03-10 07:00 UTC), 25_215_000),
    ] {
        let world = world_at(now, settings(), Limits::default());
        let event = json!({"type": "pageview", "url": "https://shop.example/a", "age_ms": age_ms});
        let body = body(json!({"events": [event]}));
        assert_eq!(collect(&world, request(&body)).await.unwrap(), Outcome::Stored);
        let beacons = world.store.beacons();
        seen.extend(beacons.iter().map(|beacon| (beacon.id, beacon.content.0[0].at)));
    }
    let moment = datetime!(2026-03-09 23:59:45 UTC);
    let moments: Vec<_> = seen.iter().map(|(_, at)| *at).collect();
    assert_eq!(moments, [moment, moment, datetime!(2026-03-10 07:00 UTC)]);
    assert!(seen.iter().all(|(id, _)| *id == seen[0].0), "{seen:?}");
}

#[tokio::test]
async fn limits_of_addresses_and_sites_hold() {
    for (source, site, taken) in [(20, 90, 2), (90, 30, 3)] {
        let world = world_at(NOON, settings(), Limits { source, site });
        let body = body(json!({}));
        for _ in 0..taken {
            collect(&world, request(&body)).await.unwrap();
        }
        let refusal = collect(&world, request(&body)).await.unwrap_err();
        assert!(
            matches!(
                refusal,
                Refusal::TooMany {
                    retry_after_seconds: 60
                }
            ),
            "{refusal:?}"
        );
    }
}

/// Rows fill the store, however few beacons they come in.
#[tokio::test]
async fn a_beacon_takes_as_much_of_a_limit_as_it_has_rows() {
    let viewed = json!({"type": "pageview", "url": "https://shop.example/a"});
    let sold = json!({
        "type": "event", "url": "https://shop.example/a", "name": "purchase",
        "properties": {"value": 9, "coupon": "SPRING", "items": vec![json!({"item_id": "S1"}); 30]},
    });
    for (events, rows) in [
        (vec![viewed.clone()], 10),
        (vec![viewed.clone(); 10], 10),
        (vec![viewed.clone(); 20], 20),
        (vec![sold.clone()], 34),
        (vec![viewed, sold], 35),
    ] {
        let body = body(json!({ "events": events }));
        let ample = 9 * rows;
        for (source, site) in [(2 * rows, ample), (ample, 2 * rows)] {
            for short in [0, 1] {
                let limits = Limits {
                    source: source - short,
                    site: site - short,
                };
                let world = world_at(NOON, settings(), limits);
                collect(&world, request(&body)).await.unwrap();
                let second = collect(&world, request(&body)).await;
                assert_eq!(second.is_ok(), short == 0, "{rows} rows, {limits:?}: {second:?}");
            }
        }
    }
}

/// Else it could come again and again, and never in.
#[tokio::test]
async fn a_beacon_with_more_rows_than_the_limit_takes_all_of_it() {
    let event = json!({"type": "pageview", "url": "https://shop.example/a"});
    let body = body(json!({ "events": vec![event; 20] }));
    for (limit, is_taken) in [(15, true), (1, true), (0, false)] {
        let limits = Limits {
            source: limit,
            site: limit,
        };
        let world = world_at(NOON, settings(), limits);
        for is_taken in [is_taken, false] {
            let collected = collect(&world, request(&body)).await;
            assert_eq!(collected.is_ok(), is_taken, "{limit}: {collected:?}");
        }
    }
}

/// A node reads as much of what is no beacon as its sender may send.
#[tokio::test]
async fn what_is_no_json_takes_of_the_limit_as_a_beacon_does() {
    let limits = Limits { source: 20, site: 90 };
    let world = world_at(NOON, settings(), limits);
    for is_limited in [false, false, true] {
        let refusal = collect(&world, request(b"{")).await.unwrap_err();
        assert_eq!(
            matches!(refusal, Refusal::TooMany { .. }),
            is_limited,
            "{refusal:?}"
        );
    }
}

/// The key of a site stands in its pages, and anybody can send it.
#[tokio::test]
async fn what_is_not_stored_takes_nothing_of_the_sites_limit() {
    let limits = Limits {
        source: 990,
        site: 10,
    };
    let world = world_at(NOON, settings(), limits);
    let body = body(json!({}));
    for _ in 0..2 {
        let foreign = Request {
            origin: Some("evil.example"),
            ..request(&body)
        };
        let refusal = collect(&world, foreign).await.unwrap_err();
        assert!(matches!(refusal, Refusal::ForeignHost(_)), "{refusal:?}");
        let bot = Request {
            user_agent: Some(GOOGLEBOT),
            ..request(&body)
        };
        assert_eq!(collect(&world, bot).await.unwrap(), Outcome::Bot);
        let off = world.collector.collect::<View>(&request(&body)).await.unwrap();
        assert_eq!(off, Outcome::LeftOut, "real-user monitoring is off");
    }
    assert_eq!(collect(&world, request(&body)).await.unwrap(), Outcome::Stored);
    let refusal = collect(&world, request(&body)).await.unwrap_err();
    assert!(matches!(refusal, Refusal::TooMany { .. }), "{refusal:?}");
}

/// One beacon is on its way into the store, one waits, and one finds no room.
#[tokio::test]
async fn a_full_queue_is_told_at_once() {
    let bounds = Bounds {
        arrivals: 1,
        share: 1,
        ..Bounds::default()
    };
    let world = world_within(bounds, NOON, settings(), Limits::default());
    let body = body(json!({}));
    let held = world.store.hold();
    let others = async {
        world.store.asked(1).await;
        let refused = async {
            while world.collector.events.waiting().0 == 0 {
                tokio::task::yield_now().await;
            }
            let at_once = std::time::Duration::from_secs(5);
            let collected = timeout(at_once, collect(&world, request(&body))).await;
            drop(held);
            collected.unwrap()
        };
        tokio::join!(collect(&world, request(&body)), refused)
    };
    let (first, (second, third)) = tokio::join!(collect(&world, request(&body)), others);
    assert!(matches!(third, Err(Refusal::Unstored)), "{third:?}");
    assert_eq!(
        (first.unwrap(), second.unwrap()),
        (Outcome::Stored, Outcome::Stored)
    );
    assert_eq!(world.store.batches(), [1, 1]);
}

#[tokio::test]
async fn a_store_that_is_away_and_a_node_that_ends_are_told() {
    let world = world();
    world.store.fail(1);
    let body = body(json!({}));
    assert!(matches!(
        collect(&world, request(&body)).await,
        Err(Refusal::Unstored)
    ));
    assert_eq!(collect(&world, request(&body)).await.unwrap(), Outcome::Stored);
    world.collector.close();
    assert!(matches!(
        collect(&world, request(&body)).await,
        Err(Refusal::Unstored)
    ));
}

#[test]
fn what_a_request_tells_of_a_person_is_not_shown() {
    let body = body(json!({}));
    let shown = format!("{:?}", request(&body));
    assert!(
        !shown.contains("203.0.113.7") && !shown.contains("Chrome"),
        "{shown}"
    );
}

//! Funnels say what a walk through each session's hits says.

use std::collections::{BTreeMap, BTreeSet};

use pharos_analytics::{
    filter::Filters,
    funnel::{FunnelQuery, FunnelStep, Reached, StepKind},
    store::PathStore,
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{BeaconStore, event::Action},
    window::DateRange,
};
use time::Duration;

use super::collect::beacon;
use crate::harness::{Fixture, NOW};

const PAGES: [&str; 3] = ["/", "/a", "/b"];
const EVENTS: [&str; 2] = ["signup", "/a"];

struct Hit {
    visitor: i64,
    /// In milliseconds.
    at: f64,
    kind: StepKind,
    value: String,
}

/// The sessions that viewed `page`, or all, in the order in which things happened.
async fn sessions(fixture: &Fixture, page: Option<&str>) -> Vec<Vec<Hit>> {
    let rows = fixture
        .sql
        .query(
            "SELECT h.session_id, h.visitor_id, (extract(epoch FROM h.at) * 1000)::double precision, h.kind, v.value
             FROM analytics_hits AS h
             JOIN analytics_values AS v ON v.id = coalesce(h.event, h.page)
             ORDER BY h.session_id, h.at, h.kind, h.id",
            &[],
        )
        .await
        .unwrap();
    let mut sessions: BTreeMap<i64, Vec<Hit>> = BTreeMap::new();
    for row in rows {
        let kind: i16 = row.get(3);
        sessions.entry(row.get(0)).or_default().push(Hit {
            visitor: row.get(1),
            at: row.get(2),
            kind: if kind == 0 {
                StepKind::Page
            } else {
                StepKind::Event
            },
            value: row.get(4),
        });
    }
    let fits = |hits: &Vec<Hit>| {
        page.is_none_or(|page| {
            hits.iter()
                .any(|hit| hit.kind == StepKind::Page && hit.value == page)
        })
    };
    sessions.into_values().filter(fits).collect()
}

/// Walks through every session, and takes each step at the first hit that meets it.
fn walked(sessions: &[Vec<Hit>], steps: &[FunnelStep]) -> Vec<Reached> {
    let mut visitors: Vec<BTreeSet<i64>> = vec![BTreeSet::new(); steps.len()];
    let mut taken: Vec<Vec<f64>> = vec![Vec::new(); steps.len()];
    let mut reached = vec![Reached::default(); steps.len()];
    for hits in sessions {
        let (mut step, mut last) = (0, None);
        for hit in hits {
            if steps
                .get(step)
                .is_none_or(|asked| (asked.kind, &asked.value) != (hit.kind, &hit.value))
            {
                continue;
            }
            reached[step].sessions += 1;
            visitors[step].insert(hit.visitor);
            taken[step].extend(last.replace(hit.at).map(|last| hit.at - last));
            step += 1;
        }
    }
    for ((reached, visitors), mut taken) in reached.iter_mut().zip(visitors).zip(taken) {
        reached.visitors = u64::try_from(visitors.len()).unwrap();
        taken.sort_by(f64::total_cmp);
        let middle = taken.len() / 2;
        reached.median_ms = (!taken.is_empty()).then(|| {
            let below = if taken.len() % 2 == 0 { middle - 1 } else { middle };
            f64::midpoint(taken[below], taken[middle])
        });
    }
    reached
}

fn any_step(random: &mut fastrand::Rng) -> FunnelStep {
    let (kind, values): (_, &[&str]) = if random.bool() {
        (StepKind::Page, &PAGES)
    } else {
        (StepKind::Event, &EVENTS)
    };
    FunnelStep {
        kind,
        value: values[random.usize(0..values.len())].to_owned(),
    }
}

/// 1,500 hits of 40 visitors over two days, many within one minute and some of one moment.
#[tokio::test]
async fn funnels_are_what_a_walk_through_each_session_finds() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let mut random = fastrand::Rng::with_seed(22);
    let beacons: Vec<_> = (0..1_500)
        .map(|_| {
            let (visitor, minutes) = (random.i64(0..40), random.i64(0..1_700));
            let action = if random.u8(0..3) > 0 {
                Action::PageView
            } else {
                Action::Custom {
                    name: EVENTS[random.usize(0..EVENTS.len())].to_owned(),
                    properties: Vec::new(),
                    commerce: None,
                }
            };
            beacon(
                home.domain,
                visitor,
                minutes,
                PAGES[random.usize(0..PAGES.len())],
                action,
            )
        })
        .collect();
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&beacons).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let (whole, with_b) = (
        sessions(&fixture, None).await,
        sessions(&fixture, Some("/b")).await,
    );
    let last = (NOW + Duration::days(1)).date();
    let mut deepest = 0;
    for asked in 0..40 {
        let page = (asked % 4 == 0).then(|| "/b".to_owned());
        let expected_of = if page.is_some() { &with_b } else { &whole };
        let steps: Vec<FunnelStep> = (0..2 + asked % 7).map(|_| any_step(&mut random)).collect();
        let filters = Filters {
            page,
            ..Filters::default()
        };
        let query = FunnelQuery {
            window: DateRange::ending(last, 2),
            filters: &filters,
            steps: &steps,
        };
        let found = visits.funnel(&access, &query).await.unwrap();
        let expected = walked(expected_of, &steps);
        assert_eq!(found.steps, expected, "{query:?}");
        deepest = deepest.max(expected.iter().filter(|step| step.sessions > 0).count());
    }
    assert!(deepest > 4, "no funnel goes deep: {deepest}");
    assert!(
        whole
            .iter()
            .map(|hits| hits[0].visitor)
            .collect::<BTreeSet<_>>()
            .len()
            < whole.len(),
        "a visitor has two sessions, so that visitors are fewer"
    );
}

/// In each of twenty sessions one beacon tells of two events of one moment.
#[tokio::test]
async fn events_of_one_moment_are_met_in_the_order_in_which_they_were_told() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let event = |name: &str| Action::Custom {
        name: name.to_owned(),
        properties: Vec::new(),
        commerce: None,
    };
    let beacons: Vec<_> = (0..20)
        .map(|visitor| {
            let mut told = beacon(home.domain, visitor, 0, "/", event("cart"));
            let mut next = told.content.0[0].clone();
            next.action = event("checkout");
            told.content.0.push(next);
            told
        })
        .collect();
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&beacons).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let filters = Filters::default();
    for (names, expected) in [
        (["cart", "checkout"], [20_u64, 20]),
        (["checkout", "cart"], [20_u64, 0]),
    ] {
        let steps = names.map(|name| FunnelStep {
            kind: StepKind::Event,
            value: name.to_owned(),
        });
        let query = FunnelQuery {
            window: DateRange::ending(NOW.date(), 1),
            filters: &filters,
            steps: &steps,
        };
        let found = visits.funnel(&access, &query).await.unwrap();
        let sessions: Vec<u64> = found.steps.iter().map(|step| step.sessions).collect();
        assert_eq!(sessions, expected, "{names:?}");
    }
}

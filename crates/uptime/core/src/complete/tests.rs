//! Tests of the changes that batches of checks make.

use std::collections::BTreeMap;

use pharos_domain::ids::CheckId;
use proptest::{collection::vec, prelude::*};
use time::Duration;
use uuid::Uuid;

use super::*;
use crate::{
    check::{Check, CheckContext, Outcome},
    fixture::NOW,
    incident::IncidentEvent,
    probe::ProbeReport,
    state::SpanState,
};

const DOMAIN: DomainId = DomainId(Uuid::from_u128(1));

/// A site that two failing checks confirm to be down, and one passing check to be up again.
fn site(regions: &[&str]) -> Before {
    let regions: Vec<String> = regions.iter().map(|region| (*region).to_owned()).collect();
    let settings = MonitorSettings {
        confirmation_checks: 2,
        recovery_checks: 1,
        regions: regions.clone(),
        ..MonitorSettings::defaults(&"shop.example".parse().unwrap(), &regions)
    };
    let mut before = Before::at(NOW);
    before.settings.insert(DOMAIN, settings);
    before
}

fn at(minute: i64) -> OffsetDateTime {
    NOW + Duration::minutes(minute)
}

fn check(region: &str, minute: i64, outcome: Outcome, status: Option<u16>) -> FinishedCheck {
    let context = CheckContext {
        domain_id: DOMAIN,
        region: region.to_owned(),
        checked_at: at(minute),
        in_maintenance: false,
        run_id: None,
    };
    FinishedCheck {
        check: Check {
            outcome,
            status_code: status,
            ..Check::from_report(ProbeReport::default(), context)
        },
        due_at: Some(at(minute)),
        settings_at: None,
        certificate_valid_until: None,
        response_headers: BTreeMap::new(),
        sighting: None,
    }
}

fn up(region: &str, minute: i64) -> FinishedCheck {
    check(region, minute, Outcome::Up, Some(200))
}

fn down(region: &str, minute: i64) -> FinishedCheck {
    check(region, minute, Outcome::Down, Some(503))
}

/// The knowledge after checks, and the changes that they made.
fn after(before: &Before, mut checks: Vec<FinishedCheck>) -> (Before, After) {
    let after = fold(before.clone(), &mut checks, at(60));
    let mut next = before.clone();
    next.states.extend(after.states.clone());
    for ((domain, region, _), span) in &after.spans {
        let last = next.last_spans.entry((*domain, region.clone()));
        let last = last.or_insert_with(|| span.clone());
        if last.started_at <= span.started_at {
            *last = span.clone();
        }
    }
    for opened in after.opened.iter().filter(|opened| opened.resolved_at.is_none()) {
        let open = OpenIncident {
            id: opened.id,
            is_blocked: opened.severity == Severity::Degraded,
            confirmed_at: opened.confirmed_at,
        };
        next.open_incidents.insert(DOMAIN, open);
    }
    (next, after)
}

fn events(after: &After) -> Vec<(IncidentEvent, i64, Option<&str>)> {
    let minute = |moment: OffsetDateTime| (moment - NOW).whole_minutes();
    let entries = after.events.iter().map(|(_, entry)| entry);
    entries
        .map(|entry| (entry.event, minute(entry.at), entry.region.as_deref()))
        .collect()
}

/// `us` fails first, and is outvoted by the two others until `eu` fails at 2: then two of three are down.
#[test]
fn an_outage_begins_with_the_failure_that_made_it_most_regions() {
    let first = ["asia", "eu", "us"].map(|region| up(region, 0));
    let failing = [down("us", 1), down("eu", 2), down("us", 2), down("eu", 3)];
    let (_, after) = after(&site(&["asia", "eu", "us"]), [&first[..], &failing].concat());
    let [opened] = &after.opened[..] else {
        panic!("one outage: {:?}", after.opened);
    };
    assert_eq!(
        (opened.severity, opened.class),
        (Severity::Outage, IncidentClass::Unknown)
    );
    assert_eq!((opened.started_at, opened.confirmed_at), (at(2), at(3)));
    assert_eq!(opened.failure.as_ref().map(|failure| failure.at), Some(at(1)));
    assert_eq!(after.growth[&opened.id].checks_failed, 4);
    assert_eq!(
        events(&after),
        [
            (IncidentEvent::FirstFailure, 1, Some("us")),
            (IncidentEvent::RegionAdded, 2, Some("eu")),
            (IncidentEvent::Confirmed, 3, Some("eu")),
        ]
    );
    // asia has not seen it, and looks again.
    assert!(after.sooner.contains(&((DOMAIN, "asia".to_owned()), at(60))));
}

/// That Pharos may not go to an address is no downtime, and no end of one.
#[test]
fn a_refusal_by_the_address_policy_neither_begins_an_outage_nor_ends_it() {
    let refused = |minute| check("eu", minute, Outcome::Blocked, None);
    let key: Key = (DOMAIN, "eu".to_owned());
    let site = site(&["eu"]);
    let (known, meanwhile) = after(&site, vec![up("eu", 0), refused(1), refused(2), refused(3)]);
    assert!(meanwhile.opened.is_empty(), "{:?}", meanwhile.opened);
    let state = &known.states[&key];
    assert!(state.is_refused() && !state.is_down && !state.is_undecided());
    assert_eq!((state.since, state.consecutive_failures), (at(1), 0));
    let last = &known.last_spans[&key];
    assert_eq!(
        (last.state, last.ended_at),
        (SpanState::Up, at(1)),
        "nobody observed it since"
    );
    let (known, _) = after(&known, vec![up("eu", 4)]);
    assert_eq!(known.states[&key].since, at(4), "nobody knew until then");

    let (known, opened) = after(&site, vec![up("eu", 0), down("eu", 1), down("eu", 2)]);
    let id = opened.opened[0].id;
    let (known, meanwhile) = after(&known, vec![refused(3), refused(4)]);
    assert!(meanwhile.resolved.is_empty(), "{:?}", meanwhile.resolved);
    assert_eq!(meanwhile.growth[&id].checks_failed, 0);
    let state = &known.states[&key];
    assert_eq!((state.is_down, state.since), (true, at(1)));
    let (_, over) = after(&known, vec![up("eu", 5)]);
    assert_eq!(over.resolved, [(id, at(5))]);
}

/// With what it takes away from a vote neither.
#[test]
fn a_refusal_in_one_of_several_regions_neither_begins_an_outage_nor_ends_it() {
    let refused = |region, minute| check(region, minute, Outcome::Blocked, None);
    let mut checks = ["asia", "eu", "us"].map(|region| up(region, 0)).to_vec();
    for minute in [1, 2] {
        checks.extend([up("asia", minute), down("eu", minute), up("us", minute)]);
    }
    let (known, outvoted) = after(&site(&["asia", "eu", "us"]), checks);
    assert!(outvoted.opened.is_empty(), "{:?}", outvoted.opened);
    let (_, alone) = after(&known, vec![refused("asia", 3), refused("us", 3)]);
    assert!(alone.opened.is_empty(), "{:?}", alone.opened);

    let mut checks = Vec::new();
    for minute in [3, 4] {
        checks.extend([up("asia", minute), down("eu", minute), down("us", minute)]);
    }
    let (known, two) = after(&known, checks);
    assert_eq!(two.opened.len(), 1);
    let (_, meanwhile) = after(&known, vec![refused("eu", 5)]);
    assert!(meanwhile.resolved.is_empty(), "{:?}", meanwhile.resolved);
}

#[test]
fn an_outage_ends_with_its_first_passing_check() {
    let site = site(&["eu"]);
    let (known, opened) = after(&site, vec![up("eu", 0), down("eu", 1), down("eu", 2)]);
    let id = opened.opened[0].id;
    let (_, over) = after(&known, vec![up("eu", 3)]);
    assert_eq!(over.resolved, [(id, at(3))]);
    assert_eq!(
        events(&over),
        [
            (IncidentEvent::RegionRecovered, 3, Some("eu")),
            (IncidentEvent::Recovered, 3, Some("eu")),
        ]
    );
    // In one batch it is the same outage, that is over when it is stored.
    let all = vec![up("eu", 0), down("eu", 1), down("eu", 2), up("eu", 3)];
    let (_, together) = after(&site, all);
    assert_eq!(together.opened[0].resolved_at, Some(at(3)));
    assert_eq!(together.resolved, []);
}

/// Both regions had an answer a moment ago, and get 403 twice.
#[test]
fn a_site_that_refuses_the_prober_alone_is_blocked() {
    let refused = |region, minute| check(region, minute, Outcome::Down, Some(403));
    let mut checks = vec![up("eu", 0), up("us", 0)];
    for minute in [1, 2] {
        checks.extend([refused("eu", minute), refused("us", minute)]);
    }
    let (known, blocked) = after(&site(&["eu", "us"]), checks);
    assert_eq!(blocked.opened[0].severity, Severity::Degraded);
    let mut next = [refused("eu", 3)];
    let _ = fold(known, &mut next, at(60));
    assert_eq!(next[0].check.outcome, Outcome::Blocked);
}

#[test]
fn a_pause_of_all_regions_ends_what_is_open() {
    let (known, opened) = after(
        &site(&["eu", "us"]),
        vec![down("eu", 0), down("us", 0), down("eu", 1), down("us", 1)],
    );
    let id = opened.opened[0].id;
    let paused = pause(known.clone(), DOMAIN, &[], at(2));
    assert_eq!(paused.resolved, [(id, at(2))]);
    assert!(paused.states.values().all(|state| state.paused_at == Some(at(2))));
    let without_eu = pause(known, DOMAIN, &["us".to_owned()], at(2));
    assert_eq!(without_eu.resolved, []);
    assert_eq!(without_eu.states.len(), 1);
}

#[test]
fn what_comes_too_late_changes_nothing() {
    let (known, _) = after(&site(&["eu"]), vec![up("eu", 5)]);
    let (_, late) = after(&known, vec![down("eu", 4), down("eu", 5)]);
    assert!(late.states.is_empty() && late.spans.is_empty() && late.opened.is_empty());
    assert_eq!(late.slots.len(), 2, "each is due again all the same");
}

#[test]
fn a_confirmation_turns_what_was_suspect_into_downtime() {
    let (known, first) = after(&site(&["eu"]), vec![up("eu", 0), down("eu", 1), up("eu", 2)]);
    let state = |after: &After, minute| after.spans[&(DOMAIN, "eu".to_owned(), at(minute))].state;
    assert_eq!(
        (state(&first, 0), state(&first, 1)),
        (SpanState::Up, SpanState::Suspect)
    );
    let (known, failing) = after(&known, vec![down("eu", 3), down("eu", 4)]);
    assert_eq!(state(&failing, 3), SpanState::Down);
    assert_eq!(failing.confirmed, [((DOMAIN, "eu".to_owned()), at(3))]);
    let (_, longer) = after(&known, vec![down("eu", 5)]);
    let span = &longer.spans[&(DOMAIN, "eu".to_owned(), at(3))];
    assert_eq!(
        (span.state, span.ended_at),
        (SpanState::Down, at(5)),
        "one span grows"
    );
}

#[test]
fn what_a_clock_stamped_that_is_ahead_is_stamped_by_the_present() {
    let mut checks = vec![up("eu", 10), up("us", 0)];
    let stamped = stamp(&mut checks, at(10), NOW);
    assert_eq!(stamped, [checks[0].check.id]);
    assert_eq!(checks[0].check.checked_at, NOW);
    let mut within = [up("eu", 0)];
    within[0].check.checked_at = NOW + SKEW;
    assert_eq!(stamp(&mut within, NOW + SKEW, NOW), Vec::<CheckId>::new());
}

#[test]
fn an_incident_that_lies_ahead_is_brought_back_to_the_present() {
    let mut before = site(&["eu"]);
    let open = |confirmed_at| OpenIncident {
        id: IncidentId::generate(),
        is_blocked: false,
        confirmed_at,
    };
    let (ahead, within) = (open(NOW + SKEW + Duration::SECOND), open(NOW + SKEW));
    before.open_incidents.insert(DOMAIN, ahead);
    before.open_incidents.insert(DomainId::generate(), within);
    assert_eq!(before.bring_back(), [ahead.id]);
    assert_eq!(before.open_incidents[&DOMAIN].confirmed_at, NOW);
    assert_eq!(before.bring_back(), []);
}

#[test]
fn a_batch_is_taken_in_by_time() {
    let mut slept = down("us", 1);
    slept.check.response_ms = Some(1e9);
    let ordered = in_order(&[up("eu", 2), slept, up("eu", 0)]);
    let times: Vec<OffsetDateTime> = ordered.iter().map(|done| done.check.checked_at).collect();
    assert_eq!(times, [at(0), at(1), at(2)]);
    assert_eq!(ordered[1].check.response_ms, None);
}

#[test]
fn only_checks_of_the_schedule_are_due_again() {
    let mut run = up("us", 0);
    run.due_at = None;
    let checks = vec![up("eu", 0), run];
    let key = (DOMAIN, "eu".to_owned());
    let slot = Slot {
        key: key.clone(),
        due_at: at(0),
        next_at: at(5),
    };
    assert_eq!(Before::at(NOW).unknown(&checks), [(key, at(0))]);
    assert_eq!(site(&["eu"]).unknown(&checks), []);
    assert_eq!(anew(checks, at(5)), [slot]);
}

proptest! {
    /// However checks are batched: the same states, and outages that begin and end alike.
    #[test]
    fn it_does_not_matter_how_checks_are_batched(
        outcomes in vec((any::<bool>(), 0_usize..3), 1..30), size in 1_usize..30,
    ) {
        let checks: Vec<FinishedCheck> = outcomes
            .iter()
            .zip(0..)
            .map(|((is_eu, outcome), minute)| {
                let region = if *is_eu { "eu" } else { "us" };
                check(region, minute, [Outcome::Up, Outcome::Down, Outcome::Degraded][*outcome], Some(500))
            })
            .collect();
        let (together, at_once) = after(&site(&["eu", "us"]), checks.clone());
        let mut known = site(&["eu", "us"]);
        let mut found: Vec<(IncidentId, OffsetDateTime, Option<OffsetDateTime>)> = Vec::new();
        for batch in checks.chunks(size) {
            let (next, after) = after(&known, batch.to_vec());
            known = next;
            for (id, resolved_at) in after.resolved {
                known.open_incidents.retain(|_, open| open.id != id);
                let open = found.iter_mut().find(|(open, ..)| *open == id);
                open.unwrap().2 = Some(resolved_at);
            }
            found.extend(after.opened.iter().map(|opened| (opened.id, opened.started_at, opened.resolved_at)));
        }
        prop_assert_eq!(&known.states, &together.states);
        let expected: Vec<_> = at_once.opened.iter().map(|opened| (opened.started_at, opened.resolved_at)).collect();
        let found: Vec<_> = found.into_iter().map(|(_, from, until)| (from, until)).collect();
        prop_assert_eq!(found, expected);
    }
}

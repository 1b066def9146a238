//! Registrations of domains.

use pharos_due::work::DueClaim;
use pharos_uptime::registration::{
    Registration,
    change::{RegistrationChange, RegistrationField},
    store::{AskedRegistration, DueRegistration, Learned},
};
use time::{Duration, UtcOffset};

use super::now;
use crate::{completion::watched, harness::Fixture};

/// The domain's registration, claimed by a node whose clock is right.
async fn claimed(fixture: &Fixture) -> DueRegistration {
    let registrations = &fixture.stores.registrations;
    registrations.enrol(now(), 9).await.unwrap();
    let claim = DueClaim::of_now(now(), Duration::MINUTE, 9);
    registrations.claim(&claim).await.unwrap().remove(0)
}

#[tokio::test]
async fn a_registration_that_was_asked_for_by_a_clock_ahead_was_asked_for_now() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let ahead = now() + Duration::days(365);
    let change = RegistrationChange {
        detected_at: ahead,
        field: RegistrationField::Registrar,
        before: None,
        after: Some("Example Registrar".to_owned()),
    };
    let due = claimed(&fixture).await;
    let asked = AskedRegistration {
        name: due.name,
        leased_until: due.leased_until,
        asked_at: ahead,
        next_check_at: ahead + Duration::HOUR,
        learned: Learned::Answer(Box::default(), vec![change]),
    };
    let registrations = &fixture.stores.registrations;
    registrations.complete(&[asked]).await.unwrap();
    let stored = registrations.view(&access).await.unwrap().unwrap();
    let known = stored.known.unwrap();
    assert!(known.answer.unwrap().1 <= now());
    assert!(known.changes[0].detected_at <= now());
    let next = registrations.next_due(now()).await.unwrap().unwrap();
    assert!(
        next > now() + Duration::minutes(50) && next <= now() + Duration::HOUR,
        "{next}"
    );
}

/// A registration that is set aside waits for a day, and no longer.
#[tokio::test]
async fn a_clock_ahead_sets_no_registration_aside_for_longer() {
    let fixture = Fixture::new().await;
    watched(&fixture, |_| {}).await;
    let due = claimed(&fixture).await;
    let ahead = now() + Duration::days(365);
    let unwritable = Registration {
        expires_at: Some(ahead.to_offset(UtcOffset::from_hms(24, 0, 0).unwrap())),
        ..Registration::default()
    };
    let asked = AskedRegistration {
        name: due.name,
        leased_until: due.leased_until,
        asked_at: ahead,
        next_check_at: ahead,
        learned: Learned::Answer(Box::new(unwritable), Vec::new()),
    };
    let registrations = &fixture.stores.registrations;
    registrations.complete(&[asked]).await.unwrap();
    let next = registrations.next_due(now()).await.unwrap().unwrap();
    assert!(
        next > now() + Duration::hours(23) && next <= now() + Duration::DAY,
        "{next}"
    );
}

/// The clock of a whole machine, its database included, was a day ahead, and has been set back.
#[tokio::test]
async fn registrations_that_a_clock_has_put_out_of_reach_are_brought_back() {
    let fixture = Fixture::new().await;
    watched(&fixture, |_| {}).await;
    let due = claimed(&fixture).await;
    let registrations = &fixture.stores.registrations;
    registrations.release(&[&due]).await.unwrap();
    for ahead in [
        "asked_at = now() + interval '1 day', next_check_at = now() + interval '23 hours'",
        "next_check_at = now() + interval '2 days'",
        "leased_until = now() + interval '1 day'",
    ] {
        let set_back = format!("UPDATE domain_registrations SET {ahead}");
        fixture.sql.batch_execute(&set_back).await.unwrap();
        let claim = DueClaim::of_now(now(), Duration::MINUTE, 9);
        assert_eq!(registrations.claim(&claim).await.unwrap(), [], "{ahead}");
        registrations.bring_back().await.unwrap();
        let claim = DueClaim::of_now(now(), Duration::MINUTE, 9);
        let due = registrations.claim(&claim).await.unwrap();
        assert_eq!(due.len(), 1, "{ahead}");
        // A claim that holds is left alone.
        let stamp = "UPDATE domain_registrations SET asked_at = now()";
        fixture.sql.batch_execute(stamp).await.unwrap();
        registrations.bring_back().await.unwrap();
        assert_eq!(registrations.claim(&claim).await.unwrap(), [], "{ahead}");
        registrations.release(&[&due[0]]).await.unwrap();
    }
}

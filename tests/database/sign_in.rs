//! Passwords, sessions and links.

use std::sync::Arc;

use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        desk::issue_link,
        factor_store::{Confirmation, FactorStore, Proof},
        password::PasswordHash,
        session::{IDLE_FOR, LIFETIME, LINK_LIFETIME, PENDING_FOR, SET_UP_WITHIN},
        store::{SessionOrigin, Way, Ways},
    },
};
use pharos_domain::{identity::Source, ids::UserId};
use time::Duration;

use crate::harness::{Fixture, NOW, actor};

/// The port to second factors.
fn factors(fixture: &Fixture) -> Arc<dyn FactorStore> {
    fixture.stores.ports.get().unwrap()
}

/// Switches a second factor on by the code of step 100, with one recovery code, and keeps no session.
async fn switch_on(fixture: &Fixture, user: UserId) {
    let factors = factors(fixture);
    let session = SecretDigest::of("none");
    assert!(factors.begin(user, &session, b"sealed", NOW).await.unwrap());
    let confirmation = Confirmation {
        user,
        sealed: b"sealed",
        step: 100,
        codes: &[SecretDigest::of("a recovery code")],
        kept: &session,
    };
    let other = Confirmation {
        sealed: b"another",
        ..confirmation
    };
    assert!(!factors.confirm(&other, &actor(), NOW).await.unwrap());
    let elsewhere = Confirmation {
        kept: &SecretDigest::of("another"),
        ..confirmation
    };
    assert!(!factors.confirm(&elsewhere, &actor(), NOW).await.unwrap());
    assert!(factors.confirm(&confirmation, &actor(), NOW).await.unwrap());
    assert!(!factors.confirm(&confirmation, &actor(), NOW).await.unwrap());
    assert!(!factors.begin(user, &session, b"another", NOW).await.unwrap());
}

fn hash(text: &str) -> PasswordHash {
    PasswordHash(format!("$argon2id${text}"))
}

/// An origin that nothing is known of.
const fn nowhere() -> SessionOrigin {
    SessionOrigin {
        source: Source(None),
        browser: None,
    }
}

/// The session and the sign-in that a right password may begin.
fn ways(name: &str) -> Ways {
    Ways {
        session: SecretDigest::of(name),
        pending: SecretDigest::of(&format!("{name}, pending")),
    }
}

/// A user with this password, and the digest of the session that setting it began.
async fn user(fixture: &Fixture, password: &str) -> (UserId, SecretDigest) {
    let users = &fixture.stores.users;
    let id = match users.find("ada@example.org").await.unwrap() {
        Some(user) => user.id,
        None => {
            let created = users.create("ada@example.org", "Ada", &actor(), NOW).await;
            created.unwrap().id
        }
    };
    let store = &fixture.stores.sign_in;
    let link = issue_link(store.as_ref(), id, &actor(), NOW)
        .await
        .unwrap()
        .unwrap();
    let ways = ways(password);
    let set = store
        .set_password(&link.digest(), &hash(password), &ways, &nowhere(), NOW)
        .await;
    assert_eq!(set.unwrap(), Some(Way::Session));
    (id, ways.session)
}

#[tokio::test]
async fn no_session_begins_with_a_password_that_was_changed_meanwhile() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (_, first) = user(&fixture, "first").await;
    let account = store.account("ADA@example.org").await.unwrap().unwrap();
    let session = ways("another").session;
    let begun = store
        .begin(&ways("another"), &account, &nowhere(), NOW)
        .await
        .unwrap();
    assert_eq!(begun, Some(Way::Session));

    let (_, second) = user(&fixture, "second").await;
    for ended in [&first, &session] {
        assert_eq!(store.session(ended).await.unwrap(), None);
    }
    assert!(store.session(&second).await.unwrap().is_some());
    let late = ways("late");
    assert_eq!(store.begin(&late, &account, &nowhere(), NOW).await.unwrap(), None);
    assert_eq!(store.session(&late.session).await.unwrap(), None);
}

#[tokio::test]
async fn no_session_begins_for_a_user_who_was_disabled_meanwhile() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (id, _) = user(&fixture, "first").await;
    let account = store.account("ada@example.org").await.unwrap().unwrap();
    let users = &fixture.stores.users;
    users.set_disabled(id, true, &actor(), NOW).await.unwrap();
    assert_eq!(
        store
            .begin(&ways("late"), &account, &nowhere(), NOW)
            .await
            .unwrap(),
        None
    );
    assert!(store.account("ada@example.org").await.unwrap().is_none());
    let link = issue_link(store.as_ref(), id, &actor(), NOW).await.unwrap();
    assert!(link.is_none());
}

#[tokio::test]
async fn of_links_that_are_made_at_once_one_is_good() {
    let fixture = Fixture::new().await;
    let store = fixture.stores.sign_in.as_ref();
    let (id, _) = user(&fixture, "first").await;
    let (by, other) = (actor(), actor());
    let (first, second) = tokio::join!(
        issue_link(store, id, &by, NOW),
        issue_link(store, id, &other, NOW)
    );
    let links = [first.unwrap().unwrap(), second.unwrap().unwrap()];
    let mut good = 0;
    for link in &links {
        good += usize::from(store.link(&link.digest(), NOW).await.unwrap().is_some());
    }
    assert_eq!(good, 1);
}

#[tokio::test]
async fn a_link_that_is_used_while_its_user_is_disabled_waits_for_nobody_in_a_circle() {
    let fixture = Fixture::new().await;
    let (store, users) = (fixture.stores.sign_in.as_ref(), &fixture.stores.users);
    let (id, _) = user(&fixture, "first").await;
    for round in 0..20 {
        let link = issue_link(store, id, &actor(), NOW).await.unwrap().unwrap();
        let (digest, ways) = (link.digest(), ways(&format!("round {round}")));
        let (password, origin, by) = (hash(&format!("round {round}")), nowhere(), actor());
        let (set, disabled) = tokio::join!(
            store.set_password(&digest, &password, &ways, &origin, NOW),
            users.set_disabled(id, true, &by, NOW)
        );
        // Either was first. A circle would have ended one of them with an error, after a second.
        set.unwrap();
        disabled.unwrap();
        assert_eq!(store.session(&ways.session).await.unwrap(), None);
        assert_eq!(store.link(&digest, NOW).await.unwrap(), None);
        users.set_disabled(id, false, &actor(), NOW).await.unwrap();
    }
}

#[tokio::test]
async fn expired_links_and_sessions_are_deleted() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (id, session) = user(&fixture, "first").await;
    let link = issue_link(store.as_ref(), id, &actor(), NOW)
        .await
        .unwrap()
        .unwrap();
    let maintain = async |at| fixture.database.maintain(at).await.unwrap();
    let is_there = async || store.session(&session).await.unwrap().is_some();

    maintain(NOW + IDLE_FOR - Duration::SECOND).await;
    assert!(is_there().await);
    store
        .touch(&session, NOW + LIFETIME - Duration::HOUR)
        .await
        .unwrap();
    maintain(NOW + LINK_LIFETIME - Duration::SECOND).await;
    assert!(store.link(&link.digest(), NOW).await.unwrap().is_some());
    maintain(NOW + LINK_LIFETIME).await;
    assert!(store.link(&link.digest(), NOW).await.unwrap().is_none());

    maintain(NOW + LIFETIME - Duration::SECOND).await;
    assert!(is_there().await);
    maintain(NOW + LIFETIME).await;
    assert!(!is_there().await);
}

#[tokio::test]
async fn a_second_factor_ends_sessions_and_makes_passwords_wait() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (id, session) = user(&fixture, "first").await;
    switch_on(&fixture, id).await;
    assert_eq!(store.session(&session).await.unwrap(), None);
    let account = store.account("ada@example.org").await.unwrap().unwrap();
    let waiting = ways("waiting");
    let begun = store.begin(&waiting, &account, &nowhere(), NOW).await.unwrap();
    assert_eq!(begun, Some(Way::Pending));
    assert_eq!(store.session(&waiting.session).await.unwrap(), None);
    let factors = factors(&fixture);
    assert_eq!(factors.attempt(&waiting.pending, NOW).await.unwrap(), Some(id));

    // Another password ends what waits for the second factor of the old one.
    let link = issue_link(store.as_ref(), id, &actor(), NOW)
        .await
        .unwrap()
        .unwrap();
    let set = store
        .set_password(&link.digest(), &hash("second"), &ways("set"), &nowhere(), NOW)
        .await;
    assert_eq!(set.unwrap(), Some(Way::Pending));
    assert_eq!(factors.attempt(&waiting.pending, NOW).await.unwrap(), None);
    let pending = ways("set").pending;
    assert_eq!(factors.attempt(&pending, NOW + PENDING_FOR).await.unwrap(), None);
    for attempt in 1..=5 {
        let found = factors.attempt(&pending, NOW).await.unwrap();
        assert_eq!(found, Some(id), "{attempt}");
    }
    assert_eq!(factors.attempt(&pending, NOW).await.unwrap(), None);
}

#[tokio::test]
async fn of_two_who_come_with_one_proof_at_once_one_is_let_in() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (id, _) = user(&fixture, "first").await;
    switch_on(&fixture, id).await;
    let account = store.account("ada@example.org").await.unwrap().unwrap();
    let factors = factors(&fixture);
    let proofs = [
        Proof::Code { step: 101 },
        Proof::Recovery(SecretDigest::of("a recovery code")),
    ];
    for (round, proof) in proofs.iter().enumerate() {
        let both = [ways(&format!("{round} a")), ways(&format!("{round} b"))];
        for ways in &both {
            store.begin(ways, &account, &nowhere(), NOW).await.unwrap();
        }
        let by = actor();
        let origin = SessionOrigin {
            source: Source(Some([203, 0, 113, 7].into())),
            browser: Some("Firefox on Windows".to_owned()),
        };
        let enter = |ways: &Ways| {
            let (factors, by, ways, proof) = (Arc::clone(&factors), by.clone(), *ways, *proof);
            let origin = origin.clone();
            async move {
                factors
                    .enter(&ways.pending, &proof, &ways.session, &origin, &by, NOW)
                    .await
                    .unwrap()
            }
        };
        let (first, second) = tokio::join!(enter(&both[0]), enter(&both[1]));
        assert!(first != second, "{proof:?}: {first} {second}");
        let let_in = if first { &both[0] } else { &both[1] };
        let sessions = store.sessions(id, NOW).await.unwrap();
        let began = sessions.into_iter().find(|one| one.digest == let_in.session);
        assert_eq!(began.unwrap().origin, origin);
        // It is over with the session that it began.
        let later = Proof::Code { step: 200 };
        let again = factors
            .enter(
                &let_in.pending,
                &later,
                &SecretDigest::of("again"),
                &nowhere(),
                &actor(),
                NOW,
            )
            .await;
        assert!(!again.unwrap());
    }
    // A code of a step before the last is none.
    let late = ways("late");
    store.begin(&late, &account, &nowhere(), NOW).await.unwrap();
    for step in [0, 99, 100, 101, u64::MAX] {
        let entered = factors
            .enter(
                &late.pending,
                &Proof::Code { step },
                &late.session,
                &nowhere(),
                &actor(),
                NOW,
            )
            .await;
        assert!(!entered.unwrap(), "{step}");
    }
}

#[tokio::test]
async fn what_nobody_went_on_with_is_deleted() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let factors = factors(&fixture);
    let (id, _) = user(&fixture, "first").await;
    let session = SecretDigest::of("none");
    assert!(factors.begin(id, &session, b"sealed", NOW).await.unwrap());
    let maintain = async |at| fixture.database.maintain(at).await.unwrap();
    maintain(NOW + SET_UP_WITHIN - Duration::SECOND).await;
    assert!(factors.factor(id).await.unwrap().is_some());
    maintain(NOW + SET_UP_WITHIN).await;
    assert_eq!(factors.factor(id).await.unwrap(), None);

    switch_on(&fixture, id).await;
    let account = store.account("ada@example.org").await.unwrap().unwrap();
    store
        .begin(&ways("waiting"), &account, &nowhere(), NOW)
        .await
        .unwrap();
    let waiting = async || -> i64 { fixture.value("SELECT count(*) FROM pending_sign_ins", &[]).await };
    maintain(NOW + PENDING_FOR - Duration::SECOND).await;
    assert_eq!(waiting().await, 1);
    maintain(NOW + PENDING_FOR).await;
    assert_eq!(waiting().await, 0);
    // A second factor that is on stays.
    maintain(NOW + Duration::days(365)).await;
    let factor = factors.factor(id).await.unwrap().unwrap();
    assert_eq!((factor.confirmed_at, factor.codes_left), (Some(NOW), 1));
    assert!(factors.reset(id, &actor(), NOW).await.unwrap());
    assert!(!factors.reset(id, &actor(), NOW).await.unwrap());
}

//! Idempotency-Keys: one effect, one charge, one answer.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use pharos_domain::{
    credits::{RequestKey, SettleError, Settlement, Slip, StoredAnswer},
    ids::{CredentialId, RequestId},
    replays::Replay,
    store::StoreError,
};
use pharos_persistence::metering::charged::charged_statement;
use time::OffsetDateTime;

use crate::{
    charged::EFFECT,
    harness::{Fixture, Home, NOW, after, entry},
    purse::Charged,
    retries::blocked,
};

const PATIENT: Duration = Duration::from_secs(10);

fn key(name: &str, fingerprint: u8) -> RequestKey {
    RequestKey {
        key: name.to_owned(),
        fingerprint: [fingerprint; 32],
    }
}

fn answer(number: i64) -> StoredAnswer {
    StoredAnswer {
        status: 202,
        body: format!(r#"{{"number":{number}}}"#).into(),
    }
}

fn slip(home: &Home, at: OffsetDateTime, key: RequestKey) -> Slip {
    Slip::new(entry(home, 25, at), Some(key))
}

async fn run(fixture: &Fixture, slip: &Slip, patience: Duration, effect: &str) -> Result<i64, SettleError> {
    let answering = |number: &i64| answer(*number);
    charged_statement(&fixture.database, slip, Some(&answering), patience, effect).await
}

#[tokio::test]
async fn a_key_is_answered_once_and_then_the_same() {
    let (fixture, home) = Fixture::with_effects().await;
    let first = slip(&home, NOW, key("k", 1));
    assert_eq!(run(&fixture, &first, PATIENT, EFFECT).await.unwrap(), 1);
    let remaining = 999_975;
    let stored = Some(answer(1));
    assert_eq!(
        first.settlement(),
        Some(&Settlement::Charged {
            remaining,
            answer: stored
        })
    );

    let again = slip(&home, after(86_399), key("k", 1));
    let replayed = run(&fixture, &again, PATIENT, EFFECT).await;
    assert!(matches!(replayed, Err(SettleError::Replayed)), "{replayed:?}");
    assert_eq!(again.settlement(), Some(&Settlement::Replayed(answer(1))));
    let other = slip(&home, after(1), key("k", 2));
    let reused = run(&fixture, &other, PATIENT, EFFECT).await;
    assert!(matches!(reused, Err(SettleError::KeyReused)), "{reused:?}");
    assert_eq!(other.settlement(), None);

    let find = async |credential, key, at| fixture.stores.replays.find(credential, &key, at).await.unwrap();
    let credential = first.entry().unwrap().credential_id;
    assert_eq!(
        find(credential, key("k", 1), after(1)).await,
        Replay::Answer(answer(1))
    );
    assert_eq!(find(credential, key("k", 2), after(1)).await, Replay::Reused);
    assert_eq!(find(credential, key("K", 1), after(1)).await, Replay::Unknown);
    assert_eq!(
        find(CredentialId(RequestId::generate().0), key("k", 1), NOW).await,
        Replay::Unknown
    );
    assert_eq!(
        find(credential, key("k", 1), after(86_400)).await,
        Replay::Unknown
    );

    assert_eq!(fixture.effects().await, 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(25));
}

#[tokio::test]
async fn a_key_is_free_again_after_24_hours_and_its_record_goes() {
    let (fixture, home) = Fixture::with_effects().await;
    run(&fixture, &slip(&home, NOW, key("k", 1)), PATIENT, EFFECT)
        .await
        .unwrap();
    // Not cleaned up yet, and another request's by now.
    let next = slip(&home, after(86_400), key("k", 2));
    assert_eq!(run(&fixture, &next, PATIENT, EFFECT).await.unwrap(), 2);
    let records = async || -> i64 {
        fixture
            .value("SELECT count(*) FROM idempotency_records", &[])
            .await
    };
    fixture.database.maintain(after(2 * 86_400 - 1)).await.unwrap();
    assert_eq!(records().await, 1);
    fixture.database.maintain(after(2 * 86_400)).await.unwrap();
    assert_eq!(records().await, 0);
}

/// A second node's clock is days ahead: it serves no request again, and its keys hold no longer than others.
#[tokio::test]
async fn a_clock_ahead_makes_no_answer_old_and_none_new() {
    let (fixture, home) = Fixture::with_effects().await;
    let (now, ahead) = (OffsetDateTime::now_utc(), time::Duration::days(2));
    run(&fixture, &slip(&home, now, key("k", 1)), PATIENT, EFFECT)
        .await
        .unwrap();
    let again = slip(&home, now + ahead, key("k", 1));
    let replayed = run(&fixture, &again, PATIENT, EFFECT).await;
    assert!(matches!(replayed, Err(SettleError::Replayed)), "{replayed:?}");
    let credential = again.entry().unwrap().credential_id;
    let replays = &fixture.stores.replays;
    let found = replays.find(credential, &key("k", 1), now + ahead).await;
    assert_eq!(found.unwrap(), Replay::Answer(answer(1)));

    run(&fixture, &slip(&home, now + ahead, key("n", 1)), PATIENT, EFFECT)
        .await
        .unwrap();
    let held = "SELECT max(created_at) <= now() FROM idempotency_records";
    assert!(fixture.value::<bool>(held, &[]).await);
}

#[tokio::test]
async fn a_refused_attempt_leaves_the_key_free() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture.grant(&home, 24).await;
    let refused = run(&fixture, &slip(&home, NOW, key("k", 1)), PATIENT, EFFECT).await;
    assert!(matches!(refused, Err(SettleError::Exhausted(_))), "{refused:?}");
    let failed = run(
        &fixture,
        &slip(&home, NOW, key("k", 1)),
        PATIENT,
        "SELECT 1 / 0::bigint",
    )
    .await;
    assert!(
        matches!(failed, Err(SettleError::Store(StoreError::Failed(_)))),
        "{failed:?}"
    );
    fixture.grant(&home, 25).await;
    run(&fixture, &slip(&home, NOW, key("k", 2)), PATIENT, EFFECT)
        .await
        .unwrap();
    assert_eq!(fixture.effects().await, 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(25));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_sixteen_at_once_with_one_key_one_has_the_effect_and_all_have_its_answer() {
    let (fixture, home) = Fixture::with_effects().await;
    let slow = "WITH done AS (INSERT INTO effects DEFAULT VALUES RETURNING number)
                SELECT number FROM done, pg_sleep(0.2)";
    let slips: Vec<Slip> = (0..16)
        .map(|second| slip(&home, after(second), key("k", 1)))
        .collect();
    let outcomes = join_all(slips.iter().map(|slip| run(&fixture, slip, PATIENT, slow))).await;
    let first = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let replayed = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(SettleError::Replayed)))
        .count();
    assert_eq!((first, replayed), (1, 15), "{outcomes:?}");
    for slip in &slips {
        let (Settlement::Charged {
            answer: Some(given), ..
        }
        | Settlement::Replayed(given)) = slip.settlement().unwrap()
        else {
            panic!("{slip:?}");
        };
        assert_eq!(given, &answer(1));
    }
    assert_eq!(fixture.effects().await, 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(25));
}

#[tokio::test]
async fn who_waits_for_too_long_is_told_that_the_first_still_runs() {
    let (fixture, home) = Fixture::with_effects().await;
    let fixture = Arc::new(fixture);
    fixture
        .sql
        .batch_execute("SELECT pg_advisory_lock(1)")
        .await
        .unwrap();
    let first = slip(&home, NOW, key("k", 1));
    let long = "SELECT 1::bigint FROM pg_advisory_xact_lock(1) AS waited";
    let others = async {
        blocked(&fixture, "waited").await;
        let begun = std::time::Instant::now();
        let patience = Duration::from_millis(300);
        let second = run(&fixture, &slip(&home, NOW, key("k", 1)), patience, EFFECT).await;
        assert!(matches!(second, Err(SettleError::InProgress)), "{second:?}");
        assert!(begun.elapsed() >= patience, "{:?}", begun.elapsed());
        // Nobody else waits, and locks of the effect are waited for as long as ever.
        run(&fixture, &slip(&home, NOW, key("l", 1)), patience, EFFECT)
            .await
            .unwrap();
        fixture
            .sql
            .batch_execute("SELECT pg_advisory_unlock(1)")
            .await
            .unwrap();
    };
    let (done, ()) = futures_util::join!(run(&fixture, &first, Duration::from_millis(1), long), others);
    assert_eq!(done.unwrap(), 1);
    let third = run(&fixture, &slip(&home, NOW, key("k", 1)), PATIENT, EFFECT).await;
    assert!(matches!(third, Err(SettleError::Replayed)), "{third:?}");
    assert_eq!(fixture.effects().await, 1);
}

#[tokio::test]
async fn a_key_without_an_answer_to_keep_is_refused() {
    let (fixture, home) = Fixture::with_effects().await;
    let keyed = slip(&home, NOW, key("k", 1));
    let refused = fixture.pay(&keyed, EFFECT).await;
    assert!(
        matches!(refused, Err(SettleError::Store(StoreError::Failed(_)))),
        "{refused:?}"
    );
    assert_eq!(fixture.effects().await, 0);
}

//! Sightings of certificates, and what is remembered of them.

use std::sync::Arc;

use pharos_domain::{identity::DomainAccess, ids::RunId};
use pharos_uptime::{
    certificate::{
        Certificate, Encounter, Key, KeyAlgorithm, Presented, Sighting, Signature,
        store::{HISTORY, LastSighting, SeenCertificate},
    },
    check::Outcome,
    error_class::ErrorClass,
    finished::FinishedCheck,
};
use pharos_uptime_pg::certificates::explained;
use time::Duration;

use crate::{
    completion::{check, finished, watched},
    harness::{Fixture, NOW, after},
};

/// A sighting of the certificate of this number, which ends so many days after [`NOW`].
fn sighting(number: u32, days: i64) -> Sighting {
    let certificate = Certificate {
        valid_from: NOW - Duration::days(10),
        valid_until: NOW + Duration::days(days),
        subject_common_name: None,
        subject_alt_names: vec!["ada.example".to_owned()],
        subject_alt_names_count: 1,
        issuer_common_name: Some("E7".to_owned()),
        issuer_organization: None,
        serial_number: "01".to_owned(),
        fingerprint_sha256: format!("{number:064x}"),
        key: Key {
            algorithm: KeyAlgorithm::Ecdsa,
            bits: Some(256),
        },
        signature: Signature {
            algorithm: "ecdsa-with-SHA256".to_owned(),
            is_strong: Some(true),
        },
        is_self_issued: false,
    };
    Sighting {
        host: "ada.example".to_owned(),
        port: 443,
        encounter: Encounter::Presented {
            presented: Box::new(Presented {
                certificate: Some(certificate),
                chain: Vec::new(),
                name_matches: Some(true),
                chain_trusted: true,
                chain_complete: Some(true),
            }),
            session: None,
            hsts: None,
        },
    }
}

fn unreachable() -> Sighting {
    Sighting {
        encounter: Encounter::Unreachable {
            error_class: ErrorClass::ConnectTimeout,
        },
        ..sighting(0, 0)
    }
}

/// A check from a region, so many seconds after [`NOW`], that saw this.
fn saw(access: &DomainAccess, region: &str, second: i64, sighting: Sighting) -> FinishedCheck {
    FinishedCheck {
        sighting: Some(Arc::new(sighting)),
        ..finished(check(access, region, after(second), Outcome::Up), after(second))
    }
}

async fn store(fixture: &Fixture, batch: &[FinishedCheck]) {
    fixture.stores.schedule.complete(batch, after(0)).await.unwrap();
}

async fn last(fixture: &Fixture, access: &DomainAccess) -> Option<LastSighting> {
    let known = fixture.stores.certificates.view(access).await.unwrap();
    known.expect("a monitor").last
}

/// The number of each certificate of the history, when it was seen first and last, and when it was replaced: in seconds
/// from [`NOW`].
async fn history(fixture: &Fixture, access: &DomainAccess) -> Vec<(u32, i64, i64, Option<i64>)> {
    let seconds = |at: time::OffsetDateTime| (at - NOW).whole_seconds();
    let seen = fixture.stores.certificates.list(access).await.unwrap();
    let line = |seen: &SeenCertificate| {
        (
            u32::from_str_radix(&seen.fingerprint_sha256, 16).unwrap(),
            seconds(seen.first_seen_at),
            seconds(seen.last_seen_at),
            seen.replaced_at.map(seconds),
        )
    };
    seen.iter().map(line).collect()
}

/// PostgreSQL's own version of the domain's row: it changes with every write.
async fn version(fixture: &Fixture, access: &DomainAccess) -> String {
    let query = "SELECT xmin::text || ':' || ctid::text FROM uptime_certificates WHERE domain_id = $1";
    fixture.value(query, &[&access.id().0]).await
}

#[tokio::test]
async fn what_was_seen_last_is_kept_whole() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.ssl_warn_days = vec![20, 5]).await;
    assert_eq!(last(&fixture, &access).await, None);
    store(&fixture, &[finished(check(&access, "eu", NOW, Outcome::Up), NOW)]).await;
    assert_eq!(
        last(&fixture, &access).await,
        None,
        "that check told nothing of TLS"
    );
    store(&fixture, &[saw(&access, "eu", 60, sighting(1, 30))]).await;
    let known = fixture.stores.certificates.view(&access).await.unwrap().unwrap();
    assert_eq!(known.warn_days, [20, 5]);
    let want = LastSighting {
        sighting: sighting(1, 30),
        checked_at: after(60),
    };
    assert_eq!(known.last, Some(want));

    let home = fixture.home("eve").await;
    let other = fixture.access(&home).await;
    assert_eq!(fixture.stores.certificates.view(&other).await.unwrap(), None);
    assert_eq!(history(&fixture, &other).await, []);
}

/// Checks come every minute; a row is written when something changes, and once an hour.
#[tokio::test]
async fn what_stays_the_same_is_not_written_again_within_the_hour() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    store(&fixture, &[saw(&access, "eu", 0, sighting(1, 30))]).await;
    let first = version(&fixture, &access).await;
    for second in [60, 1_800, 3_599] {
        store(&fixture, &[saw(&access, "eu", second, sighting(1, 30))]).await;
        assert_eq!(version(&fixture, &access).await, first, "{second}");
        let shown = last(&fixture, &access).await.unwrap().checked_at;
        assert_eq!(
            shown,
            after(second),
            "the time of the last check is known all the same"
        );
    }
    assert_eq!(history(&fixture, &access).await, [(1, 0, 0, None)]);
    store(&fixture, &[saw(&access, "eu", 3_600, sighting(1, 30))]).await;
    let second = version(&fixture, &access).await;
    assert_ne!(second, first);
    assert_eq!(history(&fixture, &access).await, [(1, 0, 3_600, None)]);
    store(&fixture, &[saw(&access, "eu", 3_660, unreachable())]).await;
    assert_ne!(version(&fixture, &access).await, second);
    assert_eq!(last(&fixture, &access).await.unwrap().sighting, unreachable());
    let unchanged = [(1, 0, 3_600, None)];
    assert_eq!(
        history(&fixture, &access).await,
        unchanged,
        "nothing has replaced it"
    );
}

#[tokio::test]
async fn a_certificate_is_replaced_by_the_next_and_current_again_when_it_returns() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    store(&fixture, &[saw(&access, "eu", 0, sighting(1, 5))]).await;
    store(&fixture, &[saw(&access, "eu", 60, sighting(2, 90))]).await;
    let want = [(2, 60, 60, None), (1, 0, 0, Some(60))];
    assert_eq!(history(&fixture, &access).await, want);
    let seen = fixture.stores.certificates.list(&access).await.unwrap();
    // Five days less a minute were left.
    assert_eq!(seen[1].replaced_days_before_expiry(), Some(4));
    assert_eq!(seen[0].replaced_days_before_expiry(), None);
    assert_eq!(
        (
            seen[0].issuer_common_name.as_deref(),
            seen[0].subject_alt_names_count
        ),
        (Some("E7"), 1)
    );
    assert_eq!(
        (seen[0].valid_from, seen[0].valid_until),
        (NOW - Duration::days(10), NOW + Duration::days(90))
    );

    store(&fixture, &[saw(&access, "eu", 120, sighting(1, 5))]).await;
    let want = [(2, 60, 60, Some(120)), (1, 0, 120, None)];
    assert_eq!(history(&fixture, &access).await, want);
}

#[tokio::test]
async fn every_certificate_of_a_batch_is_remembered_and_the_latest_is_current() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.regions.push("us".to_owned())).await;
    let other = {
        let home = fixture.home("eve").await;
        let other = fixture.access(&home).await;
        fixture.monitor(&other, NOW, |_| {}).await;
        other
    };
    let batch = [
        saw(&access, "us", 3, sighting(3, 30)),
        saw(&access, "eu", 1, sighting(1, 30)),
        saw(&other, "eu", 2, sighting(1, 30)),
        saw(&access, "eu", 2, sighting(2, 30)),
        saw(&access, "us", 4, sighting(1, 30)),
        saw(&access, "us", 5, sighting(3, 30)),
    ];
    store(&fixture, &batch).await;
    let want = [(3, 3, 5, None), (2, 2, 2, Some(5)), (1, 1, 4, Some(5))];
    assert_eq!(history(&fixture, &access).await, want);
    assert_eq!(last(&fixture, &access).await.unwrap().sighting, sighting(3, 30));
    assert_eq!(history(&fixture, &other).await, [(1, 2, 2, None)]);
    // The same batch once more, as after an answer that was lost.
    store(&fixture, &batch).await;
    assert_eq!(history(&fixture, &access).await, want);
}

#[tokio::test]
async fn a_check_that_comes_too_late_changes_nothing() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.regions.push("us".to_owned())).await;
    store(&fixture, &[saw(&access, "eu", 60, sighting(2, 90))]).await;
    store(&fixture, &[saw(&access, "us", 59, sighting(1, 5))]).await;
    assert_eq!(last(&fixture, &access).await.unwrap().sighting, sighting(2, 90));
    assert_eq!(history(&fixture, &access).await, [(2, 60, 60, None)]);
}

#[tokio::test]
async fn the_repeated_check_of_a_run_changes_nothing() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let run = RunId::generate();
    for (second, number) in [(0, 1), (60, 2)] {
        let mut asked = saw(&access, "eu", second, sighting(number, 30));
        (asked.check.run_id, asked.due_at) = (Some(run), None);
        store(&fixture, &[asked]).await;
    }
    assert_eq!(history(&fixture, &access).await, [(1, 0, 0, None)]);
}

/// A server may show another certificate to every check: what is remembered of it has a bound.
#[tokio::test]
async fn the_fifty_certificates_that_were_seen_last_are_remembered() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let count = u32::try_from(HISTORY).unwrap() + 10;
    for number in 1..=count {
        let second = i64::from(number);
        store(&fixture, &[saw(&access, "eu", second, sighting(number, 30))]).await;
    }
    let kept: Vec<u32> = history(&fixture, &access)
        .await
        .iter()
        .map(|(number, ..)| *number)
        .collect();
    let want: Vec<u32> = (11..=count).rev().collect();
    assert_eq!(kept, want);
    let rows: i64 = fixture
        .value("SELECT count(*) FROM uptime_certificate_history", &[])
        .await;
    assert_eq!(rows, 50);
}

/// Fifty thousand certificates of another domain are not looked at.
#[tokio::test]
async fn the_history_is_read_by_its_primary_key() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let other = fixture.home("eve").await;
    let other = fixture.access(&other).await;
    fixture
        .sql
        .execute(
            "INSERT INTO uptime_certificate_history (domain_id, fingerprint, first_seen_at, last_seen_at, valid_from,
                                                     valid_until, names_count)
             SELECT $1, encode(sha256(n::text::bytea), 'hex'), now(), now(), now(), now(), 1
             FROM generate_series(1, 50000) AS n",
            &[&other.id().0],
        )
        .await
        .unwrap();
    store(&fixture, &[saw(&access, "eu", 0, sighting(1, 30))]).await;
    fixture
        .sql
        .batch_execute("ANALYZE uptime_certificate_history")
        .await
        .unwrap();
    let plan = explained(&fixture.database, access.id()).await.unwrap();
    assert!(plan.contains("uptime_certificate_history_pkey"), "{plan}");
    assert!(!plan.contains("Seq Scan"), "{plan}");
}

/// A clock that was a day ahead stamped the last sighting, and has been set back: what is seen now takes its place.
#[tokio::test]
async fn a_sighting_that_lies_ahead_keeps_out_none_that_comes() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    store(&fixture, &[saw(&access, "eu", 0, sighting(1, 90))]).await;
    let ahead = "UPDATE uptime_certificates SET checked_at = now() + interval '1 day'";
    fixture.sql.batch_execute(ahead).await.unwrap();
    store(&fixture, &[saw(&access, "eu", 60, sighting(2, 60))]).await;
    let last = last(&fixture, &access).await.unwrap();
    assert_eq!((last.sighting, last.checked_at), (sighting(2, 60), after(60)));
}

//! Billing cycles, against answers that were worked out by hand.

use pharos_domain::credits::LogEntry;
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::harness::{Fixture, entry};

/// Anchor, moment, and the cycle that the moment lies in.
const KNOWN: [(&str, &str, &str, &str); 30] = [
    // A plain anchor: before, at and after the edge, and the edges of the year.
    ("2026-01-15", "2026-01-15 00:00:00Z", "2026-01-15", "2026-02-15"),
    (
        "2026-01-15",
        "2026-01-15 23:59:59.999999Z",
        "2026-01-15",
        "2026-02-15",
    ),
    (
        "2026-01-15",
        "2026-02-14 23:59:59.999999Z",
        "2026-01-15",
        "2026-02-15",
    ),
    ("2026-01-15", "2026-02-15 00:00:00Z", "2026-02-15", "2026-03-15"),
    (
        "2026-01-15",
        "2026-12-31 23:59:59.999999Z",
        "2026-12-15",
        "2027-01-15",
    ),
    (
        "2026-01-15",
        "2027-01-14 23:59:59.999999Z",
        "2026-12-15",
        "2027-01-15",
    ),
    ("2026-01-15", "2027-01-15 00:00:00Z", "2027-01-15", "2027-02-15"),
    ("2026-01-01", "2026-12-31 12:00:00Z", "2026-12-01", "2027-01-01"),
    ("2025-12-31", "2026-01-01 00:00:00Z", "2025-12-31", "2026-01-31"),
    // The day is the one of UTC, wherever the moment was written down.
    (
        "2026-01-15",
        "2026-02-15 00:30:00+01:00",
        "2026-01-15",
        "2026-02-15",
    ),
    (
        "2026-01-15",
        "2026-02-14 23:30:00-01:00",
        "2026-02-15",
        "2026-03-15",
    ),
    // The 31st: 31 January, 28 February, 31 March, 30 April, 31 May.
    (
        "2026-01-31",
        "2026-02-27 23:59:59.999999Z",
        "2026-01-31",
        "2026-02-28",
    ),
    ("2026-01-31", "2026-02-28 00:00:00Z", "2026-02-28", "2026-03-31"),
    (
        "2026-01-31",
        "2026-03-30 23:59:59.999999Z",
        "2026-02-28",
        "2026-03-31",
    ),
    ("2026-01-31", "2026-03-31 00:00:00Z", "2026-03-31", "2026-04-30"),
    ("2026-01-31", "2026-04-30 00:00:00Z", "2026-04-30", "2026-05-31"),
    (
        "2026-01-31",
        "2026-05-30 23:59:59.999999Z",
        "2026-04-30",
        "2026-05-31",
    ),
    ("2026-01-31", "2026-05-31 00:00:00Z", "2026-05-31", "2026-06-30"),
    ("2026-08-31", "2027-02-28 00:00:00Z", "2027-02-28", "2027-03-31"),
    // The 31st in a leap year.
    (
        "2026-01-31",
        "2028-02-28 23:59:59.999999Z",
        "2028-01-31",
        "2028-02-29",
    ),
    ("2026-01-31", "2028-02-29 00:00:00Z", "2028-02-29", "2028-03-31"),
    // The 30th and the 29th are short in February alone.
    ("2026-01-30", "2026-02-28 00:00:00Z", "2026-02-28", "2026-03-30"),
    (
        "2026-01-30",
        "2026-03-29 23:59:59.999999Z",
        "2026-02-28",
        "2026-03-30",
    ),
    ("2026-01-30", "2028-02-29 00:00:00Z", "2028-02-29", "2028-03-30"),
    ("2026-01-29", "2026-02-28 00:00:00Z", "2026-02-28", "2026-03-29"),
    (
        "2026-01-29",
        "2028-02-28 23:59:59.999999Z",
        "2028-01-29",
        "2028-02-29",
    ),
    // Created on 29 February: each February after that ends as it does.
    ("2028-02-29", "2028-03-29 00:00:00Z", "2028-03-29", "2028-04-29"),
    ("2028-02-29", "2029-02-28 00:00:00Z", "2029-02-28", "2029-03-29"),
    (
        "2028-02-29",
        "2032-02-28 23:59:59.999999Z",
        "2032-01-29",
        "2032-02-29",
    ),
    // No leap day in 2100.
    ("2028-02-29", "2100-02-28 00:00:00Z", "2100-02-28", "2100-03-29"),
];

#[tokio::test]
async fn cycles_are_months_from_the_anchors_own_day() {
    let fixture = Fixture::new().await;
    // The time zone of a session must not matter.
    for zone in ["UTC", "Pacific/Auckland", "America/Los_Angeles"] {
        fixture
            .sql
            .batch_execute(&format!("SET TIME ZONE '{zone}'"))
            .await
            .unwrap();
        for (anchor, moment, start, end) in KNOWN {
            let query = format!(
                "SELECT (cycle_start AT TIME ZONE 'UTC')::text || ' ' || (cycle_end AT TIME ZONE 'UTC')::text
                 FROM credit_cycle('{anchor}', '{moment}')"
            );
            let cycle: String = fixture.value(&query, &[]).await;
            let known = format!("{start} 00:00:00 {end} 00:00:00");
            assert_eq!(cycle, known, "of {anchor} at {moment}");
        }
    }
}

/// Whatever the anchor (a leap winter has all kinds), each week of ten years lies in one cycle, and cycles follow one another without a gap.
#[tokio::test]
async fn every_moment_lies_in_its_cycle_and_cycles_have_no_gap() {
    let fixture = Fixture::new().await;
    let broken: i64 = fixture
        .value(
            "SELECT count(*)
             FROM generate_series('2027-11-01'::date, '2028-03-31', '1 day') AS anchor
             CROSS JOIN generate_series('2027-01-01Z'::timestamptz, '2037-01-01Z', '7 days 5 hours') AS at
             CROSS JOIN LATERAL credit_cycle(anchor::date, at) AS c
             CROSS JOIN LATERAL credit_cycle(anchor::date, c.cycle_end) AS next
             WHERE NOT (c.cycle_start <= at AND at < c.cycle_end AND next.cycle_start = c.cycle_end)",
            &[],
        )
        .await;
    assert_eq!(broken, 0);
}

#[tokio::test]
async fn a_workspace_has_its_balance_from_its_first_moment() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let first: String = fixture
        .value(
            "SELECT cycle_start::date || ' ' || cycle_end::date || ' ' || used FROM credit_balances WHERE workspace_id = $1",
            &[&home.workspace.0],
        )
        .await;
    assert_eq!(first, "2026-03-31 2026-04-30 0");
    let next = [entry(&home, 7, datetime!(2026-04-30 00:00 UTC))];
    fixture.stores.ledger.settle(&next, false).await.unwrap();
    let second: String = fixture
        .value(
            "SELECT cycle_start::date || ' ' || cycle_end::date || ' ' || used FROM credit_balances",
            &[],
        )
        .await;
    assert_eq!(second, "2026-04-30 2026-05-31 7");
}

/// The use that the balance says, the sum of the rows of its cycle, and whether the cycle is the present one.
async fn present(fixture: &Fixture) -> (i64, i64, bool) {
    let row = fixture
        .sql
        .query_one(
            "SELECT b.used, sum(l.cost)::bigint, b.cycle_start <= now() AND now() < b.cycle_end
             FROM credit_balances AS b
             JOIN credit_log AS l ON l.workspace_id = b.workspace_id
                 AND l.occurred_at >= b.cycle_start AND l.occurred_at < b.cycle_end
             GROUP BY b.used, b.cycle_start, b.cycle_end",
            &[],
        )
        .await
        .unwrap();
    (row.get(0), row.get(1), row.get(2))
}

/// Whether a look into a commit that was not answered finds the charge, wherever it was moved.
async fn is_found(fixture: &Fixture, charge: &LogEntry) -> bool {
    let find = include_str!("../../crates/persistence/src/metering/find_row.sql");
    let at = std::time::SystemTime::from(charge.occurred_at);
    fixture
        .value(find, &[&charge.workspace_id.0, &charge.request_id.0, &at])
        .await
}

#[tokio::test]
async fn a_clock_past_the_end_of_a_cycle_does_not_end_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let ledger = &fixture.stores.ledger;
    let now = OffsetDateTime::now_utc();
    ledger.settle(&[entry(&home, 7, now)], false).await.unwrap();
    let ahead = [entry(&home, 3, now + Duration::days(40))];
    for again in [false, true] {
        ledger.settle(&ahead, again).await.unwrap();
        assert_eq!(present(&fixture).await, (10, 10, true));
    }
    assert!(is_found(&fixture, &ahead[0]).await);
    ledger.settle(&[entry(&home, 1, now)], false).await.unwrap();
    assert_eq!(present(&fixture).await, (11, 11, true));
}

/// The clock of a whole machine, its database included, was a year ahead, and has been set back.
#[tokio::test]
async fn a_cycle_that_lies_ahead_ends_with_what_was_charged_in_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let ledger = &fixture.stores.ledger;
    let now = OffsetDateTime::now_utc();
    let charges = [entry(&home, 7, now), entry(&home, 5, now)];
    ledger.settle(&charges, false).await.unwrap();
    fixture
        .sql
        .batch_execute(
            "UPDATE credit_balances SET cycle_start = cycle_start + interval '1 year',
                 cycle_end = cycle_end + interval '1 year', used = 5;
             UPDATE credit_member_usage SET cycle_start = cycle_start + interval '1 year', used = 5;
             UPDATE credit_log SET occurred_at = occurred_at + interval '1 year' WHERE cost = 5",
        )
        .await
        .unwrap();
    let ahead = LogEntry {
        occurred_at: charges[1].occurred_at + Duration::days(365),
        ..charges[1].clone()
    };
    ledger.settle(&[entry(&home, 2, now)], false).await.unwrap();
    assert_eq!(present(&fixture).await, (14, 14, true));
    assert!(is_found(&fixture, &ahead).await);
    // It is not charged again either.
    ledger.settle(&[ahead], true).await.unwrap();
    assert_eq!(present(&fixture).await, (14, 14, true));
    let used: i64 = fixture
        .value("SELECT u.used FROM credit_member_usage AS u JOIN credit_balances USING (workspace_id, cycle_start)", &[])
        .await;
    assert_eq!(used, 7);
}

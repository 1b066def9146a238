//! Limits an hour, for callers who are not known yet.

use std::sync::Arc;

use futures_util::future::join_all;
use pharos_domain::hourly_limit::{HourlyAdmission, HourlyLimit, HourlyRequest};
use time::{Duration, OffsetDateTime};

use super::{Backing, NOON};
use crate::harness::on_every_backing;

on_every_backing!(Backing:
    an_hour_lets_its_ceiling_through_and_says_when_to_come_again,
    subjects_and_limits_are_counted_apart,
    a_weight_counts_as_so_many,
    thirty_two_tasks_share_one_ceiling_exactly,
    what_a_clock_counted_that_was_a_day_ahead_limits_nobody_once_it_is_back,
    an_hour_s_keys_lapse,
);

const LIMIT: HourlyLimit = HourlyLimit {
    name: "test",
    per_hour: 20,
};

async fn ask(backing: &Backing, subject: &str, weight: u32, now: OffsetDateTime) -> Option<u32> {
    ask_for(backing, LIMIT, subject, weight, now).await
}

/// `None`: admitted; else in how many seconds to come again.
async fn ask_for(
    backing: &Backing,
    limit: HourlyLimit,
    subject: &str,
    weight: u32,
    now: OffsetDateTime,
) -> Option<u32> {
    let request = HourlyRequest {
        limit,
        subject: subject.as_bytes(),
        weight,
        now,
    };
    match backing.limiter.admit_hourly(&request).await {
        HourlyAdmission::Admitted => None,
        HourlyAdmission::Refused { retry_after_seconds } => Some(retry_after_seconds),
    }
}

async fn an_hour_lets_its_ceiling_through_and_says_when_to_come_again(backing: &Backing) {
    for _ in 0..20 {
        assert_eq!(ask(backing, "a", 1, NOON).await, None);
    }
    // One of twenty leaves after a twentieth of the next hour.
    assert_eq!(ask(backing, "a", 1, NOON).await, Some(3_600 + 180));
    let then = NOON + Duration::seconds(3_600 + 180);
    assert_eq!(ask(backing, "a", 1, then - Duration::SECOND).await, Some(1));
    assert_eq!(ask(backing, "a", 1, then).await, None);
    assert!(ask(backing, "a", 1, then).await.is_some(), "one, and no more");
}

async fn subjects_and_limits_are_counted_apart(backing: &Backing) {
    let other = HourlyLimit {
        name: "other",
        ..LIMIT
    };
    for _ in 0..20 {
        assert_eq!(ask(backing, "a", 1, NOON).await, None);
    }
    assert!(ask(backing, "a", 1, NOON).await.is_some());
    assert_eq!(ask(backing, "b", 1, NOON).await, None);
    assert_eq!(ask_for(backing, other, "a", 1, NOON).await, None);
}

async fn a_weight_counts_as_so_many(backing: &Backing) {
    for _ in 0..9 {
        assert_eq!(ask(backing, "a", 2, NOON).await, None);
    }
    assert!(ask(backing, "a", 3, NOON).await.is_some());
    assert_eq!(
        ask(backing, "a", 2, NOON).await,
        None,
        "what was refused was not counted"
    );
    assert!(ask(backing, "a", 1, NOON).await.is_some());
}

async fn thirty_two_tasks_share_one_ceiling_exactly(backing: &Backing) {
    let limiter = &backing.limiter;
    let tasks = (0..32).map(|_| {
        let limiter = Arc::clone(limiter);
        tokio::spawn(async move {
            let request = HourlyRequest {
                limit: LIMIT,
                subject: b"a",
                weight: 1,
                now: NOON,
            };
            limiter.admit_hourly(&request).await == HourlyAdmission::Admitted
        })
    });
    let admitted = join_all(tasks).await;
    assert_eq!(
        admitted.into_iter().filter(|one| *one.as_ref().unwrap()).count(),
        20
    );
}

async fn what_a_clock_counted_that_was_a_day_ahead_limits_nobody_once_it_is_back(backing: &Backing) {
    let tomorrow = NOON + Duration::DAY;
    assert_eq!(ask(backing, "a", 20, tomorrow).await, None);
    for hours in 0..3 {
        let now = NOON + Duration::hours(2 * hours);
        assert_eq!(ask(backing, "a", 20, now).await, None, "{hours}");
        assert!(ask(backing, "a", 1, now).await.is_some());
    }
}

async fn an_hour_s_keys_lapse(backing: &Backing) {
    ask(backing, "a", 1, NOON).await;
    for (key, lives) in backing.keys() {
        assert!((1..=7_200).contains(&lives), "{key} {lives}");
        assert!(!key.contains(":a"), "the subject is hashed: {key}");
    }
}

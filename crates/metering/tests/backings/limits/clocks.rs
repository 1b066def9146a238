//! Clocks that go back, differ between nodes, or were wrong by far.

use pharos_http::metering::LimitBucket;
use time::{Duration, macros::datetime};

use super::{Backing, CHEAP, Client, HEAVY, NOON, RUN, noon_and};
use crate::harness::on_every_backing;

on_every_backing!(Backing:
    a_clock_that_is_a_little_behind_counts_in_the_present_slice,
    a_clock_that_was_far_ahead_is_forgotten,
    days_are_not_moved_back_by_a_clock_that_is_behind,
    a_permit_from_the_far_future_is_free,
    the_ends_of_time_are_times,
);

async fn a_clock_that_is_a_little_behind_counts_in_the_present_slice(backing: &Backing) {
    let client = Client::new();
    for _ in 0..10 {
        backing.admit(client, &RUN, noon_and(30, 0)).await;
    }
    for _ in 0..10 {
        backing.admit(client, &RUN, NOON).await;
    }
    // Whoever is behind waits by his own clock until the slice leaves that it was counted in.
    assert_eq!(backing.refuse(client, &RUN, NOON).await.retry_after_seconds, 90);
    assert_eq!(
        backing
            .refuse(client, &RUN, noon_and(30, 0))
            .await
            .retry_after_seconds,
        60
    );
    backing.refuse(client, &RUN, noon_and(-25, 0)).await;
    assert_eq!(backing.exhaust(client, &RUN, noon_and(90, 0)).await.0, 20);
}

async fn a_clock_that_was_far_ahead_is_forgotten(backing: &Backing) {
    let client = Client::new();
    backing.exhaust(client, &RUN, NOON + Duration::days(3_650)).await;
    assert_eq!(backing.exhaust(client, &RUN, NOON).await.0, 20);
    // Just more than a minute is far.
    let client = Client::new();
    backing.exhaust(client, &RUN, noon_and(65, 0)).await;
    assert_eq!(backing.exhaust(client, &RUN, NOON).await.0, 20);
}

async fn days_are_not_moved_back_by_a_clock_that_is_behind(backing: &Backing) {
    let client = Client::new();
    let midnight = NOON + Duration::hours(12);
    let mut now = midnight;
    for _ in 0..100 {
        backing.count(client, 500, now).await;
        now += Duration::MINUTE;
    }
    // An hour before midnight it is still the new day that is used up; it ends in 25 hours.
    let behind = backing.refuse(client, &CHEAP, midnight - Duration::HOUR).await;
    assert_eq!(
        (behind.bucket, behind.retry_after_seconds),
        (LimitBucket::CredentialDaily, 25 * 3_600)
    );
    assert_eq!(
        backing.refuse(client, &CHEAP, now).await.bucket,
        LimitBucket::CredentialDaily
    );
    // Two days before, the clock that used it up was wrong.
    backing.admit(client, &CHEAP, midnight - Duration::days(2)).await;
}

async fn a_permit_from_the_far_future_is_free(backing: &Backing) {
    let client = Client::new();
    let mut slots = Vec::new();
    for _ in 0..5 {
        slots.push(backing.admit(client, &HEAVY, NOON + Duration::days(1)).await.1);
    }
    for _ in 0..5 {
        slots.push(backing.admit(client, &HEAVY, NOON).await.1);
    }
    backing.refuse(client, &HEAVY, NOON).await;
}

async fn the_ends_of_time_are_times(backing: &Backing) {
    let client = Client::new();
    for now in [
        datetime!(1960-01-01 00:00:03 UTC),
        datetime!(9999-12-31 23:59:59.999 UTC),
        datetime!(0001-01-01 00:00:00 UTC),
        NOON,
    ] {
        assert_eq!(backing.exhaust(client, &RUN, now).await.0, 20, "{now}");
        assert_eq!(backing.refuse(client, &RUN, now).await.bucket, LimitBucket::Run);
    }
}

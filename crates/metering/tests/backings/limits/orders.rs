//! Which bucket refuses, which one the headers show, and that a refusal takes nothing.

use pharos_http::metering::{LimitBucket, Standing};
use time::Duration;

use super::{Backing, CHEAP, Client, HEAVY, NOON, RUM, RUN, noon_and};
use crate::harness::on_every_backing;

on_every_backing!(Backing:
    the_standing_is_that_of_the_bucket_with_the_least_remaining,
    a_rum_read_is_never_shown,
    the_tighter_bucket_refuses_first,
    the_minute_refuses_before_the_day,
    a_refused_request_takes_nothing_from_any_bucket,
    an_empty_bucket_shows_when_the_present_slice_would_leave,
);

const RESET: i64 = NOON.unix_timestamp() + 60;

async fn the_standing_is_that_of_the_bucket_with_the_least_remaining(backing: &Backing) {
    let client = Client::new();
    let shown = |limit, remaining| Standing {
        limit,
        remaining,
        reset: RESET,
    };
    assert_eq!(backing.admit(client, &CHEAP, NOON).await.0, shown(600, 599));
    assert_eq!(backing.admit(client, &HEAVY, NOON).await.0, shown(120, 119));
    assert_eq!(backing.admit(client, &RUN, NOON).await.0, shown(20, 19));
    // A run does not count among heavy queries, nor is it shown where it does not count.
    assert_eq!(backing.admit(client, &HEAVY, NOON).await.0, shown(120, 118));
    assert_eq!(backing.admit(client, &CHEAP, NOON).await.0, shown(600, 595));
    // Until less is left in general than in the other.
    backing.count(client, 500, NOON).await;
    assert_eq!(backing.admit(client, &HEAVY, NOON).await.0, shown(600, 94));
    assert_eq!(backing.admit(client, &RUN, NOON).await.0, shown(20, 18));
}

async fn a_rum_read_is_never_shown(backing: &Backing) {
    let client = Client::new();
    let (standing, _) = backing.admit(client, &RUM, NOON).await;
    assert_eq!((standing.limit, standing.remaining), (120, 119));
    let (admitted, refusal) = backing.exhaust(client, &RUM, NOON).await;
    assert_eq!((admitted, refusal.bucket), (19, LimitBucket::RumRead));
    assert_eq!((refusal.standing.limit, refusal.standing.remaining), (120, 100));
}

async fn the_tighter_bucket_refuses_first(backing: &Backing) {
    let client = Client::new();
    // RUM reads of one route and then of anything: both buckets would refuse the route.
    backing.exhaust(client, &RUM, NOON).await;
    backing.exhaust(client, &HEAVY, NOON).await;
    assert_eq!(
        backing.refuse(client, &RUM, NOON).await.bucket,
        LimitBucket::RumRead
    );
    assert_eq!(
        backing.refuse(client, &HEAVY, NOON).await.bucket,
        LimitBucket::HeavyQuery
    );
    // And general besides.
    backing.exhaust(client, &CHEAP, NOON).await;
    assert_eq!(
        backing.refuse(client, &HEAVY, NOON).await.bucket,
        LimitBucket::HeavyQuery
    );
    assert_eq!(
        backing.refuse(client, &RUN, NOON).await.bucket,
        LimitBucket::General
    );
}

async fn the_minute_refuses_before_the_day(backing: &Backing) {
    let client = Client::new();
    let mut now = NOON;
    for _ in 0..98 {
        backing.count(client, 500, now).await;
        now += Duration::MINUTE;
    }
    backing.count(client, 400, now).await;
    now += Duration::MINUTE;
    // 600 are left of the day, and of the minute.
    backing.count(client, 600, now).await;
    let refusal = backing.refuse(client, &CHEAP, now).await;
    assert_eq!(
        (refusal.bucket, refusal.retry_after_seconds),
        (LimitBucket::General, 60)
    );
    let refusal = backing.refuse(client, &CHEAP, now + Duration::MINUTE).await;
    assert_eq!(refusal.bucket, LimitBucket::CredentialDaily);
}

async fn a_refused_request_takes_nothing_from_any_bucket(backing: &Backing) {
    // By its run bucket: what is left of general and both days is what it was.
    let client = Client::new();
    backing.exhaust(client, &RUN, NOON).await;
    for _ in 0..100 {
        backing.refuse(client, &RUN, NOON).await;
    }
    assert_eq!(backing.admit(client, &CHEAP, NOON).await.0.remaining, 579);

    // By rum-read: neither heavy-query nor general of a credential that had nothing to do with it.
    backing.exhaust(client, &RUM, NOON).await;
    let other = client.another();
    for _ in 0..100 {
        backing.refuse(other, &RUM, NOON).await;
    }
    assert_eq!(backing.admit(other, &HEAVY, NOON).await.0.remaining, 119);

    // By general: not from the run bucket of a later minute, in which the requests before it still count.
    let client = Client::new();
    backing.exhaust(client, &CHEAP, NOON).await;
    for _ in 0..100 {
        backing.refuse(client, &RUN, noon_and(30, 0)).await;
    }
    assert_eq!(backing.exhaust(client, &RUN, noon_and(60, 0)).await.0, 20);
}

async fn an_empty_bucket_shows_when_the_present_slice_would_leave(backing: &Backing) {
    let client = Client::new();
    backing.exhaust(client, &RUM, NOON).await;
    let refusal = backing.refuse(client.another(), &RUM, noon_and(7, 0)).await;
    assert_eq!(
        (refusal.bucket, refusal.retry_after_seconds),
        (LimitBucket::RumRead, 53)
    );
    let untouched = Standing {
        limit: 120,
        remaining: 120,
        reset: noon_and(65, 0).unix_timestamp(),
    };
    assert_eq!(refusal.standing, untouched);
}

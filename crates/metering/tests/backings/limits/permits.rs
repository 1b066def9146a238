//! Five heavy queries of a credential at once.

use std::{thread, time::Duration as Span};

use futures_util::future::{join_all, poll_immediate};
use pharos_http::metering::{Admission, LimitBucket};
use pharos_metering::limits::policy::Limits;
use tokio::{
    runtime::{Builder, Runtime},
    task::yield_now,
    time::{Instant, sleep},
};

use super::{Backing, CHEAP, Client, HEAVY, NOON, RUM, noon_and};
use crate::harness::on_every_backing;

on_every_backing!(Backing:
    a_sixth_heavy_query_waits_for_one_of_five,
    a_permit_is_free_after_a_minute_whether_it_was_given_back_or_not,
    a_permit_that_went_to_another_is_not_given_back_twice,
    what_is_refused_takes_no_permit,
    sixty_four_heavy_queries_at_once_get_five_permits,
    an_eleventh_heavy_query_of_a_workspace_waits_whoever_asks,
    permits_of_a_workspace_are_free_after_a_minute,
);

/// Asks until a permit is free, which in Redis it is a moment after it was given back.
async fn admitted_soon(backing: &Backing, client: Client, now: time::OffsetDateTime) -> Admission {
    let begun = Instant::now();
    loop {
        let admission = backing.limiter.admit(&client.asks(&HEAVY, now)).await;
        if matches!(admission, Admission::Admitted { .. }) || begun.elapsed() > Span::from_secs(30) {
            return admission;
        }
        sleep(Span::from_millis(1)).await;
    }
}

/// Takes all five permits.
async fn take_all(backing: &Backing, client: Client) -> Vec<Admission> {
    let mut taken = Vec::new();
    for _ in 0..5 {
        let admission = admitted_soon(backing, client, NOON).await;
        assert!(matches!(admission, Admission::Admitted { .. }), "{admission:?}");
        taken.push(admission);
    }
    taken
}

async fn a_sixth_heavy_query_waits_for_one_of_five(backing: &Backing) {
    let client = Client::new();
    let mut permits = Vec::new();
    for _ in 0..5 {
        permits.push(backing.admit(client, &HEAVY, NOON).await.1);
    }
    let refusal = backing.refuse(client, &HEAVY, NOON).await;
    assert_eq!(
        (refusal.bucket, refusal.retry_after_seconds),
        (LimitBucket::HeavyQueriesAtOnce, 1)
    );
    // Healthy, which tells it from the ceiling of the minute.
    assert_eq!((refusal.standing.limit, refusal.standing.remaining), (120, 115));
    // Others, and other operations, have nothing to do with it.
    backing.admit(client, &CHEAP, NOON).await;
    backing.admit(client.another(), &HEAVY, NOON).await;
    // A RUM read is a heavy query.
    assert_eq!(
        backing.refuse(client, &RUM, NOON).await.bucket,
        LimitBucket::HeavyQueriesAtOnce
    );

    permits.pop();
    let admission = admitted_soon(backing, client, NOON).await;
    assert!(matches!(admission, Admission::Admitted { .. }), "{admission:?}");
    backing.refuse(client, &HEAVY, NOON).await;
}

async fn an_eleventh_heavy_query_of_a_workspace_waits_whoever_asks(backing: &Backing) {
    let first = Client::new();
    let (second, third) = (first.another(), first.another());
    let mut permits = take_all(backing, first).await;
    permits.extend(take_all(backing, second).await);
    let refusal = backing.refuse(third, &HEAVY, NOON).await;
    assert_eq!(
        (refusal.bucket, refusal.retry_after_seconds),
        (LimitBucket::WorkspaceHeavyQueriesAtOnce, 1)
    );
    // Its own cap is told first, and nothing of a refusal is counted.
    assert_eq!(
        backing.refuse(first, &HEAVY, NOON).await.bucket,
        LimitBucket::HeavyQueriesAtOnce
    );
    assert_eq!(refusal.standing.remaining, 120);
    // Other workspaces, and other operations, have nothing to do with it.
    backing.admit(Client::new(), &HEAVY, NOON).await;
    backing.admit(third, &CHEAP, NOON).await;

    permits.pop();
    let admission = admitted_soon(backing, third, NOON).await;
    assert!(matches!(admission, Admission::Admitted { .. }), "{admission:?}");
    backing.refuse(third, &HEAVY, NOON).await;
}

async fn permits_of_a_workspace_are_free_after_a_minute(backing: &Backing) {
    let client = Client::new();
    let mut permits = take_all(backing, client).await;
    permits.extend(take_all(backing, client.another()).await);
    let other = client.another();
    backing.refuse(other, &HEAVY, noon_and(59, 999)).await;
    let (_, permit) = backing.admit(other, &HEAVY, noon_and(60, 0)).await;
    drop((permit, permits));
}

async fn a_permit_is_free_after_a_minute_whether_it_was_given_back_or_not(backing: &Backing) {
    let client = Client::new();
    let mut permits = Vec::new();
    for at in 0..5 {
        permits.push(backing.admit(client, &HEAVY, noon_and(at, 0)).await.1);
    }
    backing.refuse(client, &HEAVY, noon_and(59, 999)).await;
    permits.push(backing.admit(client, &HEAVY, noon_and(60, 0)).await.1);
    backing.refuse(client, &HEAVY, noon_and(60, 999)).await;
    permits.push(backing.admit(client, &HEAVY, noon_and(61, 0)).await.1);
}

async fn a_permit_that_went_to_another_is_not_given_back_twice(backing: &Backing) {
    let client = Client::new();
    let mut late = Vec::new();
    for _ in 0..5 {
        late.push(backing.admit(client, &HEAVY, NOON).await.1);
    }
    let mut permits = Vec::new();
    for _ in 0..5 {
        permits.push(backing.admit(client, &HEAVY, noon_and(60, 0)).await.1);
    }
    drop(late);
    sleep(Span::from_millis(100)).await;
    backing.refuse(client, &HEAVY, noon_and(60, 0)).await;
}

async fn what_is_refused_takes_no_permit(backing: &Backing) {
    let client = Client::new();
    backing.exhaust(client, &RUM, NOON).await;
    for _ in 0..20 {
        backing.refuse(client, &RUM, NOON).await;
    }
    take_all(backing, client).await;
}

async fn sixty_four_heavy_queries_at_once_get_five_permits(backing: &Backing) {
    let client = Client::new();
    let request = client.asks(&HEAVY, NOON);
    let asked = (0..64).map(|_| backing.limiter.admit(&request));
    let admissions = join_all(asked).await;
    let admitted = admissions
        .iter()
        .filter(|admission| matches!(admission, Admission::Admitted { .. }));
    assert_eq!(admitted.count(), 5);
}

/// As a node has them: the runtime that watches Redis, and one of a thread that serves requests.
fn runtimes() -> (Runtime, Runtime) {
    let shared = Builder::new_multi_thread().enable_all().build().unwrap();
    let worker = Builder::new_current_thread().enable_all().build().unwrap();
    (shared, worker)
}

/// Until this thread has a connection of its own, and Redis knows the scripts: from then on commands arrive in order.
pub(super) async fn settle_in(backing: &Backing) {
    drop(backing.admit(Client::new(), &HEAVY, NOON).await);
    sleep(Span::from_secs(2)).await;
}

/// Whoever sends the next query once the last one is answered, on five connections, has never six under way.
#[test]
fn in_redis_a_permit_is_free_before_its_thread_reads_the_next_request() {
    let (shared, worker) = runtimes();
    let limits = Limits {
        general: u16::MAX,
        heavy_queries: u16::MAX,
        ..Limits::default()
    };
    let backing = shared.block_on(Backing::in_redis_with(limits));
    let client = Client::new();
    worker.block_on(async {
        settle_in(&backing).await;
        join_all((0..5).map(async |connection| {
            for query in 0..400 {
                match backing.limiter.admit(&client.asks(&HEAVY, NOON)).await {
                    Admission::Admitted { permit, .. } => drop(permit),
                    other => panic!("query {query} of connection {connection}: {other:?}"),
                }
                yield_now().await;
            }
        }))
        .await;
    });
}

#[test]
fn in_redis_permits_are_given_back_where_the_thread_that_held_them_ends() {
    let (shared, worker) = runtimes();
    let backing = shared.block_on(Backing::in_redis());
    let client = Client::new();
    let taken = worker.block_on(take_all(&backing, client));
    thread::spawn(|| drop(taken)).join().unwrap();

    let taken = worker.block_on(take_all(&backing, client));
    worker.block_on(async { drop(taken) });
    // Before it has sent anything.
    drop(worker);
    shared.block_on(take_all(&backing, client));
}

#[tokio::test]
async fn in_redis_a_permit_is_free_again_where_a_request_ends_before_the_reply() {
    let backing = Backing::in_redis().await;
    settle_in(&backing).await;
    let client = Client::new();
    let request = client.asks(&HEAVY, NOON);
    for _ in 0..5 {
        let mut admission = backing.limiter.admit(&request);
        assert!(poll_immediate(&mut admission).await.is_none());
        // Redis is asked, and has counted it, when this thread goes on.
        yield_now().await;
        thread::sleep(Span::from_millis(10));
    }
    let _taken = take_all(&backing, client).await;
    backing.refuse(client, &HEAVY, NOON).await;
}

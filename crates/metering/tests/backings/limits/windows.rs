//! Every bucket's ceiling, and when what was counted counts no more.

use std::sync::Arc;

use pharos_domain::ids::WorkspaceId;
use pharos_http::{
    metering::{Admission, LimitBucket, Standing},
    spec::OperationSpec,
};
use time::Duration;

use super::{Backing, CHEAP, Client, HEAVY, NOON, OTHER_RUM, RUM, RUN, noon_and};
use crate::harness::on_every_backing;

on_every_backing!(Backing:
    each_bucket_of_a_minute_lets_its_ceiling_through,
    rum_reads_are_counted_by_route_and_network,
    a_minute_is_twelve_slices,
    slices_leave_one_by_one,
    a_minute_that_nobody_came_in_is_empty,
    sixty_four_tasks_share_one_ceiling_exactly,
    two_credentials_are_counted_apart,
    a_day_of_a_credential_lets_its_ceiling_through_and_ends_at_midnight,
    a_day_of_a_workspace_is_shared_by_its_credentials,
);

async fn each_bucket_of_a_minute_lets_its_ceiling_through(backing: &Backing) {
    for (spec, ceiling, bucket) in [
        (&CHEAP as &'static OperationSpec, 600, LimitBucket::General),
        (&HEAVY, 120, LimitBucket::HeavyQuery),
        (&RUN, 20, LimitBucket::Run),
        (&RUM, 20, LimitBucket::RumRead),
        (&OTHER_RUM, 15, LimitBucket::RumRead),
    ] {
        let (admitted, refusal) = backing.exhaust(Client::new(), spec, NOON).await;
        assert_eq!((admitted, refusal.bucket), (ceiling, bucket), "{}", spec.id);
        assert_eq!(refusal.retry_after_seconds, 60, "{}", spec.id);
    }
}

async fn rum_reads_are_counted_by_route_and_network(backing: &Backing) {
    let client = Client::new().at("2001:db8:1:2::1");
    assert_eq!(backing.exhaust(client, &RUM, NOON).await.0, 20);
    // The same route: a neighbour in the same /64, and another credential.
    assert_eq!(
        backing
            .refuse(client.at("2001:db8:1:2:ffff::9"), &RUM, NOON)
            .await
            .bucket,
        LimitBucket::RumRead
    );
    assert_eq!(
        backing.refuse(client.another(), &RUM, NOON).await.bucket,
        LimitBucket::RumRead
    );
    // Another network, and another route.
    backing.admit(client.at("2001:db8:1:3::1"), &RUM, NOON).await;
    assert_eq!(backing.exhaust(client, &OTHER_RUM, NOON).await.0, 15);
}

async fn a_minute_is_twelve_slices(backing: &Backing) {
    let client = Client::new();
    // At the end of a slice, so that the whole of it leaves a moment after 55 s.
    let (admitted, refusal) = backing.exhaust(client, &RUN, noon_and(4, 999)).await;
    assert_eq!((admitted, refusal.retry_after_seconds), (20, 56));
    assert_eq!(refusal.standing.reset, noon_and(60, 0).unix_timestamp());
    let refusal = backing.refuse(client, &RUN, noon_and(59, 999)).await;
    assert_eq!(
        (refusal.bucket, refusal.retry_after_seconds),
        (LimitBucket::Run, 1)
    );
    let (standing, _) = backing.admit(client, &RUN, noon_and(60, 0)).await;
    assert_eq!(standing.remaining, 19);
    assert_eq!(standing.reset, noon_and(120, 0).unix_timestamp());
}

async fn slices_leave_one_by_one(backing: &Backing) {
    let client = Client::new();
    for (at, times) in [(0, 3), (7, 5), (30, 4), (59, 8)] {
        for _ in 0..times {
            backing.admit(client, &RUN, noon_and(at, 0)).await;
        }
    }
    for (at, wait) in [(59, 1), (60, 5)] {
        if at == 60 {
            // The three of the first slice have left.
            for _ in 0..3 {
                backing.admit(client, &RUN, noon_and(at, 0)).await;
            }
        }
        let refusal = backing.refuse(client, &RUN, noon_and(at, 0)).await;
        assert_eq!(refusal.retry_after_seconds, wait, "at {at}");
    }
    // Those of the second slice leave when it is a minute old, and no earlier.
    backing.refuse(client, &RUN, noon_and(64, 999)).await;
    let (standing, _) = backing.admit(client, &RUN, noon_and(65, 0)).await;
    let expected = Standing {
        limit: 20,
        remaining: 4,
        // The oldest are now those that came after half a minute.
        reset: noon_and(90, 0).unix_timestamp(),
    };
    assert_eq!(standing, expected);
    // After another minute only the one before still counts.
    let (standing, _) = backing.admit(client, &RUN, noon_and(124, 999)).await;
    assert_eq!(standing.remaining, 18);
}

async fn a_minute_that_nobody_came_in_is_empty(backing: &Backing) {
    for pause in [60, 61, 119, 120, 86_399] {
        let client = Client::new();
        backing.exhaust(client, &RUN, NOON).await;
        let (standing, _) = backing.admit(client, &RUN, noon_and(pause, 0)).await;
        assert_eq!(standing.remaining, 19, "after {pause} s");
        // Nor does anything come back from before the pause.
        let (standing, _) = backing.admit(client, &RUN, noon_and(pause + 5, 0)).await;
        assert_eq!(standing.remaining, 18, "after {pause} s");
    }
}

async fn sixty_four_tasks_share_one_ceiling_exactly(backing: &Backing) {
    for (spec, ceiling) in [(&CHEAP as &'static OperationSpec, 600), (&RUN, 20)] {
        let client = Client::new();
        let tasks: Vec<_> = (0..64)
            .map(|task| {
                let limiter = Arc::clone(&backing.limiter);
                tokio::spawn(async move {
                    let mut admitted = 0;
                    for turn in 0..20 {
                        // Across two slices, so that the minute moves on in the midst of it.
                        let now = noon_and((task + turn) % 2 * 5, 0);
                        let admission = limiter.admit(&client.asks(spec, now)).await;
                        admitted += u32::from(matches!(admission, Admission::Admitted { .. }));
                    }
                    admitted
                })
            })
            .collect();
        let mut admitted = 0;
        for task in tasks {
            admitted += task.await.unwrap();
        }
        assert_eq!(admitted, ceiling, "{}", spec.id);
    }
}

async fn two_credentials_are_counted_apart(backing: &Backing) {
    let client = Client::new();
    backing.exhaust(client, &RUN, NOON).await;
    assert_eq!(backing.exhaust(client.another(), &RUN, NOON).await.0, 20);
}

async fn a_day_of_a_credential_lets_its_ceiling_through_and_ends_at_midnight(backing: &Backing) {
    let client = Client::new();
    let mut now = NOON;
    for _ in 0..100 {
        backing.count(client, 500, now).await;
        now += Duration::MINUTE;
    }
    let refusal = backing
        .refuse(client, &CHEAP, now + Duration::milliseconds(1))
        .await;
    assert_eq!(refusal.bucket, LimitBucket::CredentialDaily);
    let midnight = NOON + Duration::hours(12);
    let expected = Standing {
        limit: 50_000,
        remaining: 0,
        reset: midnight.unix_timestamp(),
    };
    assert_eq!(refusal.standing, expected);
    assert_eq!(
        i64::from(refusal.retry_after_seconds),
        (midnight - now).whole_seconds()
    );
    let last = backing
        .refuse(client, &CHEAP, midnight - Duration::milliseconds(1))
        .await;
    assert_eq!(last.retry_after_seconds, 1);
    // The day is new, and the minute is the least again.
    let (standing, _) = backing.admit(client, &CHEAP, midnight).await;
    assert_eq!((standing.limit, standing.remaining), (600, 599));
}

async fn a_day_of_a_workspace_is_shared_by_its_credentials(backing: &Backing) {
    let workspace = Some(WorkspaceId::generate());
    let clients: Vec<_> = (0..5)
        .map(|_| Client {
            workspace,
            ..Client::new()
        })
        .collect();
    let mut now = NOON;
    for _ in 0..80 {
        for client in &clients {
            backing.count(*client, 500, now).await;
        }
        now += Duration::MINUTE;
    }
    for client in &clients {
        // Each has done 40,000 of its 50,000.
        let refusal = backing.refuse(*client, &CHEAP, now).await;
        assert_eq!(refusal.bucket, LimitBucket::WorkspaceDaily);
        assert_eq!((refusal.standing.limit, refusal.standing.remaining), (200_000, 0));
    }
    // Another workspace has its own, and a request that is about none has no such ceiling.
    for workspace in [Some(WorkspaceId::generate()), None] {
        let elsewhere = Client {
            workspace,
            ..clients[0]
        };
        backing.admit(elsewhere, &CHEAP, now).await;
    }
    let midnight = NOON + Duration::hours(12);
    backing.admit(clients[0], &CHEAP, midnight).await;
}

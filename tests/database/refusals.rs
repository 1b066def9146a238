//! Refused requests: how many of a workspace are kept, and for how long.

use std::sync::Arc;

use pharos_account::refusals::RefusalStore;
use pharos_domain::{
    identity::{Source, WorkspaceAccess},
    ids::{CredentialId, RequestId, WorkspaceId},
    problem::Suffix,
    refusals::{MOST_OF_A_WORKSPACE, RefusalWriter, RefusedRequest},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::harness::{Fixture, Home, NOW, after};

fn refused(workspace_id: WorkspaceId, second: i64) -> RefusedRequest {
    RefusedRequest {
        request_id: RequestId::generate(),
        at: after(second),
        workspace_id,
        credential_id: CredentialId(Uuid::nil()),
        operation: Some("listDomains"),
        problem: Suffix::InsufficientScope,
        about: Some("read:domains"),
        source: Source("2001:db8::1".parse().ok()),
    }
}

fn ports(fixture: &Fixture) -> (Arc<dyn RefusalWriter>, Arc<dyn RefusalStore>) {
    let ports = &fixture.stores.ports;
    (ports.get().unwrap(), ports.get().unwrap())
}

/// The way of its owner into the workspace.
async fn access(fixture: &Fixture, home: &Home) -> WorkspaceAccess {
    WorkspaceAccess::open_all(&fixture.identity(home).await).remove(0)
}

#[tokio::test]
async fn the_last_ones_of_each_workspace_are_kept_whatever_comes_of_others() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let (writer, store) = ports(&fixture);
    let first = refused(bob.workspace, 0);
    let flood: Vec<RefusedRequest> = (1..=500).map(|second| refused(ada.workspace, second)).collect();
    // One of a workspace that is gone keeps none of the others out, and what was written before stays as it is.
    let gone = refused(WorkspaceId::generate(), 1);
    writer.keep(&[first, gone]).await.unwrap();
    writer
        .keep(&[&[first][..], &flood[..300]].concat())
        .await
        .unwrap();
    let (one, other) = tokio::join!(writer.keep(&flood[300..400]), writer.keep(&flood[400..]));
    one.unwrap();
    other.unwrap();
    writer.keep(&[]).await.unwrap();

    let of_ada = store.list(&access(&fixture, &ada).await).await.unwrap();
    assert_eq!(of_ada.len(), MOST_OF_A_WORKSPACE);
    assert!(of_ada.is_sorted_by(|one, next| one.at > next.at));
    assert_eq!(of_ada[0].at, after(500));
    let of_bob = store.list(&access(&fixture, &bob).await).await.unwrap();
    let [kept] = &of_bob[..] else {
        panic!("one of bob's: {of_bob:?}");
    };
    assert_eq!((kept.request_id, kept.at), (first.request_id, NOW));
    assert_eq!(kept.problem, "insufficient-scope");
    assert_eq!(kept.about.as_deref(), Some("read:domains"));
    assert_eq!(kept.source, first.source.0);
}

#[tokio::test]
async fn a_node_whose_clock_is_ahead_hides_no_later_ones() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (writer, store) = ports(&fixture);
    let now = OffsetDateTime::now_utc();
    let ahead = |_| RefusedRequest {
        at: now + Duration::days(1),
        ..refused(home.workspace, 0)
    };
    let early: Vec<RefusedRequest> = (0..MOST_OF_A_WORKSPACE).map(ahead).collect();
    writer.keep(&early).await.unwrap();
    let late = RefusedRequest {
        at: OffsetDateTime::now_utc() + Duration::HOUR,
        ..refused(home.workspace, 0)
    };
    writer.keep(&[late]).await.unwrap();
    let kept = store.list(&access(&fixture, &home).await).await.unwrap();
    assert_eq!(kept[0].request_id, late.request_id);
    assert!(kept.iter().all(|one| one.at < now + Duration::HOUR));
}

#[tokio::test]
async fn they_are_forgotten_after_seven_days() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (writer, _) = ports(&fixture);
    writer.keep(&[refused(home.workspace, 0)]).await.unwrap();
    // Upkeep goes by the database's clock where a node's is ahead of it.
    for (age, left) in [("6 days 23 hours", 1_i64), ("7 days 1 minute", 0)] {
        let aged = format!("UPDATE refused_requests SET at = now() - interval '{age}'");
        fixture.sql.batch_execute(&aged).await.unwrap();
        fixture
            .database
            .maintain(OffsetDateTime::now_utc())
            .await
            .unwrap();
        let kept: i64 = fixture.value("SELECT count(*) FROM refused_requests", &[]).await;
        assert_eq!(kept, left, "{age}");
    }
}

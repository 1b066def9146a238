//! Asking the nodes whether they know of a change.

use std::time::Duration;

use futures_util::future::join_all;
use pharos_domain::switches::Switch;
use tokio::time::sleep;

use crate::harness::{Ear, Fixture, NOW, actor};

/// A node that is played by hand.
async fn node(fixture: &Fixture) -> (Ear, String) {
    let ear = Ear::open(fixture.test.url()).await;
    let name = "SET application_name = 'pharos listener'";
    ear.client.batch_execute(name).await.unwrap();
    let pid: i32 = ear
        .client
        .query_one("SELECT pg_backend_pid()", &[])
        .await
        .unwrap()
        .get(0);
    (ear, pid.to_string())
}

/// The channel of the next question; what is told of changes meanwhile is passed over.
async fn question(ear: &mut Ear) -> String {
    loop {
        if let Some(channel) = ear.next().await.strip_prefix("ack:") {
            return channel.to_owned();
        }
    }
}

async fn throw(fixture: &Fixture, thrown: bool) {
    let switches = &fixture.stores.switches;
    switches
        .set(Switch::ReadOnlyMode, thrown, &actor(), NOW)
        .await
        .unwrap();
}

/// However many wait for a node: PostgreSQL has few connections to give.
#[tokio::test]
async fn changes_at_once_are_announced_over_one_connection() {
    let fixture = Fixture::new().await;
    // It answers nobody, so that all of them wait.
    let (mute, _) = node(&fixture).await;
    let mut most = 0;
    let changes = join_all((0..20).map(|round| throw(&fixture, round % 2 == 0)));
    let looks = async {
        loop {
            let open: i64 = fixture
                .value(
                    "SELECT count(*) FROM pg_stat_activity
                     WHERE datname = current_database() AND application_name = 'pharos announcement'",
                    &[],
                )
                .await;
            most = most.max(open);
            sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        _ = changes => {}
        () = looks => {}
    }
    // PostgreSQL may still be ending the connection of one question when that of the next is there.
    assert!((1..=2).contains(&most), "{most}");
    drop(mute);
}

/// A change that is committed while a question is under way needs one that was asked later: the node may have answered
/// the first before it heard of the change.
#[tokio::test]
async fn an_answer_to_an_earlier_question_vouches_for_nothing() {
    let fixture = Fixture::new().await;
    let (mut ear, pid) = node(&fixture).await;
    let answer = async |client: &tokio_postgres::Client, channel: &str| {
        let notify = format!("NOTIFY {channel}, '{pid}'");
        client.batch_execute(&notify).await.unwrap();
    };
    let (one, other) = (throw(&fixture, true), throw(&fixture, false));
    tokio::pin!(one, other);
    let first = tokio::select! {
        channel = question(&mut ear) => channel,
        () = &mut one => panic!("before it was acknowledged"),
    };
    let both = async { tokio::join!(&mut one, &mut other) };
    tokio::pin!(both);
    // Committed, as its notification tells; the first question is still unanswered.
    let told = tokio::select! {
        told = ear.next() => told,
        _ = &mut both => panic!("before it was acknowledged"),
    };
    assert_eq!(told, "switches");
    answer(&ear.client, &first).await;
    let second = tokio::select! {
        channel = question(&mut ear) => channel,
        _ = &mut both => panic!("the second before it was acknowledged"),
    };
    assert_ne!(first, second);
    // Once more to the first.
    answer(&ear.client, &first).await;
    tokio::select! {
        () = sleep(Duration::from_millis(300)) => {}
        _ = &mut both => panic!("the second by an answer to the first"),
    }
    answer(&ear.client, &second).await;
    both.await;
}

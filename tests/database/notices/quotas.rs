//! quota_warning: each threshold of each allowance is told once a cycle.

use std::time::Duration;

use pharos_alerting::severity::Severity;
use pharos_domain::{
    credits::{LogEntry, Slip},
    ids::UserId,
    notification_type::NotificationType,
    role::Role,
};
use serde_json::{Value, json};
use time::macros::datetime;
use tokio::time::timeout;

use crate::{
    charged::EFFECT,
    committers::holding,
    harness::{Fixture, Home, NOW, actor, entry},
    purse::{by_hand, settled},
    retries::blocked,
};

/// The scope and the percentage of each warning.
async fn warned(fixture: &Fixture, home: &Home) -> Vec<(String, i64)> {
    let told = fixture.told(home, NotificationType::QuotaWarning).await;
    let of = |data: &Value| {
        let scope = data["scope"].as_str().unwrap().to_owned();
        (scope, data["percent"].as_i64().unwrap())
    };
    told.iter().map(|told| of(&told.data)).collect()
}

fn workspace(percent: i64) -> (String, i64) {
    ("workspace".to_owned(), percent)
}

fn member(percent: i64) -> (String, i64) {
    ("member".to_owned(), percent)
}

fn by(home: &Home, user: UserId, cost: u32) -> LogEntry {
    LogEntry {
        user_id: user,
        ..entry(home, cost, NOW)
    }
}

#[tokio::test]
async fn a_workspace_is_warned_when_80_and_when_100_percent_are_used() {
    let fixture = Fixture::new().await;
    let (home, other) = (fixture.home("ada").await, fixture.home("eve").await);
    fixture.grant(&home, 100).await;
    for (cost, want) in [
        (79, vec![]),
        (0, vec![]),
        (1, vec![workspace(80)]),
        (1, vec![workspace(80)]),
        (18, vec![workspace(80)]),
        (1, vec![workspace(80), workspace(100)]),
        (0, vec![workspace(80), workspace(100)]),
        // It is refused.
        (1, vec![workspace(80), workspace(100)]),
    ] {
        fixture
            .settle(&[entry(&home, cost, NOW), entry(&other, 5, NOW)])
            .await;
        assert_eq!(warned(&fixture, &home).await, want);
    }
    assert_eq!(warned(&fixture, &other).await, []);

    let told = fixture.told(&home, NotificationType::QuotaWarning).await;
    let [first, second] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(
        (&*first.severity, &*first.title, &*first.body),
        (
            "warning",
            "80 % of this cycle's credits are used",
            "80 of 100 credits are used; the next cycle begins on 2026-04-30."
        )
    );
    assert_eq!(
        (&*second.severity, &*second.title, &*second.body),
        (
            "critical",
            "100 % of this cycle's credits are used",
            "100 of 100 credits are used; the next cycle begins on 2026-04-30. Until then calls that cost credits are \
             refused."
        )
    );
    let data = json!({
        "scope": "workspace", "user_id": null, "percent": 80, "used": 80, "limit": 100, "resets_on": "2026-04-30",
    });
    assert_eq!(first.data, data);
    assert_eq!(first.module.as_deref(), Some("credits"));
    let path = format!("/credits?workspace_id={}", home.workspace);
    assert_eq!(first.resource_path, Some(path));
    assert!(!first.is_of_domain);
}

#[tokio::test]
async fn of_two_thresholds_in_one_batch_the_higher_is_told() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    let batch = [
        entry(&home, 50, NOW),
        entry(&home, 30, NOW),
        entry(&home, 20, NOW),
    ];
    assert_eq!(fixture.settle(&batch).await, vec![settled(0); 3]);
    assert_eq!(warned(&fixture, &home).await, [workspace(100)]);
}

/// A threshold that is no whole number is reached with the credit after it.
#[tokio::test]
async fn a_threshold_is_rounded_up() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 7).await;
    fixture.settle(&[entry(&home, 5, NOW)]).await;
    assert_eq!(warned(&fixture, &home).await, [], "71 %");
    fixture.settle(&[entry(&home, 1, NOW)]).await;
    assert_eq!(warned(&fixture, &home).await, [workspace(80)], "86 %");
    let crossed = "SELECT quota_crossed($1, $2, $3)";
    for (before, after, allowance, want) in [
        (0, 1, 1, Some(100)),
        (0, 3, 4, None),
        (0, 4, 5, Some(80)),
        (0, i64::MAX - 1, i64::MAX, Some(80)),
        (i64::MAX - 1, i64::MAX, i64::MAX, Some(100)),
        (0, 0, 0, None),
        (7, 9, 0, None),
    ] {
        let percent: Option<i32> = fixture.value(crossed, &[&before, &after, &allowance]).await;
        assert_eq!(percent, want, "{before} to {after} of {allowance}");
    }
}

#[tokio::test]
async fn a_member_s_cap_is_told_though_the_workspace_has_plenty() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    fixture.cap(&home, bob, Some(10)).await;
    for (user, cost, want) in [
        (bob, 7, vec![]),
        (home.owner, 50, vec![]),
        (bob, 1, vec![member(80)]),
        (bob, 1, vec![member(80)]),
        (bob, 2, vec![member(80)]),
        (bob, 1, vec![member(80), member(100)]),
    ] {
        fixture.settle(&[by(&home, user, cost)]).await;
        assert_eq!(warned(&fixture, &home).await, want);
    }
    let told = fixture.told(&home, NotificationType::QuotaWarning).await;
    assert_eq!(told[0].title, "80 % of the credits that bob may use are used");
    let data = json!({
        "scope": "member", "user_id": bob, "percent": 80, "used": 8, "limit": 10, "resets_on": "2026-04-30",
    });
    assert_eq!(told[0].data, data);
}

#[tokio::test]
async fn one_charge_may_use_up_the_workspace_s_credits_and_the_member_s() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    fixture.grant(&home, 10).await;
    fixture.cap(&home, bob, Some(5)).await;
    fixture.settle(&[entry(&home, 5, NOW), by(&home, bob, 4)]).await;
    assert_eq!(warned(&fixture, &home).await, [workspace(80), member(80)]);
}

#[tokio::test]
async fn a_new_cycle_warns_again() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    fixture.cap(&home, home.owner, Some(90)).await;
    fixture.settle(&[entry(&home, 85, NOW)]).await;
    assert_eq!(warned(&fixture, &home).await, [workspace(80), member(80)]);
    let edge = datetime!(2026-04-30 00:00 UTC);
    fixture.settle(&[entry(&home, 85, edge)]).await;
    let want = [workspace(80), workspace(80), member(80), member(80)];
    let mut both = warned(&fixture, &home).await;
    both.sort_by(|one, other| other.cmp(one));
    assert_eq!(both, want);
    let told = fixture.told(&home, NotificationType::QuotaWarning).await;
    let last = told.last().unwrap();
    assert_eq!(
        (&last.data["used"], &last.data["resets_on"]),
        (&json!(85), &json!("2026-05-31"))
    );
}

/// The first charge of a cycle is judged by what is used in it, though all of the last one was used.
#[tokio::test]
async fn a_cycle_that_was_used_up_keeps_the_next_from_nothing() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    fixture.settle(&[entry(&home, 100, NOW)]).await;
    let edge = datetime!(2026-04-30 00:00 UTC);
    fixture.settle(&[entry(&home, 85, edge)]).await;
    let mut both = warned(&fixture, &home).await;
    both.sort();
    assert_eq!(both, [workspace(80), workspace(100)]);
}

#[tokio::test]
async fn a_batch_that_is_settled_again_warns_once() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    fixture.cap(&home, home.owner, Some(100)).await;
    let batch = [entry(&home, 40, NOW), entry(&home, 40, NOW)];
    fixture.settle(&batch).await;
    let once = [workspace(80), member(80)];
    assert_eq!(warned(&fixture, &home).await, once);
    let again = async |batch: &[LogEntry]| fixture.stores.ledger.settle(batch, true).await.unwrap();
    for _ in 0..2 {
        assert_eq!(again(&batch).await, vec![settled(20); 2]);
        assert_eq!(warned(&fixture, &home).await, once);
    }
    // Only the entry that the first attempt had not settled counts.
    let [one, other] = batch;
    assert_eq!(
        again(&[one, other, entry(&home, 19, NOW)]).await,
        vec![settled(1); 3]
    );
    assert_eq!(warned(&fixture, &home).await, once);
}

/// The first attempt never arrived.
#[tokio::test]
async fn a_batch_that_is_settled_by_the_second_attempt_warns() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    let batch = [entry(&home, 80, NOW)];
    let second = fixture.stores.ledger.settle(&batch, true).await;
    assert_eq!(second.unwrap(), [settled(20)]);
    assert_eq!(warned(&fixture, &home).await, [workspace(80)]);
}

#[tokio::test]
async fn nobody_is_warned_of_an_allowance_of_nothing() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    fixture.cap(&home, bob, Some(0)).await;
    fixture.settle(&[by(&home, bob, 0), by(&home, bob, 1)]).await;
    fixture.grant(&home, 0).await;
    fixture
        .settle(&[entry(&home, 0, NOW), entry(&home, 1, NOW)])
        .await;
    assert_eq!(warned(&fixture, &home).await, []);
}

/// Only charges warn.
#[tokio::test]
async fn a_smaller_plan_warns_nobody_of_what_was_used_before_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 1_000).await;
    fixture.settle(&[entry(&home, 90, NOW)]).await;
    fixture.grant(&home, 100).await;
    fixture.settle(&[entry(&home, 1, NOW)]).await;
    assert_eq!(warned(&fixture, &home).await, []);
    fixture.settle(&[entry(&home, 9, NOW)]).await;
    assert_eq!(warned(&fixture, &home).await, [workspace(100)]);
}

/// A write is charged in the transaction of its effect, and so is its warning.
#[tokio::test]
async fn a_write_warns_and_one_that_is_rolled_back_does_not() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture.grant(&home, 100).await;
    let pay = async |cost| {
        let slip = Slip::new(entry(&home, cost, NOW), None);
        fixture.pay(&slip, EFFECT).await.unwrap()
    };
    pay(79).await;
    let late = by_hand(&[entry(&home, 1, NOW)], false);
    fixture
        .sql
        .batch_execute(&format!("BEGIN; {late}; ROLLBACK"))
        .await
        .unwrap();
    assert_eq!(warned(&fixture, &home).await, []);
    pay(1).await;
    assert_eq!(warned(&fixture, &home).await, [workspace(80)]);
}

#[tokio::test]
async fn a_warning_goes_to_the_channels_that_want_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    fixture.channel(&home, "all", Severity::Info).await;
    fixture.channel(&home, "worst", Severity::Critical).await;
    fixture.settle(&[entry(&home, 80, NOW)]).await;
    assert_eq!(
        (fixture.queued("all").await, fixture.queued("worst").await),
        (1, 0)
    );
    fixture.settle(&[entry(&home, 20, NOW)]).await;
    assert_eq!(
        (fixture.queued("all").await, fixture.queued("worst").await),
        (2, 1)
    );
}

/// The operator holds the workspace and waits for its balance, whoever charges holds the balance and looks whether the
/// workspace is there.
#[tokio::test]
async fn a_warning_and_a_change_of_the_plan_do_not_wait_for_each_other() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 100).await;
    let charging = holding(&fixture, &home).await;
    let admin = &fixture.stores.workspace_admin;
    let change = async {
        admin
            .set_plan(home.workspace, "default", &actor(), NOW)
            .await
            .unwrap();
    };
    let charge = async {
        blocked(&fixture, "UPDATE \"workspaces\"").await;
        let charge = by_hand(&[entry(&home, 80, NOW)], false);
        let charged = timeout(Duration::from_secs(5), charging.batch_execute(&charge)).await;
        charged.expect("it does not wait").unwrap();
        charging.batch_execute("COMMIT").await.unwrap();
    };
    futures_util::join!(change, charge);
    assert_eq!(warned(&fixture, &home).await, [workspace(80)]);
}

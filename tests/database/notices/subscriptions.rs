//! subscription: an operator changed the plan of a workspace, or the state of its subscription.

use pharos_domain::{identity::SubscriptionStatus, notification_type::NotificationType};
use serde_json::json;

use crate::harness::{Fixture, NOW, actor, plan};

#[tokio::test]
async fn another_plan_is_told_and_the_same_is_not() {
    let fixture = Fixture::new().await;
    let (home, other) = (fixture.home("ada").await, fixture.home("eve").await);
    fixture
        .stores
        .plans
        .put(&plan("small"), &actor(), NOW)
        .await
        .unwrap();
    let admin = &fixture.stores.workspace_admin;
    for key in ["default", "small", "small"] {
        admin.set_plan(home.workspace, key, &actor(), NOW).await.unwrap();
    }
    admin
        .set_plan(home.workspace, "none", &actor(), NOW)
        .await
        .unwrap_err();
    let told = fixture.told(&home, NotificationType::Subscription).await;
    let [told] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(
        (&*told.severity, &*told.title, &*told.body),
        (
            "info",
            "The workspace is on the plan \u{201c}Small\u{201d} now",
            "It grants 1,000 credits a cycle. Credits that were used in this cycle stay used."
        )
    );
    let data = json!({ "plan": "small", "previous_plan": "default", "credits_per_cycle": 1_000 });
    assert_eq!(told.data, data);
    assert_eq!(
        told.resource_path,
        Some(format!("/workspaces/{}", home.workspace))
    );
    let theirs = fixture.told(&other, NotificationType::Subscription).await;
    assert_eq!(theirs.len(), 0, "{theirs:?}");
}

#[tokio::test]
async fn a_subscription_that_no_longer_lets_write_is_a_warning() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let admin = &fixture.stores.workspace_admin;
    for status in [
        SubscriptionStatus::Active,
        SubscriptionStatus::PastDue,
        SubscriptionStatus::PastDue,
        SubscriptionStatus::Active,
    ] {
        admin
            .set_subscription(home.workspace, status, &actor(), NOW)
            .await
            .unwrap();
    }
    let told = fixture.told(&home, NotificationType::Subscription).await;
    let mut severities: Vec<&str> = told.iter().map(|told| &*told.severity).collect();
    severities.sort_unstable();
    assert_eq!(severities, ["info", "warning"]);
    let warning = told.iter().find(|told| told.severity == "warning").unwrap();
    assert_eq!(
        warning.data,
        json!({ "subscription_status": "past_due", "previous_subscription_status": "active" })
    );
}

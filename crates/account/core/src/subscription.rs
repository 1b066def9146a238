//! How the people of a workspace are told of its subscription.

use pharos_domain::{
    figure, identity::SubscriptionStatus, ids::WorkspaceId, notice::NewNotice,
    notification_type::NotificationType, severity::Severity,
};
use serde_json::{Value, json};
use time::OffsetDateTime;

/// Another plan of a workspace.
#[derive(Clone, Copy, Debug)]
pub struct PlanChange<'a> {
    /// The key of the plan.
    pub key: &'a str,
    /// The name of the plan.
    pub name: &'a str,
    /// The credits that it grants a cycle.
    pub credits_per_cycle: i64,
    /// The key of the plan before it.
    pub previous: &'a str,
}

/// The workspace is on another plan.
#[must_use]
pub fn plan_notice(workspace: WorkspaceId, change: &PlanChange<'_>, now: OffsetDateTime) -> NewNotice {
    let PlanChange {
        key,
        name,
        credits_per_cycle,
        previous,
    } = change;
    let body = format!(
        "It grants {} credits a cycle. Credits that were used in this cycle stay used.",
        figure::count(*credits_per_cycle)
    );
    let data = json!({ "plan": key, "previous_plan": previous, "credits_per_cycle": credits_per_cycle });
    let title = format!("The workspace is on the plan \u{201c}{name}\u{201d} now");
    notice(workspace, Severity::Info, title, body, data, now)
}

/// The subscription is in another state.
#[must_use]
pub fn status_notice(
    workspace: WorkspaceId,
    status: SubscriptionStatus,
    previous: &str,
    now: OffsetDateTime,
) -> NewNotice {
    let title = match status {
        SubscriptionStatus::Trialing => "The workspace is on trial",
        SubscriptionStatus::Active => "The subscription is active",
        SubscriptionStatus::PastDue => "A payment of the subscription is late",
        SubscriptionStatus::Canceled => "The subscription was canceled",
        SubscriptionStatus::Expired => "The subscription ran out",
    };
    let (severity, body) = if status.is_writable() {
        (Severity::Info, "Everything that the plan has works.")
    } else {
        (
            Severity::Warning,
            "The API still reads; what changes or starts something is refused until the subscription is active.",
        )
    };
    let data = json!({ "subscription_status": status, "previous_subscription_status": previous });
    notice(workspace, severity, title.to_owned(), body.to_owned(), data, now)
}

fn notice(
    workspace: WorkspaceId,
    severity: Severity,
    title: String,
    body: String,
    data: Value,
    at: OffsetDateTime,
) -> NewNotice {
    NewNotice {
        workspace,
        domain: None,
        kind: NotificationType::Subscription,
        severity,
        module: None,
        title,
        body,
        data,
        resource_path: Some(format!("/workspaces/{workspace}")),
        at,
    }
}

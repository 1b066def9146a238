//! The faults of all domains at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Findings, ToolContext, arguments::Arguments};
use crate::api::{Answer, Call, CallError};

/// How many domains are asked for their state.
const MOST_DOMAINS: usize = 25;
/// How many alerts are looked through for open ones, which is a page of the API, and how many are told where no more are open.
const LOOKED_THROUGH: usize = 1_000;
const ALERTS: usize = 20;
/// How many operations are asked at once. None of them is a heavy query.
const AT_ONCE: usize = 8;

pub(super) const OPERATIONS: &[&str] = &[
    "listAlertHistory",
    "listNotifications",
    "listDomains",
    "getUptimeStatus",
];
/// The parts of the result that are answers as they are.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("alerts", "listAlertHistory"),
    ("notifications", "listNotifications"),
];
/// Without the domains nothing is known of what is watched.
pub(super) const NEEDED: &[&str] = &["listDomains"];

/// Asks for alerts, notifications and the state of each domain that is watched.
pub(super) async fn ask(context: &ToolContext<'_>, _arguments: &Arguments) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    let alerts = Call::of(context.operation("listAlertHistory")?);
    let alerts = alerts.with("limit", LOOKED_THROUGH.to_string());
    let notifications = Call::of(context.operation("listNotifications")?)
        .with("limit", "20")
        .with("unread", "true");
    let domains = Call::of(context.operation("listDomains")?);
    let calls = vec![Ok(alerts), Ok(notifications), Ok(domains)];
    let mut answers = context.ask_all(calls, AT_ONCE).await.into_iter();
    let mut open = BTreeSet::new();
    if let Some(alerts) = answers.next() {
        if let Ok(alerts) = &alerts {
            open = with_open_alerts(&alerts.body);
            if alerts.body["has_more"] == true {
                let told = format!(
                    "The newest {LOOKED_THROUGH} alerts were looked through for open ones; `call_operation` of listAlertHistory has older ones."
                );
                findings.add_own("alerts_looked_through", json!(told));
            }
        }
        findings.add("alerts", "listAlertHistory", alerts.map(open_first));
    }
    if let Some(notifications) = answers.next() {
        findings.add("notifications", "listNotifications", notifications);
    }
    match answers.next() {
        Some(Ok(domains)) => {
            findings.spent(&domains);
            states(context, &domains.body, &open, &mut findings).await?;
        }
        Some(refused) => findings.add("domains", "listDomains", refused),
        None => {}
    }
    Ok(findings)
}

/// All that are not resolved, and the newest of the others as far as there is room. Among themselves they stay in order.
fn open_first(mut alerts: Answer) -> Answer {
    if let Some(items) = alerts.body.get_mut("items").and_then(Value::as_array_mut) {
        let is_over = |alert: &Value| !alert["resolved_at"].is_null();
        items.sort_by_key(is_over);
        let open = items.partition_point(|alert| !is_over(alert));
        items.truncate(open.max(ALERTS));
    }
    alerts
}

/// The states that are not `up` come first; among themselves they stay in order.
fn unhealthy_first(states: &mut [Value]) {
    states.sort_by_key(|state| state["state"] == "up");
}

/// The ids of the domains that have an alert which is not resolved.
fn with_open_alerts(alerts: &Value) -> BTreeSet<String> {
    let alerts = alerts["items"].as_array().into_iter().flatten();
    alerts
        .filter(|alert| alert["resolved_at"].is_null())
        .filter_map(|alert| alert["domain_id"].as_str().map(str::to_owned))
        .collect()
}

/// The domains that are watched, those with an open alert first.
fn watched<'a>(all: &[&'a Value], open: &BTreeSet<String>) -> Vec<&'a Value> {
    let is_watched = |domain: &Value| {
        let modules = domain["active_modules"].as_array();
        modules.is_some_and(|modules| modules.iter().any(|module| module == "uptime"))
    };
    let mut watched: Vec<&Value> = all.iter().copied().filter(|domain| is_watched(domain)).collect();
    watched.sort_by_key(|domain| !domain["id"].as_str().is_some_and(|id| open.contains(id)));
    watched
}

async fn states(
    context: &ToolContext<'_>,
    domains: &Value,
    open: &BTreeSet<String>,
    findings: &mut Findings,
) -> Result<(), CallError> {
    let status = context.operation("getUptimeStatus")?;
    let all: Vec<&Value> = domains["items"].as_array().into_iter().flatten().collect();
    let mut asked = watched(&all, open);
    let in_all = asked.len();
    asked.truncate(MOST_DOMAINS);
    if asked.len() < in_all {
        let told = format!(
            "{MOST_DOMAINS} of {in_all} watched domains were asked, those with open alerts first; `uptime` tells of the others."
        );
        findings.add_own("domains_asked", json!(told));
    }
    let calls = asked
        .iter()
        .map(|domain| {
            let id = domain["id"].as_str().unwrap_or_default();
            Ok(Call::of(status).with("domain_id", id))
        })
        .collect();
    let mut states = Vec::new();
    for (domain, answer) in asked.iter().zip(context.ask_all(calls, AT_ONCE).await) {
        let told = match answer {
            Ok(answer) => {
                findings.spent(&answer);
                let body = answer.body;
                json!({
                    "domain": domain["domain"],
                    "domain_id": domain["id"],
                    "state": body["state"],
                    "state_since": body["state_since"],
                    "open_incident_id": body["open_incident_id"],
                    "last_error_message": body["last_error_message"],
                    "uptime_24h_pct": body["uptime_24h_pct"],
                    "ssl_days_remaining": body["ssl_days_remaining"],
                    "domain_days_remaining": body["domain_days_remaining"],
                })
            }
            Err(error) => json!({
                "domain": domain["domain"],
                "domain_id": domain["id"],
                "state": null,
                "unavailable": error.told(),
            }),
        };
        states.push(told);
    }
    unhealthy_first(&mut states);
    let told = json!({ "domains_in_reach": all.len(), "watched": states });
    findings.add_value("domains", told);
    findings.made_of("/domains/watched/*", "getUptimeStatus", "");
    findings.made_of("/domains/watched/*/domain", "listDomains", "/items/*/domain");
    findings.made_of("/domains/watched/*/domain_id", "listDomains", "/items/*/id");
    Ok(())
}

/// The price when all domains are watched.
pub(super) fn most_credits(price: impl Fn(&str) -> u64) -> u64 {
    let once: u64 = OPERATIONS[..3].iter().map(|id| price(id)).sum();
    once + MOST_DOMAINS as u64 * price("getUptimeStatus")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_alerts_come_first_however_old_they_are() {
        let alert = |id: usize| {
            let is_open = matches!(id, 3 | 60);
            let resolved_at = (!is_open).then_some("2026-03-31T09:15:00Z");
            json!({ "id": id, "resolved_at": resolved_at })
        };
        let answer = |count: usize| Answer {
            body: json!({ "items": (0..count).map(alert).collect::<Vec<Value>>() }),
            cost: 1,
            remaining: None,
        };
        let ids = |answer: Answer| -> Vec<u64> {
            let items = answer.body["items"].as_array().unwrap().clone();
            items.iter().map(|alert| alert["id"].as_u64().unwrap()).collect()
        };
        let told = ids(open_first(answer(100)));
        assert_eq!(told.len(), ALERTS);
        assert_eq!(told[..5], [3, 60, 0, 1, 2]);
        assert_eq!(ids(open_first(answer(4))), [3, 0, 1, 2]);
        let all_open: Vec<Value> = (0..50)
            .map(|id| json!({ "id": id, "resolved_at": null }))
            .collect();
        let all_open = Answer {
            body: json!({ "items": all_open }),
            cost: 1,
            remaining: None,
        };
        assert_eq!(ids(open_first(all_open)).len(), 50);
    }

    #[test]
    fn unhealthy_domains_are_told_first() {
        let mut states: Vec<Value> = ["up", "down", "paused", "up", "degraded"]
            .map(|state| json!({ "state": state }))
            .into();
        states.push(json!({ "state": null }));
        unhealthy_first(&mut states);
        let order: Vec<&Value> = states.iter().map(|state| &state["state"]).collect();
        assert_eq!(
            order,
            [
                &json!("down"),
                &json!("paused"),
                &json!("degraded"),
                &Value::Null,
                &json!("up"),
                &json!("up")
            ]
        );
    }

    #[test]
    fn domains_with_open_alerts_are_asked_first() {
        let domain = |id: &str, module: &str| json!({ "id": id, "active_modules": [module] });
        let all = [
            domain("a", "uptime"),
            domain("b", "rum"),
            domain("c", "uptime"),
            domain("d", "uptime"),
        ];
        let open = with_open_alerts(&json!({ "items": [
            { "domain_id": "d", "resolved_at": null },
            { "domain_id": "c", "resolved_at": "2026-03-31T09:15:00Z" },
        ] }));
        let all: Vec<&Value> = all.iter().collect();
        let ids: Vec<&Value> = watched(&all, &open)
            .into_iter()
            .map(|domain| &domain["id"])
            .collect();
        assert_eq!(ids, ["d", "a", "c"]);
    }
}

//! The faults of all domains at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Findings, ToolContext, arguments::Arguments};
use crate::api::{Answer, Call, CallError, HEAVY_AT_ONCE};

/// How many domains are asked for their state.
const MOST_DOMAINS: usize = 25;
/// How many are asked for the health of their modules, which costs more.
const MOST_HEALTH: usize = 5;
/// How many alerts are looked through for open ones, which is a page of the API, and how many are told where no more are open.
const LOOKED_THROUGH: usize = 1_000;
const ALERTS: usize = 20;
/// How many of the newest notifications are looked through for the gravest, and how many are told.
const NOTIFICATIONS_LOOKED_THROUGH: usize = 100;
const NOTIFICATIONS: usize = 20;
/// How many operations are asked at once that are no heavy queries.
const AT_ONCE: usize = 8;

pub(super) const OPERATIONS: &[&str] = &[
    "listAlertHistory",
    "listNotifications",
    "listDomains",
    "getUptimeStatus",
    "getDomainHealth",
];
/// The parts of the result that are answers as they are.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("alerts", "listAlertHistory"),
    ("notifications", "listNotifications"),
];
/// Without the domains nothing is known of what is watched.
pub(super) const NEEDED: &[&str] = &["listDomains"];

/// Asks for alerts, notifications, the state of each domain that is watched, and the modules of some that are not well.
pub(super) async fn ask(context: &ToolContext<'_>, _arguments: &Arguments) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    let alerts = Call::of(context.operation("listAlertHistory")?);
    let alerts = alerts.with("limit", LOOKED_THROUGH.to_string());
    let notifications = Call::of(context.operation("listNotifications")?)
        .with("limit", NOTIFICATIONS_LOOKED_THROUGH.to_string())
        .with("unread", "true");
    let domains = Call::of(context.operation("listDomains")?);
    let calls = vec![Ok(alerts), Ok(notifications), Ok(domains)];
    let mut answers = context.ask_all(calls, AT_ONCE).await.into_iter();
    let (mut open, mut told) = (BTreeSet::new(), BTreeSet::new());
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
        let alerts = alerts.map(open_first);
        if let Ok(alerts) = &alerts {
            told = ids(&alerts.body);
        }
        findings.add("alerts", "listAlertHistory", alerts);
    }
    if let Some(notifications) = answers.next() {
        findings.add(
            "notifications",
            "listNotifications",
            notifications.map(|notifications| gravest_first(notifications, &told)),
        );
    }
    match answers.next() {
        Some(Ok(domains)) => {
            findings.spent(&domains);
            let down = states(context, &domains.body, &open, &mut findings).await?;
            health(context, &domains.body, &down, &open, &mut findings).await?;
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

/// The ids of alerts.
fn ids(alerts: &Value) -> BTreeSet<String> {
    let alerts = alerts["items"].as_array().into_iter().flatten();
    alerts
        .filter_map(|alert| alert["id"].as_str().map(str::to_owned))
        .collect()
}

/// Critical ones, then warnings, as far as there is room. Among themselves they stay in order. Nothing is wrong where one is only
/// information, and the alerts in `told` are told already.
fn gravest_first(mut notifications: Answer, told: &BTreeSet<String>) -> Answer {
    if let Some(items) = notifications.body.get_mut("items").and_then(Value::as_array_mut) {
        items.retain(|notification| {
            let is_told = notification["alert_id"]
                .as_str()
                .is_some_and(|id| told.contains(id));
            notification["severity"] != "info" && !is_told
        });
        items.sort_by_key(|notification| notification["severity"] != "critical");
        items.truncate(NOTIFICATIONS);
    }
    // It would go on behind those that were looked through, and not behind those that are told.
    if let Some(members) = notifications.body.as_object_mut() {
        members.remove("next_cursor");
        members.remove("has_more");
    }
    notifications
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
    put_first(&mut watched, open);
    watched
}

/// The domains with these ids come first; among themselves they stay in order, and so do the others.
fn put_first(domains: &mut [&Value], ids: &BTreeSet<String>) {
    domains.sort_by_key(|domain| !domain["id"].as_str().is_some_and(|id| ids.contains(id)));
}

/// The domains that are down come first, then those with an open alert, then all others.
fn worst_first(domains: &mut [&Value], down: &BTreeSet<String>, open: &BTreeSet<String>) {
    put_first(domains, open);
    put_first(domains, down);
}

/// The ids of the domains that are down.
fn that_are_down(states: &[Value]) -> BTreeSet<String> {
    let down = states.iter().filter(|state| state["state"] == "down");
    down.filter_map(|state| state["domain_id"].as_str().map(str::to_owned))
        .collect()
}

/// Tells of the state of each domain that is watched, and returns the ids of those that are down.
async fn states(
    context: &ToolContext<'_>,
    domains: &Value,
    open: &BTreeSet<String>,
    findings: &mut Findings,
) -> Result<BTreeSet<String>, CallError> {
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
    let down = that_are_down(&states);
    let told = json!({ "domains_in_reach": all.len(), "watched": states });
    findings.add_value("domains", told);
    findings.made_of("/domains/watched/*", "getUptimeStatus", "");
    findings.made_of("/domains/watched/*/domain", "listDomains", "/items/*/domain");
    findings.made_of("/domains/watched/*/domain_id", "listDomains", "/items/*/id");
    Ok(down)
}

/// Tells of the modules that are not well: of the domains that are down, which may have no alert rule, before all others.
async fn health(
    context: &ToolContext<'_>,
    domains: &Value,
    down: &BTreeSet<String>,
    open: &BTreeSet<String>,
    findings: &mut Findings,
) -> Result<(), CallError> {
    let operation = context.operation("getDomainHealth")?;
    let mut asked: Vec<&Value> = domains["items"].as_array().into_iter().flatten().collect();
    let in_all = asked.len();
    worst_first(&mut asked, down, open);
    asked.truncate(MOST_HEALTH);
    let calls = asked
        .iter()
        .map(|domain| {
            let id = domain["id"].as_str().unwrap_or_default();
            Ok(Call::of(operation).with("domain_id", id))
        })
        .collect();
    let (mut answered, mut unwell) = (0, Vec::new());
    let mut refused = None;
    for (domain, answer) in asked.iter().zip(context.ask_all(calls, HEAVY_AT_ONCE).await) {
        match answer {
            Ok(answer) => {
                findings.spent(&answer);
                answered += 1;
                let modules = not_well(&answer.body);
                if !modules.is_empty() {
                    unwell.push(json!({
                        "domain": domain["domain"],
                        "domain_id": domain["id"],
                        "modules": modules,
                    }));
                }
            }
            Err(error) => {
                refused.get_or_insert(error);
            }
        }
    }
    // All are refused for the same reason, as a rule.
    if let Some(error) = refused {
        findings.add("module_health", "getDomainHealth", Err(error));
    }
    if answered > 0 {
        let told = json!({ "domains_asked": answered, "domains_in_reach": in_all, "not_well": unwell });
        findings.add_value("module_health", told);
        let place = "/module_health/not_well/*";
        findings.made_of(&format!("{place}/modules"), "getDomainHealth", "/modules");
        findings.made_of(&format!("{place}/domain"), "listDomains", "/items/*/domain");
        findings.made_of(&format!("{place}/domain_id"), "listDomains", "/items/*/id");
    }
    Ok(())
}

/// The modules that are not well, each with why.
fn not_well(health: &Value) -> Vec<Value> {
    let modules = health["modules"].as_array().into_iter().flatten();
    modules
        .filter(|module| matches!(module["status"].as_str(), Some("critical" | "warning" | "failed")))
        .map(|module| json!({ "module": module["module"], "status": module["status"], "reasons": module["reasons"] }))
        .collect()
}

/// The price when all domains are watched.
pub(super) fn most_credits(price: impl Fn(&str) -> u64) -> u64 {
    let once: u64 = OPERATIONS[..3].iter().map(|id| price(id)).sum();
    let states = MOST_DOMAINS as u64 * price("getUptimeStatus");
    once + states + MOST_HEALTH as u64 * price("getDomainHealth")
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
            length: 0,
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
            length: 0,
            cost: 1,
            remaining: None,
        };
        assert_eq!(ids(open_first(all_open)).len(), 50);
    }

    #[test]
    fn the_gravest_notification_is_told_first_however_many_are_newer() {
        let notification = |id: usize| {
            let severity = match id {
                80 => "critical",
                0..30 => "info",
                _ => "warning",
            };
            json!({ "id": id, "severity": severity, "alert_id": (id == 31).then_some("told") })
        };
        let items: Vec<Value> = (0..100).map(notification).collect();
        let answer = Answer {
            body: json!({ "items": items, "has_more": true, "next_cursor": "x", "unread_total": 300 }),
            length: 0,
            cost: 1,
            remaining: None,
        };
        let told = gravest_first(answer, &BTreeSet::from(["told".to_owned()])).body;
        let ids: Vec<&Value> = told["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|notification| &notification["id"])
            .collect();
        assert_eq!(ids[..4], [&json!(80), &json!(30), &json!(32), &json!(33)]);
        assert_eq!((ids.len(), &told["unread_total"]), (NOTIFICATIONS, &json!(300)));
        assert!(told.get("next_cursor").is_none() && told.get("has_more").is_none());
    }

    #[test]
    fn modules_that_are_not_well_are_told_with_their_reasons() {
        let module = |module: &str, status: &str| json!({ "module": module, "status": status, "score": null, "reasons": [] });
        let health = json!({ "modules": [
            module("uptime", "ok"), module("rum", "critical"), module("crux", "no_data"), module("robots", "warning"),
            module("gsc", "not_configured"), module("indexing", "failed"),
        ] });
        let told = not_well(&health);
        let names: Vec<&Value> = told.iter().map(|module| &module["module"]).collect();
        assert_eq!(names, [&json!("rum"), &json!("robots"), &json!("indexing")]);
        assert_eq!(told[0]["reasons"], json!([]));
        assert_eq!(told[0].get("score"), None);
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

    #[test]
    fn domains_that_are_down_come_before_those_with_open_alerts() {
        let all = ["a", "b", "c", "d", "e"].map(|id| json!({ "id": id }));
        let state = |id: &str, state: &str| json!({ "domain_id": id, "state": state });
        let states = [state("e", "down"), state("c", "degraded"), state("a", "up")];
        let open = BTreeSet::from(["b".to_owned(), "e".to_owned()]);
        let mut domains: Vec<&Value> = all.iter().collect();
        worst_first(&mut domains, &that_are_down(&states), &open);
        let ids: Vec<&Value> = domains.iter().map(|domain| &domain["id"]).collect();
        assert_eq!(ids, ["e", "b", "a", "c", "d"]);
    }
}

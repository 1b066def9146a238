//! The findings, refusals and costs of tools.

use pharos_domain::{collect::client::Device, scope::Scope};
use serde_json::{Value, json};
use time::Duration;

use super::{ask, found, names, refusal, tool};
use crate::{
    harness::{TestApp, actor},
    rum, uptime,
};

/// The credits that the world's workspace has used.
pub(super) async fn used(app: &TestApp) -> u64 {
    let query = format!(
        "SELECT coalesce(sum(used), 0)::text FROM credit_balances WHERE workspace_id = '{}'",
        app.world.workspace
    );
    let rows = app.sql(&query).await;
    rows[0][0].as_ref().unwrap().parse().unwrap()
}

#[tokio::test]
async fn the_list_has_what_the_scopes_allow() {
    let app = TestApp::start().await;
    let all = names(&app, &app.world.key).await;
    assert!(all.iter().any(|name| name == "uptime") && all.iter().any(|name| name == "run_check"));
    let narrow = app.world.key(&app.stores, &[Scope::ReadUptime], app.now()).await;
    let listed = names(&app, &narrow).await;
    assert!(listed.iter().any(|name| name == "uptime"));
    for hidden in ["run_check", "traffic", "generate_report"] {
        assert!(!listed.iter().any(|name| name == hidden), "{hidden}");
    }
    // Called all the same, it is the API that refuses.
    let domain = app.world.domain.to_string();
    let refused = refusal(&tool(&app, &narrow, "script_errors", &json!({ "domain": domain })).await);
    assert_eq!(refused["problem"], "insufficient-scope");
    assert_eq!(refused["required_scope"], "read:rum");
    let blind = app.world.key(&app.stores, &[Scope::ReadDomains], app.now()).await;
    let refused = refusal(&tool(&app, &blind, "compare_windows", &json!({ "domain": domain })).await);
    assert_eq!(refused["problem"], "nothing-available");
    assert_eq!(refused["unavailable"][0]["required_scope"], "read:rum");
}

/// The places of nulls that the notes of a result say nothing of, but for its own members.
fn unexplained(found: &Value) -> Vec<String> {
    let notes = found["notes"].as_object().expect("notes");
    let because = notes.get("null_because").and_then(Value::as_object);
    let known: Vec<&str> = because
        .into_iter()
        .flat_map(|because| because.keys().map(String::as_str))
        .collect();
    // A step that is `*` is any.
    let told = |place: &str| {
        known.iter().any(|known| {
            let mut steps = known.split('/').zip(place.split('/'));
            known.split('/').count() == place.split('/').count()
                && steps.all(|(known, step)| known == "*" || known == step)
        })
    };
    let mut places = nulls(found, "");
    let own = ["/notes", "/credits", "/unavailable"];
    places.retain(|place| {
        let is_own = own.iter().any(|own| place.starts_with(own));
        let mut above = std::iter::successors(Some(place.as_str()), |place| Some(place.rsplit_once('/')?.0));
        !is_own && !place.ends_with("/next_cursor") && !told("/") && !above.any(told)
    });
    places
}

fn nulls(value: &Value, place: &str) -> Vec<String> {
    match value {
        Value::Null => vec![place.to_owned()],
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| nulls(value, &format!("{place}/{name}")))
            .collect(),
        Value::Array(items) => items
            .iter()
            .flat_map(|value| nulls(value, &format!("{place}/*")))
            .collect(),
        _ => Vec::new(),
    }
}

/// A null has the reason of the field that it was, wherever a tool puts it.
#[tokio::test]
async fn nulls_of_figures_that_a_tool_puts_together_have_their_reasons() {
    let app = TestApp::start().await;
    let domain = app.world.domain.to_string();
    let path = format!("/domains/{domain}/uptime/config");
    app.put(&path, &app.world.key, &json!({})).send().await.ok();
    let scopes = [Scope::ReadDomains, Scope::ReadUptime];
    let key = app.world.key(&app.stores, &scopes, app.now()).await;
    let because = async |name: &str, arguments: Value, place: &str| {
        let result = tool(&app, &key, name, &arguments).await;
        let found = found(&result);
        assert!(unexplained(found).is_empty(), "{found}");
        let why = found["notes"]["null_because"][place].as_str();
        why.unwrap_or_else(|| panic!("{name} says nothing of {place}: {found}"))
            .to_owned()
    };
    let status = because("whats_wrong", json!({}), "/domains/watched/*/uptime_24h_pct").await;
    assert!(status.contains("nothing was observed"), "{status}");
    let compared = json!({ "domain": domain });
    let place = "/availability/windows_in_force/after/clamped_from";
    let window = because("compare_windows", compared, place).await;
    assert!(window.contains("no longer kept"), "{window}");
}

/// Each question is asked of a domain of which little is known: its parts are there, or it is said why not.
#[tokio::test]
async fn every_question_is_answered() {
    let app = TestApp::start().await;
    let listed = ask(&app, &app.world.key, "tools/list", &json!({})).await.ok();
    let mut answered = Vec::new();
    for described in listed["result"]["tools"].as_array().unwrap() {
        let name = described["name"].as_str().unwrap();
        let schema = &described["inputSchema"];
        let needed = schema["required"].as_array().cloned().unwrap_or_default();
        let reads = described["annotations"]["readOnlyHint"] == true;
        let by_domain = needed.is_empty() || needed == [json!("domain")];
        if !reads || !by_domain {
            continue;
        }
        let mut arguments = json!({});
        if !schema["properties"]["domain"].is_null() {
            arguments["domain"] = json!(app.world.domain.to_string());
        }
        let before = used(&app).await;
        let result = tool(&app, &app.world.key, name, &arguments).await;
        let spent = used(&app).await - before;
        if result["isError"] == true {
            let refused = refusal(&result);
            let told = refused["unavailable"].as_array().map_or(1, Vec::len);
            assert!(told > 0 && refused["problem"].is_string(), "{name}: {refused}");
            continue;
        }
        let found = found(&result);
        for missing in found["unavailable"].as_array().into_iter().flatten() {
            assert!(
                missing["detail"].is_string() && missing["part"].is_string(),
                "{name}: {missing}"
            );
        }
        assert_eq!(found["credits"]["cost"], spent, "{name}");
        let silent = unexplained(found);
        assert!(
            silent.is_empty(),
            "{name} does not say why {silent:?} are null: {found}"
        );
        assert!(result.to_string().len() < 100_000, "{name}");
        let console = format!("http://{}/console", app.address);
        assert!(found["console"].as_str().unwrap().starts_with(&console), "{name}");
        answered.push(name);
    }
    // These tools find something for every domain.
    for name in ["domains", "domain_health", "spending"] {
        assert!(answered.contains(&name), "{name} is not among {answered:?}");
    }
}

#[tokio::test]
async fn any_operation_is_found_described_and_called() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let result = tool(&app, key, "find_operation", &json!({ "words": "uptime config" })).await;
    let operations = found(&result)["operations"].as_array().unwrap().clone();
    assert!(
        operations
            .iter()
            .any(|found| found["operation_id"] == "getUptimeConfig")
    );
    let named = json!({ "operation_id": "getUptimeConfig" });
    let result = tool(&app, key, "describe_operation", &named).await;
    assert_eq!(found(&result)["operation"]["scope"], "read:uptime");

    let domain = app.world.domain.to_string();
    let direct = app
        .get(&format!("/domains/{domain}/uptime/config"), key)
        .send()
        .await
        .ok();
    let call = json!({ "operation_id": "getUptimeConfig", "parameters": { "domain_id": domain } });
    let result = tool(&app, key, "call_operation", &call).await;
    let found = found(&result);
    assert_eq!(found["answer"], direct);
    assert_eq!(found["credits"]["cost"], 1);
    let link = found["console"].as_str().unwrap();
    assert_eq!(link, format!("http://{}/console/domains/{domain}", app.address));

    for (arguments, problem) in [
        (json!({ "operation_id": "none" }), "not-found"),
        (json!({ "operation_id": "getUptimeConfig" }), "invalid-request"),
        (
            json!({ "operation_id": "getUptimeConfig", "parameters": { "domain_id": domain, "x": 1 } }),
            "invalid-request",
        ),
        (
            json!({ "operation_id": "getUptimeConfig", "parameters": { "domain_id": { "a": 1 } } }),
            "invalid-request",
        ),
        (json!({}), "invalid-request"),
        (json!({ "operation_id": 1 }), "invalid-request"),
    ] {
        let refused = refusal(&tool(&app, key, "call_operation", &arguments).await);
        assert_eq!(refused["problem"], problem, "{arguments}");
        // Who is told to mend what `errors` names has them.
        let what_to_do = refused["what_to_do"].as_str().unwrap();
        assert_eq!(
            what_to_do.contains("errors"),
            refused["errors"].is_array(),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_domain_is_named_by_its_hostname_too_and_a_foreign_one_is_not_found() {
    let app = TestApp::start().await;
    let domains = app.get("/domains", &app.world.key).send().await.ok();
    let domain = &domains["items"][0];
    let name = domain["domain"].as_str().unwrap().to_uppercase();
    let result = tool(&app, &app.world.key, "domain_health", &json!({ "domain": name })).await;
    let link = format!(
        "http://{}/console/domains/{}",
        app.address,
        domain["id"].as_str().unwrap()
    );
    assert_eq!(found(&result)["console"], link);
    for foreign in ["other.example", "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33"] {
        let arguments = json!({ "domain": foreign });
        let refused = refusal(&tool(&app, &app.world.key, "alerts", &arguments).await);
        let first = refused["unavailable"].get(0).unwrap_or(&refused);
        assert_eq!(first["problem"], "domain-not-found", "{refused}");
    }
}

/// Sums of four days are not held against those of seven, nor those of the first day that is kept against themselves.
#[tokio::test]
async fn windows_that_are_no_longer_kept_are_not_compared() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&path, &app.world.key, &json!({})).send().await.ok();
    let long_ago = json!({
        "domain": app.world.domain.to_string(), "start_date": "2001-01-08", "end_date": "2001-01-14",
    });
    let result = tool(&app, &app.world.key, "compare_windows", &long_ago).await;
    let availability = &found(&result)["availability"];
    assert!(availability["not_compared_because"].is_string(), "{availability}");
    assert_eq!(availability["changes"], json!([]), "{availability}");
}

#[tokio::test]
async fn a_page_that_nobody_saw_is_said_to_be_one() {
    let app = TestApp::start().await;
    rum::store(&app, [(Device::Mobile, rum::view(1, app.now()))]).await;
    for (url, is_seen) in [
        ("https://shop.example/", true),
        ("https://shop.example/none", false),
    ] {
        let of_page = json!({ "domain": app.world.domain.to_string(), "url": url });
        let result = tool(&app, &app.world.key, "page_speed", &of_page).await;
        let found = found(&result);
        assert_eq!(found["nothing_seen"].is_null(), is_seen, "{url}: {found}");
        // Nothing is to blame on a page that nobody saw, so that one operation of six is asked and paid for.
        for part in ["page", "resources"] {
            assert_eq!(found.get(part).is_some(), is_seen, "{url} {part}: {found}");
        }
        assert_eq!(found["credits"]["cost"] == 5, !is_seen, "{url}: {found}");
    }
}

/// Thirty others fired since, and are over.
#[tokio::test]
async fn an_open_alert_is_told_first_however_many_fired_since() {
    let app = TestApp::start().await;
    let (domain, workspace) = (app.world.domain, app.world.workspace);
    app.sql(&format!(
        "INSERT INTO alert_history
             (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator, threshold,
              evaluation_window, value, severity, title, message, context, fired_at, resolved_at, end_reason)
         SELECT gen_random_uuid(), '{domain}', '{workspace}', gen_random_uuid(), 'uptime', 'response_ms', 'Response time', 'ms',
             'gt', 20, '1h', 240, 'warning', 'Slow', 'It is slow.', '{{}}', at,
             CASE WHEN n > 0 THEN at + interval '1 minute' END, CASE WHEN n > 0 THEN 'over' END
         FROM generate_series(0, 30) AS n
         CROSS JOIN LATERAL (SELECT timestamptz '2026-03-30 00:00:00Z' + n * interval '1 minute') AS moment (at)"
    ))
    .await;
    let result = tool(&app, &app.world.key, "whats_wrong", &json!({})).await;
    let alerts = found(&result)["alerts"]["items"].as_array().unwrap();
    assert_eq!(alerts.len(), 20);
    assert_eq!(alerts[0]["resolved_at"], Value::Null, "{alerts:?}");
    assert!(alerts[1]["resolved_at"].is_string(), "{alerts:?}");
    assert_eq!(alerts[1]["fired_at"], "2026-03-30T00:30:00Z");
}

/// It has no alert rule, and it is the youngest of more domains than are asked for the health of their modules.
#[tokio::test]
async fn the_modules_of_a_domain_that_is_down_are_told_however_many_domains_there_are() {
    let app = TestApp::start().await;
    let mut youngest = app.world.domain;
    for number in 0..6 {
        app.clock.advance(Duration::SECOND);
        let hostname = format!("shop-{number}.example").parse().unwrap();
        let domains = &app.stores.domain_admin;
        let added = domains
            .add(app.world.workspace, &hostname, None, &actor(), app.now())
            .await;
        youngest = added.unwrap().id;
    }
    let config = format!("/domains/{youngest}/uptime/config");
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    app.clock.advance(Duration::HOUR);
    let failing = [2, 1].map(|minutes| uptime::check(youngest, app.now() - Duration::minutes(minutes), 503));
    uptime::store(&app, failing.into()).await;
    let result = tool(&app, &app.world.key, "whats_wrong", &json!({})).await;
    let answer = found(&result);
    assert_eq!(answer["domains"]["watched"][0]["state"], "down", "{answer}");
    assert_eq!(answer["module_health"]["domains_asked"], 5, "{answer}");
    let unwell = &answer["module_health"]["not_well"][0];
    assert_eq!(unwell["domain_id"], youngest.to_string(), "{answer}");
    assert_eq!(unwell["modules"][0]["module"], "uptime", "{answer}");
}

/// The page that shows the same, not only the domain's.
#[tokio::test]
async fn results_have_links_to_their_pages() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let domain = app.world.domain.to_string();
    let of_domain = json!({ "domain": domain });
    let rules = json!({ "operation_id": "listDomainAlertRules", "parameters": { "domain_id": domain } });
    let here = format!("domains/{domain}");
    for (name, arguments, page) in [
        ("find_operation", json!({ "words": "uptime" }), String::new()),
        ("whats_wrong", json!({}), String::new()),
        ("domains", json!({}), String::new()),
        (
            "spending",
            json!({}),
            format!("w/{}/credits", app.world.workspace),
        ),
        ("domain_health", of_domain.clone(), here.clone()),
        ("alerts", of_domain, format!("{here}/alerts")),
        ("call_operation", rules, format!("{here}/alerts")),
    ] {
        let result = tool(&app, key, name, &arguments).await;
        let link = format!("http://{}/console/{page}", app.address);
        assert_eq!(found(&result)["console"], link.trim_end_matches('/'), "{name}");
    }
}

/// Its own checks, however many others failed since.
#[tokio::test]
async fn an_incident_tells_its_own_failing_checks() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let configured = app.put(&uptime::path(&app, "config"), key, &json!({}));
    configured.send().await.ok();
    uptime::incidents::meet(&app).await;
    let listed = app.get(&uptime::path(&app, "incidents"), key).send().await.ok();
    let id = listed["items"][0]["incident_id"].as_str().unwrap();
    let arguments = json!({ "domain": app.world.domain.to_string(), "incident_id": id });
    let result = tool(&app, key, "incident", &arguments).await;
    let found = found(&result);
    let incident = &found["incident"];
    assert_eq!(incident["incident_id"], id);
    assert_eq!(incident["checks"].as_array().unwrap().len(), 2, "{incident}");
    assert_eq!(found.get("failing_checks"), None, "{found}");
    let link = found["console"].as_str().unwrap();
    assert!(link.ends_with(&format!("/incidents/{id}")), "{link}");
}

/// A run is started once for each key, and told of though it is not waited for.
#[tokio::test]
async fn a_run_is_started_once_and_its_credits_are_told() {
    let app = TestApp::start().await;
    let arguments = json!({
        "domain": app.world.domain.to_string(), "check": "uptime", "wait_seconds": 0, "idempotency_key": "once",
    });
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&path, &app.world.key, &json!({})).send().await;
    let (mut runs, mut costs) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let before = used(&app).await;
        let result = tool(&app, &app.world.key, "run_check", &arguments).await;
        let found = found(&result);
        assert!(found["still_running"].is_string());
        assert_eq!(found["idempotency_key"], "once");
        assert_eq!(found["credits"]["cost"], used(&app).await - before, "{found}");
        runs.push(found["run"]["run_id"].clone());
        costs.push(found["credits"]["cost"].as_u64().unwrap());
    }
    assert_eq!(runs[0], runs[1]);
    assert_ne!(runs[0], Value::Null);
    // To start it costs 25; to call it by the same key once more does not.
    assert_eq!(costs[0] - costs[1], 25, "{costs:?}");
    let count = "SELECT count(*)::text FROM runs";
    assert_eq!(app.sql(count).await[0][0].as_deref(), Some("1"));
}

#[tokio::test]
async fn spent_credits_are_told_and_say_what_to_do() {
    let app = TestApp::start().await;
    app.grant(1).await;
    let arguments = json!({ "domain": app.world.domain.to_string() });
    let refused = refusal(&tool(&app, &app.world.key, "domain_health", &arguments).await);
    let first = refused["unavailable"].get(0).unwrap_or(&refused);
    assert_eq!(first["problem"], "quota-exhausted", "{refused}");
    assert!(first["resets_on"].is_string() && first["what_to_do"].is_string());
}

#[tokio::test]
async fn a_limit_that_is_reached_is_told_and_says_what_to_do() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/rum/errors", app.world.domain);
    let mut asked = 0;
    loop {
        let reply = app.get(&path, &app.world.key).send_unchecked().await;
        if reply.status == 429 {
            break;
        }
        asked += 1;
        assert!(reply.status == 200 && asked <= 200, "{asked}: {}", reply.status);
    }
    let arguments = json!({ "domain": app.world.domain.to_string() });
    let refused = refusal(&tool(&app, &app.world.key, "script_errors", &arguments).await);
    assert_eq!(refused["problem"], "rate-limited", "{refused}");
    assert!(refused["bucket"].is_string() && refused["what_to_do"].is_string());
}

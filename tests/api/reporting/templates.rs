//! The catalogue and templates.

use pharos_reporting::template::MOST_TEMPLATES;
use serde_json::{Value, json};

use super::{get, only, path, post, template};
use crate::harness::TestApp;

async fn catalogue(app: &TestApp, rest: &str) -> Value {
    app.get(&format!("/domains/reports/{rest}"), &app.world.key)
        .send()
        .await
        .ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ready_made_configuration_is_a_template_as_it_is() {
    let app = TestApp::start().await;
    let sections = catalogue(&app, "sections-catalog").await;
    let names: Vec<&str> = sections["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| section["section"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "overview",
            "uptime",
            "rum",
            "crux",
            "synthetic",
            "gsc",
            "indexing",
            "robots",
            "sitemap",
            "analytics",
            "ecommerce",
            "alerts",
            "experiments",
            "notes"
        ]
    );
    for section in sections["items"].as_array().unwrap() {
        assert!(!section["widgets"].as_array().unwrap().is_empty(), "{section}");
    }
    let ready = catalogue(&app, "default-config").await;
    assert_eq!(ready["version"], 1);
    let enabled = |section: &Value| section["enabled"] == true;
    let chosen = ready["sections"].as_array().unwrap();
    assert!(chosen.len() == 14 && chosen.iter().all(enabled), "{ready}");
    let made = post(
        &app,
        "templates",
        &json!({ "name": "Monthly", "sections_config": ready }),
    )
    .await
    .with_status(201);
    assert_eq!(made["sections_config"], ready);
    assert_eq!(
        (
            &made["format"],
            &made["locale"],
            &made["default_period"],
            &made["schedule"]
        ),
        (&json!("pdf"), &json!("en"), &json!("last_30_days"), &Value::Null)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_compared_without_case() {
    let app = TestApp::start().await;
    let first = template(&app, &json!({ "name": "Monatsbericht Ä" })).await;
    let taken = post(&app, "templates", &json!({ "name": " MONATSBERICHT ä" })).await;
    taken.problem(409, "report-template-name-conflict");
    let second = template(&app, &json!({ "name": "Another" })).await;
    let renamed = |id: &str, name: &str| {
        app.put(
            &path(&app, &format!("templates/{id}")),
            &app.world.key,
            &json!({ "name": name }),
        )
    };
    renamed(&second, "monatsbericht ä")
        .send()
        .await
        .problem(409, "report-template-name-conflict");
    // Its own name in another case is none that is taken.
    let own = renamed(&first, "monatsbericht ä").send().await.ok();
    assert_eq!(own["name"], "monatsbericht ä");
    let list = get(&app, "templates").await.ok();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_faults_of_a_template_are_told_at_once() {
    let app = TestApp::start().await;
    let body = json!({
        "name": "Bad",
        "sections_config": { "version": 1, "sections": [
            { "section": "weather", "widgets": [] },
            { "section": "uptime", "widgets": [
                { "widget": "kpi_row" },
                { "widget": "kpi_row" },
                { "widget": "top_pages" },
                { "widget": "incident_list", "config": { "limit": 101, "colour": "red" } },
            ] },
            { "section": "uptime" },
            { "section": "notes", "widgets": [{ "widget": "text" }] },
        ] },
        "branding": { "logo_url": "http://169.254.169.254/logo.png", "accent_color": "red;}" },
        "schedule": { "frequency": "weekly", "day_of_month": 3, "hour": 8, "timezone": "Mars/Olympus" },
    });
    let reply = post(&app, "templates", &body).await;
    let mut faults = reply.faults();
    faults.sort();
    let expected = [
        "/branding/accent_color",
        "/branding/logo_url",
        "/schedule/day_of_month",
        "/schedule/timezone",
        "/schedule/weekday",
        "/sections_config/sections/0/section",
        "/sections_config/sections/1/widgets/1/widget",
        "/sections_config/sections/1/widgets/2/widget",
        "/sections_config/sections/1/widgets/3/config/colour",
        "/sections_config/sections/1/widgets/3/config/limit",
        "/sections_config/sections/2/section",
        "/sections_config/sections/3/widgets/0/config/text",
    ];
    for pointer in expected {
        assert!(
            faults.iter().any(|fault| fault == pointer),
            "{pointer} is not among {faults:?}"
        );
    }
    assert_eq!(get(&app, "templates").await.ok()["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_is_changed_member_by_member() {
    let app = TestApp::start().await;
    let schedule =
        json!({ "frequency": "monthly", "day_of_month": 31, "hour": 8, "timezone": "Europe/Berlin" });
    let body = json!({
        "name": "Monthly", "description": "For the owner", "format": "csv", "schedule": schedule,
        "sections_config": only("uptime", "kpi_row", &json!({})),
    });
    let id = template(&app, &body).await;
    let found = get(&app, &format!("templates/{id}")).await.ok();
    assert_eq!(
        found["schedule"],
        json!({
            "enabled": true, "frequency": "monthly", "weekday": null, "day_of_month": 31, "hour": 8,
            "timezone": "Europe/Berlin", "recipients_count": 0
        })
    );
    let change = json!({ "description": null, "schedule": null, "locale": "de" });
    let changed = app
        .put(&path(&app, &format!("templates/{id}")), &app.world.key, &change)
        .send()
        .await
        .ok();
    assert_eq!(
        (
            &changed["description"],
            &changed["schedule"],
            &changed["locale"],
            &changed["format"],
            &changed["name"]
        ),
        (
            &Value::Null,
            &Value::Null,
            &json!("de"),
            &json!("csv"),
            &json!("Monthly")
        )
    );
    assert_eq!(changed["sections_config"], found["sections_config"]);
    let gone = app
        .request("DELETE", &path(&app, &format!("templates/{id}")))
        .key(&app.world.key)
        .send()
        .await;
    assert_eq!(gone.ok()["history_retained"], true);
    get(&app, &format!("templates/{id}"))
        .await
        .problem(404, "report-template-not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_has_so_many_templates_and_no_more() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "First" })).await;
    let copies = MOST_TEMPLATES - 2;
    app.sql(&format!(
        "INSERT INTO report_templates SELECT (jsonb_populate_record(t, jsonb_build_object(
            'id', gen_random_uuid(), 'name', 'Copy ' || n, 'name_key', 'copy ' || n))).*
        FROM report_templates AS t, generate_series(1, {copies}) AS n WHERE t.id = '{id}'"
    ))
    .await;
    template(&app, &json!({ "name": "Last" })).await;
    let refused = post(&app, "templates", &json!({ "name": "One too many" })).await;
    let said = refused.problem(400, "invalid-request").to_string();
    assert!(
        said.contains(&format!("the domain has {MOST_TEMPLATES} templates")),
        "{said}"
    );
}

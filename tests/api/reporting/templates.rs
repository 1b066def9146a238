//! The catalogue and templates.

use pharos_reporting::template::MOST_TEMPLATES;
use serde_json::{Value, json};

use super::{asked, get, only, path, post, template};
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
    let (overview, uptime) = (&sections["items"][0], &sections["items"][1]);
    assert_eq!(
        (
            &overview["requires_module"],
            &uptime["requires_module"],
            &uptime["default_enabled"]
        ),
        (&Value::Null, &json!("uptime"), &json!(true))
    );
    let mut widgets = uptime["widgets"].as_array().unwrap().iter();
    let incidents = widgets
        .find(|widget| widget["widget"] == "incident_list")
        .unwrap();
    assert_eq!(
        incidents["config_schema"],
        json!([{
            "field": "limit", "label": "Rows", "type": "integer", "required": false, "default": 10, "options": null, "min": 1,
            "max": 100
        }])
    );
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

/// A fault of a member that a template can't do without hides none of the others.
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_of_the_name_or_of_the_hour_hides_no_other() {
    let app = TestApp::start().await;
    let body = json!({
        "name": "",
        "branding": { "logo_url": "ftp://x", "accent_color": "red" },
        "schedule": { "frequency": "weekly", "hour": 25, "timezone": "Mars/X" },
        "sections_config": { "version": 2, "sections": [{ "section": "foo" }, { "section": "notes", "title": "" }] },
    });
    let reply = post(&app, "templates", &body).await;
    assert_eq!(
        reply.faults(),
        [
            "/branding/accent_color",
            "/branding/logo_url",
            "/name",
            "/schedule/hour",
            "/schedule/timezone",
            "/schedule/weekday",
            "/sections_config/sections/0/section",
            "/sections_config/sections/1/title",
            "/sections_config/version",
        ]
    );
    let details: Vec<(String, String)> = reply.problem(400, "invalid-request")["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            let text = |member: &str| fault[member].as_str().unwrap_or_default().to_owned();
            (text("pointer"), text("detail"))
        })
        .collect();
    for (pointer, told) in [
        ("/name", "empty"),
        (
            "/branding/accent_color",
            "not a colour such as #0a7f5c: # and six hexadecimal digits",
        ),
        (
            "/branding/logo_url",
            "the URL must begin with http:// or https://",
        ),
        ("/schedule/hour", "more than 23"),
    ] {
        let of: Vec<&str> = details
            .iter()
            .filter(|(at, _)| at == pointer)
            .map(|(_, detail)| detail.as_str())
            .collect();
        assert_eq!(of, [told], "{pointer}");
    }
    let unknown = details.iter().find(|(at, _)| at.ends_with("/0/section")).unwrap();
    assert!(
        unknown.1.starts_with("not one of overview, uptime"),
        "{unknown:?}"
    );
    assert_eq!(get(&app, "templates").await.ok()["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_which_nothing_is_on_is_refused() {
    let app = TestApp::start().await;
    let off = json!({ "version": 1, "sections": [
        { "section": "uptime", "enabled": false, "widgets": [{ "widget": "kpi_row" }] },
        { "section": "rum", "widgets": [] },
    ] });
    let at = ["/sections_config/sections"];
    let made = post(
        &app,
        "templates",
        &json!({ "name": "Blank", "sections_config": off }),
    )
    .await;
    assert_eq!(made.faults(), at);
    let id = template(&app, &json!({ "name": "Full" })).await;
    let once = asked(&app, &id, "once", &json!({ "sections_config": off })).await;
    assert_eq!(once.faults(), at);
    let path = path(&app, &format!("templates/{id}"));
    let change = async |body: Value| app.put(&path, &app.world.key, &body).send().await;
    assert_eq!(change(json!({ "sections_config": off })).await.faults(), at);
    // One of an earlier version.
    app.sql("UPDATE report_templates SET sections = '{\"version\": 1, \"sections\": []}'")
        .await;
    let stored = asked(&app, &id, "stored", &json!({})).await;
    assert_eq!(stored.faults(), ["/sections_config"]);
    assert_eq!(change(json!({ "name": "Still blank" })).await.faults(), at);
    let days = json!({ "start_date": "0001-01-01", "end_date": "0001-01-01" });
    let mut long_ago = json!({ "sections_config": only("notes", "text", &json!({ "text": "x" })) });
    for (member, day) in days.as_object().unwrap() {
        long_ago[member] = day.clone();
    }
    let reply = asked(&app, &id, "long ago", &long_ago).await;
    assert_eq!(reply.faults(), ["/start_date"]);
    assert_eq!(get(&app, "runs").await.ok()["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_chooses_days_that_are_over_unless_somebody_does() {
    let app = TestApp::start().await;
    let schedule = |frequency: &str, member: &str| {
        let mut schedule = json!({ "frequency": frequency, "hour": 8, "timezone": "europe/berlin" });
        schedule[member] = json!(1);
        schedule
    };
    for (name, schedule, period) in [
        ("Monthly", schedule("monthly", "day_of_month"), "last_month"),
        ("Weekly", schedule("weekly", "weekday"), "last_week"),
        ("By hand", Value::Null, "last_30_days"),
    ] {
        let body = json!({ "name": name, "schedule": schedule });
        let made = post(&app, "templates", &body).await.with_status(201);
        assert_eq!(made["default_period"], period, "{name}");
        if !schedule.is_null() {
            assert_eq!(made["schedule"]["timezone"], "Europe/Berlin");
        }
    }
    let chosen = json!({
        "name": "Chosen", "default_period": "this_month", "schedule": schedule("monthly", "day_of_month"),
    });
    let made = post(&app, "templates", &chosen).await.with_status(201);
    assert_eq!(made["default_period"], "this_month");
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
    assert!(found["created_at"].is_string(), "{found}");
    let all = json!({
        "id": id, "domain_id": app.world.domain, "name": "Monthly", "description": "For the owner",
        "sections_config": { "version": 1, "sections": [{ "section": "uptime", "enabled": true, "title": null, "widgets": [
            { "widget": "kpi_row", "enabled": true, "title": null, "config": {} }
        ] }] },
        "locale": "en", "format": "csv", "default_period": "last_month", "compare_previous": true,
        "branding": { "logo_url": null, "accent_color": null },
        "schedule": {
            "enabled": true, "frequency": "monthly", "weekday": null, "day_of_month": 31, "hour": 8,
            "timezone": "Europe/Berlin", "recipients_count": 0
        },
        "last_run_at": null, "created_by": app.world.owner, "created_at": found["created_at"],
        "updated_at": found["created_at"],
    });
    assert_eq!(found, all);
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

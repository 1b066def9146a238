//! The pages of modules, as a browser without scripts sees them.

use pharos_domain::{collect::client::Device, role::Role};
use serde_json::json;

use crate::{
    admin::{done, pharos},
    fixtures,
    harness::TestApp,
    rum,
    synthetic::{self, MISSING, SHOP},
};

const MODULES: [&str; 8] = [
    "analytics",
    "rum",
    "crux",
    "synthetic",
    "gsc",
    "indexing",
    "robots",
    "sitemap",
];

/// As the page writes it, in English.
pub(super) fn grouped(figure: u64) -> String {
    let digits = figure.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_module_shows_the_figures_of_the_api() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    for (module, operation, figures) in [
        (
            "analytics",
            "analytics/overview?period=last_30_days",
            &["/visitors", "/pageviews"][..],
        ),
        ("synthetic", "synthetic/overview", &["/urls_total", "/runs_30d"]),
        (
            "gsc",
            "gsc/overview?period=last_30_days",
            &["/clicks", "/impressions"],
        ),
        ("indexing", "indexing/overview", &["/urls_inspected", "/indexed"]),
        ("robots", "robots/overview", &["/rules_count"]),
        ("sitemap", "sitemap/overview", &["/files_total", "/urls_total"]),
    ] {
        let api = format!("/domains/{}/{operation}", app.world.domain);
        let answer = app.get(&api, &app.world.key).send().await.ok();
        let page = viewer
            .get(&format!("/console/domains/{}/{module}", app.world.domain))
            .await;
        page.is(200);
        for figure in figures {
            let Some(value) = answer.pointer(figure).and_then(serde_json::Value::as_u64) else {
                panic!("{module} has no {figure}: {answer}");
            };
            page.says(&format!("<span class=\"value\">{}</span>", grouped(value)));
        }
    }
    for module in MODULES {
        let path = format!("/console/domains/{}/{module}", app.world.domain);
        viewer
            .get(&format!("{path}?period=last_7_days&compare_previous=true"))
            .await
            .is(200);
        let asked = viewer.get(&format!("{path}?start_date=soon")).await;
        match module {
            // They are of now, and offer no days.
            "crux" | "synthetic" | "robots" => asked.is(200).is_silent_on("start_date"),
            _ => asked.is(400).says("start_date"),
        };
        let compares = matches!(module, "analytics" | "rum" | "gsc");
        if compares {
            asked.says("name=\"compare_previous\"");
        } else {
            asked.is_silent_on("name=\"compare_previous\"");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_of_which_nothing_came_says_how_to_begin_instead_of_empty_cards() {
    let app = TestApp::start().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    for (module, told) in [
        ("analytics", "No visit was seen yet"),
        ("rum", "No view was measured in these days"),
    ] {
        let config = format!("/domains/{}/{module}/config", app.world.domain);
        app.put(&config, &app.world.key, &json!({})).send().await.ok();
        admin
            .get(&format!("/console/domains/{}/{module}", app.world.domain))
            .await
            .is(200)
            .says(told)
            .says("the script tag being on the pages of the site")
            .is_silent_on("Nothing was recorded.")
            .is_silent_on("class=\"fill");
    }
}

/// The errors of the fixtures have a stack in a script of the site and in one of another's.
#[tokio::test(flavor = "multi_thread")]
async fn an_error_is_shown_with_its_stack_and_nothing_that_names_a_person() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let site = format!("/console/domains/{}", app.world.domain);
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let errors = format!("{site}/rum/errors");
    let paints = rum::read(
        &app,
        "distribution?metric=lcp&start_date=2026-03-02&end_date=2026-03-31",
    )
    .await;
    let lcp = paints["percentiles"]["p75"].as_f64().unwrap();
    viewer
        .get(&format!("{site}/rum"))
        .await
        .is(200)
        .says(&format!("href=\"{errors}\""))
        .says(&format!("{lcp:.0} ms, good"));
    let listed = rum::read(&app, "errors").await;
    let id = listed["items"][0]["error_id"].as_str().unwrap();
    let path = format!("{errors}/{id}");
    viewer
        .get(&errors)
        .await
        .is(200)
        .says(&format!("href=\"{path}\""));
    viewer
        .get(&format!("{errors}?start_date=soon"))
        .await
        .is(400)
        .says("start_date");
    let page = viewer.get(&path).await;
    page.is(200);
    for told in [
        "TypeError: x is undefined",
        "https://shop.example/cart.js:14:27",
        "https://cdn.other.example/vue.js:6:1204",
        "not the site",
        "As the browser told it",
    ] {
        page.says(told);
    }
    page.is_silent_on("ada@");
    page.says("<dt>Caught by the page</dt><dd>No</dd>");
    let nobody = "019aa5e2-7b6c-7d10-8e9f-0123456789ab";
    for nothing in [nobody, "%3Cb%3E"] {
        viewer.get(&format!("{errors}/{nothing}")).await.is(404);
    }
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&path).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_is_a_line_in_the_pictures_of_vitals_and_stands_below_them() {
    let app = TestApp::start().await;
    rum::store(&app, [(Device::Mobile, rum::view(1, app.now()))]).await;
    let domain = app.world.domain.to_string();
    let path = format!("/console/domains/{domain}/rum?start_date=2026-03-25&end_date=2026-03-31");
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let how = format!("pharos admin release add {domain} 2026.11.3");
    let line = "class=\"turn\"";
    viewer.get(&path).await.is(200).says(&how).is_silent_on(line);
    for (name, at) in [
        ("2.3.9", "2026-03-24T23:59:59Z"),
        ("<2.4.0>", "2026-03-27T18:00:00Z"),
        ("2.4.1", "2026-03-29T09:00:00Z"),
        ("2.4.2", "2026-03-29T12:00:00Z"),
    ] {
        done(&pharos(&app, &["release", "add", &domain, name, "--at", at]));
    }
    let page = viewer.get(&path).await;
    page.is(200)
        .says(">&lt;2.4.0&gt;</text>")
        .says("27 Mar 2026: release &lt;2.4.0&gt;.")
        .says(">2.4.2 (+1)</text>")
        .says("29 Mar 2026 09:00 UTC")
        .is_silent_on("2.3.9")
        .is_silent_on(&how);
    assert_eq!(page.text().matches(line).count(), 2);
}

#[tokio::test]
async fn a_module_without_data_says_how_to_begin_and_one_that_is_not_there_is_no_page() {
    let app = TestApp::start().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let site = format!("/console/domains/{}", app.world.domain);
    for (module, first) in [
        ("crux", "crux/watched"),
        ("synthetic", "synthetic/urls"),
        (
            "synthetic/figures/performance_score",
            "by “Test now” on the page of the lab",
        ),
        ("gsc", "An owner or admin of the workspace connects one."),
        ("indexing", "indexing/watched"),
    ] {
        viewer.get(&format!("{site}/{module}")).await.is(200).says(first);
    }
    for nothing in ["uptime", "%3Cb%3E", "platform"] {
        viewer.get(&format!("{site}/{nothing}")).await.is(404);
    }
    app.move_to_plan_without_uptime().await;
    let page = viewer.get(&format!("{site}/gsc")).await;
    page.is(200).says("The plan of this workspace has no Search");
    // Its tab is gone, too.
    page.is_silent_on(&format!("href=\"{site}/gsc\""));
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&format!("{site}/gsc")).await.is(404);
}

#[tokio::test]
async fn lab_tests_are_shown_over_time_alone_and_beside_each_other() {
    let app = TestApp::start().await;
    let page = synthetic::track(&app, "shoes").await;
    let budgets = json!({ "items": [
        { "metric": "lcp_ms", "limit": 2_500 },
        { "metric": "script_bytes", "limit": 1_000 },
    ] });
    let path = format!("/domains/{}/synthetic/budgets", app.world.domain);
    app.put(&path, &app.world.key, &budgets).send().await.ok();
    let (one, other) = (
        synthetic::measured(&app, &page, SHOP).await,
        synthetic::measured(&app, &page, SHOP).await,
    );
    let failed = synthetic::measured(&app, &page, MISSING).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let lab = format!("/console/domains/{}/synthetic", app.world.domain);
    viewer
        .get(&lab)
        .await
        .is(200)
        .says("/synthetic/figures/performance_score");
    viewer
        .get(&format!("{lab}/figures/lcp_ms"))
        .await
        .is(200)
        .says("Largest Contentful Paint by day")
        .says(">budget</text>")
        .says("Least: 9,648 ms")
        .says(&format!("{lab}/tests/{one}"));
    viewer
        .get(&format!("{lab}/tests/{one}"))
        .await
        .is(200)
        .says("9,648 ms")
        .says("/artefacts/synthetic/")
        .says("slow.css")
        .says("blocks painting")
        .says("Script bytes")
        .says("Exceeded")
        .says("Failed audits")
        .says("<bdi>9.6 s</bdi>")
        .is_silent_on("U+00A0")
        .says("Images, fonts and media")
        .says("Errors logged to the console indicate unresolved problems.")
        .says("✕ favicon.ico")
        .says("What would make it faster")
        .says("7,000 ms")
        .says("What may be worth a look")
        .is_silent_on("<td class=\"figure\">0 ms</td>")
        .says("<bdi class=\"long\">Time to first byte</bdi>")
        .says(&format!("?with={other}"))
        .is_silent_on("lhr.json.gz");
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin
        .get(&format!("{lab}/tests/{one}"))
        .await
        .is(200)
        .says("lhr.json.gz");
    // A link to what is not kept leads nowhere.
    let by_password = synthetic::measured_by_password(&app, &page, SHOP).await;
    admin
        .get(&format!("{lab}/tests/{by_password}"))
        .await
        .is(200)
        .says("/artefacts/synthetic/")
        .is_silent_on("lhr.json.gz");
    viewer
        .get(&format!("{lab}/tests/{one}?with={other}"))
        .await
        .is(200)
        .says("Two tests beside each other")
        .says("The other, ")
        .says("other-waterfall");
    // Who asked for it by the form reads the score without another page.
    viewer
        .get(&format!("{lab}/runs/{one}"))
        .await
        .is(200)
        .says("<strong>44</strong>");
    viewer
        .get(&format!("{lab}/tests/{failed}"))
        .await
        .is(200)
        .says("Failed")
        .says("Nothing was measured.")
        .is_silent_on("Failed audits")
        .is_silent_on("What would make it faster")
        .is_silent_on("It has no pictures");
    admin
        .get(&format!("{lab}/tests/{failed}"))
        .await
        .is(200)
        .says("Nothing was measured.")
        .says("lhr.json.gz");
    for nowhere in [
        format!("{lab}/figures/charm"),
        format!("{lab}/figures/lcp_ms?cursor=nonsense"),
        format!("{lab}/tests/{}", uuid::Uuid::now_v7()),
        format!("{lab}/tests/{one}?with={}", uuid::Uuid::now_v7()),
    ] {
        viewer.get(&nowhere).await.is(404);
    }
}

/// A machine that was slower is a reason for other figures, and so is what a test warns of.
#[tokio::test]
async fn two_lab_tests_beside_each_other_say_under_which_conditions_they_were() {
    let app = TestApp::start().await;
    let page = synthetic::track(&app, "shoes").await;
    let one = synthetic::measured(&app, &page, SHOP).await;
    let slower = SHOP
        .replacen("\"benchmarkIndex\": 1536", "\"benchmarkIndex\": 836", 1)
        .replacen(
            "\"runWarnings\": []",
            "\"runWarnings\": [\"The page was slow to settle.\"]",
            1,
        );
    let other = synthetic::measured(&app, &page, &slower).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let tests = format!("/console/domains/{}/synthetic/tests", app.world.domain);
    viewer
        .get(&format!("{tests}/{one}?with={other}"))
        .await
        .is(200)
        .says("Benchmark index")
        .says(">1,536<")
        .says(">836<")
        .says("<bdi>The page was slow to settle.</bdi>");
}

/// A test that waits does not say by which Lighthouse it will be.
#[tokio::test]
async fn two_lab_tests_of_two_major_versions_of_lighthouse_say_so() {
    let app = TestApp::start().await;
    let page = synthetic::track(&app, "shoes").await;
    let now = synthetic::measured(&app, &page, SHOP).await;
    let later = SHOP.replacen("13.5.0", "13.6.0", 1);
    let later = synthetic::measured(&app, &page, &later).await;
    let before = SHOP.replacen("13.5.0", "12.8.2", 1);
    let before = synthetic::measured(&app, &page, &before).await;
    let waiting = synthetic::ask(&app, &page, &json!({})).await.with_status(202);
    let waiting = waiting["run_id"].as_str().unwrap();
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let tests = format!("/console/domains/{}/synthetic/tests", app.world.domain);
    let says = "They are of two major versions of Lighthouse";
    let beside = |one: &str, other: &str| format!("{tests}/{one}?with={other}");
    viewer.get(&beside(&now, &before)).await.is(200).says(says);
    for (one, other) in [(now.as_str(), later.as_str()), (waiting, now.as_str())] {
        let shown = viewer.get(&beside(one, other)).await;
        shown
            .is(200)
            .says("Two tests beside each other")
            .is_silent_on(says);
    }
}

#[tokio::test]
async fn another_major_version_of_lighthouse_is_a_line_in_the_picture() {
    let app = TestApp::start().await;
    let page = synthetic::track(&app, "shoes").await;
    let figures = format!(
        "/console/domains/{}/synthetic/figures/performance_score",
        app.world.domain
    );
    let by = |version: &str| SHOP.replacen("13.5.0", version, 1);
    for version in ["12.8.2", "12.9.0", "13.0.0", "13.5.0"] {
        synthetic::measured(&app, &page, &by(version)).await;
        app.clock.advance(time::Duration::DAY);
    }
    // Another page was tested on the last of the days, by one version alone.
    let other = synthetic::track(&app, "hats").await;
    synthetic::measured(&app, &other, SHOP).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let shown = viewer.get(&figures).await;
    shown
        .is(200)
        .says(">Lighthouse 13</text>")
        .says("From 2 Apr on by Lighthouse 13.")
        .is_silent_on("by Lighthouse 12.");
    assert_eq!(shown.text().matches(">Lighthouse 13</text>").count(), 1);
}

#[tokio::test]
async fn pictures_of_many_pages_that_are_tested_come_a_few_at_a_time() {
    let app = TestApp::start().await;
    for name in ["shoes", "hats", "coats", "scarves", "socks"] {
        let page = synthetic::track(&app, name).await;
        synthetic::measured(&app, &page, SHOP).await;
        app.clock.advance(time::Duration::DAY);
    }
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let figures = format!(
        "/console/domains/{}/synthetic/figures/lcp_ms?period=last_90_days",
        app.world.domain
    );
    let pictures = "Largest Contentful Paint by day</title>";
    let first = viewer.get(&figures).await;
    first.is(200).says("<span>1 to 4 of 5</span>");
    assert_eq!(first.text().matches(pictures).count(), 4);
    let weight = first.0.body.len();
    assert!(weight < 100 * 1024, "{weight}");
    let next = first.link(&format!("{figures}&amp;page=")).replace("&amp;", "&");
    let rest = viewer.get(&next).await;
    rest.is(200).says("<span>5 to 5 of 5</span>");
    assert_eq!(rest.text().matches(pictures).count(), 1);
    rest.link(&format!("{figures}&amp;page=1"));
}

#[tokio::test]
async fn links_between_lab_tests_keep_the_days() {
    let app = TestApp::start().await;
    let page = synthetic::track(&app, "shoes").await;
    let failed = synthetic::measured(&app, &page, MISSING).await;
    app.sql(&format!(
        "INSERT INTO synthetic_runs (id, domain_id, url_id, url, profile_id, form_factor, trigger, status, requested_at, started_at, \
             finished_at, error_code, error_detail) \
         SELECT gen_random_uuid(), domain_id, url_id, url, profile_id, form_factor, trigger, status, requested_at, started_at, \
             finished_at, error_code, error_detail \
         FROM synthetic_runs, generate_series(1, 20) WHERE id = '{failed}'"
    ))
    .await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let figures = format!("/console/domains/{}/synthetic/figures", app.world.domain);
    let week = format!("{figures}/lcp_ms?period=last_7_days");
    let first = viewer.get(&week).await;
    first
        .is(200)
        .says("20 tests")
        .says(&format!("{figures}/cls?period=last_7_days"));
    let next = first.link(&format!("{week}&amp;cursor=")).replace("&amp;", "&");
    viewer
        .get(&next)
        .await
        .is(200)
        .says("1 tests")
        .says(&format!("rel=\"prev\" href=\"{week}\""));
    let dates = "start_date=2026-03-01&end_date=2026-03-30";
    let first = viewer.get(&format!("{figures}/lcp_ms?{dates}")).await;
    first.says(&format!("lcp_ms?{}&amp;cursor=", dates.replace('&', "&amp;")));
}

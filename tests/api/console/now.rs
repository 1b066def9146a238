//! Work that people have done now: checks, lab tests, imports, inspections, fetches.

use pharos_domain::role::Role;
use serde_json::json;

use crate::{fixtures, harness::TestApp};

fn form(app: &TestApp, module: &str) -> String {
    format!("/console/domains/{}/{module}/now", app.world.domain)
}

async fn monitored(app: &TestApp) {
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
}

async fn count(app: &TestApp, what: &str) -> String {
    let rows = app.sql(&format!("SELECT count(*) FROM {what}")).await;
    rows[0][0].clone().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_makes_one_check_that_the_workspace_pays_once() {
    let app = TestApp::start().await;
    app.grant(100).await;
    monitored(&app).await;
    let path = form(&app, "uptime");
    let monitoring = format!("/console/domains/{}", app.world.domain);
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member
        .get(&monitoring)
        .await
        .is(200)
        .says(&format!("href=\"{path}\""))
        .says("Check now");
    let page = member.get(&path).await;
    page.is(200).says("It costs the workspace 25 credits");
    let key = page.hidden("key").unwrap();
    let fields = [("key", key.as_str())];
    let mut other = member.clone();
    let (one, two) = tokio::join!(member.submit(&path, &fields), other.submit(&path, &fields));
    let run = one.location();
    two.leads_to(&run);
    assert!(run.starts_with(&format!("{monitoring}/uptime/runs/")), "{run}");
    assert_eq!(count(&app, "runs").await, "1");
    let paid = app
        .sql(
            "SELECT l.cost::text, l.status::text, u.email FROM credit_log AS l
             LEFT JOIN users AS u ON u.id = l.credential_id WHERE l.operation = 'runUptimeCheck'",
        )
        .await;
    assert_eq!(paid.len(), 1, "{paid:?}");
    assert_eq!(paid[0][0].as_deref(), Some("25"));
    assert_eq!(paid[0][1].as_deref(), Some("202"));
    assert_eq!(paid[0][2].as_deref(), Some("member@example.org"));
    member
        .get(&run)
        .await
        .is(200)
        .says("Waits")
        .says("Look again")
        .says("not yet");
    app.sql(
        "UPDATE runs SET status = 'failed', started_at = now(), finished_at = now(), error_code = 'upstream-error',
            error_detail = '<b>no</b> answer'",
    )
    .await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&run)
        .await
        .is(200)
        .says("Failed")
        .says("&lt;b&gt;no&lt;/b&gt; answer")
        .is_silent_on("Look again");
    viewer
        .get(&app.of_workspace("credits"))
        .await
        .is(200)
        .says("<bdi>member@example.org</bdi>, here");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_or_has_no_credits_starts_nothing_and_is_told() {
    let app = TestApp::start().await;
    let path = form(&app, "uptime");
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer.get(&path).await.is(403);
    viewer.submit(&path, &[("key", "x")]).await.is(403);
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    // Nothing is monitored yet.
    let page = member.get(&path).await;
    let key = page.hidden("key").unwrap();
    member
        .submit(&path, &[("key", key.as_str())])
        .await
        .is(404)
        .says("role=\"alert\"");
    monitored(&app).await;
    app.grant(20).await;
    let told = member.submit(&path, &[("key", key.as_str())]).await;
    told.is(402).says("of the 20 credits of the workspace are used");
    assert_ne!(told.hidden("key").unwrap(), key, "another form, another key");
    for key in ["", "x"] {
        member.submit(&path, &[("key", key)]).await.is(400);
    }
    member.get(&form(&app, "analytics")).await.is(404);
    member.get(&form(&app, "happiness")).await.is(404);
    let run = format!("/console/domains/{}/uptime/runs", app.world.domain);
    member.get(&format!("{run}/x")).await.is(404);
    member.get(&format!("{run}/{key}")).await.is(404);
    assert_eq!(count(&app, "runs").await, "0");
    let of_runs = "credit_log WHERE operation = 'runUptimeCheck'";
    assert_eq!(count(&app, of_runs).await, "0");
    // A refusal leaves the key free.
    app.grant(100).await;
    member.submit(&path, &[("key", key.as_str())]).await.location();
    // The same form cannot be another one's.
    member
        .submit(&form(&app, "robots"), &[("key", key.as_str())])
        .await
        .is(409)
        .says("sent before with something else");
    assert_eq!(count(&app, "runs").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_people_are_limited_as_those_of_keys_are() {
    let app = TestApp::start().await;
    app.grant(10_000).await;
    let path = form(&app, "robots");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let mut status = 303;
    let mut started = 0;
    while status == 303 && started < 30 {
        let key = member.get(&path).await.hidden("key").unwrap();
        let page = member.submit(&path, &[("key", key.as_str())]).await;
        status = page.0.status;
        started += u32::from(status == 303);
        if status != 303 {
            page.is(429).says("Too many requests");
        }
    }
    assert_eq!((started, status), (20, 429));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_module_has_its_work_done_by_one_mechanism() {
    let app = TestApp::start().await;
    app.grant(10_000).await;
    fixtures::fill(&app).await;
    let url = app.world.path("/domains/d/synthetic/urls/{url_id}");
    let url = url.rsplit('/').next().unwrap();
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    for (module, field) in [
        ("uptime", None),
        ("synthetic", Some(("page", url))),
        ("gsc", None),
        ("indexing", Some(("urls", "https://shop.example/page-1\r\n\r\n"))),
        ("robots", None),
        ("sitemap", None),
    ] {
        let path = form(&app, module);
        let key = member.get(&path).await.hidden("key").unwrap();
        let mut fields = vec![("key", key.as_str())];
        fields.extend(field);
        let run = member.submit(&path, &fields).await.location();
        member.get(&run).await.is(200).says("Waits");
    }
    // The API tells what people asked for here from what their keys did.
    let by_hand = "synthetic_runs WHERE trigger = 'dashboard'";
    assert_eq!(count(&app, by_hand).await, "1");
    let path = form(&app, "indexing");
    let page = member.get(&path).await;
    let key = page.hidden("key").unwrap();
    for urls in ["", "not a url", "https://other.example/"] {
        member
            .submit(&path, &[("key", key.as_str()), ("urls", urls)])
            .await
            .is(400)
            .says("role=\"alert\"");
    }
    let path = form(&app, "synthetic");
    member
        .submit(&path, &[("key", key.as_str()), ("page", "shoes")])
        .await
        .is(400)
        .says("Choose one of the pages");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_is_theirs_who_started_it_also_once_they_left() {
    let app = TestApp::start().await;
    app.grant(100).await;
    monitored(&app).await;
    let path = form(&app, "uptime");
    let ada = app.member("ada@example.org", Role::Member).await;
    let mut hers = app.signed_in(ada).await;
    let key = hers.get(&path).await.hidden("key").unwrap();
    hers.submit(&path, &[("key", key.as_str())]).await.location();
    let mut owner = app.signed_in(app.world.owner).await;
    let (credits, member) = (
        app.of_workspace("credits"),
        app.of_workspace(&format!("members/{ada}")),
    );
    let told = "<bdi>ada@example.org</bdi>, here";
    owner.get(&credits).await.is(200).says(told);
    owner.get(&member).await.is(200);
    owner.submit(&member, &[("do", "remove")]).await.location();
    owner.get(&credits).await.is(200).says(told);
}

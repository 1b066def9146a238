//! Plan and credits: what a cycle has and has used, and the calls that were paid for.

use crate::harness::TestApp;

/// The rows of calls of an operation on a page.
fn rows(page: &super::browser::Page, operation: &str) -> usize {
    page.text().matches(&format!("<code>{operation}</code>")).count()
}

#[tokio::test]
async fn the_cycle_and_its_calls_stand_on_one_page() {
    let app = TestApp::start().await;
    app.grant(12_345).await;
    for _ in 0..60 {
        app.get("/domains", &app.world.key).send_unchecked().await;
    }
    app.reaches("(SELECT count(*) FROM credit_log) = 60").await;
    let used = app
        .sql("SELECT coalesce(sum(cost), 0)::text FROM credit_log")
        .await;
    let used: u64 = used[0][0].as_ref().unwrap().parse().unwrap();
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("credits");
    let page = browser.get(&path).await;
    page.is(200)
        .says("12,345")
        .says(&format!("<strong>{used}</strong>"))
        .says("no limit");
    assert_eq!(rows(&page, "listDomains"), 50);
    let next = page.link(&format!("{path}?cursor="));
    let second = browser.get(&next).await;
    assert_eq!(rows(second.is(200), "listDomains"), 10);
    browser.get(&format!("{path}?cursor=x")).await.is(404);
    let ada = app.person("ada@example.org").await;
    app.signed_in(ada).await.get(&path).await.is(404);
}

#[tokio::test]
async fn a_cycle_is_drawn_by_day_by_operation_and_by_member() {
    let app = TestApp::start().await;
    app.grant(1_000).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("credits");
    browser
        .get(&path)
        .await
        .is(200)
        .says("No call of this cycle has cost anything yet")
        .says("No call yet");
    let email = app.owner_email().await;
    let status = "/alerts/rules";
    for _ in 0..3 {
        app.get(status, &app.world.key).send().await.ok();
    }
    app.get("/domains?workspace_id=x", &app.world.key)
        .send_unchecked()
        .await
        .problem(400, "invalid-request");
    app.reaches("(SELECT count(*) FROM credit_log) = 4").await;
    let used = app.sql("SELECT used::text FROM credit_balances").await;
    let used = used[0][0].clone().unwrap();
    let day = app
        .sql("SELECT to_char(max(occurred_at) AT TIME ZONE 'UTC', 'FMDD Mon') FROM credit_log")
        .await;
    let day = day[0][0].clone().unwrap();
    let page = browser.get(&path).await;
    page.is(200)
        .says("Credits used by day")
        .says(&format!("<title>{day}\nlistAlertRules: {used}</title>"))
        .says(&format!("listAlertRules: {used}"))
        .says(&format!("{used}, enough left"))
        .says(&format!("<bdi>{email}</bdi>"))
        .says("no cap");
    assert!(page.0.body.len() < 100 * 1024, "{}", page.0.body.len());
}

/// Keys that have ended are kept, however many.
#[tokio::test]
async fn a_workspace_that_has_had_many_keys_has_a_page_that_weighs_little() {
    let app = TestApp::start().await;
    app.grant(1_000).await;
    let (workspace, owner) = (app.world.workspace, app.world.owner);
    app.sql(&format!(
        "INSERT INTO api_keys (id, workspace_id, created_by, name, scopes, created_at, revoked_at)
         SELECT ('01900000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, '{workspace}', '{owner}', 'Key ' || n,
             '{{read:uptime}}', '2026-01-01Z'::timestamptz + make_interval(mins => n), '2026-03-01Z'
         FROM generate_series(1, 2000) AS n"
    ))
    .await;
    let mut browser = app.signed_in(owner).await;
    let path = app.of_workspace("credits");
    let page = browser.get(&path).await;
    page.is(200).says(">Key 2000<").is_silent_on(">Key 1<");
    assert!(page.0.body.len() < 100 * 1024, "{}", page.0.body.len());
    let first = "01900000-0000-7000-9000-000000000001";
    let chosen = browser.get(&format!("{path}?credential={first}")).await;
    chosen.is(200).says(">Key 1<");
    assert!(chosen.0.body.len() < 100 * 1024, "{}", chosen.0.body.len());
}

#[tokio::test]
async fn calls_are_found_by_operation_key_and_day() {
    let app = TestApp::start().await;
    app.grant(1_000).await;
    let status = "/alerts/rules";
    app.get(status, &app.world.key).send().await.ok();
    for _ in 0..70 {
        app.get("/domains", &app.world.key).send_unchecked().await;
    }
    app.reaches("(SELECT count(*) FROM credit_log) = 71").await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("credits");
    let key = app.world.key.id;
    let today = app.now().date();
    let found = browser
        .get(&format!(
            "{path}?operation=listAlertRules&credential={key}&day={today}"
        ))
        .await;
    found.is(200).says("Show all").is_silent_on("Quotas");
    assert_eq!(
        (rows(&found, "listAlertRules"), rows(&found, "listDomains")),
        (1, 0)
    );
    let found = browser.get(&format!("{path}?operation=listDomains")).await;
    assert_eq!(rows(found.is(200), "listDomains"), 50);
    let next = found
        .links(&format!("{path}?operation=listDomains"))
        .pop()
        .unwrap()
        .replace("&amp;", "&");
    let second = browser.get(&next).await;
    assert_eq!(rows(second.is(200), "listDomains"), 20);
    // A cursor is good for its own search alone.
    let cursor = next.split("cursor=").nth(1).unwrap();
    browser
        .get(&format!("{path}?operation=listWorkspaces&cursor={cursor}"))
        .await
        .is(404);
    let yesterday = today.previous_day().unwrap();
    for nothing in [
        "operation=nobodyCallsThis".to_owned(),
        format!("day={yesterday}"),
        format!("credential={}", app.world.workspace),
    ] {
        browser
            .get(&format!("{path}?{nothing}"))
            .await
            .is(200)
            .says("No call matches");
    }
    for (bad, fault) in [
        ("operation=%00", "letters and digits alone"),
        ("operation=%3Cscript%3E", "letters and digits alone"),
        ("credential=x", "no such key"),
        ("day=2026-02-30", "none of the calendar"),
    ] {
        let page = browser.get(&format!("{path}?{bad}")).await;
        page.is(400).says(fault).is_silent_on("<script>");
    }
}

//! Decisions, and what comes of them.

use pharos_domain::{patch::Patch, role::Role};
use time::Duration;

use super::{
    Browser,
    oauth_app::{OauthApp, brought_back, parameter},
};
use crate::harness::{TestApp, World, actor};

const SCOPES: &str = "read:uptime read:domains write:uptime";

/// Asks, shows the screen to the world's owner, and gives their browser with the handle.
async fn asked(app: &TestApp, client: &OauthApp) -> (Browser, String) {
    let path = client.ask(app, SCOPES).await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get(&path).await.is(200);
    (browser, path.split_once('=').unwrap().1.to_owned())
}

async fn approve(browser: &mut Browser, handle: &str, ticked: &[(&str, &str)]) -> super::browser::Page {
    let fields = [&[("request", handle), ("decision", "approve")], ticked].concat();
    browser.submit("/console/consent", &fields).await
}

#[tokio::test]
async fn what_was_unticked_is_not_granted() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let workspace = app.world.workspace.to_string();
    // A scope that was ticked by hand and never asked for is not granted either.
    let ticked = [
        ("scope", "read:uptime"),
        ("scope", "read:domains"),
        ("scope", "run:uptime"),
        ("scope", "nonsense"),
        ("workspace", workspace.as_str()),
        ("workspace", workspace.as_str()),
    ];
    let location = approve(&mut browser, &handle, &ticked).await.location();
    assert_eq!(parameter(&location, "state").as_deref(), Some("a state & more"));
    let issuer = format!("http://{}", app.address);
    assert_eq!(parameter(&location, "iss"), Some(issuer));
    let tokens = client
        .exchange(&app, &parameter(&location, "code").unwrap())
        .await;
    assert_eq!(tokens["scope"], "read:domains read:uptime");
    let me = client.call(&app, &tokens, "/me").await.ok();
    assert_eq!(me["default_workspace_id"], workspace);
    client.call(&app, &tokens, "/domains").await.ok();
    let health = format!("/domains/{}/health", app.world.domain);
    client
        .call(&app, &tokens, &health)
        .await
        .problem(403, "insufficient-scope");
}

#[tokio::test]
async fn an_app_reaches_the_workspaces_that_were_ticked() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let members = &app.stores.members;
    let (owner, now) = (app.world.owner, app.now());
    members
        .put(other.workspace, owner, Role::Viewer, Patch::Keep, &actor(), now)
        .await
        .unwrap();
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let workspace = other.workspace.to_string();
    let ticked = [("scope", "read:domains"), ("workspace", workspace.as_str())];
    let location = approve(&mut browser, &handle, &ticked).await.location();
    let tokens = client
        .exchange(&app, &parameter(&location, "code").unwrap())
        .await;
    let domains = client.call(&app, &tokens, "/domains").await.ok();
    let items = domains["items"].as_array().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(items[0]["workspace_id"], workspace);
}

#[tokio::test]
async fn a_workspace_that_is_not_the_users_can_not_be_ticked_by_hand() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let (mine, foreign) = (app.world.workspace.to_string(), other.workspace.to_string());
    for workspaces in [
        vec![foreign.as_str()],
        vec![mine.as_str(), foreign.as_str()],
        vec![],
    ] {
        let mut ticked = vec![("scope", "read:domains")];
        ticked.extend(workspaces.into_iter().map(|id| ("workspace", id)));
        let page = approve(&mut browser, &handle, &ticked).await;
        page.is(400)
            .says("Nothing was allowed yet.")
            .is_silent_on(&foreign);
        // A box that was ticked stays ticked.
        assert_eq!(page.boxes("scope", true), ["read:domains"]);
    }
    let page = approve(&mut browser, &handle, &[("workspace", &mine)]).await;
    assert_eq!(page.is(400).boxes("workspace", true), [mine.as_str()]);
    // The request is good all the while.
    let ticked = [("scope", "read:domains"), ("workspace", mine.as_str())];
    assert!(parameter(&approve(&mut browser, &handle, &ticked).await.location(), "code").is_some());
}

#[tokio::test]
async fn a_denial_goes_back_as_access_denied() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let fields = [("request", handle.as_str()), ("decision", "deny")];
    let location = browser.submit("/console/consent", &fields).await.location();
    assert_eq!(parameter(&location, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&location, "state").as_deref(), Some("a state & more"));
    assert!(brought_back(&location).iter().all(|(name, _)| name != "code"));
    browser.submit("/console/consent", &fields).await.is(409);
    browser
        .get("/console/apps")
        .await
        .is(200)
        .says("No app is connected");
}

#[tokio::test]
async fn a_request_is_decided_once() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let workspace = app.world.workspace.to_string();
    let ticked = [("scope", "read:domains"), ("workspace", workspace.as_str())];
    approve(&mut browser, &handle, &ticked).await.location();
    let page = approve(&mut browser, &handle, &ticked).await;
    page.is(409).says("was decided before").says("begin anew");
    browser
        .get(&format!("/console/consent?request={handle}"))
        .await
        .is(409);
}

#[tokio::test]
async fn an_altered_or_lapsed_request_says_to_begin_anew() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let workspace = app.world.workspace.to_string();
    let ticked = [("scope", "read:domains"), ("workspace", workspace.as_str())];
    let (payload, mac) = handle.split_once('.').unwrap();
    for bad in [
        "",
        "x",
        payload,
        &format!("{payload}A.{mac}"),
        &format!("{payload}.A{}", &mac[1..]),
    ] {
        if *bad == handle {
            continue;
        }
        approve(&mut browser, bad, &ticked)
            .await
            .is(400)
            .says("begin anew");
        browser
            .get(&format!("/console/consent?request={bad}"))
            .await
            .is(400);
    }
    app.clock.advance(Duration::minutes(10) - Duration::SECOND);
    browser
        .get(&format!("/console/consent?request={handle}"))
        .await
        .is(200);
    app.clock.advance(Duration::SECOND);
    let page = approve(&mut browser, &handle, &ticked).await;
    page.is(400).says("This request has lapsed").says("begin anew");
    browser
        .get(&format!("/console/consent?request={handle}"))
        .await
        .is(400);
}

#[tokio::test]
async fn a_decision_without_a_session_goes_to_sign_in_and_decides_nothing() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let (mut browser, handle) = asked(&app, &client).await;
    let token = browser.token.clone();
    let fields = [
        ("token", token.as_str()),
        ("request", handle.as_str()),
        ("decision", "deny"),
    ];
    let mut stranger = app.browser();
    let location = stranger
        .post("/console/consent", &fields, &browser.origin())
        .await
        .location();
    assert!(
        location.starts_with("/console/sign-in?next=%2Fconsole%2Fconsent%3Frequest%3D"),
        "{location}"
    );
    browser
        .get(&format!("/console/consent?request={handle}"))
        .await
        .is(200);
}

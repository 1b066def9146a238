//! Connected apps, and their end.

use std::collections::BTreeSet;

use pharos_domain::{patch::Patch, role::Role, scope::Scope};
use serde_json::Value;
use time::Duration;

use super::{
    Browser,
    oauth_app::{OauthApp, parameter},
};
use crate::harness::{TestApp, World, actor};

const ALL_ASKED: &str = "read:uptime read:domains write:uptime";

/// Approves what an app asks for, and gives the code.
async fn approved(
    app: &TestApp,
    browser: &mut Browser,
    client: &OauthApp,
    ticked: &[(&str, &str)],
) -> String {
    let path = client.ask(app, ALL_ASKED).await;
    browser.get(&path).await.is(200);
    let handle = path.split_once('=').unwrap().1;
    let fields = [&[("request", handle), ("decision", "approve")], ticked].concat();
    let location = browser.submit("/console/consent", &fields).await.location();
    parameter(&location, "code").unwrap()
}

/// Connects an app to the world's workspace, so that it may read domains.
async fn connected(app: &TestApp, browser: &mut Browser, client: &OauthApp) -> Value {
    let workspace = app.world.workspace.to_string();
    let ticked = [("scope", "read:domains"), ("workspace", workspace.as_str())];
    let code = approved(app, browser, client, &ticked).await;
    client.exchange(app, &code).await
}

#[tokio::test]
async fn an_app_is_listed_until_it_is_revoked_and_refused_from_then_on() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let empty = browser.get("/console/apps").await;
    empty
        .is(200)
        .says("No app is connected")
        .says("admins of a workspace make one under “API keys”")
        .says(&format!("{}/mcp", browser.origin()));

    let client = OauthApp::register(&app, Some("Ada\u{202e}'s <i>app</i>")).await;
    let tokens = connected(&app, &mut browser, &client).await;
    client.call(&app, &tokens, "/domains").await.ok();

    let page = browser.get("/console/apps").await;
    page.is(200)
        .says("Ada⟦U+202E⟧'s &lt;i&gt;app&lt;/i&gt;")
        .says("unverified")
        .says("read data (1 permission)")
        .says("Read workspaces and their domains.")
        .is_silent_on("Read uptime")
        .says("<bdi>Example</bdi> (default)")
        .says("the API, ")
        .says("31 March 2026, 09:15 UTC");

    // First it asks.
    let ask = format!("/console/apps/revoke?app={}", client.client_id);
    let page = browser.get(&page.link("/console/apps/revoke")).await;
    page.is(200)
        .says("Take access back?")
        .says("Ada⟦U+202E⟧'s &lt;i&gt;app&lt;/i&gt;");
    assert_eq!(page.hidden("app").as_deref(), Some(client.client_id.as_str()));
    client.call(&app, &tokens, "/domains").await.ok();

    // Somebody else can't.
    let ada = app.person("ada@example.org").await;
    let mut other = app.signed_in(ada).await;
    other
        .get("/console/apps")
        .await
        .is(200)
        .says("No app is connected");
    other.get(&ask).await.leads_to("/console/apps");
    let fields = [("app", client.client_id.as_str())];
    other
        .submit("/console/apps/revoke", &fields)
        .await
        .leads_to("/console/apps?revoked");
    client.call(&app, &tokens, "/domains").await.ok();

    let revoke = browser.submit("/console/apps/revoke", &fields).await;
    revoke.leads_to("/console/apps?revoked");
    client
        .call(&app, &tokens, "/domains")
        .await
        .problem(401, "grant-revoked");
    let page = browser.get("/console/apps?revoked").await;
    page.is(200)
        .says("Access was revoked.")
        .says("No app is connected");
    let audit = app
        .sql("SELECT actor FROM audit_log WHERE action = 'grant.revoke'")
        .await;
    assert_eq!(audit, [[Some(format!("user:{}", app.world.owner))]]);

    browser.get(&ask).await.leads_to("/console/apps");
    browser.get("/console/apps/revoke?app=x").await.is(404);
    browser
        .submit("/console/apps/revoke", &[("grant", "x")])
        .await
        .is(400);
    let mut stranger = app.browser();
    let origin = browser.origin();
    stranger
        .post("/console/apps/revoke", &fields, &origin)
        .await
        .leads_to("/console/sign-in?next=%2Fconsole");
    // Whoever asked to see a page sees it once they have signed in.
    let next: String = form_urlencoded::byte_serialize(ask.as_bytes()).collect();
    stranger
        .get(&ask)
        .await
        .leads_to(&format!("/console/sign-in?next={next}"));
}

#[tokio::test]
async fn the_grants_of_an_app_stand_together_and_end_together_or_alone() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let client = OauthApp::register(&app, Some("App")).await;
    // Anybody may take the same name.
    let namesake = OauthApp::register(&app, Some("App")).await;
    let mut tokens = Vec::new();
    for client in [&client, &namesake, &client, &client] {
        tokens.push(connected(&app, &mut browser, client).await);
        app.clock.advance(Duration::MINUTE);
    }
    let [first, of_namesake, second, third] = &tokens[..] else {
        unreachable!()
    };
    let page = browser.get("/console/apps").await;
    page.is(200).says("You agreed 3 times");
    assert_eq!(page.text().matches("<bdi>App</bdi>").count(), 2, "a card each");
    assert_eq!(page.text().matches("Revoke this one").count(), 3);

    // One of them: the last link of those is the oldest's.
    let links = page.links("/console/apps/revoke?grant=");
    let ask = browser.get(links.last().unwrap()).await;
    ask.is(200).says("31 March 2026, 09:15 UTC");
    let grant = ask.hidden("grant").unwrap();
    browser
        .submit("/console/apps/revoke", &[("grant", &grant)])
        .await
        .leads_to("/console/apps?revoked");
    client
        .call(&app, first, "/domains")
        .await
        .problem(401, "grant-revoked");
    client.call(&app, second, "/domains").await.ok();
    browser.get("/console/apps").await.says("You agreed 2 times");

    // The rest, with a code that has not become a grant yet.
    let workspace = app.world.workspace.to_string();
    let ticked = [("scope", "read:domains"), ("workspace", workspace.as_str())];
    let code = approved(&app, &mut browser, &client, &ticked).await;
    let all = format!("/console/apps/revoke?app={}", client.client_id);
    browser.get(&all).await.is(200).says("Revoke all 2");
    browser
        .submit("/console/apps/revoke", &[("app", &client.client_id)])
        .await
        .leads_to("/console/apps?revoked");
    for tokens in [second, third] {
        client
            .call(&app, tokens, "/domains")
            .await
            .problem(401, "grant-revoked");
    }
    let late = client.bring(&app, &code).await;
    assert_eq!(
        (late.status, &late.json()["error"]),
        (400, &"invalid_grant".into())
    );
    namesake.call(&app, of_namesake, "/domains").await.ok();
    let page = browser.get("/console/apps").await;
    page.is(200).is_silent_on("You agreed");
    assert_eq!(page.text().matches("<bdi>App</bdi>").count(), 1);
    let audit = app
        .sql("SELECT count(*)::text FROM audit_log WHERE action = 'grant.revoke'")
        .await;
    assert_eq!(audit, [[Some("3".to_owned())]]);
}

#[tokio::test]
async fn the_default_that_is_shown_is_the_one_that_pays() {
    let app = TestApp::start().await;
    let (owner, members) = (app.world.owner, &app.stores.members);
    let [older, newer] = [
        World::create(&app.stores, app.now() + Duration::HOUR).await,
        World::create(&app.stores, app.now() + Duration::HOUR * 2).await,
    ];
    for world in [&older, &newer] {
        members
            .put(
                world.workspace,
                owner,
                Role::Viewer,
                Patch::Keep,
                &actor(),
                app.now(),
            )
            .await
            .unwrap();
    }
    for (world, name) in [(&app.world, "First"), (&older, "Older"), (&newer, "Newer")] {
        app.sql(&format!(
            "UPDATE workspaces SET name = '{name}' WHERE id = '{}'",
            world.workspace
        ))
        .await;
    }
    let mut browser = app.signed_in(owner).await;
    let client = OauthApp::register(&app, Some("App")).await;
    // In another order than their age.
    let [mine, older, newer] = [&app.world, &older, &newer].map(|world| world.workspace.to_string());
    let ticked = [
        ("scope", "read:domains"),
        ("workspace", newer.as_str()),
        ("workspace", older.as_str()),
        ("workspace", mine.as_str()),
    ];
    let code = approved(&app, &mut browser, &client, &ticked).await;
    let tokens = client.exchange(&app, &code).await;
    browser
        .get("/console/apps")
        .await
        .says("<bdi>Newer</bdi> (default)");
    // Without the first that was ticked it is the oldest of the rest.
    let newer = newer.parse().unwrap();
    members.remove(newer, owner, &actor(), app.now()).await.unwrap();
    let me = client.call(&app, &tokens, "/me").await.ok();
    assert_eq!(me["default_workspace_id"], mine);
    browser
        .get("/console/apps")
        .await
        .says("<bdi>First</bdi> (default)")
        .is_silent_on("Newer");
}

#[tokio::test]
async fn two_hundred_grants_are_shown_page_by_page_and_end_together() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let client = OauthApp::register(&app, Some("Many")).await;
    connected(&app, &mut browser, &client).await;
    // Each grant has every permission, so that it is as long as it can be.
    let scopes: Vec<String> = Scope::ALL.iter().map(|scope| format!("'{scope}'")).collect();
    app.sql(&format!(
        "INSERT INTO oauth_grants (id, client_id, user_id, resource, scopes, workspace_ids, created_at)
         SELECT gen_random_uuid(), g.client_id, g.user_id, g.resource, ARRAY[{}], g.workspace_ids,
             g.created_at - make_interval(hours => n)
         FROM oauth_grants AS g, generate_series(1, 199) AS n",
        scopes.join(", ")
    ))
    .await;
    let mut grants = BTreeSet::new();
    for page in 1..=10 {
        let page = browser.get(&format!("/console/apps?page={page}")).await;
        page.is(200).says("You agreed 200 times");
        assert!(page.0.body.len() < 100 * 1024, "{}", page.0.body.len());
        grants.extend(page.links("/console/apps/revoke?grant="));
    }
    assert_eq!(grants.len(), 200);
    let page = browser.get("/console/apps").await;
    let whole = page.says("1 to 20 of 200").link("/console/apps/revoke?app=");
    let page = browser.get(&whole).await;
    page.is(200)
        .says("Revoke all 200")
        .says("These are the newest 20.");
    assert!(page.0.body.len() < 100 * 1024, "{}", page.0.body.len());
    let id = page.hidden("app").unwrap();
    browser
        .submit("/console/apps/revoke", &[("app", &id)])
        .await
        .leads_to("/console/apps?revoked");
    browser
        .get("/console/apps")
        .await
        .is(200)
        .says("No app is connected");
}

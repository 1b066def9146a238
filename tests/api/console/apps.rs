//! Connected apps, and their end.

use super::oauth_app::{OauthApp, parameter};
use crate::harness::TestApp;

const SCOPES: &str = "read:uptime read:domains";

#[tokio::test]
async fn an_app_is_listed_until_it_is_revoked_and_refused_from_then_on() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let empty = browser.get("/console/apps").await;
    empty
        .is(200)
        .says("No app is connected")
        .says(&format!("{}/mcp", browser.origin()));

    let client = OauthApp::register(&app, Some("Ada\u{202e}'s <i>app</i>")).await;
    let path = client.ask(&app, SCOPES).await;
    browser.get(&path).await.is(200);
    let workspace = app.world.workspace.to_string();
    let fields = [
        ("request", path.split_once('=').unwrap().1),
        ("decision", "approve"),
        ("scope", "read:domains"),
        ("workspace", workspace.as_str()),
    ];
    let location = browser.submit("/console/consent", &fields).await.location();
    let tokens = client
        .exchange(&app, &parameter(&location, "code").unwrap())
        .await;
    client.call(&app, &tokens, "/domains").await.ok();

    let page = browser.get("/console/apps").await;
    page.is(200)
        .says("Ada⟦U+202E⟧'s &lt;i&gt;app&lt;/i&gt;")
        .says("unverified")
        .says("Read workspaces and their domains.")
        .is_silent_on("Read uptime")
        .says("<bdi>Example</bdi> (default)")
        .says("the API, ")
        .says("31 March 2026, 09:15 UTC");
    let grant = page.hidden("grant").unwrap();

    // Somebody else can't.
    let ada = app.person("ada@example.org").await;
    let mut other = app.signed_in(ada).await;
    other
        .get("/console/apps")
        .await
        .is(200)
        .says("No app is connected");
    other
        .submit("/console/apps/revoke", &[("grant", &grant)])
        .await
        .leads_to("/console/apps?revoked");
    client.call(&app, &tokens, "/domains").await.ok();

    let revoke = browser.submit("/console/apps/revoke", &[("grant", &grant)]).await;
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

    browser
        .submit("/console/apps/revoke", &[("grant", "x")])
        .await
        .is(400);
    let mut stranger = app.browser();
    let origin = browser.origin();
    let location = stranger
        .post("/console/apps/revoke", &[("grant", &grant)], &origin)
        .await;
    location.leads_to("/console/sign-in?next=%2Fconsole%2Fapps");
}

//! The consent screen: what it shows.

use pharos_domain::{patch::Patch, role::Role};
use time::Duration;

use super::oauth_app::{CALLBACK, OauthApp};
use crate::harness::{TestApp, actor};

const SCOPES: &str = "read:uptime read:domains write:uptime run:uptime";

#[tokio::test]
async fn the_screen_says_who_asks_for_what_and_where_it_leads() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let client = OauthApp::register(&app, Some("Ada's dashboards")).await;
    let path = client.ask(&app, SCOPES).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let page = browser.get(&path).await;
    page.is(200)
        .says("Ada's dashboards")
        .says("unverified")
        .says("nobody has checked this one")
        .says(&email)
        .says(CALLBACK)
        .says("the API, ")
        .says("<legend>Read</legend>")
        .says("<legend>Configure</legend>")
        .says("<legend>Run</legend>")
        .says("Read uptime, certificates and domain registrations.")
        .says("<strong class=\"host\">app.example</strong>")
        .is_silent_on("on your computer")
        .says("you are owner");
    // Whatever changes or starts something is for the user to tick.
    assert_eq!(page.boxes("scope", true), ["read:domains", "read:uptime"]);
    assert_eq!(
        page.boxes("scope", false),
        ["read:domains", "read:uptime", "write:uptime", "run:uptime"]
    );
    assert_eq!(page.boxes("workspace", true), [app.world.workspace.to_string()]);

    let client = OauthApp::register(&app, None).await;
    let path = client.ask(&app, "read:uptime").await;
    let page = browser.get(&path).await;
    page.is(200)
        .says("An app without a name")
        .is_silent_on("<legend>Run</legend>");
}

#[tokio::test]
async fn the_oldest_workspace_is_ticked_and_the_default() {
    let app = TestApp::start().await;
    let (owner, now) = (app.world.owner, app.now() + Duration::HOUR);
    let admin = &app.stores.workspace_admin;
    let second = admin.create("Second", owner, "default", &actor(), now).await;
    let second = second.unwrap().id;
    let client = OauthApp::register(&app, Some("App")).await;
    let mut browser = app.signed_in(owner).await;
    let page = browser.get(&client.ask(&app, SCOPES).await).await;
    assert_eq!(page.boxes("workspace", true), [app.world.workspace.to_string()]);
    assert_eq!(
        page.boxes("workspace", false),
        [app.world.workspace.to_string(), second.to_string()]
    );
}

#[tokio::test]
async fn a_button_ticks_or_unticks_a_tier_and_decides_nothing() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let path = client
        .ask(
            &app,
            "read:uptime read:domains write:uptime write:alerts run:uptime",
        )
        .await;
    let handle = path.split_once('=').unwrap().1.to_owned();
    let mut browser = app.signed_in(app.world.owner).await;
    // A tier of a single permission has no such button.
    browser
        .get(&path)
        .await
        .says("name=\"tick\" value=\"configure\"")
        .is_silent_on("value=\"run\"");
    let workspace = app.world.workspace.to_string();
    for (sent, button, ticked) in [
        (
            vec!["read:uptime"],
            ("tick", "configure"),
            vec!["read:uptime", "write:alerts", "write:uptime"],
        ),
        (
            vec!["read:uptime", "write:alerts", "run:uptime"],
            ("untick", "configure"),
            vec!["read:uptime", "run:uptime"],
        ),
        (
            vec!["run:uptime"],
            ("tick", "read"),
            vec!["read:domains", "read:uptime", "run:uptime"],
        ),
        (vec!["read:uptime"], ("untick", "read"), vec![]),
        (vec!["write:uptime"], ("tick", "nonsense"), vec!["write:uptime"]),
        // Enter in a box sends the form by a button of no name.
        (vec!["write:uptime"], ("decision", ""), vec!["write:uptime"]),
    ] {
        let mut fields = vec![("request", handle.as_str()), button, ("workspace", &workspace)];
        fields.extend(sent.iter().map(|scope| ("scope", *scope)));
        let page = browser.submit("/console/consent", &fields).await;
        page.is(200).is_silent_on("Nothing was allowed yet.");
        assert_eq!(page.boxes("scope", true), ticked, "{button:?}");
        assert_eq!(page.boxes("workspace", true), [workspace.as_str()]);
    }
    browser.get(&path).await.is(200);
}

#[tokio::test]
async fn a_sentence_sums_up_what_can_be_ticked() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("Ada's dashboards")).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = client.ask(&app, SCOPES).await;
    browser
        .get(&path)
        .await
        .says(
            "<bdi>Ada's dashboards</bdi> will be able to <strong>read data</strong> in <bdi>Example</bdi>, as ticked \
             above; it will not be able to change or start anything.",
        )
        .says("<strong>read data, change settings and start work</strong> in <bdi>Example</bdi>, as ticked above.");
    // Nothing is said of what can't be ticked.
    let path = client.ask(&app, "read:uptime").await;
    browser
        .get(&path)
        .await
        .says("<strong>read data</strong>")
        .is_silent_on("change settings");
}

#[tokio::test]
async fn whoever_is_to_sign_in_is_told_which_app_asks() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("Ada\u{202e}'s <i>app</i>")).await;
    let path = client.ask(&app, SCOPES).await;
    let mut browser = app.browser();
    let sign_in = browser.get(&path).await.location();
    let page = browser.get(&sign_in).await;
    page.is(200)
        .says("<strong><bdi>Ada⟦U+202E⟧'s &lt;i&gt;app&lt;/i&gt;</bdi></strong>")
        .says("unverified")
        .says("asks to use Pharos as you");
    let fields = [
        ("next", path.as_str()),
        ("email", "nobody@example.org"),
        ("password", "x"),
    ];
    let page = browser.submit("/console/sign-in", &fields).await;
    page.is(403).says("asks to use Pharos as you");
    // A user who comes without an app, or with a request that is not in order, signs in as ever.
    for next in ["/console/apps", "/console/consent", "/console/consent?request=x"] {
        let page = browser.get(&format!("/console/sign-in?next={next}")).await;
        page.is(200).is_silent_on("asks to use Pharos");
    }
}

#[tokio::test]
async fn an_app_on_the_users_own_computer_is_said_to_be_there() {
    let app = TestApp::start().await;
    let callback = "http://127.0.0.1:8765/callback";
    let client = OauthApp::register_at(&app, Some("App"), callback).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = client.ask(&app, SCOPES).await;
    browser
        .get(&path)
        .await
        .is(200)
        .says("<strong class=\"host\">127.0.0.1:8765</strong> on your computer")
        .says(callback);
}

#[tokio::test]
async fn an_operators_word_is_shown_as_verified() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let id = client.client_id.parse().unwrap();
    let clients = &app.stores.oauth_clients;
    assert!(clients.set_verified(id, true, &actor(), app.now()).await.unwrap());
    let mut browser = app.signed_in(app.world.owner).await;
    // Only now does this node hear of the client.
    let path = client.ask(&app, SCOPES).await;
    let page = browser.get(&path).await;
    page.is(200)
        .says("has looked into this app")
        .is_silent_on("unverified");
}

#[tokio::test]
async fn names_can_neither_be_markup_nor_hide_anything() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    for (name, shown) in [
        (
            "<script>alert(1)</script>",
            "&lt;script&gt;alert(1)&lt;/script&gt;",
        ),
        (
            "\"><img src=x onerror=alert(1)>",
            "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;",
        ),
        (
            "</title><b>verified</b>",
            "&lt;/title&gt;&lt;b&gt;verified&lt;/b&gt;",
        ),
        ("Bank\u{202e}dekcah", "Bank⟦U+202E⟧dekcah"),
        ("Pha\u{200b}ros\n\u{1}x", "Pha⟦U+200B⟧ros⟦U+000A⟧⟦U+0001⟧x"),
    ] {
        let client = OauthApp::register(&app, Some(name)).await;
        let path = client.ask(&app, SCOPES).await;
        browser.get(&path).await.is(200).says(shown).is_silent_on(name);
    }
}

#[tokio::test]
async fn whoever_is_in_no_workspace_is_told_so_and_can_deny() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let path = client.ask(&app, SCOPES).await;
    let loner = app.person("loner@example.org").await;
    let mut browser = app.signed_in(loner).await;
    let page = browser.get(&path).await;
    page.is(200)
        .says("You are in no workspace")
        .says("Deny")
        .is_silent_on("Approve");
    // Once a member they can.
    let members = &app.stores.members;
    let workspace = app.world.workspace;
    members
        .put(workspace, loner, Role::Viewer, Patch::Keep, &actor(), app.now())
        .await
        .unwrap();
    browser
        .get(&path)
        .await
        .is(200)
        .says("you are viewer")
        .says("Approve");
}

#[tokio::test]
async fn whoever_has_not_signed_in_does_so_first_and_comes_back() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;
    let client = OauthApp::register(&app, Some("App")).await;
    let path = client.ask(&app, SCOPES).await;
    let mut browser = app.browser();
    let sign_in = browser.get(&path).await.location();
    let page = browser.get(&sign_in).await;
    let next = page.is(200).hidden("next").unwrap();
    assert_eq!(next, path);
    let fields = [
        ("next", next.as_str()),
        ("email", &email),
        ("password", super::PASSWORD),
    ];
    browser.submit("/console/sign-in", &fields).await.leads_to(&path);
    browser.get(&path).await.is(200).says("Approve");
}

#[tokio::test]
async fn the_screen_and_the_decision_share_120_an_hour_from_one_address() {
    let app = TestApp::start().await;
    let client = OauthApp::register(&app, Some("App")).await;
    let path = client.ask(&app, SCOPES).await;
    let handle = path.split_once('=').unwrap().1.to_owned();
    let mut browser = app.signed_in(app.world.owner).await;
    for _ in 0..119 {
        browser.get(&path).await.is(200);
    }
    // The 120th: nothing is ticked, so nothing is decided.
    let fields = [("request", handle.as_str()), ("decision", "approve")];
    browser.submit("/console/consent", &fields).await.is(400);
    let page = browser.get(&path).await;
    page.is(429).says("Try again in ");
    assert!(page.0.header("retry-after").is_some());
    browser.submit("/console/consent", &fields).await.is(429);
}

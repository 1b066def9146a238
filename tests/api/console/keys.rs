//! API keys: created, rotated and revoked by those who look after a workspace, seen by all of it, and by nobody else.

use pharos_domain::{ids::UserId, patch::Patch, role::Role};
use serde_json::Value;
use time::Duration;
use tokio::process::Command;
use uuid::Uuid;

use super::{Browser, browser::Page};
use crate::harness::{Key, Request, TestApp, actor};

impl TestApp {
    /// A new member of the world's workspace.
    pub(super) async fn member(&self, email: &str, role: Role) -> UserId {
        let user = self.person(email).await;
        let workspace = self.world.workspace;
        self.stores
            .members
            .put(workspace, user, role, Patch::Keep, &actor(), self.now())
            .await
            .unwrap();
        user
    }

    /// A path of the world's workspace.
    pub(super) fn of_workspace(&self, path: &str) -> String {
        format!("/console/w/{}/{path}", self.world.workspace)
    }
}

/// The text of the box of that id.
pub(super) fn copied(page: &Page, id: &str) -> String {
    let text = page.text();
    let (_, rest) = text.split_once(&format!("<code id=\"{id}\"")).expect("a box");
    let (_, rest) = rest.split_once('>').unwrap();
    rest.split('<').next().unwrap().replace("&#39;", "'")
}

/// Makes a key as a browser does, and gives the page that shows it.
async fn made(browser: &mut Browser, app: &TestApp, fields: &[(&str, &str)]) -> Page {
    let new = app.of_workspace("keys/new");
    let form = browser.get(&new).await;
    let id = form.is(200).hidden("id").unwrap();
    browser
        .submit(&new, &[&[("id", id.as_str())], fields].concat())
        .await
}

/// The status of a call with this secret.
async fn call(app: &TestApp, secret: &str) -> u16 {
    let key = Key {
        id: app.world.key.id,
        secret: secret.to_owned(),
    };
    app.request("GET", "/me").key(&key).send_unchecked().await.status
}

#[tokio::test]
async fn an_owner_creates_a_key_that_works_and_sees_its_secret_once() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let page = made(
        &mut browser,
        &app,
        &[
            ("name", "<b>CI</b>"),
            ("tier", "read"),
            ("scope", "write:uptime"),
            ("expires", "2027-01-31"),
            ("allowlist", "127.0.0.0/8\r\n::1"),
        ],
    )
    .await;
    let secret = copied(page.is(200), "secret");
    assert!(secret.starts_with("svc_dev_"), "{secret}");
    assert_eq!(call(&app, &secret).await, 200);
    let line = copied(&page, "call");
    let me = format!("http://{}/api/public/v1/me", app.address);
    assert_eq!(line, format!("curl -s -H 'Authorization: Bearer {secret}' {me}"));
    // As somebody who copies it into a shell.
    let told = Command::new("sh").args(["-c", &line]).output().await.unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let workspace = app.world.workspace.to_string();
    assert_eq!(told["workspace_ids"][0], workspace.as_str(), "{told}");

    let list = browser.get(&app.of_workspace("keys")).await;
    list.is(200)
        .says("&lt;b&gt;CI&lt;/b&gt;")
        .says(&secret[..16])
        .says("read data and change settings")
        .is_silent_on(&secret);
    let stored = app
        .sql("SELECT expires_at::text, allowlist::text, 'write:alerts' = ANY (scopes) FROM api_keys WHERE name LIKE '%CI%'")
        .await;
    let stored: Vec<_> = stored[0].iter().map(|cell| cell.as_deref().unwrap()).collect();
    assert_eq!(stored[0].split('+').next(), Some("2027-01-31 00:00:00"));
    assert_eq!(&stored[1..], ["{127.0.0.0/8,::1}", "f"]);
}

/// Each key is kept for good, and so is each secret.
#[tokio::test]
async fn one_user_makes_60_secrets_an_hour() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let key = app.of_workspace(&format!("keys/{}", app.world.key.id));
    browser.get(&key).await.is(200);
    let rotate = [("do", "rotate"), ("grace", "none")];
    for _ in 0..60 {
        browser.submit(&key, &rotate).await.is(200);
    }
    browser.submit(&key, &rotate).await.is(429);
    let page = made(&mut browser, &app, &[("name", "CI"), ("tier", "read")]).await;
    page.is(429);
    // To end one is no such thing.
    browser.get(&key).await.is(200);
    browser.submit(&key, &[("do", "revoke")]).await.location();
    app.clock.advance(Duration::hours(2));
    let page = made(&mut browser, &app, &[("name", "CI"), ("tier", "read")]).await;
    page.is(200);
}

#[tokio::test]
async fn a_form_that_comes_twice_makes_one_key() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("keys/new");
    let id = browser.get(&new).await.hidden("id").unwrap();
    let fields = [("id", id.as_str()), ("name", "CI"), ("tier", "read")];
    browser.submit(&new, &fields).await.is(200);
    browser
        .submit(&new, &fields)
        .await
        .is(400)
        .says("The key was created already, and its secret was shown.")
        .is_silent_on("id=\"secret\"");
    let rows = app.sql("SELECT count(*) FROM api_keys WHERE name = 'CI'").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
}

#[tokio::test]
async fn a_double_click_shows_the_secret_of_one_key_and_gives_it_one_new_secret() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("keys/new");
    let form = browser.get(&new).await;
    let (id, form_id) = (form.hidden("id").unwrap(), form.hidden("form_id").unwrap());
    let fields = [
        ("id", id.as_str()),
        ("form_id", form_id.as_str()),
        ("name", "CI"),
        ("tier", "read"),
    ];
    let secret = twice(&mut browser, &new, &fields, "secret").await;
    assert_eq!(call(&app, &secret).await, 200);
    let rows = app.sql("SELECT count(*) FROM api_keys WHERE name = 'CI'").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));

    // A second new secret would end the present one, which was to work on.
    let key = app.of_workspace(&format!("keys/{id}"));
    let form_id = browser.get(&key).await.hidden("form_id").unwrap();
    let fields = [("do", "rotate"), ("grace", "24h"), ("form_id", form_id.as_str())];
    let rotated = twice(&mut browser, &key, &fields, "secret").await;
    assert_ne!(rotated, secret);
    assert_eq!(call(&app, &rotated).await, 200);
    assert_eq!(call(&app, &secret).await, 200);

    // Another form is another wish.
    let other = browser.get(&key).await.hidden("form_id").unwrap();
    assert_ne!(other, form_id);
}

/// Sends a form twice at once, and gives the text of the box of that id, which both answers have.
pub(super) async fn twice(browser: &mut Browser, path: &str, fields: &[(&str, &str)], shown: &str) -> String {
    let mut same = browser.clone();
    let (first, second) = tokio::join!(browser.submit(path, fields), same.submit(path, fields));
    let text = copied(first.is(200), shown);
    assert_eq!(copied(second.is(200), shown), text);
    text
}

#[tokio::test]
async fn a_key_that_can_t_be_made_says_why_at_its_field() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let long = "k".repeat(101);
    let many = "192.0.2.1 ".repeat(101);
    for (fields, why) in [
        (vec![("tier", "read")], "1 to 100 characters"),
        (
            vec![("name", long.as_str()), ("tier", "read")],
            "1 to 100 characters",
        ),
        (vec![("name", "a\0b"), ("tier", "read")], "1 to 100 characters"),
        (vec![("name", "CI")], "Tick what the key may do"),
        (
            vec![("name", "CI"), ("tier", "read"), ("expires", "2020-01-01")],
            "ended already",
        ),
        (
            vec![("name", "CI"), ("tier", "read"), ("expires", "31.1.2027")],
            "Write the day as in",
        ),
        (
            vec![("name", "CI"), ("tier", "read"), ("expires", "+99999-01-01")],
            "Write the day as in",
        ),
        (
            vec![("name", "CI"), ("tier", "read"), ("allowlist", "office")],
            "neither an IP address",
        ),
        (
            vec![("name", "CI"), ("tier", "read"), ("allowlist", &many)],
            "at most 100",
        ),
    ] {
        made(&mut browser, &app, &fields).await.is(400).says(why);
    }
    for fields in [
        [("name", "CI"), ("tier", "all")],
        [("name", "CI"), ("scope", "read:everything")],
    ] {
        made(&mut browser, &app, &fields)
            .await
            .is(400)
            .says("This form can’t be read");
    }
    let rows = app.sql("SELECT count(*) FROM api_keys").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"), "the world's own");
}

#[tokio::test]
async fn a_key_is_rotated_with_its_grace_and_revoked_at_once() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace(&format!("keys/{}", app.world.key.id));
    browser
        .get(&path)
        .await
        .is(200)
        .says("24 hours")
        .says("read:uptime");
    browser
        .submit(&path, &[("do", "rotate"), ("grace", "2y")])
        .await
        .is(400);
    browser.get(&path).await;
    let page = browser.submit(&path, &[("do", "rotate"), ("grace", "1h")]).await;
    let secret = copied(page.is(200), "secret");
    assert_eq!(call(&app, &secret).await, 200);
    assert_eq!(call(&app, &app.world.key.secret).await, 200);
    app.clock.advance(Duration::hours(1));
    assert_eq!(call(&app, &app.world.key.secret).await, 401);
    assert_eq!(call(&app, &secret).await, 200);

    browser.get(&path).await;
    let list = app.of_workspace("keys");
    browser
        .submit(&path, &[("do", "revoke")])
        .await
        .leads_to(&format!("{list}?revoked"));
    assert_eq!(call(&app, &secret).await, 401);
    browser.get(&list).await.is(200).says("Revoked");
    // From another tab.
    browser.get(&app.of_workspace("keys/new")).await;
    browser
        .submit(&path, &[("do", "revoke")])
        .await
        .is(409)
        .says("no longer live");
    let audit = app
        .sql("SELECT action, actor FROM audit_log WHERE action LIKE 'key.%' ORDER BY id DESC LIMIT 2")
        .await;
    let owner = format!("user:{}", app.world.owner);
    for (row, action) in audit.iter().zip(["key.revoke", "key.rotate"]) {
        assert_eq!(row, &[Some(action.to_owned()), Some(owner.clone())]);
    }
}

#[tokio::test]
async fn a_key_whose_creator_left_says_why_it_gets_no_new_secret() {
    let app = TestApp::start().await;
    let admin = app.member("admin@example.org", Role::Admin).await;
    let mut theirs = app.signed_in(admin).await;
    let new = app.of_workspace("keys/new");
    let page = theirs.get(&new).await;
    let (form_id, id) = (page.hidden("form_id").unwrap(), page.hidden("id").unwrap());
    let fields = [
        ("form_id", form_id.as_str()),
        ("id", id.as_str()),
        ("name", "CI"),
        ("tier", "read"),
    ];
    theirs.submit(&new, &fields).await.is(200);
    let mut owner = app.signed_in(app.world.owner).await;
    let member = app.of_workspace(&format!("members/{admin}"));
    owner.get(&member).await.is(200);
    owner.submit(&member, &[("do", "remove")]).await.location();
    owner
        .get(&app.of_workspace(&format!("keys/{id}")))
        .await
        .is(200)
        .says("Creator left")
        .says("Its creator is no member any more")
        .says("Revoke the key")
        .is_silent_on("Make a new secret");
}

#[tokio::test]
async fn members_see_keys_and_change_none_and_strangers_see_nothing() {
    let app = TestApp::start().await;
    let one = app.of_workspace(&format!("keys/{}", app.world.key.id));
    let (list, new) = (app.of_workspace("keys"), app.of_workspace("keys/new"));
    for role in [Role::Viewer, Role::Member] {
        let user = app.member(&format!("{role}@example.org"), role).await;
        let mut browser = app.signed_in(user).await;
        browser
            .get(&list)
            .await
            .is(200)
            .says("svc_dev_")
            .is_silent_on("keys/new");
        browser.get(&one).await.is(200).is_silent_on("Revoke the key");
        browser.get(&new).await.is(403).says("This needs another role");
        browser.get(&one).await;
        for path in [&new, &one] {
            browser.submit(path, &[("do", "revoke")]).await.is(403);
        }
    }
    // An admin gets no secret of an owner's key, which would make them owner.
    let admin = app.member("admin@example.org", Role::Admin).await;
    let mut browser = app.signed_in(admin).await;
    browser
        .get(&one)
        .await
        .is(200)
        .says("only they and those whose role is as high")
        .is_silent_on("Make a new secret");
    browser
        .submit(&one, &[("do", "rotate"), ("grace", "7d")])
        .await
        .is(403);

    let stranger = app.person("stranger@example.org").await;
    let mut browser = app.signed_in(stranger).await;
    let own = browser.get("/console/workspaces/new").await;
    own.is(200);
    let location = browser
        .submit("/console/workspaces/new", &[("name", "Mine")])
        .await
        .location();
    for path in [&list, &new, &one] {
        browser.get(path).await.is(404);
        browser.get(&location).await;
        browser.submit(path, &[("do", "revoke")]).await.is(404);
    }
    // The id of a key of another workspace, below their own.
    for id in [
        app.world.key.id.to_string(),
        Uuid::now_v7().to_string(),
        "x".to_owned(),
    ] {
        browser.get(&format!("{location}/keys/{id}")).await.is(404);
    }
    assert_eq!(call(&app, &app.world.key.secret).await, 200);
    let mut nobody = app.browser();
    assert!(nobody.get(&list).await.location().starts_with("/console/sign-in"));
}

#[tokio::test]
async fn forms_need_a_token_and_the_origin_and_pages_answer_head() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let user = app.member("member@example.org", Role::Member).await;
    let workspace = [
        "keys/new".to_owned(),
        format!("keys/{}", app.world.key.id),
        "members/new".to_owned(),
        format!("members/{user}"),
        "settings".to_owned(),
    ];
    let own = ["account", "workspaces/new"].map(|path| format!("/console/{path}"));
    let forms: Vec<String> = workspace
        .iter()
        .map(|path| app.of_workspace(path))
        .chain(own)
        .collect();
    let mut other = app.signed_in(user).await;
    other.get("/console/account").await;
    let origin = browser.origin();
    for path in &forms {
        browser.get(path).await.is(200);
        for token in ["", "x", other.token.as_str()] {
            let fields = [("token", token), ("do", "revoke"), ("name", "x")];
            browser
                .clone()
                .post(path, &fields, &origin)
                .await
                .is(403)
                .says("This form is out of date");
        }
        let token = browser.token.clone();
        let fields = [("token", token.as_str()), ("do", "revoke"), ("name", "x")];
        browser
            .clone()
            .post(path, &fields, "https://evil.example")
            .await
            .is(403)
            .says("This form came from another address");
    }
    let lists = ["keys", "members"].map(|path| app.of_workspace(path));
    let cookie = format!("pharos_session={}", browser.cookies["pharos_session"]);
    for path in forms.iter().chain(&lists) {
        let head = Request::new(app.address, "HEAD", &format!("/{path}"))
            .header("cookie", cookie.clone())
            .send_unchecked()
            .await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
    }
    assert_eq!(call(&app, &app.world.key.secret).await, 200);
}

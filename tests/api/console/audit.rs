//! The audit trail: who changed what, when, and from where.

use pharos_domain::role::Role;

use crate::{
    admin::{done, pharos},
    harness::{TestApp, actor},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_change_stands_in_the_trail_with_who_made_it_and_from_where() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let key = app.of_workspace(&format!("keys/{}", app.world.key.id));
    browser.get(&key).await.is(200);
    browser.submit(&key, &[("do", "revoke")]).await.location();
    let settings = app.of_workspace("settings");
    browser.get(&settings).await;
    browser
        .submit(&settings, &[("name", "<b>Other</b>")])
        .await
        .location();

    let email = app.owner_email().await;
    let page = browser.get(&app.of_workspace("audit")).await;
    page.is(200)
        .says("workspace.rename")
        .says("&lt;b&gt;Other&lt;/b&gt;")
        .says("key.revoke")
        .says("<td class=\"spare\">127.0.0.1</td>")
        .says(&email)
        .says("cli:test");

    let workspace = app.world.workspace.to_string();
    let trail = done(&pharos(
        &app,
        &["audit", "--workspace", &workspace, "--limit", "2"],
    ));
    let actions = |trail: &serde_json::Value| -> Vec<String> {
        let rows = trail.as_array().unwrap().iter();
        rows.map(|row| row["action"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(actions(&trail), ["workspace.rename", "key.revoke"]);
    assert_eq!(trail[0]["source"], "127.0.0.1");
    assert_eq!(trail[0]["actor"], format!("user:{}", app.world.owner));
    let last = trail[1]["id"].as_str().unwrap();
    let older = done(&pharos(
        &app,
        &["audit", "--workspace", &workspace, "--before", last],
    ));
    assert_eq!(
        actions(&older),
        ["user.link", "key.create", "domain.add", "workspace.create"]
    );
    assert_eq!(older[0]["source"], serde_json::Value::Null);
    let keys = done(&pharos(&app, &["audit", "--by", &email, "--action", "key"]));
    assert_eq!(actions(&keys), ["key.revoke"]);
}

#[tokio::test]
async fn a_link_for_a_member_stands_in_the_trail_of_each_of_their_workspaces_and_their_password_in_none() {
    let app = TestApp::start().await;
    let ada = app.member("ada@example.org", Role::Member).await;
    let stores = &app.stores;
    stores
        .workspace_admin
        .create("Hers", ada, "default", &actor(), app.now())
        .await
        .unwrap();
    // Her link is made by somebody at the command line, and she sets her password by it.
    app.signed_in(ada).await;
    let trails = app
        .sql(
            "SELECT action, count(DISTINCT workspace_id)::text, count(*)::text FROM audit_log
             WHERE action IN ('user.link', 'user.set-password') GROUP BY action ORDER BY action",
        )
        .await;
    let row = |values: [&str; 3]| values.map(|value| Some(value.to_owned())).to_vec();
    assert_eq!(
        trails,
        [row(["user.link", "2", "2"]), row(["user.set-password", "0", "1"])]
    );

    let mut owner = app.signed_in(app.world.owner).await;
    owner
        .get(&app.of_workspace("audit"))
        .await
        .is(200)
        .says("<code>user.link</code>")
        .says("<span class=\"note\">email: </span><bdi>ada@example.org</bdi>")
        .is_silent_on("user.set-password");
}

#[tokio::test]
async fn a_trail_says_who_made_a_change_also_once_they_left() {
    let app = TestApp::start().await;
    let ada = app.member("ada@example.org", Role::Admin).await;
    let mut hers = app.signed_in(ada).await;
    let settings = app.of_workspace("settings");
    hers.get(&settings).await.is(200);
    hers.submit(&settings, &[("name", "Hers for a day")])
        .await
        .location();
    let mut owner = app.signed_in(app.world.owner).await;
    let member = app.of_workspace(&format!("members/{ada}"));
    owner.get(&member).await.is(200);
    owner.submit(&member, &[("do", "remove")]).await.location();
    let page = owner.get(&app.of_workspace("audit")).await;
    page.is(200).is_silent_on(&format!("<code>user:{ada}</code>"));
    let text = page.text();
    for action in ["workspace.rename", "member.remove"] {
        let row = text.split("<tr>").find(|row| row.contains(action)).unwrap();
        assert!(row.contains("<bdi>ada@example.org</bdi>"), "{row}");
    }
}

#[tokio::test]
async fn a_trail_has_pages_and_is_for_admins_of_the_workspace() {
    let app = TestApp::start().await;
    let statement = format!(
        "INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, workspace_id)
         SELECT gen_random_uuid(), '2026-03-01'::timestamptz + make_interval(hours => n), 'system', 'test.' || n, 'test', '', '{}'
         FROM generate_series(1, 120) AS n",
        app.world.workspace
    );
    app.sql(&statement).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("audit");
    let mut address = path.clone();
    let mut seen = 0;
    for _ in 0..3 {
        let page = browser.get(&address).await;
        seen += page.is(200).text().matches("<code>test.").count();
        address = page.links(&format!("{path}?before=")).pop().unwrap_or_default();
    }
    assert_eq!((seen, address.as_str()), (120, ""));
    browser.get(&format!("{path}?before=x")).await.is(404);

    let member = app.member("member@example.org", Role::Member).await;
    let mut browser = app.signed_in(member).await;
    browser.get(&path).await.is(403);
    browser
        .get(&app.of_workspace("keys"))
        .await
        .is(200)
        .is_silent_on("Audit trail");
    let stranger = app.person("stranger@example.org").await;
    app.signed_in(stranger).await.get(&path).await.is(404);
}

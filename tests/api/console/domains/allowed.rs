//! Who may change domains, and when.

use pharos_domain::{hostname::Hostname, identity::SubscriptionStatus, ids::JobId, role::Role};

use crate::harness::{TestApp, actor};

#[tokio::test]
async fn members_change_no_domain_and_strangers_find_none() {
    let app = TestApp::start().await;
    let (new, deleted) = (
        app.of_workspace("domains/new"),
        app.of_workspace("domains/deleted"),
    );
    let settings = app.of_domain("/settings");
    let hostname = [("hostname", "new.example"), ("display_name", "")];
    let delete = [("do", "delete"), ("confirm", "shop.example")];
    for role in [Role::Viewer, Role::Member] {
        let mut browser = app.signed_in_as(&format!("{role}@example.org"), role).await;
        for path in [&new, &deleted, &settings] {
            browser.get(path).await.is(403).says("admin");
        }
        browser
            .get(&app.of_domain(""))
            .await
            .is(200)
            .is_silent_on("What to do next")
            .is_silent_on("/settings");
        browser.submit(&new, &hostname).await.is(403);
        browser.submit(&settings, &delete).await.is(403);
        browser
            .submit(&settings, &[("do", "verify"), ("method", "dns")])
            .await
            .is(403);
        let id = app.world.domain.to_string();
        browser.submit(&deleted, &[("domain", &id)]).await.is(403);
    }
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get("/console/workspaces/new").await;
    let own = stranger
        .submit("/console/workspaces/new", &[("name", "Theirs")])
        .await
        .location();
    for path in [&new, &deleted, &settings] {
        stranger.get(path).await.is(404);
    }
    stranger.get(&own).await.is(200);
    stranger.submit(&new, &hostname).await.is(404);
    stranger.submit(&settings, &delete).await.is(404);
    let rows = app
        .sql("SELECT count(*) FROM domains WHERE deleted_at IS NULL")
        .await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    // A deleted domain of this workspace is not restored from theirs.
    let admin = &app.stores.domain_admin;
    admin.delete(app.world.domain, &actor(), app.now()).await.unwrap();
    let id = app.world.domain.to_string();
    stranger
        .submit(&format!("{own}/domains/deleted"), &[("domain", &id)])
        .await
        .is(404);
    stranger
        .get(&format!("{own}/domains/deleted"))
        .await
        .is(200)
        .says("No deleted domain");
}

#[tokio::test]
async fn a_subscription_that_ended_allows_no_form_but_to_verify_delete_and_revoke() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (settings, deleted) = (app.of_domain("/settings"), app.of_workspace("domains/deleted"));
    let (new, jobs) = (app.of_workspace("domains/new"), app.of_workspace("jobs"));
    let [key, member, status_page] =
        ["keys/new", "members/new", "status-pages/new"].map(|path| app.of_workspace(path));
    let gone: Hostname = "gone.example".parse().unwrap();
    let (admin, now) = (&app.stores.domain_admin, app.now());
    let gone = admin.add(app.world.workspace, &gone, None, &actor(), now).await;
    let gone = gone.unwrap().id;
    admin.delete(gone, &actor(), now).await.unwrap();
    let (gone, job) = (gone.to_string(), JobId::generate().to_string());
    let workspace = app.world.workspace.to_string();
    let forms: [(&str, &[(&str, &str)]); 10] = [
        (&new, &[("hostname", "new.example"), ("display_name", "")]),
        (&deleted, &[("domain", &gone)]),
        (&settings, &[("do", "uptime")]),
        (&settings, &[("do", "analytics"), ("enabled", "yes")]),
        (&settings, &[("do", "rum"), ("enabled", "yes")]),
        (&jobs, &[("job", &job)]),
        (&key, &[("name", "CI")]),
        (&member, &[("email", "new@shop.example"), ("role", "viewer")]),
        (&status_page, &[("title", "Shop")]),
        (
            "/console/channels/new",
            &[("workspace", &workspace), ("kind", "mail")],
        ),
    ];
    let workspaces = &app.stores.workspace_admin;
    for status in [
        SubscriptionStatus::PastDue,
        SubscriptionStatus::Canceled,
        SubscriptionStatus::Expired,
    ] {
        workspaces
            .set_subscription(app.world.workspace, status, &actor(), now)
            .await
            .unwrap();
        browser.get(&settings).await.is(200);
        for (path, fields) in forms {
            browser
                .submit(path, fields)
                .await
                .is(402)
                .says("Nothing was changed")
                .says("whoever runs this Pharos");
        }
    }
    let rows = app
        .sql("SELECT count(*) FROM domains WHERE deleted_at IS NULL")
        .await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    // The way is not shown, which is another answer than that of the subscription.
    browser
        .submit(&settings, &[("do", "verify"), ("method", "mail")])
        .await
        .is(400);
    browser
        .submit(&settings, &[("do", "delete"), ("confirm", "shop.example")])
        .await
        .leads_to(&format!("{deleted}?deleted"));
    let active = SubscriptionStatus::Active;
    workspaces
        .set_subscription(app.world.workspace, active, &actor(), now)
        .await
        .unwrap();
    browser
        .submit(&deleted, &[("domain", &gone)])
        .await
        .leads_to(&format!("/console/domains/{gone}?restored"));
}

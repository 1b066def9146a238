//! The refused requests of a workspace: why each was refused, for those who look after it.

use pharos_auth::keys::{
    manage::{self, KeyRequest},
    secret::Environment,
};
use pharos_domain::{refusals::RefusalWriter, role::Role, scope::Scope};

use crate::harness::{Key, TestApp, World, actor};

/// The most that a page may weigh.
const MOST_BYTES: usize = 100 * 1024;

impl TestApp {
    /// Writes the refusals that wait on the node, as its background does now and then.
    pub(crate) async fn write_refusals(&self) {
        let writer = self.stores.ports.get::<dyn RefusalWriter>().unwrap();
        self.app.refusals().flush(&*writer).await.unwrap();
    }

    /// A key of a world that may read domains alone, from these addresses.
    async fn named_key(&self, world: &World, name: &str, allowlist: Option<Vec<String>>) -> Key {
        let request = KeyRequest {
            workspace: world.workspace,
            creator: world.owner,
            name: name.to_owned(),
            scopes: [Scope::ReadDomains].into_iter().collect(),
            expires_at: None,
            allowlist,
        };
        let keys = &*self.stores.keys;
        let made = manage::create(keys, Environment::Development, &request, &actor(), self.now()).await;
        let (key, secret) = made.unwrap();
        Key {
            id: key.id,
            secret: secret.reveal().to_owned(),
        }
    }
}

#[tokio::test]
async fn each_refusal_stands_there_with_its_reason_and_without_what_the_caller_chose() {
    let app = TestApp::start().await;
    let away = vec!["192.0.2.0/24".to_owned()];
    let elsewhere = app.named_key(&app.world, "Office <b>", Some(away)).await;
    let narrow = app.named_key(&app.world, "Deploys", None).await;
    let revoked = app.named_key(&app.world, "Old script", None).await;
    app.stores
        .keys
        .revoke(revoked.id, &actor(), app.now())
        .await
        .unwrap();
    let checks = format!("/domains/{}/uptime/checks", app.world.domain);
    for key in [&elsewhere, &revoked] {
        let refused = app.get("/domains?cursor=hunter2", key).send_unchecked().await;
        refused.problem(401, "invalid-credential");
    }
    app.get(&checks, &narrow)
        .send()
        .await
        .problem(403, "insufficient-scope");
    app.get("/domains?workspace_id=hunter2", &narrow)
        .send_unchecked()
        .await
        .problem(400, "invalid-request");
    app.get("/hunter2", &narrow)
        .send_unchecked()
        .await
        .problem(404, "not-found");
    // Nobody knows whose these are.
    app.request("GET", "/domains")
        .send_unchecked()
        .await
        .problem(401, "missing-credential");
    let stranger = Key {
        id: narrow.id,
        secret: format!("svc_dev_{}", "x".repeat(43)),
    };
    app.get("/domains", &stranger)
        .send_unchecked()
        .await
        .problem(401, "invalid-credential");
    app.write_refusals().await;

    let mut browser = app.signed_in(app.world.owner).await;
    let page = browser.get(&app.of_workspace("refusals")).await;
    page.is(200)
        .says("from an address outside its allowlist")
        .says("it was revoked")
        .says("Office &lt;b&gt;")
        .says("Old script")
        .says("<code>read:uptime</code>")
        .says("<code>listDomains</code>")
        .says("none: a path or method that is not there")
        .says("href=\"/docs/api/errors/invalid-request\"")
        .says("127.0.0.1")
        .is_silent_on("hunter2")
        .is_silent_on("missing-credential");
    assert_eq!(page.text().matches("<tr>").count(), 6, "{}", page.text());
    let stored = app.sql("SELECT r::text FROM refused_requests AS r").await;
    assert_eq!(stored.len(), 5);
    for row in &stored {
        let row = row[0].as_deref().unwrap();
        assert!(!row.contains("hunter2") && !row.contains("svc_"), "{row}");
    }
}

#[tokio::test]
async fn the_page_has_the_last_two_hundred_of_its_own_workspace_and_is_for_admins() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    app.get("/domains?workspace_id=x", &other.key)
        .send_unchecked()
        .await
        .problem(400, "invalid-request");
    for round in 0..3 {
        for _ in 0..90 {
            app.get("/domains?workspace_id=x", &app.world.key)
                .send_unchecked()
                .await;
        }
        app.write_refusals().await;
        app.clock.advance(time::Duration::seconds(round + 1));
    }
    let kept = format!(
        "SELECT count(*)::text FROM refused_requests WHERE workspace_id = '{}'",
        app.world.workspace
    );
    assert_eq!(app.sql(&kept).await[0][0].as_deref(), Some("200"));
    let kept = kept.replace(&app.world.workspace.to_string(), &other.workspace.to_string());
    assert_eq!(app.sql(&kept).await[0][0].as_deref(), Some("1"));

    let path = app.of_workspace("refusals");
    let mut browser = app.signed_in(app.world.owner).await;
    for page in ["", "?page=4", "?page=99999", "?page=x"] {
        let page = browser.get(&format!("{path}{page}")).await;
        assert_eq!(
            page.is(200).text().matches("<code>listDomains</code>").count(),
            50
        );
        assert!(page.0.body.len() < MOST_BYTES, "{}", page.0.body.len());
    }
    let member = app.member("member@example.org", Role::Member).await;
    let mut browser = app.signed_in(member).await;
    browser.get(&path).await.is(403);
    browser
        .get(&app.of_workspace("keys"))
        .await
        .is(200)
        .is_silent_on("Refused requests");
    app.signed_in(other.owner).await.get(&path).await.is(404);
}

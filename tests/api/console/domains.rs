//! Domains: added, verified, set up, deleted and restored by forms.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use pharos_account::verification::{Method, NotShown, OwnershipCheck, OwnershipToken};
use pharos_domain::{
    hostname::Hostname,
    identity::SubscriptionStatus,
    ids::{DomainId, JobId},
    role::Role,
};
use pharos_persistence::pool::Database;
use pharos_server::groups::database_options;
use pharos_supervisor::Supervisor;
use time::{Duration, OffsetDateTime};

use super::keys::copied;
use crate::harness::{TestApp, actor};

/// A site that shows every token, or none.
#[derive(Default)]
struct Site(AtomicBool);

#[async_trait]
impl OwnershipCheck for Site {
    async fn look(
        &self,
        hostname: &Hostname,
        token: &OwnershipToken,
        method: Method,
        _: OffsetDateTime,
    ) -> Result<(), NotShown> {
        assert!(!token.as_str().is_empty());
        if self.0.load(Ordering::SeqCst) {
            Ok(())
        } else {
            Err(NotShown::NoRecord {
                name: format!("{method} of {hostname}"),
            })
        }
    }
}

impl TestApp {
    /// A path of the world's domain.
    fn of_domain(&self, path: &str) -> String {
        format!("/console/domains/{}{path}", self.world.domain)
    }

    /// Puts deletions, which the database dates by its own clock, to the time of the test.
    async fn date_deletions(&self) {
        let now = self.now().unix_timestamp();
        self.sql(&format!(
            "UPDATE domains SET deleted_at = to_timestamp({now}) WHERE deleted_at IS NOT NULL"
        ))
        .await;
    }

    /// What the audit trail has of an action, the newest last: the actor, and the details.
    async fn trail(&self, action: &str) -> Vec<(String, String)> {
        let query = format!(
            "SELECT actor, details::text FROM audit_log
             WHERE action = '{action}' AND workspace_id = '{}' ORDER BY at",
            self.world.workspace
        );
        let rows = self.sql(&query).await;
        rows.into_iter()
            .map(|row| {
                let mut cells = row.into_iter().map(Option::unwrap_or_default);
                (cells.next().unwrap(), cells.next().unwrap())
            })
            .collect()
    }
}

#[tokio::test]
async fn the_first_domain_is_added_from_an_empty_workspace() {
    let app = TestApp::start().await;
    let ada = app.person("ada@example.org").await;
    let mut browser = app.signed_in(ada).await;
    browser.get("/console/workspaces/new").await;
    let overview = browser
        .submit("/console/workspaces/new", &[("name", "Ada’s")])
        .await
        .location();
    browser
        .get(&overview)
        .await
        .is(200)
        .says("No domain yet")
        .says("name=\"hostname\"");
    let new = format!("{overview}/domains/new");
    let fields = [
        ("hostname", " Bücher.Example. "),
        ("display_name", "<b>Bücher</b>"),
    ];
    let location = browser.submit(&new, &fields).await.location();
    let (page, added) = location.split_once('?').unwrap();
    assert_eq!(added, "added");
    browser
        .get(&location)
        .await
        .is(200)
        .says("The domain was added")
        .says("xn--bcher-kva.example")
        .says("&lt;b&gt;Bücher&lt;/b&gt;")
        .says("What to do next")
        .says(&format!("{page}/settings#uptime"))
        .says(&format!("{page}/settings#ownership"))
        .says("/js/pst_");
    // Twice: it is there already.
    browser.get(&new).await.is(200);
    browser
        .submit(
            &new,
            &[("hostname", "xn--bcher-kva.example"), ("display_name", "")],
        )
        .await
        .is(400)
        .says("xn--bcher-kva.example is in this workspace already");
    let rows = app
        .sql("SELECT actor, details->>'domain' FROM audit_log WHERE action = 'domain.add' AND actor LIKE 'user:%'")
        .await;
    assert_eq!(
        rows,
        [[
            Some(format!("user:{ada}")),
            Some("xn--bcher-kva.example".to_owned())
        ]]
    );
}

#[tokio::test]
async fn names_that_are_no_sites_are_refused_and_shown_again() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("domains/new");
    browser.get(&new).await.is(200);
    let (long, label) = (format!("{}example", "a.".repeat(130)), "a".repeat(64));
    for hostname in [
        "",
        ".",
        "https://shop.example/",
        "shop.example:8080",
        "192.0.2.7",
        "[2001:db8::1]",
        "0x7f.1",
        "a b.example",
        "-a.example",
        "<script>alert(1)</script>",
        "shop.example\0",
        long.as_str(),
        &format!("{label}.example"),
    ] {
        browser
            .submit(&new, &[("hostname", hostname), ("display_name", "")])
            .await
            .is(400)
            .says("Give the name alone")
            .is_silent_on("<script>alert");
    }
    for suffix in ["com", "co.uk", "CO.UK."] {
        browser
            .submit(&new, &[("hostname", suffix), ("display_name", "")])
            .await
            .is(400)
            .says("is a public suffix");
    }
    let name = "n".repeat(101);
    for name in [name.as_str(), "a\nb", "\u{202e}lave"] {
        browser
            .submit(&new, &[("hostname", "new.example"), ("display_name", name)])
            .await
            .is(400)
            .says("1 to 100 characters");
    }
    browser
        .submit(&new, &[("hostname", "shop.example"), ("display_name", "")])
        .await
        .is(400)
        .says("shop.example is in this workspace already");
    let rows = app.sql("SELECT count(*) FROM domains").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    // A form without a token, or of another origin, adds nothing.
    let fields = [("hostname", "new.example"), ("display_name", "")];
    let origin = browser.origin();
    browser.post(&new, &fields, &origin).await.is(403);
    browser.post(&new, &fields, "https://evil.example").await.is(403);
    let rows = app.sql("SELECT count(*) FROM domains").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
}

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

#[tokio::test]
async fn a_domain_is_deleted_by_its_name_and_restored_within_30_days() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (settings, deleted) = (app.of_domain("/settings"), app.of_workspace("domains/deleted"));
    browser
        .get(&settings)
        .await
        .is(200)
        .says("For 30 days you can restore it");
    for confirm in ["", "shop", "other.example"] {
        browser
            .submit(&settings, &[("do", "delete"), ("confirm", confirm)])
            .await
            .is(400)
            .says("Nothing was deleted");
    }
    browser.submit(&settings, &[("do", "nothing")]).await.is(400);
    browser
        .submit(&settings, &[("do", "delete"), ("confirm", "Shop.Example")])
        .await
        .leads_to(&format!("{deleted}?deleted"));
    app.date_deletions().await;
    browser
        .get(&format!("{deleted}?deleted"))
        .await
        .is(200)
        .says("The domain was deleted")
        .says("31 March 2026")
        .says("30 April 2026");
    browser.get(&settings).await.is(404);
    let gone = app
        .get(&format!("/domains/{}", app.world.domain), &app.world.key)
        .send_unchecked();
    assert_eq!(gone.await.status, 404);

    browser.get(&deleted).await;
    for bad in ["", "x", &DomainId::generate().to_string()] {
        browser.submit(&deleted, &[("domain", bad)]).await.is(404);
    }
    // Another of that name stands in the way.
    browser.get(&app.of_workspace("domains/new")).await;
    let fields = [("hostname", "shop.example"), ("display_name", "")];
    let another = browser
        .submit(&app.of_workspace("domains/new"), &fields)
        .await
        .location();
    let id = app.world.domain.to_string();
    browser
        .submit(&deleted, &[("domain", &id)])
        .await
        .is(400)
        .says("another domain of this name");
    let another = another.split('?').next().unwrap();
    browser
        .submit(
            &format!("{another}/settings"),
            &[("do", "delete"), ("confirm", "shop.example")],
        )
        .await
        .location();
    browser
        .submit(&deleted, &[("domain", &id)])
        .await
        .leads_to(&format!("{}?restored", app.of_domain("")));
    browser
        .get(&format!("{}?restored", app.of_domain("")))
        .await
        .is(200)
        .says("The domain was restored");
    // A second click finds nothing to restore.
    browser.submit(&deleted, &[("domain", &id)]).await.is(404);
    app.get(&format!("/domains/{id}"), &app.world.key)
        .send()
        .await
        .ok();
    let user = format!("user:{}", app.world.owner);
    assert_eq!(
        app.trail("domain.delete")
            .await
            .iter()
            .filter(|(actor, _)| *actor == user)
            .count(),
        2
    );
    assert_eq!(
        app.trail("domain.restore")
            .await
            .iter()
            .filter(|(actor, _)| *actor == user)
            .count(),
        1
    );
}

#[tokio::test]
async fn a_domain_is_erased_after_30_days() {
    let app = TestApp::start().await;
    crate::fixtures::fill(&app).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (settings, deleted) = (app.of_domain("/settings"), app.of_workspace("domains/deleted"));
    browser.get(&settings).await.is(200);
    browser
        .submit(&settings, &[("do", "delete"), ("confirm", "shop.example")])
        .await
        .location();
    app.date_deletions().await;
    app.clock.advance(Duration::days(30));
    let mut browser = app.signed_in(app.world.owner).await;
    let id = app.world.domain.to_string();
    browser.get(&deleted).await.is(200).says("No deleted domain");
    browser
        .submit(&deleted, &[("domain", &id)])
        .await
        .is(400)
        .says("more than 30 days ago");
    let database = Database::connect(app.database.url(), &database_options())
        .await
        .unwrap();
    database.maintain(app.now()).await.unwrap();
    let rows = app.sql("SELECT count(*) FROM domains").await;
    assert_eq!(rows[0][0].as_deref(), Some("0"));
    browser.submit(&deleted, &[("domain", &id)]).await.is(404);
    browser
        .get(&app.of_workspace("audit"))
        .await
        .is(200)
        .says("domain.erase");
}

#[tokio::test]
async fn ownership_is_shown_in_each_way_and_noted() {
    let site = Arc::new(Site::default());
    let shown = Arc::clone(&site);
    let app = TestApp::supervised_by(Supervisor::default(), |ports| {
        ports.with::<dyn OwnershipCheck>(shown)
    })
    .await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let page = browser.get(&settings).await;
    page.is(200).says("Not verified").says("_pharos.shop.example");
    let line = copied(&page, "record-text");
    assert_eq!(
        line,
        format!("pharos-verification={}", app.world.domain.0.simple())
    );
    assert_eq!(line, copied(&page, "file-text"));
    assert_eq!(
        copied(&page, "file-address"),
        "https://shop.example/.well-known/pharos-verification.txt"
    );
    for method in ["dns", "file", "tag"] {
        let fields = [("do", "verify"), ("method", method)];
        browser
            .submit(&settings, &fields)
            .await
            .is(400)
            .says(&format!("{method} of shop.example has no TXT record"));
    }
    browser
        .submit(&settings, &[("do", "verify"), ("method", "mail")])
        .await
        .is(400);
    let path = format!("/domains/{}", app.world.domain);
    let api = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(api["verified"], false);
    site.0.store(true, Ordering::SeqCst);
    browser
        .submit(&settings, &[("do", "verify"), ("method", "file")])
        .await
        .leads_to(&format!("{settings}?verified#ownership"));
    browser
        .get(&format!("{settings}?verified"))
        .await
        .is(200)
        .says("The domain is verified")
        .is_silent_on("Check the record now");
    let api = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(api["verified"], true);
    let trail = app.trail("domain.verify").await;
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0].0, format!("user:{}", app.world.owner));
    assert!(trail[0].1.contains("\"method\": \"file\""), "{}", trail[0].1);
}

#[tokio::test]
async fn nobody_has_sites_asked_without_end() {
    let app = TestApp::supervised_by(Supervisor::default(), |ports| {
        ports.with::<dyn OwnershipCheck>(Arc::new(Site::default()))
    })
    .await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser.get(&settings).await;
    let fields = [("do", "verify"), ("method", "dns")];
    for _ in 0..60 {
        browser.submit(&settings, &fields).await.is(400);
    }
    browser.submit(&settings, &fields).await.is(429);
}

#[tokio::test]
async fn monitoring_is_set_up_by_the_rules_of_the_api_and_costs_nothing() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser
        .get(&settings)
        .await
        .is(200)
        .says("value=\"https://shop.example/\"");
    let form = |url: &'static str, interval: &'static str, slow: &'static str| {
        vec![
            ("do", "uptime"),
            ("enabled", "yes"),
            ("url", url),
            ("interval_seconds", interval),
            ("degraded_above_ms", slow),
            ("verify_tls", "yes"),
        ]
    };
    for (fields, field) in [
        (form("", "60", ""), "#url"),
        (form("https://other.example/", "60", ""), "#url"),
        (form("ftp://shop.example/", "60", ""), "#url"),
        (form("https://<b>.shop.example/", "60", ""), "#url"),
        (form("https://shop.example/", "61", ""), "#interval_seconds"),
        (form("https://shop.example/", "60", "soon"), "#degraded_above_ms"),
        (form("https://shop.example/", "60", "0"), "#degraded_above_ms"),
    ] {
        browser
            .submit(&settings, &fields)
            .await
            .is(400)
            .says(field)
            .is_silent_on("<b>.shop");
    }
    let none = app.sql("SELECT count(*) FROM uptime_monitors").await;
    assert_eq!(none[0][0].as_deref(), Some("0"));
    browser
        .submit(&settings, &form("https://shop.example/hats", "60", "1500"))
        .await
        .leads_to(&format!("{settings}?saved#uptime"));
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], true);
    assert_eq!(config["url"], "https://shop.example/hats");
    assert_eq!(config["interval_seconds"], 60);
    assert_eq!(config["degraded_above_ms"], 1500);
    assert_eq!(config["updated_by"], app.world.owner.to_string());
    let used = app
        .sql("SELECT coalesce(sum(cost), 0) FROM credit_log WHERE operation = 'updateUptimeConfig'")
        .await;
    assert_eq!(used[0][0].as_deref(), Some("0"));
    // Off again: what the API has kept of it is outdated.
    let off = [
        ("do", "uptime"),
        ("url", "https://shop.example/hats"),
        ("interval_seconds", "300"),
        ("degraded_above_ms", ""),
    ];
    browser.submit(&settings, &off).await.location();
    let config = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], false);
    assert_eq!(config["verify_tls"], false);
    assert_eq!(config["degraded_above_ms"], serde_json::Value::Null);
    let trail = app.trail("domain.configure").await;
    assert_eq!(trail.len(), 2);
    assert_eq!(trail[0].0, format!("user:{}", app.world.owner));
    assert!(trail[0].1.contains("\"module\": \"uptime\""), "{}", trail[0].1);
}

#[tokio::test]
async fn what_browsers_send_is_switched_on_and_off() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let page = browser.get(&settings).await;
    assert!(!page.boxes("on", true).contains(&"enabled".to_owned()));
    let tag = copied(&page, "script-tag")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    assert!(tag.starts_with("<script defer src=\"http://"), "{tag}");
    for (module, operation) in [("analytics", "analytics/config"), ("rum", "rum/config")] {
        let saved = format!("{settings}?saved#collection");
        let on = [
            ("do", module),
            ("on", "enabled"),
            ("on", "store_page_titles"),
            ("on", "respect_dnt"),
        ];
        browser.submit(&settings, &on).await.leads_to(&saved);
        let path = format!("/domains/{}/{operation}", app.world.domain);
        let config = app.get(&path, &app.world.key).send().await.ok();
        assert_eq!(config["enabled"], true, "{module}");
        browser
            .submit(&settings, &[("do", module)])
            .await
            .leads_to(&saved);
        let config = app.get(&path, &app.world.key).send().await.ok();
        assert_eq!(config["enabled"], false, "{module}");
    }
    assert_eq!(app.trail("domain.configure").await.len(), 4);
    app.move_to_plan_without_uptime().await;
    browser
        .get(&settings)
        .await
        .is(200)
        .is_silent_on("Save monitoring")
        .is_silent_on("script-tag");
    for module in ["uptime", "analytics", "rum"] {
        browser.submit(&settings, &[("do", module)]).await.is(400);
    }
}

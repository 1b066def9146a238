//! A workspace in which every page has something to show.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use pharos_domain::{hostname::Hostname, jobs::JobState, role::Role};

use super::{
    PASSWORD,
    browser::{Browser, Page},
    jobs, link_mails,
};
use crate::{
    alerting::fixtures::channels,
    fixtures,
    harness::{TestApp, actor},
};

/// How long what a stage begins may take, in all.
const PATIENCE: Duration = Duration::from_secs(60);

/// The secret of a link by which somebody says that they want a report: as long as one is.
const WANTED: &str = "a-link-that-says-yes-and-has-43-characters-";

/// The app, its people, and the ids and addresses that stand for the names in braces.
pub(super) struct Stage {
    pub(super) app: TestApp,
    /// The owner of the workspace, who looks after the installation, too.
    pub(super) owner: Browser,
    names: BTreeMap<&'static str, String>,
}

impl Stage {
    pub(super) async fn set() -> Self {
        let (app, _) = link_mails::mailing().await;
        fixtures::fill(&app).await;
        app.verified().await;
        let now = app.now();
        let member = app.person("reader@example.org").await;
        let members = &app.stores.members;
        let cap = pharos_domain::patch::Patch::Keep;
        members
            .put(app.world.workspace, member, Role::Viewer, cap, &actor(), now)
            .await
            .unwrap();
        let gone: Hostname = "gone.example".parse().unwrap();
        let domains = &app.stores.domain_admin;
        let gone = domains.add(app.world.workspace, &gone, None, &actor(), now).await;
        let gone = gone.unwrap().id;
        domains.delete(gone, &actor(), now).await.unwrap();
        app.date_deletions().await;
        let job = jobs::job(&app, app.world.workspace, "report", JobState::Dead, "no disk").await;
        let welcomed = app.person("welcomed@example.org").await;
        let welcome = app.link(welcomed).await;
        let owner = app.world.owner;
        app.sql(&format!(
            "UPDATE users SET is_operator = true WHERE id = '{owner}'"
        ))
        .await;

        let mut owner = app.signed_in(owner).await;
        let mut names = BTreeMap::from([
            ("workspace_id", app.world.workspace.to_string()),
            ("domain_id", app.world.domain.to_string()),
            ("user_id", member.to_string()),
            ("key_id", app.world.key.id.to_string()),
            ("deleted", gone.to_string()),
            ("job", job.to_string()),
            ("welcome", welcome),
            ("slug", "how-we-do".to_owned()),
        ]);
        for (name, template) in [
            ("incident_id", "/domains/d/uptime/incidents/{incident_id}"),
            ("rule_id", "/domains/d/alerts/rules/{rule_id}"),
            ("error_id", "/domains/d/rum/errors/{error_id}"),
            ("template_id", "/domains/d/reports/templates/{template_id}"),
            ("report_run", "/domains/d/reports/{run_id}"),
            ("url_id", "/domains/d/synthetic/urls/{url_id}"),
            (
                "experiment_id",
                "/domains/d/analytics/experiments/{experiment_id}",
            ),
            ("version_id", "/domains/d/robots/versions/{version_id}"),
            ("lab_run", "/domains/d/synthetic/runs/{run_id}"),
        ] {
            let path = app.world.path(template);
            names.insert(name, path.rsplit('/').next().unwrap().to_owned());
        }
        let budgets = app.sql("SELECT id FROM synthetic_budgets").await;
        names.insert("budget_id", budgets[0][0].clone().unwrap());
        names.insert("confirm", format!("/console/reports/confirm/{WANTED}"));
        let end = recipients(&app, &names["template_id"]).await;
        names.insert("end_reports", format!("/console/reports/unsubscribe/{end}"));
        made_by_forms(&app, &mut owner, &mut names).await;
        Self { app, owner, names }
    }

    /// A text with what stands for the names in it.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (name, value) in &self.names {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
        filled
    }

    /// All of them.
    pub(super) fn names(&self) -> &BTreeMap<&'static str, String> {
        &self.names
    }

    /// A page as its readers see it: the owner, or who has not signed in where it is for them.
    pub(super) async fn read(&mut self, address: &str) -> Page {
        let address = self.fill(address);
        if is_before_sign_in(&address) {
            self.app.browser().get(&address).await
        } else {
            self.owner.get(&address).await
        }
    }

    /// A digest of each table: all but sessions, which are used by every page.
    pub(super) async fn stored(&self) -> BTreeMap<String, String> {
        let tables = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
             WHERE schemaname !~ '^(pg_|information_schema)' AND tablename <> 'sessions'";
        let mut stored = BTreeMap::new();
        for row in self.app.sql(tables).await {
            let table = row[0].clone().unwrap();
            let digest = self
                .app
                .sql(&format!(
                    "SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {table} AS t"
                ))
                .await;
            stored.insert(table, digest[0][0].clone().unwrap());
        }
        stored
    }

    /// The same once nothing of the stage is on its way any more, such as charges.
    pub(super) async fn settled(&self) -> BTreeMap<String, String> {
        let deadline = Instant::now() + PATIENCE;
        let mut before = self.stored().await;
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let after = self.stored().await;
            if before == after {
                return after;
            }
            let mut changed = after.clone();
            changed.retain(|table, digest| before.get(table) != Some(digest));
            assert!(Instant::now() < deadline, "{changed:?} change without end");
            before = after;
        }
    }
}

/// Whether a page is for those who have not signed in.
pub(super) fn is_before_sign_in(address: &str) -> bool {
    ["/console/sign-in", "/console/welcome/", "/console/forgotten"]
        .iter()
        .any(|start| address.starts_with(start))
}

/// Two recipients of a report: one who was asked, by a link with [`WANTED`], and one who said yes. Gives the token by which that
/// one ends it.
async fn recipients(app: &TestApp, template: &str) -> String {
    let ends = app
        .sql(&format!(
            "INSERT INTO report_recipients (id, template_id, address, address_key, asked_at, asked_until, link_digest, confirmed_at)
             SELECT gen_random_uuid(), '{template}', address, address, '2026-03-30Z', '2099-01-01Z', link, confirmed_at
             FROM (VALUES ('asked@shop.example', sha256('{WANTED}'), NULL::timestamptz),
                          ('client@shop.example', NULL, '2026-03-30Z')) AS r (address, link, confirmed_at);
             SELECT unsubscribe_token FROM report_recipients WHERE confirmed_at IS NOT NULL"
        ))
        .await;
    ends[0][0].clone().unwrap()
}

/// Makes by forms, as people do, a channel, a status page and a second session.
async fn made_by_forms(app: &TestApp, owner: &mut Browser, names: &mut BTreeMap<&'static str, String>) {
    let (workspace, domain) = (app.world.workspace.to_string(), app.world.domain.to_string());
    owner.get("/console/channels").await.is(200);
    let channel = [
        ("workspace", &*workspace),
        ("kind", "email"),
        ("name", "On call"),
        ("target_to", "on-call@shop.example"),
        ("domain", ""),
        ("min_severity", "warning"),
        ("quiet_hours", ""),
    ];
    let made = owner.submit("/console/channels/new", &channel).await.location();
    let made = made.strip_suffix("?made").unwrap();
    names.insert("id", made.rsplit('/').next().unwrap().to_owned());
    let token = channels(app).await[0].unsubscribe_token.clone();
    names.insert("unsubscribe", format!("/console/unsubscribe/{}", token.reveal()));

    let list = app.of_workspace("status-pages");
    let page = [
        ("title", "How we do"),
        ("slug", "how-we-do"),
        ("domain", &*domain),
    ];
    owner.submit(&format!("{list}/new"), &page).await.location();
    let page = owner.get(&list).await.link(&format!("{list}/0"));
    names.insert("page_id", page.rsplit('/').next().unwrap().to_owned());

    let mut elsewhere = app.browser();
    let sign_in = elsewhere.get("/console/sign-in").await;
    let text = sign_in.text();
    for (name, before) in [
        ("style", "rel=\"stylesheet\" href=\""),
        ("script", "<script src=\""),
    ] {
        let (_, rest) = text.split_once(before).unwrap();
        names.insert(name, rest.split('"').next().unwrap().to_owned());
    }
    let email = app.owner_email().await;
    let fields = [("next", ""), ("email", &*email), ("password", PASSWORD)];
    elsewhere.submit("/console/sign-in", &fields).await.location();
    let account = owner.get("/console/account").await;
    names.insert("session", account.hidden("session").unwrap());
}

/// A form that is posted.
pub(super) struct ShownForm {
    /// Where it goes, without what stands behind its path.
    pub(super) action: String,
    /// The names of what it sends.
    pub(super) names: BTreeSet<String>,
}

impl Page {
    /// The forms of the page that are posted.
    pub(super) fn forms(&self) -> Vec<ShownForm> {
        let text = self.text();
        let forms = text.split("<form").skip(1).filter_map(|rest| {
            let (form, _) = rest.split_once("</form>")?;
            let (head, inside) = form.split_once('>')?;
            if attribute(head, "method") != Some("post") {
                return None;
            }
            let action = attribute(head, "action")?;
            let tags = inside.split('<').filter_map(|tag| tag.split('>').next());
            let fields = tags.filter(|tag| {
                let element = tag.split(' ').next().unwrap_or_default();
                ["input", "select", "textarea", "button"].contains(&element)
            });
            Some(ShownForm {
                action: action.split(['?', '#']).next().unwrap_or_default().to_owned(),
                names: fields
                    .filter_map(|tag| attribute(tag, "name"))
                    .map(str::to_owned)
                    .collect(),
            })
        });
        forms.collect()
    }
}

/// The value of an attribute of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

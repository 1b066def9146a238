//! The console of the real binary in a real browser. See `tests/browser/README.md`.

use std::{env, ffi::OsString, path::Path, process::Command};

use serde_json::Value;

use super::stage::Stage;
use crate::{
    harness::{Node, TestApp, actor, binary},
    search::google::{CLIENT, Google, Steady},
};

/// Names Chromium's program; without it Debian's place is tried.
const CHROMIUM: &str = "PHAROS_TEST_CHROMIUM";

/// Chromium's program.
pub(crate) fn program() -> OsString {
    env::var_os(CHROMIUM).unwrap_or_else(|| "/usr/bin/chromium".into())
}

/// A link by which the world's owner sets a password at a node that has the app's database.
pub(crate) async fn link(app: &TestApp, origin: &str) -> String {
    let output = Command::new(binary())
        .args(["admin", "--json", "user", "link", &app.owner_email().await])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .env("PHAROS_BASE_URL", origin)
        .output()
        .unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["link"].as_str().unwrap().to_owned()
}

/// Walks a script of `tests/browser` through a node that has the app's database, as the world's owner with a link. The node
/// has these settings besides, and the script is told these variables.
async fn walk(app: &TestApp, script: &str, settings: &[(&str, &str)], told: &[(&str, &str)]) {
    let environment = [&[("PHAROS_DATABASE_URL", app.database.url())], settings].concat();
    let node = Node::start(&[], &environment);
    let origin = format!("http://{}", node.address);
    run(script, &origin, &link(app, &origin).await, told);
}

/// Walks a script through the app of a stage, as its owner with a link. The app has the clock by which the stage was set, so
/// that its pages have what there was in the last days. The script is told the names of the stage as JSON, and these variables.
pub(super) async fn walk_on(stage: &Stage, script: &str, told: &[(&str, &str)]) {
    let origin = format!("http://{}", stage.app.address);
    let link = stage.app.link(stage.app.world.owner).await;
    let names = serde_json::to_string(stage.names()).unwrap();
    let told = [&[("STAGE", names.as_str())], told].concat();
    run(script, &origin, &format!("{origin}{link}"), &told);
}

/// Runs a script in Chromium.
fn run(script: &str, origin: &str, link: &str, told: &[(&str, &str)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let browser = root.join("browser");
    assert!(
        browser.join("node_modules").exists(),
        "{} has no node_modules; run `cargo xtask test`",
        browser.display()
    );
    let walk = Command::new("node")
        .arg(script)
        .current_dir(&browser)
        .env("ORIGIN", origin)
        .env("LINK", link)
        .env("CHROMIUM", program())
        .env("SHOTS", root.join("../target/test-screenshots"))
        .envs(told.iter().copied())
        .output()
        .expect("Node.js; run `cargo xtask test`");
    assert!(
        walk.status.success(),
        "{}{}",
        String::from_utf8_lossy(&walk.stdout),
        String::from_utf8_lossy(&walk.stderr)
    );
}

#[tokio::test]
async fn the_console_works_in_chromium() {
    let app = TestApp::start().await;
    let admin = &app.stores.workspace_admin;
    let later = app.now() + time::Duration::HOUR;
    admin
        .create("Second", app.world.owner, "default", &actor(), later)
        .await
        .unwrap();
    walk(&app, "console.mjs", &[], &[]).await;
}

/// Nobody signs in for it.
#[tokio::test]
async fn the_documentation_is_read_in_chromium() {
    let app = TestApp::start().await;
    let domain = app.world.domain.to_string();
    let told = [
        ("KEY", app.world.key.secret.as_str()),
        ("DOMAIN", domain.as_str()),
    ];
    walk(&app, "docs.mjs", &[], &told).await;
}

#[tokio::test]
async fn the_pages_of_sites_work_in_chromium() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let calls = format!(
        "INSERT INTO credit_log (workspace_id, occurred_at, request_id, credential_id, operation, status, cost, cache)
         SELECT '{workspace}', now() - n * interval '2 hours', gen_random_uuid(), '{key}',
             (ARRAY['getDomainOverview', 'listUptimeChecks', 'getUptimeStatus', 'listAlertRules', 'listWorkspaces', 'getGscOverview'])[1 + n % 6],
             200, 1 + n % 6, 'miss'
         FROM generate_series(0, 100) AS n;
         UPDATE credit_balances SET cycle_start = now() - interval '10 days', cycle_end = now() + interval '20 days',
             used = (SELECT sum(cost) FROM credit_log WHERE workspace_id = '{workspace}')
         WHERE workspace_id = '{workspace}';
         INSERT INTO refused_requests (workspace_id, at, request_id, credential_id, operation, problem, about, source)
         SELECT '{workspace}', now() - n * interval '1 minute', gen_random_uuid(), '{key}', 'listUptimeChecks',
             (ARRAY['invalid-credential', 'insufficient-scope', 'rate-limited', 'invalid-request', 'quota-exhausted'])[1 + n % 5],
             (ARRAY['address-not-allowed', 'read:uptime', 'general', NULL, NULL])[1 + n % 5], '192.0.2.7'
         FROM generate_series(0, 60) AS n;
         UPDATE users SET is_operator = true WHERE id = '{owner}'",
        workspace = app.world.workspace,
        key = app.world.key.id,
        owner = app.world.owner,
    );
    app.sql(&calls).await;
    walk(&app, "pages.mjs", &[], &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_property_of_search_console_is_linked_in_chromium() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (id, secret) = CLIENT;
    let (search, token, consent) = (google.url(""), google.url("token"), google.url("consent"));
    let settings: [(&str, &str); 6] = [
        ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
        ("PHAROS_GOOGLE_CLIENT_ID", id),
        ("PHAROS_GOOGLE_CLIENT_SECRET", secret),
        ("PHAROS_GOOGLE_SEARCH_URL", &search),
        ("PHAROS_GOOGLE_TOKEN_URL", &token),
        ("PHAROS_GOOGLE_CONSENT_URL", &consent),
    ];
    let domain = app.world.domain.to_string();
    walk(
        &app,
        "search_console.mjs",
        &settings,
        &[("DOMAIN", &domain), ("GOOGLE", search.trim_end_matches('/'))],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_people_and_workspaces_are_looked_after_in_chromium() {
    let stage = Stage::set().await;
    walk_on(&stage, "people.mjs", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_modules_with_data_work_in_chromium() {
    let stage = Stage::set().await;
    walk_on(&stage, "modules.mjs", &[]).await;
}

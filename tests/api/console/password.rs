//! The link by which a user sets a password.

use serde_json::Value;
use time::Duration;

use super::PASSWORD;
use crate::harness::{TestApp, binary};

#[tokio::test]
async fn a_link_sets_a_password_once() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let link = app.link(app.world.owner).await;
    let mut browser = app.browser();
    browser
        .get(&link)
        .await
        .is(200)
        .says(&email)
        .says("12 to 256 characters");
    let mut second = app.browser();
    second.get(&link).await.is(200);
    let fields = [("password", PASSWORD), ("again", PASSWORD)];
    browser.submit(&link, &fields).await.leads_to("/console");
    browser.get("/console/apps").await.is(200);

    second
        .submit(&link, &fields)
        .await
        .is(410)
        .says("This link can’t be used");
    second.get(&link).await.is(410);
    second.get("/console/welcome/psl_x").await.is(410);
    let stored = app.sql("SELECT hash FROM user_passwords").await;
    assert!(
        stored[0][0]
            .as_ref()
            .unwrap()
            .starts_with("$argon2id$v=19$m=19456,t=2,p=1$")
    );
    let audit = app
        .sql("SELECT action, actor FROM audit_log WHERE action LIKE 'user.%' ORDER BY id")
        .await;
    let actions: Vec<_> = audit.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(actions, ["user.create", "user.link", "user.set-password"]);
    assert_eq!(
        audit[2][1].as_deref(),
        Some(format!("user:{}", app.world.owner).as_str())
    );
}

#[tokio::test]
async fn a_link_lapses_after_24_hours_and_when_a_newer_one_is_made() {
    let app = TestApp::start().await;
    let first = app.link(app.world.owner).await;
    let second = app.link(app.world.owner).await;
    let mut browser = app.browser();
    browser.get(&first).await.is(410);
    app.clock.advance(Duration::hours(24) - Duration::SECOND);
    browser.get(&second).await.is(200);
    app.clock.advance(Duration::SECOND);
    let fields = [("password", PASSWORD), ("again", PASSWORD)];
    browser.submit(&second, &fields).await.is(410);
    browser.get(&second).await.is(410);
}

#[tokio::test]
async fn a_password_that_is_not_taken_leaves_the_link_good() {
    let app = TestApp::start().await;
    let link = app.link(app.world.owner).await;
    let mut browser = app.browser();
    browser.get(&link).await.is(200);
    let long = "p".repeat(257);
    for (password, again, told) in [
        ("eleven char", "eleven char", "too short"),
        (long.as_str(), long.as_str(), "too long"),
        (PASSWORD, "correct horse battery stable", "differ"),
    ] {
        let fields = [("password", password), ("again", again)];
        browser
            .submit(&link, &fields)
            .await
            .is(400)
            .says(told)
            .is_silent_on(password);
    }
    let fields = [("password", PASSWORD), ("again", PASSWORD)];
    browser.submit(&link, &fields).await.leads_to("/console");
}

#[tokio::test]
async fn setting_a_password_ends_every_other_session() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut elsewhere = app.signed_in(app.world.owner).await;
    elsewhere.get("/console/apps").await.is(200);
    let link = app.link(app.world.owner).await;
    let mut browser = app.browser();
    browser.get(&link).await.is(200);
    let fields = [
        ("password", "another horse entirely"),
        ("again", "another horse entirely"),
    ];
    browser.submit(&link, &fields).await.leads_to("/console");
    browser.get("/console/apps").await.is(200);
    assert_eq!(elsewhere.get("/console/apps").await.0.status, 303);
    elsewhere.get("/console/sign-in").await;
    let old = [("email", email.as_str()), ("password", PASSWORD)];
    elsewhere.submit("/console/sign-in", &old).await.is(403);
}

#[tokio::test]
async fn the_command_line_makes_links() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let output = std::process::Command::new(binary())
        .args(["admin", "--json", "user", "link", &email])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .env("PHAROS_BASE_URL", "https://pharos.example/")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let link = answer["link"].as_str().unwrap();
    assert!(
        link.starts_with("https://pharos.example/console/welcome/psl_"),
        "{link}"
    );
    // The secret that it names is stored as a digest alone.
    let secret = link.rsplit('/').next().unwrap();
    let stored = app
        .sql(&format!(
            "SELECT 1 FROM sign_in_links WHERE digest = sha256(convert_to('{secret}', 'UTF8'))"
        ))
        .await;
    assert_eq!(stored.len(), 1);
}

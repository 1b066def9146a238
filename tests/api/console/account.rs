//! The user's own account: changing the password, and ending sessions.

use super::PASSWORD;
use crate::harness::TestApp;

const NEXT: &str = "a battery of staple horses";

#[tokio::test]
async fn a_password_is_changed_by_who_knows_it_and_other_sessions_end() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let mut other = app.browser();
    other.get("/console/sign-in").await;
    let sign_in = [("email", email.as_str()), ("password", PASSWORD)];
    other.submit("/console/sign-in", &sign_in).await.location();
    browser.get("/console/account").await.is(200).says(&email);
    let long = "p".repeat(257);
    for (present, password, again, status, why) in [
        ("", NEXT, NEXT, 403, "not your present password"),
        ("wrong", NEXT, NEXT, 403, "not your present password"),
        (PASSWORD, "short", "short", 400, "too short"),
        (PASSWORD, &long, &long, 400, "too long"),
        (PASSWORD, NEXT, PASSWORD, 400, "not the same"),
    ] {
        let fields = [
            ("do", "password"),
            ("present", present),
            ("password", password),
            ("again", again),
        ];
        browser
            .submit("/console/account", &fields)
            .await
            .is(status)
            .says(why)
            .is_silent_on(NEXT);
    }
    other.get("/console/account").await.is(200);
    let fields = [
        ("do", "password"),
        ("present", PASSWORD),
        ("password", NEXT),
        ("again", NEXT),
    ];
    browser
        .submit("/console/account", &fields)
        .await
        .leads_to("/console/account?password");
    browser
        .get("/console/account?password")
        .await
        .is(200)
        .says("was changed");
    assert_eq!(other.get("/console/account").await.0.status, 303);
    other.get("/console/sign-in").await;
    other.submit("/console/sign-in", &sign_in).await.is(403);
    let sign_in = [("email", email.as_str()), ("password", NEXT)];
    other.submit("/console/sign-in", &sign_in).await.location();
}

#[tokio::test]
async fn a_password_is_guessed_here_no_more_often_than_at_sign_in() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get("/console/account").await;
    let fields = [
        ("do", "password"),
        ("present", "wrong"),
        ("password", NEXT),
        ("again", NEXT),
    ];
    for _ in 0..20 {
        browser.submit("/console/account", &fields).await.is(403);
    }
    browser
        .submit("/console/account", &fields)
        .await
        .is(429)
        .says("Try again in");
}

#[tokio::test]
async fn a_user_ends_sessions_of_their_own_alone() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let mut other = app.browser();
    other.get("/console/sign-in").await;
    let sign_in = [("email", email.as_str()), ("password", PASSWORD)];
    other.submit("/console/sign-in", &sign_in).await.location();
    let page = browser.get("/console/account").await;
    let session = page.is(200).says("this one").hidden("session").unwrap();

    let ada = app.person("ada@example.org").await;
    let mut stranger = app.signed_in(ada).await;
    stranger.get("/console/account").await.is(200);
    let fields = [("do", "end"), ("session", session.as_str())];
    stranger
        .submit("/console/account", &fields)
        .await
        .leads_to("/console/account?ended");
    other.get("/console/account").await.is(200);
    for bad in ["", "x", &session[..63]] {
        let fields = [("do", "end"), ("session", bad)];
        browser.submit("/console/account", &fields).await.is(400);
    }
    browser.get("/console/account").await;
    browser
        .submit("/console/account", &fields)
        .await
        .leads_to("/console/account?ended");
    assert_eq!(other.get("/console/account").await.0.status, 303);
    browser.get("/console/account").await.is(200);
}

#[tokio::test]
async fn sessions_are_told_apart_by_their_browser_and_address() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser
        .get("/console/account")
        .await
        .is(200)
        .says("<td>127.0.0.1</td>")
        .says("not known")
        .is_silent_on("Firefox");
    let mut other = app.browser();
    other.agent = Some("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0");
    other.get("/console/sign-in").await;
    let sign_in = [("email", email.as_str()), ("password", PASSWORD)];
    other.submit("/console/sign-in", &sign_in).await.location();
    browser
        .get("/console/account")
        .await
        .is(200)
        .says("<bdi>Firefox on Windows</bdi>");
    // Nothing is known of sessions that began before this was noted.
    app.sql("UPDATE sessions SET source = NULL, browser = NULL").await;
    browser
        .get("/console/account")
        .await
        .is(200)
        .is_silent_on("Firefox")
        .is_silent_on("127.0.0.1");
}

#[tokio::test]
async fn the_page_of_somebody_with_hundreds_of_sessions_stays_light() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    app.sql(
        "INSERT INTO sessions (digest, user_id, signed_in_at, last_used_at, source, browser)
         SELECT sha256(n::text::bytea), s.user_id, s.signed_in_at, s.last_used_at - make_interval(secs => n),
             '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', repeat('n', 100)
         FROM sessions AS s, generate_series(1, 300) AS n",
    )
    .await;
    let page = browser.get("/console/account").await;
    assert_eq!(page.is(200).text().matches("name=\"session\"").count(), 49);
    page.says("this one");
    assert!(page.0.body.len() < 100 * 1024, "{}", page.0.body.len());
}

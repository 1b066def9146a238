//! Signing in and out.

use pharos_auth::{oauth::limits::OauthLimits, sign_in::desk::SignInLimits};
use pharos_metering::testing::RedisServer;
use time::Duration;

use super::PASSWORD;
use crate::harness::{TestApp, actor};

const WRONG: &str = "E-mail address or password are wrong.";

#[tokio::test]
async fn a_user_signs_in_and_out() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;

    let mut browser = app.browser();
    browser
        .get("/console")
        .await
        .leads_to("/console/sign-in?next=%2Fconsole");
    let sign_in = browser.get("/console/apps").await.location();
    assert_eq!(sign_in, "/console/sign-in?next=%2Fconsole%2Fapps");
    browser
        .get(&sign_in)
        .await
        .is(200)
        .says("<h1><bdi>Sign in</bdi></h1>");
    let upper = email.to_uppercase();
    let fields = [
        ("next", "/console/apps"),
        ("email", &upper),
        ("password", PASSWORD),
    ];
    browser
        .submit("/console/sign-in", &fields)
        .await
        .leads_to("/console/apps");
    browser.get("/console/apps").await.is(200).says(&email);
    // Whoever has signed in needs no form.
    browser.get(&sign_in).await.leads_to("/console/apps");

    let kept = browser.clone();
    browser
        .submit("/console/sign-out", &[])
        .await
        .leads_to("/console/sign-in");
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies);
    // Not forgotten by the browser alone.
    kept.clone().get("/console/apps").await.leads_to(&sign_in);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_are_told_the_same() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;
    app.person("without@example.org").await;
    let mut answers = Vec::new();
    for (email, password) in [
        (email.as_str(), "correct horse battery stapl"),
        ("nobody@example.org", PASSWORD),
        // Has no password, and no way in without one.
        ("without@example.org", ""),
        ("ada\0@example.org", PASSWORD),
        ("", ""),
    ] {
        let mut browser = app.browser();
        browser.get("/console/sign-in").await;
        let fields = [("next", ""), ("email", email), ("password", password)];
        let page = browser.submit("/console/sign-in", &fields).await;
        page.is(403).says(WRONG);
        assert!(!browser.cookies.contains_key("pharos_session"));
        answers.push(page.text().replace(&browser.token, "").replace(email, ""));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn an_account_is_tried_20_times_an_hour_right_or_wrong() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    for _ in 0..20 {
        let fields = [("email", email.as_str()), ("password", "wrong")];
        browser.submit("/console/sign-in", &fields).await.is(403);
    }
    let right = [("email", email.as_str()), ("password", PASSWORD)];
    let page = browser.submit("/console/sign-in", &right).await;
    page.is(429).says("too many attempts").says("Try again in ");
    let wait: i64 = page.0.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3_600).contains(&wait), "{wait}");
    // Another account is not touched by it.
    let other = [("email", "nobody@example.org"), ("password", PASSWORD)];
    browser.submit("/console/sign-in", &other).await.is(403);
    app.clock.advance(Duration::hours(2));
    browser
        .submit("/console/sign-in", &right)
        .await
        .leads_to("/console");
}

#[tokio::test]
async fn an_address_tries_60_times_an_hour_whatever_the_account() {
    let app = TestApp::start().await;
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    let statuses = async |browser: &mut super::Browser, attempt: usize| {
        let email = format!("nobody-{attempt}@example.org");
        // Longer than any password, so refused without a hash.
        let password = "p".repeat(257);
        let fields = [("email", email.as_str()), ("password", &password)];
        browser.submit("/console/sign-in", &fields).await.0.status
    };
    for attempt in 0..60 {
        assert_eq!(statuses(&mut browser, attempt).await, 403);
    }
    assert_eq!(statuses(&mut browser, 60).await, 429);
}

#[tokio::test]
async fn the_limits_are_what_is_configured() {
    let limits = SignInLimits {
        source: 5,
        account: 2,
        ..SignInLimits::default()
    };
    let app = TestApp::limited(OauthLimits::default(), limits).await;
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    let mut try_as = async |email: &str| {
        let fields = [("email", email), ("password", &*"p".repeat(257))];
        browser.submit("/console/sign-in", &fields).await.0.status
    };
    for (email, status) in [
        ("one@example.org", 403),
        ("one@example.org", 403),
        ("one@example.org", 429),
        ("two@example.org", 403),
        ("two@example.org", 403),
        ("three@example.org", 429),
    ] {
        assert_eq!(try_as(email).await, status, "{email}");
    }
}

/// Whoever could take Redis away, or waits until it is, guesses no more often than before.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_held_while_redis_is_away() {
    let mut redis = RedisServer::start();
    let app = TestApp::on_redis(&redis.url(), Vec::new()).await;
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    let mut attempt = async || {
        let fields = [("email", "ada@example.org"), ("password", &*"p".repeat(257))];
        browser.submit("/console/sign-in", &fields).await.0.status
    };
    for _ in 0..10 {
        assert_eq!(attempt().await, 403);
    }
    redis.kill();
    for _ in 10..20 {
        assert_eq!(attempt().await, 403);
    }
    assert_eq!(attempt().await, 429);
}

#[tokio::test]
async fn signing_in_makes_a_new_session() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let before = app.signed_in(app.world.owner).await.cookies["pharos_session"].clone();
    // Whoever planted a cookie knows it; the one after is another, and the planted one is over.
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    browser
        .cookies
        .insert("pharos_session".to_owned(), before.clone());
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    browser
        .submit("/console/sign-in", &fields)
        .await
        .leads_to("/console");
    assert_ne!(browser.cookies["pharos_session"], before);
    let mut planted = app.browser();
    planted.cookies.insert("pharos_session".to_owned(), before);
    assert!(
        planted
            .get("/console/apps")
            .await
            .location()
            .starts_with("/console/sign-in")
    );
}

#[tokio::test]
async fn sign_in_goes_on_to_pages_of_the_console_alone() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;
    for (next, location) in [
        ("/console/consent?request=x", "/console/consent?request=x"),
        ("//evil.example/console/", "/console"),
        (r"/\evil.example", "/console"),
        (r"/console/\..\..\\evil.example", "/console"),
        ("https://evil.example/console/apps", "/console"),
        ("javascript:alert(1)", "/console"),
        ("/api/public/v1/oauth/authorize", "/console"),
        ("/console/apps\r\nset-cookie: a=b", "/console"),
        ("", "/console"),
    ] {
        let mut browser = app.browser();
        let query: String = form_urlencoded::Serializer::new(String::new())
            .append_pair("next", next)
            .finish();
        let page = browser.get(&format!("/console/sign-in?{query}")).await;
        assert_eq!(page.is(200).hidden("next").unwrap(), location, "{next}");
        let fields = [("next", next), ("email", email.as_str()), ("password", PASSWORD)];
        browser
            .submit("/console/sign-in", &fields)
            .await
            .leads_to(location);
    }
}

#[tokio::test]
async fn a_session_ends_12_hours_after_its_last_use_and_after_14_days() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    for _ in 0..2 {
        app.clock.advance(Duration::hours(11));
        browser.get("/console/apps").await.is(200);
    }
    let mut idle = browser.clone();
    app.clock.advance(Duration::hours(12));
    assert_eq!(idle.get("/console/apps").await.0.status, 303);

    let mut browser = app.signed_in(app.world.owner).await;
    for _ in 0..(14 * 24 / 8 - 1) {
        app.clock.advance(Duration::hours(8));
        browser.get("/console/apps").await.is(200);
    }
    app.clock.advance(Duration::hours(8));
    assert_eq!(browser.get("/console/apps").await.0.status, 303);
}

#[tokio::test]
async fn a_disabled_user_is_signed_out_at_once_and_for_good() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let link = app.link(app.world.owner).await;
    let users = &app.stores.users;
    users
        .set_disabled(app.world.owner, true, &actor(), app.now())
        .await
        .unwrap();
    assert_eq!(browser.get("/console/apps").await.0.status, 303);
    browser.get("/console/sign-in").await;
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    browser
        .submit("/console/sign-in", &fields)
        .await
        .is(403)
        .says(WRONG);
    browser.get(&link).await.is(410);

    users
        .set_disabled(app.world.owner, false, &actor(), app.now())
        .await
        .unwrap();
    assert_eq!(browser.get("/console/apps").await.0.status, 303);
    browser
        .submit("/console/sign-in", &fields)
        .await
        .leads_to("/console");
}

#[tokio::test]
async fn a_session_is_no_credential_of_the_api() {
    let app = TestApp::start().await;
    let browser = app.signed_in(app.world.owner).await;
    let cookie = format!("pharos_session={}", browser.cookies["pharos_session"]);
    let reply = app.request("GET", "/me").header("cookie", cookie).send().await;
    reply.problem(401, "missing-credential");
}

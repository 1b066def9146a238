//! The switches of the installation: operators throw them at the console.

use serde_json::Value;

use crate::{
    admin::{done, pharos},
    harness::TestApp,
};

const PATH: &str = "/console/switches";

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_throws_a_switch_by_its_name_and_puts_it_back() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    // Whoever owns a workspace is no operator for that.
    browser.get(PATH).await.is(404);
    let made = done(&pharos(&app, &["user", "operator", &email]));
    assert_eq!(made["is_operator"], Value::Bool(true));
    let page = browser.get(PATH).await;
    page.is(200)
        .says("Turn the API off")
        .says("No switch was ever thrown")
        .says("<a href=\"/console/switches\" aria-current=\"page\">Switches</a>");

    let throw = |typed| [("switch", "read-only-mode"), ("do", "throw"), ("confirm", typed)];
    let mistyped = browser.submit(PATH, &throw("read-only")).await;
    mistyped.is(400).says("That is not the name of the switch");
    assert_eq!(mode(&app).await, "normal");
    browser
        .submit(PATH, &throw("read-only-mode"))
        .await
        .leads_to("/console/switches?changed");
    assert_eq!(mode(&app).await, "read_only");
    // Once more, as in another tab: nothing is changed, and nothing stands in the trail.
    browser.submit(PATH, &throw("read-only-mode")).await.location();
    let page = browser.get(PATH).await;
    page.is(200).says("Turn on again").says("turned off").says(&email);
    let back = [("switch", "read-only-mode"), ("do", "put-back")];
    browser.submit(PATH, &back).await.location();
    assert_eq!(mode(&app).await, "normal");
    let trail = app
        .sql("SELECT action, subject_id, host(source), actor FROM audit_log WHERE subject_kind = 'switch' ORDER BY at, id")
        .await;
    let actions: Vec<_> = trail.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(actions, ["switch.throw", "switch.put-back"]);
    assert_eq!(trail[0][1].as_deref(), Some("read-only-mode"));
    assert_eq!(trail[0][2].as_deref(), Some("127.0.0.1"));
    assert_eq!(
        trail[0][3].as_deref(),
        Some(format!("user:{}", app.world.owner).as_str())
    );

    // An operator no more finds no page with the next request, nor does a form that was open before.
    done(&pharos(&app, &["user", "operator", &email, "--off"]));
    browser.submit(PATH, &throw("read-only-mode")).await.is(404);
    browser.get(PATH).await.is(404);
    browser
        .get("/console/account")
        .await
        .is(200)
        .is_silent_on("Switches");
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_that_are_not_of_the_page_throw_nothing() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    done(&pharos(&app, &["user", "operator", &email]));
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get(PATH).await.is(200);
    for fields in [
        &[
            ("switch", "everything"),
            ("do", "throw"),
            ("confirm", "everything"),
        ][..],
        &[
            ("switch", "api-disabled"),
            ("do", "explode"),
            ("confirm", "api-disabled"),
        ],
        &[("switch", "api-disabled")],
        &[],
    ] {
        browser.submit(PATH, fields).await.is(400);
    }
    let whole = [
        ("switch", "api-disabled"),
        ("do", "throw"),
        ("confirm", "api-disabled"),
    ];
    let origin = browser.origin();
    browser.post(PATH, &whole, &origin).await.is(403);
    let token = browser.token.clone();
    let with_token = [&[("token", token.as_str())][..], &whole].concat();
    browser
        .post(PATH, &with_token, "https://elsewhere.example")
        .await
        .is(403);
    assert_eq!(mode(&app).await, "normal");
    app.browser().get(PATH).await.location();
}

/// The mode that the API tells.
async fn mode(app: &TestApp) -> String {
    let health = app.get("/health", &app.world.key).send().await.ok();
    health["mode"].as_str().unwrap().to_owned()
}

//! The second factor: set up, asked for at sign-in, taken once, switched off.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use pharos_auth::sign_in::totp::TotpSecret;
use time::Duration;

use super::{Browser, PASSWORD, keys::twice, oauth_app::OauthApp};
use crate::harness::{TestApp, binary, clients, python};

const PATH: &str = "/console/account/second-factor";
const CODE: &str = "/console/sign-in/code";

/// The phone of a user.
struct Phone(TotpSecret);

impl Phone {
    /// The code at a moment so many seconds from now.
    fn code(&self, app: &TestApp, seconds: i64) -> String {
        self.0.code(app.now() + Duration::seconds(seconds))
    }

    /// A code that is not taken now.
    fn wrong(&self, app: &TestApp) -> String {
        let near: Vec<String> = (-1..=1).map(|step| self.code(app, 30 * step)).collect();
        let codes = (0..10).map(|digit| digit.to_string().repeat(6));
        codes.into_iter().find(|code| !near.contains(code)).unwrap()
    }
}

/// Switches the second factor on, and gives the phone and the recovery codes.
async fn switch_on(app: &TestApp, browser: &mut Browser) -> (Phone, Vec<String>) {
    browser.get(PATH).await.is(200);
    let fields = [("do", "begin"), ("present", PASSWORD)];
    browser.submit(PATH, &fields).await.leads_to(PATH);
    let phone = Phone(secret(&browser.get(PATH).await.text()));
    let code = phone.code(app, 0);
    let page = browser.submit(PATH, &[("do", "confirm"), ("code", &code)]).await;
    page.is(200).says("not shown again");
    (phone, recovery_codes(&page.text()))
}

fn shown<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page
        .split_once(&format!("<code id=\"{id}\""))
        .expect("a text to copy");
    rest.split_once('>').unwrap().1.split('<').next().unwrap()
}

fn secret(page: &str) -> TotpSecret {
    TotpSecret::of_text(&shown(page, "secret").replace(' ', "")).unwrap()
}

fn recovery_codes(page: &str) -> Vec<String> {
    shown(page, "codes").lines().map(str::to_owned).collect()
}

/// Gives the password, and is asked for the code.
async fn half_way(app: &TestApp, email: &str) -> Browser {
    let mut browser = app.browser();
    browser.get("/console/sign-in").await;
    let fields = [
        ("next", "/console/apps"),
        ("email", email),
        ("password", PASSWORD),
    ];
    let page = browser.submit("/console/sign-in", &fields).await;
    page.leads_to("/console/sign-in/code?next=%2Fconsole%2Fapps");
    browser.get(&page.location()).await.is(200).says("six digits");
    browser
}

/// Sends a code, and says the status.
async fn code(browser: &mut Browser, code: &str) -> u16 {
    let fields = [("next", "/console/apps"), ("code", code)];
    browser.submit(CODE, &fields).await.0.status
}

async fn actions(app: &TestApp) -> Vec<String> {
    let rows = app
        .sql("SELECT action || ' ' || host(source) FROM audit_log WHERE source IS NOT NULL AND action <> 'user.set-password' ORDER BY id")
        .await;
    rows.into_iter().filter_map(|mut row| row.remove(0)).collect()
}

#[tokio::test]
async fn a_sign_in_asks_for_the_code_and_takes_each_once() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let mut elsewhere = app.browser();
    elsewhere.get("/console/sign-in").await;
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    elsewhere
        .submit("/console/sign-in", &fields)
        .await
        .leads_to("/console");
    let (phone, codes) = switch_on(&app, &mut browser).await;
    assert_eq!(codes.len(), 10);
    // The session that switched it on goes on, and no other.
    browser.get(PATH).await.is(200).says("On since").says("10");
    assert_eq!(elsewhere.get("/console/apps").await.0.status, 303);

    let mut phone_user = half_way(&app, &email).await;
    // Not in yet.
    assert_eq!(phone_user.get("/console/apps").await.0.status, 303);
    phone_user.get(CODE).await.is(200);
    // The code that switched it on was taken.
    assert_eq!(code(&mut phone_user, &phone.code(&app, 0)).await, 403);
    assert_eq!(code(&mut phone_user, &phone.wrong(&app)).await, 403);
    let next = phone.code(&app, 30);
    let fields = [("next", "/console/apps"), ("code", next.as_str())];
    phone_user.submit(CODE, &fields).await.leads_to("/console/apps");
    phone_user.get("/console/apps").await.is(200);
    assert!(!phone_user.cookies.contains_key("pharos_pending"));

    let mut again = half_way(&app, &email).await;
    assert_eq!(code(&mut again, &next).await, 403);
    app.clock.advance(Duration::minutes(1));
    // A clock that is a step behind.
    assert_eq!(code(&mut again, &phone.code(&app, -60)).await, 403);
    assert_eq!(code(&mut again, &phone.code(&app, 0)).await, 303);

    let stored = app
        .sql("SELECT encode(secret, 'escape') FROM second_factors")
        .await;
    assert!(!stored[0][0].as_ref().unwrap().contains(&phone.0.text()));
    assert_eq!(actions(&app).await, ["user.second-factor-on 127.0.0.1"]);
}

#[tokio::test]
async fn a_code_is_taken_with_the_space_that_apps_show_in_it() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get(PATH).await.is(200);
    let fields = [("do", "begin"), ("present", PASSWORD)];
    browser.submit(PATH, &fields).await.leads_to(PATH);
    let page = browser.get(PATH).await;
    // A browser would cut it.
    page.is(200).is_silent_on("maxlength=\"6\"");
    let phone = Phone(secret(&page.text()));
    let grouped = |code: String| format!("{} {}", &code[..3], &code[3..]);
    let first = grouped(phone.code(&app, 0));
    let fields = [("do", "confirm"), ("code", first.as_str())];
    browser
        .submit(PATH, &fields)
        .await
        .is(200)
        .says("not shown again");
    let mut elsewhere = half_way(&app, &email).await;
    let next = grouped(phone.code(&app, 30));
    assert_eq!(code(&mut elsewhere, &next).await, 303);
}

#[tokio::test]
async fn a_double_click_shows_the_recovery_codes_that_hold() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get(PATH).await.is(200);
    browser
        .submit(PATH, &[("do", "begin"), ("present", PASSWORD)])
        .await
        .leads_to(PATH);
    let page = browser.get(PATH).await;
    let phone = Phone(secret(&page.text()));
    let (code, form_id) = (phone.code(&app, 0), page.hidden("form_id").unwrap());
    let fields = [
        ("do", "confirm"),
        ("code", code.as_str()),
        ("form_id", form_id.as_str()),
    ];
    let first = twice(&mut browser, PATH, &fields, "codes").await;

    let form_id = browser.get(PATH).await.hidden("form_id").unwrap();
    let proof = first.lines().next().unwrap();
    let fields = [
        ("do", "codes"),
        ("present", PASSWORD),
        ("code", proof),
        ("form_id", form_id.as_str()),
    ];
    let second = twice(&mut browser, PATH, &fields, "codes").await;
    assert_ne!(second, first);
    // A form of that id which says something else is no repetition.
    let fields = [
        ("do", "codes"),
        ("present", "not the password"),
        ("code", proof),
        ("form_id", form_id.as_str()),
    ];
    browser.submit(PATH, &fields).await.is(403);
    let proof = second.lines().next().unwrap();
    let fields = [("do", "off"), ("present", PASSWORD), ("code", proof)];
    browser
        .submit(PATH, &fields)
        .await
        .leads_to("/console/account?second-factor-off");
}

#[tokio::test]
async fn a_recovery_code_stands_in_once() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (_, codes) = switch_on(&app, &mut browser).await;
    let mut lost = half_way(&app, &email).await;
    assert_eq!(
        code(&mut lost, &codes[3].to_uppercase().replace('-', " ")).await,
        303
    );
    lost.get(PATH).await.is(200).says("<dd>9</dd>");
    let mut again = half_way(&app, &email).await;
    assert_eq!(code(&mut again, &codes[3]).await, 403);
    // Another user's code is none.
    let ada = app.person("ada@example.org").await;
    let mut ada = app.signed_in(ada).await;
    let (_, of_ada) = switch_on(&app, &mut ada).await;
    assert_eq!(code(&mut again, &of_ada[0]).await, 403);

    // New ones take the place of all others.
    lost.get(PATH).await;
    let fields = [
        ("do", "codes"),
        ("present", PASSWORD),
        ("code", codes[0].as_str()),
    ];
    let page = lost.submit(PATH, &fields).await;
    let new = recovery_codes(&page.is(200).text());
    assert_eq!(new.len(), 10);
    assert_eq!(code(&mut again, &codes[1]).await, 403);
    assert_eq!(code(&mut again, &new[1]).await, 303);
    let stored = app.sql("SELECT encode(digest, 'hex') FROM recovery_codes").await;
    assert_eq!(stored.len(), 19);
    assert_eq!(
        actions(&app).await,
        [
            "user.second-factor-on 127.0.0.1",
            "user.use-recovery-code 127.0.0.1",
            "user.second-factor-on 127.0.0.1",
            "user.use-recovery-code 127.0.0.1",
            "user.recovery-codes 127.0.0.1",
            "user.use-recovery-code 127.0.0.1",
        ]
    );
}

#[tokio::test]
async fn a_sign_in_waits_for_ten_minutes_and_five_codes() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (phone, _) = switch_on(&app, &mut browser).await;
    let mut slow = half_way(&app, &email).await;
    let mut guesser = half_way(&app, &email).await;
    for _ in 0..5 {
        assert_eq!(code(&mut guesser, &phone.wrong(&app)).await, 403);
    }
    let fields = [("next", "/console/apps"), ("code", &*phone.code(&app, 30))];
    let page = guesser.submit(CODE, &fields).await;
    page.leads_to("/console/sign-in?next=%2Fconsole%2Fapps&lapsed");
    guesser.get(&page.location()).await.is(200).says("Sign in again");

    app.clock.advance(Duration::minutes(10));
    let fields = [("next", "/console/apps"), ("code", &*phone.code(&app, 0))];
    slow.submit(CODE, &fields)
        .await
        .leads_to("/console/sign-in?next=%2Fconsole%2Fapps&lapsed");
    // Who has given no password is asked for one.
    let mut nobody = app.browser();
    nobody
        .get(CODE)
        .await
        .leads_to("/console/sign-in?next=%2Fconsole");
    nobody.get("/console/sign-in").await;
    nobody
        .submit(CODE, &fields)
        .await
        .leads_to("/console/sign-in?next=%2Fconsole%2Fapps&lapsed");
}

/// Whoever has the password guesses codes no more often than passwords, however often they begin anew.
#[tokio::test]
async fn an_account_is_tried_20_codes_an_hour() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (phone, _) = switch_on(&app, &mut browser).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let mut guesser = half_way(&app, &email).await;
        for _ in 0..5 {
            statuses.push(code(&mut guesser, &phone.wrong(&app)).await);
        }
    }
    // One was the code that switched it on.
    assert_eq!(statuses[..19], [403; 19]);
    assert_eq!(statuses[19], 429);
}

#[tokio::test]
async fn a_link_for_a_new_password_is_no_way_around_it() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (phone, _) = switch_on(&app, &mut browser).await;
    let link = app.link(app.world.owner).await;
    let mut thief = app.browser();
    thief.get(&link).await.is(200);
    let fields = [("password", PASSWORD), ("again", PASSWORD)];
    thief
        .submit(&link, &fields)
        .await
        .leads_to("/console/sign-in/code?next=%2Fconsole");
    assert!(!thief.cookies.contains_key("pharos_session"));
    thief.get(CODE).await.is(200);
    let fields = [("next", "/console"), ("code", &*phone.code(&app, 30))];
    thief.submit(CODE, &fields).await.leads_to("/console");
}

#[tokio::test]
async fn an_app_gets_no_consent_before_the_code() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (phone, _) = switch_on(&app, &mut browser).await;
    let client = OauthApp::register(&app, Some("App")).await;
    let consent = client.ask(&app, "read:uptime").await;
    let mut user = app.browser();
    let sign_in = user.get(&consent).await.location();
    let next = user.get(&sign_in).await.hidden("next").unwrap();
    let fields = [("next", next.as_str()), ("email", &email), ("password", PASSWORD)];
    let step = user.submit("/console/sign-in", &fields).await.location();
    assert!(
        user.get(&consent)
            .await
            .location()
            .starts_with("/console/sign-in?")
    );
    let next = user.get(&step).await.hidden("next").unwrap();
    let fields = [("next", next.as_str()), ("code", &*phone.code(&app, 30))];
    user.submit(CODE, &fields).await.leads_to(&consent);
    user.get(&consent).await.is(200).says("App");
}

#[tokio::test]
async fn it_is_changed_by_who_has_password_and_code() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get(PATH).await.is(200).says("password alone");
    let begin = [("do", "begin"), ("present", "wrong")];
    browser
        .submit(PATH, &begin)
        .await
        .is(403)
        .says("not your present password");
    // Nothing to confirm yet.
    browser
        .submit(PATH, &[("do", "confirm"), ("code", "123456")])
        .await
        .leads_to(PATH);
    let begin = [("do", "begin"), ("present", PASSWORD)];
    browser.submit(PATH, &begin).await.leads_to(PATH);
    let phone = Phone(secret(&browser.get(PATH).await.text()));
    let wrong = phone.wrong(&app);
    browser
        .submit(PATH, &[("do", "confirm"), ("code", &wrong)])
        .await
        .is(403)
        .says("no code that can be used now");
    // Until it is confirmed, a password is enough; and it is not confirmed after an hour.
    let mut other = app.browser();
    other.get("/console/sign-in").await;
    let sign_in = [("email", email.as_str()), ("password", PASSWORD)];
    other
        .submit("/console/sign-in", &sign_in)
        .await
        .leads_to("/console");
    app.clock.advance(Duration::HOUR);
    let code = phone.code(&app, 0);
    browser
        .submit(PATH, &[("do", "confirm"), ("code", &code)])
        .await
        .leads_to(PATH);
    browser.get(PATH).await.is(200).says("Set it up");

    let (phone, codes) = switch_on(&app, &mut browser).await;
    browser.get(PATH).await.is(200);
    // A begin that comes late, from another tab, changes nothing.
    browser.submit(PATH, &begin).await.leads_to(PATH);
    let next = phone.code(&app, 30);
    for (present, code, why) in [
        ("wrong", next.as_str(), "not your present password"),
        (PASSWORD, &phone.wrong(&app), "no code that can be used now"),
        (PASSWORD, "", "no code that can be used now"),
        (PASSWORD, &"1".repeat(100_000), "no code that can be used now"),
    ] {
        for deed in ["codes", "off"] {
            let fields = [("do", deed), ("present", present), ("code", code)];
            browser.submit(PATH, &fields).await.is(403).says(why);
        }
    }
    browser.submit(PATH, &[("do", "else")]).await.is(400);
    let fields = [("do", "off"), ("present", PASSWORD), ("code", next.as_str())];
    browser
        .submit(PATH, &fields)
        .await
        .leads_to("/console/account?second-factor-off");
    browser
        .get("/console/account?second-factor-off")
        .await
        .is(200)
        .says("second factor is off");
    assert!(
        app.sql("SELECT FROM recovery_codes").await.is_empty(),
        "{codes:?}"
    );
    other.get("/console/sign-in").await;
    other
        .submit("/console/sign-in", &sign_in)
        .await
        .leads_to("/console");
}

/// Whoever has stolen a session reads no secret that is set up in another.
#[tokio::test]
async fn it_is_set_up_in_the_session_that_began_it() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let mut elsewhere = app.browser();
    elsewhere.get("/console/sign-in").await;
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    elsewhere
        .submit("/console/sign-in", &fields)
        .await
        .leads_to("/console");
    browser.get(PATH).await.is(200);
    let begin = [("do", "begin"), ("present", PASSWORD)];
    browser.submit(PATH, &begin).await.leads_to(PATH);
    let phone = Phone(secret(&browser.get(PATH).await.text()));
    browser
        .get("/console/account")
        .await
        .is(200)
        .says("waits for its first code");

    elsewhere
        .get(PATH)
        .await
        .is(200)
        .says("Set it up")
        .is_silent_on("id=\"secret\"");
    elsewhere
        .get("/console/account")
        .await
        .is(200)
        .is_silent_on("waits for its first code");
    let code = phone.code(&app, 0);
    let confirm = [("do", "confirm"), ("code", code.as_str())];
    elsewhere.get(PATH).await;
    elsewhere.submit(PATH, &confirm).await.leads_to(PATH);
    elsewhere.get(PATH).await.is(200).says("Set it up");

    browser.get(PATH).await.is(200);
    browser
        .submit(PATH, &confirm)
        .await
        .is(200)
        .says("not shown again");
    elsewhere.get(PATH).await.location();
}

#[tokio::test]
async fn the_command_line_ends_it_for_who_has_lost_it() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    switch_on(&app, &mut browser).await;
    let reset = || {
        Command::new(binary())
            .args(["admin", "--json", "user", "reset-second-factor", &email])
            .env("PHAROS_DATABASE_URL", app.database.url())
            .output()
            .unwrap()
    };
    let output = reset();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut other = app.browser();
    other.get("/console/sign-in").await;
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    other
        .submit("/console/sign-in", &fields)
        .await
        .leads_to("/console");
    let output = reset();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no second factor"));
    let audit = app
        .sql("SELECT actor FROM audit_log WHERE action = 'user.reset-second-factor'")
        .await;
    assert_eq!(audit.len(), 1);
    assert!(audit[0][0].as_ref().unwrap().starts_with("cli:"));
}

/// Codes of another implementation let in, at moments far apart.
#[tokio::test]
async fn the_codes_of_pyotp_are_taken() {
    let app = TestApp::start().await;
    let email = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    browser.get(PATH).await;
    let fields = [("do", "begin"), ("present", PASSWORD)];
    browser.submit(PATH, &fields).await.leads_to(PATH);
    let page = browser.get(PATH).await.text();
    let secret = shown(&page, "secret");
    let made = pyotp(secret, app.now().unix_timestamp());
    browser
        .submit(PATH, &[("do", "confirm"), ("code", &made)])
        .await
        .is(200);
    for days in [1, 500] {
        app.clock.advance(Duration::days(days));
        let mut phone_user = half_way(&app, &email).await;
        let made = pyotp(secret, app.now().unix_timestamp());
        assert_eq!(code(&mut phone_user, &made).await, 303);
    }
}

fn pyotp(secret: &str, seconds: i64) -> String {
    let mut child = Command::new(python())
        .arg(clients("totp.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{secret} {seconds}").unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

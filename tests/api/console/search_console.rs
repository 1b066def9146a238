//! Connecting a domain to Search Console: from the console to Google and back, a property, and the end of it. Google is played.

use std::sync::Arc;

use pharos_domain::{clock::ManualClock, identity::SubscriptionStatus, role::Role};
use pharos_search::gsc::{
    accounts::{AccountStore, LinkError, NewLink},
    property::Permission,
};
use pharos_supervisor::Supervisor;
use serde_json::json;
use time::{Duration, macros::datetime};

use super::browser::Browser;
use crate::{
    harness::{Request, TestApp, actor},
    search::{
        google::{EMAIL, Google, Instead, SITE, Steady},
        read,
        sync::{client, of_types, round},
    },
};

const CALLBACK: &str = "/console/search-console/callback";
const ALLOW: &str = "decision=allow&read=yes";

/// An app that asks a played Google.
async fn playing() -> (TestApp, Google) {
    let clock = Arc::new(ManualClock::at(datetime!(2026-03-31 09:15 UTC)));
    let google = Google::of(Steady, clock).await;
    let asking = Arc::new(client(&google));
    let app = TestApp::supervised_by(Supervisor::default(), |ports| ports.with_instead(asking)).await;
    (app, google)
}

/// The page of the connection of the world's domain.
fn connection(app: &TestApp) -> String {
    format!("/console/domains/{}/gsc/connection", app.world.domain)
}

/// Begins in the console, and gives the address that leads to Google.
async fn begin(app: &TestApp, google: &Google, browser: &mut Browser) -> String {
    let path = connection(app);
    browser.get(&path).await.is(200);
    let page = browser.submit(&path, &[("do", "connect")]).await;
    page.is(200).says("Go on at Google");
    page.link(&google.url("consent")).replace("&amp;", "&")
}

/// Decides on Google's page, and gives the path that the browser is sent back to.
async fn decide(app: &TestApp, google: &Google, link: &str, decision: &str) -> String {
    let path = link.strip_prefix(&google.url("")).unwrap();
    let request = Request::new(google.address, "POST", &format!("//{path}"))
        .body("application/x-www-form-urlencoded", decision.to_owned());
    let reply = request.send_unchecked().await;
    assert_eq!(reply.status, 302);
    let to = reply.header("location").unwrap();
    let back = to.strip_prefix(&format!("http://{}", app.address)).unwrap();
    assert!(back.starts_with(CALLBACK), "{back}");
    back.to_owned()
}

/// The way to Google and back.
async fn walk(app: &TestApp, google: &Google, browser: &mut Browser, decision: &str) -> String {
    let link = begin(app, google, browser).await;
    decide(app, google, &link, decision).await
}

async fn count(app: &TestApp, from: &str) -> String {
    let rows = app.sql(&format!("SELECT count(*)::text FROM {from}")).await;
    rows[0][0].clone().unwrap()
}

/// The account in the address of the page that a browser is sent on to.
fn account_in(location: &str) -> &str {
    let (_, rest) = location.split_once("?account=").unwrap();
    rest.split('&').next().unwrap()
}

#[tokio::test]
async fn an_admin_connects_an_account_links_a_property_and_takes_both_away() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let (path, search) = (
        connection(&app),
        format!("/console/domains/{}/gsc", app.world.domain),
    );
    admin
        .get(&search)
        .await
        .is(200)
        .says("Connect Search Console")
        .says(&path);
    admin.get(&path).await.is(200).says("Connect with Google");

    let link = begin(&app, &google, &mut admin).await;
    for asked in [
        "response_type=code",
        "client_id=test-client",
        "code_challenge_method=S256",
        "access_type=offline",
        "prompt=consent",
        "webmasters.readonly",
        "search-console%2Fcallback",
    ] {
        assert!(link.contains(asked), "{asked} is not in {link}");
    }
    assert!(
        !link.contains("secret") && !link.contains("code_verifier"),
        "{link}"
    );

    let back = decide(&app, &google, &link, ALLOW).await;
    let choice = admin.get(&back).await.location();
    assert!(choice.starts_with(&format!("{path}?account=")), "{choice}");
    admin
        .get(&choice)
        .await
        .is(200)
        .says("Google lets Pharos read.")
        .says(EMAIL)
        .says(SITE)
        .says("as an owner")
        .says("with restricted permission")
        .says("of another site")
        .is_silent_on("played-refresh");
    // The verifier met its challenge, and the token is at rest as nobody can read it.
    let asked = google.asked();
    let exchange = asked.iter().find(|asked| asked.path == "/token").unwrap();
    assert!(
        exchange.body.contains("grant_type=authorization_code") && exchange.body.contains("code_verifier=")
    );
    assert_eq!(count(&app, "search_accounts WHERE kind = 'oauth'").await, "1");
    let readable = "search_accounts WHERE position('played-refresh'::bytea IN sealed) > 0";
    assert_eq!(count(&app, readable).await, "0");

    let account = account_in(&choice).to_owned();
    let fields = [("do", "link"), ("account", &*account), ("property", SITE)];
    admin
        .submit(&path, &fields)
        .await
        .leads_to(&format!("{path}?done=linked"));
    admin
        .get(&format!("{path}?done=linked"))
        .await
        .is(200)
        .says("The property is linked.")
        .says("Waiting for an import")
        .says("nothing imported yet");
    assert!(read(&app, "property").await["linked_by"].is_string());
    // The one property that the account reads by now is another than the linked one.
    google.answers(Instead {
        path: "sites",
        holds: "",
        status: 200,
        headers: "",
        body: json!({ "siteEntry": [{ "siteUrl": "https://www.shop.example/", "permissionLevel": "siteOwner" }] })
            .to_string(),
    });
    let warned = admin.get(&choice).await;
    warned.is(200).says("to link it deletes all that was imported");
    google.is_well();

    of_types(&app, &["web"]).await;
    round(&app, &google).await;
    let page = admin.get(&search).await;
    page.is(200)
        .says("Connection to Search Console")
        .says("Connected")
        .says(SITE)
        .says(EMAIL)
        .says("28 March 2026")
        .says("<span class=\"figure\">2%</span> imported")
        .says("Change the connection")
        .is_silent_on("may refuse to inspect URLs");
    // A failed import says why, and what helps, until one goes well.
    google.answers(Instead {
        path: "query",
        holds: "",
        status: 403,
        headers: "",
        body: json!({ "error": { "status": "PERMISSION_DENIED", "details": [{ "reason": "SERVICE_DISABLED" }] } })
            .to_string(),
    });
    round(&app, &google).await;
    admin
        .get(&search)
        .await
        .says("Connected")
        .says("Not all came in last: ")
        .says("Search Console API is not enabled")
        .says("step 2 in docs/guides/search-console.md");
    google.is_well();
    round(&app, &google).await;
    admin
        .get(&search)
        .await
        .says("28 March 2026")
        .is_silent_on("Not all came in last");
    app.sql("UPDATE search_properties SET permission = 'restricted_user'")
        .await;
    admin.get(&search).await.says("may refuse to inspect URLs");
    // A viewer sees how it stands, and has nothing to change.
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&search)
        .await
        .is(200)
        .says("Connected")
        .says("one at Google")
        .is_silent_on(EMAIL)
        .is_silent_on(&path);
    viewer.get(&path).await.is(403).says("needs another role");

    let forget = [("do", "forget"), ("account", &*account)];
    admin
        .submit(&path, &forget)
        .await
        .is(400)
        .says("the account still reads the property of a domain");
    admin
        .submit(&path, &[("do", "unlink")])
        .await
        .leads_to(&format!("{path}?done=unlinked"));
    admin
        .submit(&path, &[("do", "unlink")])
        .await
        .is(400)
        .says("there is no such linked property");
    admin
        .submit(&path, &forget)
        .await
        .leads_to(&format!("{path}?done=forgotten"));
    assert_eq!(count(&app, "search_accounts").await, "0");
    for action in [
        "search_account.add",
        "search_property.link",
        "search_property.unlink",
        "search_account.remove",
    ] {
        let noted = format!("audit_log WHERE action = '{action}' AND actor LIKE 'user:%'");
        assert_eq!(count(&app, &noted).await, "1", "{action}");
    }
}

#[tokio::test]
async fn a_consent_is_for_who_gave_it_while_they_are_a_member() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);
    let back = walk(&app, &google, &mut admin, ALLOW).await;
    let choice = admin.get(&back).await.location();
    let account = account_in(&choice).to_owned();

    // Another admin knows that the account is there, and nothing of what it sees.
    let mut other = app.signed_in_as("other@example.org", Role::Admin).await;
    google.asked();
    let page = other.get(&path).await;
    page.is(200).says(EMAIL).is_silent_on("Choose a property");
    let page = other.get(&format!("{path}?account={account}")).await;
    page.is(200)
        .says("another person’s consent")
        .is_silent_on("of another site");
    let fields = [("do", "link"), ("account", &*account), ("property", SITE)];
    let page = other.submit(&path, &fields).await;
    page.is(400).says("another person’s consent");
    assert!(google.asked().is_empty());
    assert_eq!(count(&app, "search_properties").await, "0");

    // Linked properties are imported even after their giver has left; nothing new is linked.
    admin.get(&path).await.is(200);
    admin.submit(&path, &fields).await.location();
    app.sql("DELETE FROM members WHERE user_id = (SELECT created_by FROM search_accounts)")
        .await;
    of_types(&app, &["web"]).await;
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["status"], "connected");
    let accounts = app.stores.ports.get::<dyn AccountStore>().unwrap();
    let link = NewLink {
        domain: app.world.domain,
        account: account.parse().unwrap(),
        site_url: SITE.to_owned(),
        permission: Permission::Owner,
        linked_by: None,
    };
    let refused = accounts.link(&link, &actor(), app.now()).await;
    assert!(matches!(refused, Err(LinkError::GiverLeft)), "{refused:?}");

    // Who consents with the same account takes it over.
    let back = walk(&app, &google, &mut other, ALLOW).await;
    assert_eq!(account_in(&other.get(&back).await.location()), account);
    accounts.link(&link, &actor(), app.now()).await.unwrap();
}

#[tokio::test]
async fn an_answer_of_google_is_for_its_session_once_and_in_time() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);

    // The answer is refused without a session, in another session, and with another state.
    let mut other = app.signed_in_as("other@example.org", Role::Admin).await;
    let back = walk(&app, &google, &mut admin, ALLOW).await;
    let foreign = "This answer of Google is for another session";
    app.browser().get(&back).await.is(403).says(foreign);
    other.get(&back).await.is(403).says(foreign);
    let guessed = format!("gsc_{}", "a".repeat(43));
    for state in ["", "x", &guessed] {
        let page = admin.get(&format!("{CALLBACK}?state={state}&code=c")).await;
        page.is(403).says(foreign);
    }
    admin.get(CALLBACK).await.is(403).says(foreign);
    assert_eq!(count(&app, "search_accounts").await, "0");

    // It is still good for who asked, and then no more.
    admin.get(&back).await.location();
    let again = admin.get(&back).await;
    again.is(409).says("was used before").says(&path);
    assert_eq!(count(&app, "search_accounts").await, "1");

    let back = walk(&app, &google, &mut admin, ALLOW).await;
    app.clock.advance(Duration::minutes(11));
    admin
        .get(&back)
        .await
        .is(410)
        .says("This took too long")
        .says(&path);
}

#[tokio::test]
async fn an_answer_without_consent_says_what_to_do() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);

    let back = walk(&app, &google, &mut admin, "decision=deny").await;
    assert!(back.contains("error=access_denied"), "{back}");
    admin
        .get(&back)
        .await
        .is(403)
        .says("Google was told no")
        .says(&path);
    // No code comes after that.
    let late = back.replace("error=access_denied", "code=c");
    admin.get(&late).await.is(409).says("was used before");

    let back = walk(&app, &google, &mut admin, "decision=allow").await;
    admin.get(&back).await.is(403).says("was not ticked").says(&path);

    let back = walk(&app, &google, &mut admin, "decision=deny").await;
    let word = back.replace("access_denied", "%3Cb%3E");
    admin.get(&word).await.is(400).says("&lt;b&gt;").says(&path);

    let back = walk(&app, &google, &mut admin, "decision=deny").await;
    let bare = back.replace("error=access_denied&", "");
    admin.get(&bare).await.is(400).says("has no code").says(&path);

    let back = walk(&app, &google, &mut admin, "decision=deny").await;
    let guessed = back.replace("error=access_denied", "code=guessed");
    let page = admin.get(&guessed).await;
    page.is(400)
        .says("Google does not take its answer any more")
        .says(&path);
    assert_eq!(count(&app, "search_accounts").await, "0");
}

#[tokio::test]
async fn a_google_that_fails_says_whose_matter_it_is() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);
    let granted = |scope: &str, id_token: Option<&str>| {
        let answer = json!({
            "access_token": "played.1", "scope": scope, "id_token": id_token, "refresh_token": null,
        });
        answer.to_string()
    };
    let scope = "openid https://www.googleapis.com/auth/webmasters.readonly";
    // {"aud":"test-client","email":"ada@shop.example"}
    let named = "e30.eyJhdWQiOiJ0ZXN0LWNsaWVudCIsImVtYWlsIjoiYWRhQHNob3AuZXhhbXBsZSJ9.c2ln";
    for (status, body, shown, title) in [
        (
            401,
            json!({ "error": "invalid_client" }).to_string(),
            502,
            "Google does not know this Pharos",
        ),
        (
            400,
            json!({ "error": "redirect_uri_mismatch" }).to_string(),
            502,
            "redirect_uri_mismatch",
        ),
        (503, String::new(), 502, "Google does not answer"),
        (200, "<html>".to_owned(), 502, "Google does not answer"),
        (200, granted(scope, None), 400, "Google did not name the account"),
        (
            200,
            granted(scope, Some("no token")),
            400,
            "Google did not name the account",
        ),
        (
            200,
            granted(scope, Some(named)),
            400,
            "Google gave access for an hour alone",
        ),
        (200, granted("openid", Some(named)), 403, "was not ticked"),
    ] {
        let back = walk(&app, &google, &mut admin, ALLOW).await;
        google.answers(Instead {
            path: "/token",
            holds: "",
            status,
            headers: "",
            body,
        });
        let page = admin.get(&back).await;
        page.is(shown).says(title).says(&path).is_silent_on("test-secret");
        google.is_well();
    }
    assert_eq!(count(&app, "search_accounts").await, "0");
}

#[tokio::test]
async fn a_property_of_another_site_or_out_of_sight_is_refused() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);
    let back = walk(&app, &google, &mut admin, ALLOW).await;
    let choice = admin.get(&back).await.location();
    let account = account_in(&choice).to_owned();
    let link = |property| {
        [
            ("do", "link"),
            ("account", account.as_str()),
            ("property", property),
        ]
    };
    for (property, why) in [
        (
            "https://other.example/",
            "https://other.example/ is no property of shop.example or of what lies below it",
        ),
        (
            "sc-domain:example",
            "sc-domain:example is no property of shop.example or of what lies below it",
        ),
        (
            "sc-domain:www.shop.example",
            "ada@shop.example may not see sc-domain:www.shop.example",
        ),
        ("", "is no property of shop.example"),
    ] {
        google.asked();
        admin.submit(&path, &link(property)).await.is(400).says(why);
        let asked = google.asked();
        let listings = asked.iter().filter(|asked| asked.path.ends_with("/sites"));
        assert_eq!(listings.count(), 1, "{asked:?}");
    }
    assert_eq!(count(&app, "search_properties").await, "0");

    // Google does not list them for this account any more.
    for (status, body, why) in [
        (
            400,
            json!({ "error": "invalid_grant" }),
            "was revoked or has expired",
        ),
        (503, json!({}), "Google does not answer at the moment"),
    ] {
        google.answers(Instead {
            path: "/token",
            holds: "",
            status,
            headers: "",
            body: body.to_string(),
        });
        // The token that is kept counts no more.
        google.answers(Instead {
            path: "/sites",
            holds: "",
            status: 401,
            headers: "",
            body: String::new(),
        });
        admin.submit(&path, &link(SITE)).await.is(400).says(why);
        google.is_well();
    }

    // An account of another workspace is none of this one.
    for account in ["", "none", "019aa5c0-7d1e-7000-8000-000000000001"] {
        admin.get(&format!("{path}?account={account}x")).await.is(404);
        let fields = [("do", "link"), ("account", account), ("property", SITE)];
        admin.get(&path).await.is(200);
        admin.submit(&path, &fields).await.is(404);
    }
    admin.get(&path).await.is(200);
    admin.submit(&path, &[("do", "else")]).await.is(400);
}

#[tokio::test]
async fn a_consent_that_ended_is_given_again_for_the_same_account() {
    let (app, google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let (path, search) = (
        connection(&app),
        format!("/console/domains/{}/gsc", app.world.domain),
    );
    let back = walk(&app, &google, &mut admin, ALLOW).await;
    let choice = admin.get(&back).await.location();
    let fields = [
        ("do", "link"),
        ("account", account_in(&choice)),
        ("property", SITE),
    ];
    admin.submit(&path, &fields).await.location();
    of_types(&app, &["web"]).await;
    google.answers(Instead {
        path: "/token",
        holds: "",
        status: 400,
        headers: "",
        body: json!({ "error": "invalid_grant" }).to_string(),
    });
    round(&app, &google).await;
    google.is_well();
    assert_eq!(read(&app, "property").await["status"], "reauthorization_required");
    for page in [&search, &path] {
        let page = admin.get(page).await;
        page.is(200).says("To be connected again").says("Connect again");
    }

    let back = walk(&app, &google, &mut admin, ALLOW).await;
    assert_eq!(
        account_in(&admin.get(&back).await.location()),
        account_in(&choice)
    );
    assert_eq!(count(&app, "search_accounts").await, "1");
    let noted = "audit_log WHERE action = 'search_account.consent'";
    assert_eq!(count(&app, noted).await, "1");
    assert_eq!(read(&app, "property").await["status"], "pending");
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["status"], "connected");
    admin.get(&search).await.is(200).says("Change the connection");
}

#[tokio::test]
async fn without_an_oauth_client_the_page_says_how_to_get_one() {
    let app = TestApp::start().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);
    let uri = format!("http://{}{CALLBACK}", app.address);
    admin
        .get(&path)
        .await
        .is(200)
        .says("google_client_id")
        .says(&uri)
        .says(&format!("pharos admin search add {}", app.world.workspace))
        .is_silent_on("Connect with Google");
    admin.submit(&path, &[("do", "connect")]).await.is(400);
    assert_eq!(count(&app, "search_consents").await, "0");
}

#[tokio::test]
async fn whose_subscription_has_ended_connects_nothing() {
    let (app, _google) = playing().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = connection(&app);
    admin.get(&path).await.is(200);
    app.stores
        .workspace_admin
        .set_subscription(
            app.world.workspace,
            SubscriptionStatus::Canceled,
            &actor(),
            app.now(),
        )
        .await
        .unwrap();
    for step in ["connect", "link"] {
        admin.submit(&path, &[("do", step)]).await.is(402);
    }
    admin.submit(&path, &[("do", "unlink")]).await.is(400);
}

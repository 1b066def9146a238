//! POST /oauth/token

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;
use time::Duration;

use super::{Client, Tokens, base_url, call, encoded, refused, with};
use crate::harness::TestApp;

const FORM: &str = "application/x-www-form-urlencoded";

/// RFC 6749, section 5.1; RFC 9068, section 2.2.
#[tokio::test]
async fn a_code_becomes_tokens_and_a_refresh_token_the_next() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let reply = client.token(&client.exchange_form(&code)).await;
    let tokens = Tokens::of(&reply);
    assert!(reply.header("cache-control").unwrap().contains("no-store"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(tokens.scope, "read:domains read:overview read:uptime");
    let claims = tokens.claims();
    assert_eq!(claims["iss"], base_url(&app));
    assert_eq!(claims["aud"], base_url(&app));
    assert_eq!(claims["sub"], json!(app.world.owner));
    assert_eq!(claims["client_id"], client.id);
    assert_eq!(claims["scope"], tokens.scope);
    assert_eq!(claims["iat"], app.now().unix_timestamp());

    let next = Tokens::of(&client.refresh(&tokens.refresh).await);
    assert_ne!(next.refresh, tokens.refresh);
    assert_eq!(
        next.claims()["grant_id"],
        claims["grant_id"],
        "the credential's id survives"
    );
    assert_ne!(next.claims()["jti"], claims["jti"]);
    call(&app, "/me", &next.access).await.ok();
    call(&app, "/me", &tokens.access).await.ok();
}

#[tokio::test]
async fn nothing_secret_is_stored() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let tokens = Tokens::of(&client.token(&client.exchange_form(&code)).await);
    let mut stored = String::new();
    for table in ["oauth_codes", "oauth_refresh_tokens", "oauth_grants", "audit_log"] {
        stored += &format!(
            "{:?}",
            app.sql(&format!("SELECT t::text FROM {table} AS t")).await
        );
    }
    for secret in [&code, &tokens.refresh, &tokens.access] {
        assert!(!stored.contains(&secret[4..]));
    }
}

/// RFC 6749, sections 4.1.3 and 5.2; RFC 9700, section 4.5 (injection) and 4.8.2 (PKCE).
#[tokio::test]
async fn a_code_is_good_for_its_own_request_alone() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let other = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    let long = "a".repeat(129);
    for (changes, error) in [
        (("client_id", other.id.as_str()), "invalid_grant"),
        (("code", "pac_unknown"), "invalid_grant"),
        (("redirect_uri", "https://app.example/other"), "invalid_grant"),
        (
            ("code_verifier", "another-verifier-of-43-characters-aaaaaaaaaa"),
            "invalid_grant",
        ),
        // The challenge itself: what plain would have taken.
        (("code_verifier", super::CHALLENGE), "invalid_grant"),
        (("code_verifier", "short"), "invalid_grant"),
        (("code_verifier", long.as_str()), "invalid_grant"),
        (("resource", "https://other.example"), "invalid_target"),
        (("code", ""), "invalid_request"),
        (("code_verifier", ""), "invalid_request"),
        (("resource", ""), "invalid_target"),
        (("grant_type", ""), "invalid_request"),
        (("grant_type", "password"), "unsupported_grant_type"),
    ] {
        let reply = client.token(&with(form.clone(), &[changes])).await;
        refused(&reply, 400, error);
    }
    let mcp = format!("{}/mcp", base_url(&app));
    let reply = client.token(&with(form.clone(), &[("resource", &mcp)])).await;
    refused(&reply, 400, "invalid_target");
    // None of these used it up.
    Tokens::of(&client.token(&form).await);
}

#[tokio::test]
async fn a_code_lasts_sixty_seconds() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let (early, late) = (client.owners_code().await, client.owners_code().await);
    app.clock.advance(Duration::seconds(59));
    Tokens::of(&client.token(&client.exchange_form(&early)).await);
    app.clock.advance(Duration::SECOND);
    let reply = client.token(&client.exchange_form(&late)).await;
    assert!(refused(&reply, 400, "invalid_grant").contains("expired"));
}

/// RFC 6749, section 4.1.2: used twice, what it issued is revoked.
#[tokio::test]
async fn a_code_that_comes_back_revokes_what_it_issued() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    let tokens = Tokens::of(&client.token(&form).await);
    call(&app, "/me", &tokens.access).await.ok();
    app.clock.advance(Duration::HOUR);
    refused(&client.token(&form).await, 400, "invalid_grant");
    refused(&client.refresh(&tokens.refresh).await, 400, "invalid_grant");
}

/// The same of another client leaves the grant alone.
#[tokio::test]
async fn nobody_revokes_with_another_s_code() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let other = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    let tokens = Tokens::of(&client.token(&form).await);
    let stolen = with(form, &[("client_id", &other.id)]);
    refused(&other.token(&stolen).await, 400, "invalid_grant");
    call(&app, "/me", &tokens.access).await.ok();
}

#[tokio::test]
async fn a_refresh_token_is_good_for_its_client_and_resource_alone() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let other = Client::register(&app).await;
    let tokens = client.tokens().await;
    let form = client.refresh_form(&tokens.refresh);
    let mcp = format!("{}/mcp", base_url(&app));
    for (changes, error) in [
        (("client_id", other.id.as_str()), "invalid_grant"),
        (("refresh_token", "prt_unknown"), "invalid_grant"),
        (("refresh_token", tokens.access.as_str()), "invalid_grant"),
        (("refresh_token", ""), "invalid_request"),
        (("resource", mcp.as_str()), "invalid_target"),
        (("resource", ""), "invalid_target"),
    ] {
        refused(&client.token(&with(form.clone(), &[changes])).await, 400, error);
    }
    Tokens::of(&client.token(&form).await);
}

#[tokio::test]
async fn a_refresh_token_lasts_ninety_days_from_its_issue() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    app.clock.advance(Duration::days(90) - Duration::SECOND);
    let next = Tokens::of(&client.refresh(&tokens.refresh).await);
    app.clock.advance(Duration::days(90));
    assert!(refused(&client.refresh(&next.refresh).await, 400, "invalid_grant").contains("expired"));
}

/// The specification, OAuth 2.1 flow, 7.
#[tokio::test]
async fn a_superseded_refresh_token_revokes_the_grant() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let next = Tokens::of(&client.refresh(&tokens.refresh).await);
    refused(&client.refresh(&tokens.refresh).await, 400, "invalid_grant");
    call(&app, "/me", &next.access)
        .await
        .problem(401, "grant-revoked");
    refused(&client.refresh(&next.refresh).await, 400, "invalid_grant");
    let audit = app
        .sql("SELECT actor FROM audit_log WHERE action = 'grant.revoke'")
        .await;
    assert_eq!(
        audit[0][0].as_deref(),
        Some(format!("client:{}", client.id).as_str())
    );
}

/// RFC 6749, section 2.3.1.
#[tokio::test]
async fn a_confidential_client_proves_itself_in_the_way_it_registered() {
    let app = TestApp::start().await;
    let client = Client::register_as(&app, "client_secret_post").await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    for secret in ["", "pcs_wrong"] {
        let reply = client
            .token(&with(form.clone(), &[("client_secret", secret)]))
            .await;
        refused(&reply, 401, "invalid_client");
        assert!(reply.header("www-authenticate").is_none(), "it did not use Basic");
    }
    Tokens::of(&client.token(&form).await);

    let client = Client::register_as(&app, "client_secret_basic").await;
    let code = client.owners_code().await;
    let secret = client.secret.clone().unwrap();
    let form = with(
        client.exchange_form(&code),
        &[("client_secret", ""), ("client_id", "")],
    );
    let basic = |id: &str, secret: &str| format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
    let ask = async |form: &[(&str, String)], header: String| {
        let request = app.request("POST", "/oauth/token").body(FORM, encoded(form));
        request.header("authorization", header).send().await
    };
    refused(
        &client.token(&client.exchange_form(&code)).await,
        401,
        "invalid_client",
    );
    for bad in [
        basic(&client.id, "pcs_wrong"),
        basic("x", &secret),
        "Basic !".to_owned(),
        format!("Bearer {secret}"),
    ] {
        let reply = ask(&form, bad).await;
        refused(&reply, 401, "invalid_client");
        assert_eq!(reply.header("www-authenticate"), Some(r#"Basic realm="pharos""#));
    }
    let twice = app
        .request("POST", "/oauth/token")
        .body(FORM, encoded(&client.exchange_form(&code)))
        .header("authorization", basic(&client.id, &secret))
        .header("authorization", basic(&client.id, &secret));
    refused(&twice.send().await, 401, "invalid_client");
    let both = with(form.clone(), &[("client_secret", &secret)]);
    refused(
        &ask(&both, basic(&client.id, &secret)).await,
        400,
        "invalid_request",
    );
    let another = with(form.clone(), &[("client_id", &uuid::Uuid::now_v7().to_string())]);
    refused(
        &ask(&another, basic(&client.id, &secret)).await,
        400,
        "invalid_request",
    );
    Tokens::of(&ask(&form, basic(&client.id, &secret)).await);

    let public = Client::register(&app).await;
    let code = public.owners_code().await;
    let form = with(public.exchange_form(&code), &[("client_secret", "pcs_any")]);
    refused(&public.token(&form).await, 401, "invalid_client");
}

#[tokio::test]
async fn a_disabled_user_s_code_and_refresh_token_issue_nothing() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let code = client.owners_code().await;
    let disable = async |disabled| {
        let actor = crate::harness::actor();
        app.stores
            .users
            .set_disabled(app.world.owner, disabled, &actor, app.now())
            .await
            .unwrap()
    };
    disable(true).await;
    refused(
        &client.token(&client.exchange_form(&code)).await,
        400,
        "invalid_grant",
    );
    refused(&client.refresh(&tokens.refresh).await, 400, "invalid_grant");
    call(&app, "/me", &tokens.access)
        .await
        .problem(401, "invalid-credential");
    disable(false).await;
    Tokens::of(&client.refresh(&tokens.refresh).await);
}

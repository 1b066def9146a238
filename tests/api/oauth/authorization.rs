//! GET /oauth/authorize, and what a decision comes to.

use pharos_auth::oauth::server::ConsentError;
use pharos_domain::scope::Scope;
use time::Duration;
use url::Url;

use super::{CHALLENGE, Client, REDIRECT_URI, Tokens, base_url, location, parameter, refused, with};
use crate::harness::{TestApp, World, all_scopes};

#[tokio::test]
async fn a_request_in_order_goes_to_the_consent_screen_and_back_with_a_code() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let reply = client.authorize(&client.query()).await;
    assert!(
        reply.header("access-control-allow-origin").is_none(),
        "not for scripts"
    );
    assert!(reply.body.is_empty(), "never HTML");
    let handle = parameter(&location(&reply), "request").unwrap();
    let world = &app.world;
    let back = app
        .authorization()
        .approve(&handle, world.owner, all_scopes(), vec![world.workspace])
        .await
        .unwrap();
    let back = Url::parse(&back).unwrap();
    assert!(back.as_str().starts_with(&format!("{REDIRECT_URI}?code=")));
    assert_eq!(parameter(&back, "state").as_deref(), Some("xyz"));
    // RFC 9207.
    assert_eq!(parameter(&back, "iss"), Some(base_url(&app)));
}

/// The specification, OAuth 2.1 flow, 5; RFC 9700, section 4.11: no open redirect by any parameter.
#[tokio::test]
async fn an_unknown_client_or_redirect_uri_is_told_to_the_caller_alone() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let strange = uuid::Uuid::now_v7().to_string();
    for (changes, error) in [
        (vec![("client_id", "")], "invalid_request"),
        (vec![("client_id", strange.as_str())], "invalid_client"),
        (vec![("client_id", "x")], "invalid_client"),
        (vec![("redirect_uri", "")], "invalid_request"),
        (vec![("redirect_uri", "https://evil.example/")], "invalid_request"),
        (
            vec![("redirect_uri", "https://app.example/callback/")],
            "invalid_request",
        ),
        (
            vec![("redirect_uri", "https://app.example/callback?a=1")],
            "invalid_request",
        ),
        (
            vec![("redirect_uri", "https://app.example:443/callback")],
            "invalid_request",
        ),
        (
            vec![("redirect_uri", "https://APP.example/callback")],
            "invalid_request",
        ),
        (
            vec![("redirect_uri", "https://app.example/callback#x")],
            "invalid_request",
        ),
        (
            vec![
                ("redirect_uri", "https://evil.example/"),
                ("response_type", "token"),
            ],
            "invalid_request",
        ),
    ] {
        let reply = client.authorize(&with(client.query(), &changes)).await;
        refused(&reply, 400, error);
        assert!(reply.header("location").is_none(), "{changes:?}");
    }
    for twice in ["client_id", "redirect_uri"] {
        let mut query = client.query();
        query.push((twice, "https://evil.example/".to_owned()));
        refused(&client.authorize(&query).await, 400, "invalid_request");
    }
}

/// RFC 6749, section 4.1.2.1.
#[tokio::test]
async fn every_other_fault_goes_back_to_the_client() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    for (changes, error) in [
        (("response_type", ""), "invalid_request"),
        (("response_type", "token"), "unsupported_response_type"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        // RFC 9700, section 4.8.2: no downgrade to plain, neither said nor left out.
        (("code_challenge_method", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("scope", "openid"), "invalid_scope"),
        (("scope", "read:uptime\0"), "invalid_scope"),
        (("resource", ""), "invalid_target"),
        (("resource", "https://other.example"), "invalid_target"),
    ] {
        let back = location(&client.authorize(&with(client.query(), &[changes])).await);
        assert!(back.as_str().starts_with(&format!("{REDIRECT_URI}?")), "{back}");
        assert_eq!(parameter(&back, "error").as_deref(), Some(error), "{changes:?}");
        assert!(parameter(&back, "error_description").is_some());
        assert_eq!(parameter(&back, "state").as_deref(), Some("xyz"));
        assert_eq!(parameter(&back, "iss"), Some(base_url(&app)));
        assert_eq!(parameter(&back, "code"), None);
    }
    for (twice, error) in [
        ("response_type", "invalid_request"),
        ("code_challenge", "invalid_request"),
        ("scope", "invalid_request"),
        ("state", "invalid_request"),
        // Exactly one (RFC 8707, section 2).
        ("resource", "invalid_target"),
    ] {
        let mut query = client.query();
        query.push((twice, CHALLENGE.to_owned()));
        let back = location(&client.authorize(&query).await);
        assert_eq!(parameter(&back, "error").as_deref(), Some(error), "{twice}");
    }
    let mut query = client.query();
    query.extend([("prompt", "consent".to_owned()), ("prompt", "none".to_owned())]);
    assert_eq!(
        location(&client.authorize(&query).await).path(),
        "/console/consent",
        "unknown ones are ignored"
    );
}

#[tokio::test]
async fn the_state_comes_back_byte_for_byte() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let state = format!("é&=#%20+ {}", "s".repeat(8_000));
    let query = with(client.query(), &[("state", &state)]);
    let handle = client.handle_of(&query).await;
    let back = app.authorization().deny(&handle).await.unwrap();
    let back = Url::parse(&back).unwrap();
    assert_eq!(parameter(&back, "state"), Some(state));
    assert_eq!(parameter(&back, "error").as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn a_handle_is_decided_once_within_ten_minutes_and_unaltered() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let server = app.authorization();
    let (owner, workspace) = (app.world.owner, app.world.workspace);
    let handle = client.handle().await;
    assert!(server.consent(&handle, owner).await.is_ok());
    client
        .code_for(&handle, owner, all_scopes(), vec![workspace])
        .await;
    let again = server
        .approve(&handle, owner, all_scopes(), vec![workspace])
        .await;
    assert!(matches!(again, Err(ConsentError::Decided)));
    assert!(matches!(server.deny(&handle).await, Err(ConsentError::Decided)));
    assert!(matches!(
        server.consent(&handle, owner).await,
        Err(ConsentError::Decided)
    ));

    let altered = client.handle().await.replacen('A', "B", 1);
    assert!(matches!(
        server.consent(&altered, owner).await,
        Err(ConsentError::Lapsed)
    ));

    let late = client.handle().await;
    app.clock.advance(Duration::minutes(10) - Duration::SECOND);
    assert!(server.consent(&late, owner).await.is_ok());
    app.clock.advance(Duration::SECOND);
    assert!(matches!(
        server.consent(&late, owner).await,
        Err(ConsentError::Lapsed)
    ));
    let approved = server.approve(&late, owner, all_scopes(), vec![workspace]).await;
    assert!(matches!(approved, Err(ConsentError::Lapsed)));
}

#[tokio::test]
async fn only_what_was_asked_for_and_only_workspaces_of_the_user_are_granted() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let world = &app.world;
    let asked = [Scope::ReadOverview, Scope::WriteUptime].into_iter().collect();
    let code = client.code(world.owner, asked, vec![world.workspace]).await;
    let tokens = Tokens::of(&client.token(&client.exchange_form(&code)).await);
    assert_eq!(tokens.scope, "read:overview", "write:uptime was not asked for");

    let server = app.authorization();
    let stranger = World::create(&app.stores, app.now()).await;
    for (user, scopes, workspaces) in [
        (stranger.owner, all_scopes(), vec![world.workspace]),
        (
            world.owner,
            all_scopes(),
            vec![world.workspace, stranger.workspace],
        ),
        (world.owner, all_scopes(), Vec::new()),
        (
            world.owner,
            [Scope::WriteUptime].into_iter().collect(),
            vec![world.workspace],
        ),
        (world.owner, all_scopes(), vec![world.workspace, world.workspace]),
    ] {
        let handle = client.handle().await;
        let refused = server.approve(&handle, user, scopes, workspaces).await;
        assert!(matches!(refused, Err(ConsentError::NothingTicked)), "{refused:?}");
        assert!(
            server.consent(&handle, world.owner).await.is_ok(),
            "still undecided"
        );
    }
}

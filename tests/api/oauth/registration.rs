//! POST /oauth/register

use pharos_persistence::pool::Database;
use pharos_server::groups::database_options;
use serde_json::json;

use super::{REDIRECT_URI, refused, register};
use crate::harness::TestApp;

/// RFC 7591, section 3.2.1.
#[tokio::test]
async fn a_public_client_gets_an_id_and_no_secret() {
    let app = TestApp::start().await;
    let reply = register(
        &app,
        &json!({ "client_name": "Site report", "redirect_uris": [REDIRECT_URI], "software_version": "7" }),
    )
    .await;
    assert_eq!(reply.status, 201);
    assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    assert_eq!(reply.header("pragma"), Some("no-cache"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    let body = reply.json();
    assert!(body["client_id"].as_str().unwrap().parse::<uuid::Uuid>().is_ok());
    assert_eq!(body["client_id_issued_at"], app.now().unix_timestamp());
    assert_eq!(body["token_endpoint_auth_method"], "none");
    assert_eq!(body["redirect_uris"], json!([REDIRECT_URI]));
    assert_eq!(body["client_name"], "Site report");
    assert!(body["client_secret"].is_null());
    assert!(
        body["software_version"].is_null(),
        "what is ignored is not echoed"
    );
}

#[tokio::test]
async fn a_confidential_client_gets_its_secret_once_and_it_is_stored_nowhere() {
    let app = TestApp::start().await;
    for method in ["client_secret_basic", "client_secret_post"] {
        let body = json!({ "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": method });
        let body = register(&app, &body).await.json();
        let secret = body["client_secret"].as_str().unwrap();
        assert_eq!((secret.len(), &secret[..4]), (47, "pcs_"));
        assert_eq!(body["client_secret_expires_at"], 0);
        let stored = app.sql("SELECT c::text FROM oauth_clients AS c").await;
        assert!(!format!("{stored:?}").contains(&secret[4..]));
    }
}

#[tokio::test]
async fn each_call_makes_a_new_client() {
    let app = TestApp::start().await;
    let body = json!({ "redirect_uris": [REDIRECT_URI] });
    let (one, other) = (
        register(&app, &body).await.json(),
        register(&app, &body).await.json(),
    );
    assert_ne!(one["client_id"], other["client_id"]);
}

#[tokio::test]
async fn what_can_t_be_registered_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    let thousand: Vec<String> = (0..1000).map(|n| format!("https://a.example/{n}")).collect();
    let long = format!("https://a.example/{}", "a".repeat(2_049 - 18));
    for (uris, reason) in [
        (json!([]), "at least one"),
        (json!(thousand), "1000"),
        (json!([long]), "2,048"),
        (json!(["https://a.example/*"]), "wildcard"),
        (json!(["https://a.example/#x"]), "fragment"),
        (json!(["https://u:p@a.example/"]), "user name"),
        (json!(["http://a.example/"]), "https"),
        (json!(["https://%61.example/"]), "unusual"),
        (json!(["http://2130706433/"]), "unusual"),
        (json!(["http://0x7f.1/"]), "unusual"),
        (json!([REDIRECT_URI, "myapp:/cb"]), "https"),
    ] {
        let reply = register(&app, &json!({ "redirect_uris": uris })).await;
        let description = refused(&reply, 400, "invalid_redirect_uri");
        assert!(description.contains(reason), "{description}");
    }
    for body in [
        json!({ "redirect_uris": [REDIRECT_URI], "client_name": "a".repeat(10_000) }),
        json!({ "redirect_uris": [REDIRECT_URI], "grant_types": ["password"] }),
        json!({ "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "tls_client_auth" }),
        json!({ "redirect_uris": [REDIRECT_URI], "scope": ["read:uptime"] }),
        json!({ "redirect_uris": [REDIRECT_URI], "logo_uri": 7 }),
        json!("redirect_uris"),
    ] {
        refused(&register(&app, &body).await, 400, "invalid_client_metadata");
    }
    let count = app.sql("SELECT count(*)::text FROM oauth_clients").await;
    assert_eq!(count[0][0].as_deref(), Some("0"));
}

#[tokio::test]
async fn a_client_without_a_grant_goes_after_thirty_days() {
    let app = TestApp::start().await;
    let client = super::Client::register(&app).await;
    client.tokens().await;
    register(&app, &json!({ "redirect_uris": [REDIRECT_URI] })).await;
    let database = Database::connect(app.database.url(), &database_options())
        .await
        .unwrap();
    let left = async |days: i64| {
        database
            .maintain(app.now() + time::Duration::days(days))
            .await
            .unwrap();
        let clients = app.sql("SELECT id::text FROM oauth_clients ORDER BY id").await;
        clients
            .into_iter()
            .map(|row| row[0].clone().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(left(29).await.len(), 2);
    assert_eq!(left(30).await, std::slice::from_ref(&client.id));
}

/// Its last refresh token outlives every access token, so nobody can come with one any more.
#[tokio::test]
async fn a_grant_goes_with_its_last_refresh_token_and_its_client_stays() {
    let app = TestApp::start().await;
    let client = super::Client::register(&app).await;
    let tokens = client.tokens().await;
    app.clock.advance(time::Duration::days(10));
    super::Tokens::of(&client.refresh(&tokens.refresh).await);
    let database = Database::connect(app.database.url(), &database_options())
        .await
        .unwrap();
    let left = async |days: i64| {
        let later = app.now() + time::Duration::days(days);
        database.maintain(later).await.unwrap();
        let connected = app.stores.oauth_grants.connected(app.world.owner).await;
        let clients = app.sql("SELECT id::text FROM oauth_clients").await;
        (connected.unwrap().len(), clients.len())
    };
    assert_eq!(left(89).await, (1, 1));
    assert_eq!(left(90).await, (0, 1));
}

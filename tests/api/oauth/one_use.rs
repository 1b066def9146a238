//! Codes and refresh tokens are good for one use: neither less nor more.

use std::fs::File;

use pharos_domain::ids::CredentialId;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{Client, Pairs, Tokens, base_url, call, encoded, refused, with};
use crate::harness::{Node, Request, TestApp};

/// A request that the store could not do is tried again, as the answer asks for; nothing was used up.
#[tokio::test]
async fn tokens_that_could_not_be_signed_are_asked_for_again() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let code = client.owners_code().await;
    let forms = [client.refresh_form(&tokens.refresh), client.exchange_form(&code)];
    app.sql("ALTER TABLE oauth_signing_keys RENAME TO elsewhere")
        .await;
    // A node that has not read the keys yet.
    let sibling = app.sibling().await;
    let ask = async |form: &[(&str, String)]| {
        let kind = "application/x-www-form-urlencoded";
        let request = sibling.request("POST", "/oauth/token");
        request.body(kind, encoded(form)).send().await
    };
    for form in &forms {
        refused(&ask(form).await, 500, "server_error");
    }
    app.sql("ALTER TABLE elsewhere RENAME TO oauth_signing_keys")
        .await;
    for form in &forms {
        let tokens = Tokens::of(&ask(form).await);
        call(&app, "/me", &tokens.access).await.ok();
    }
}

/// Whatever else is wrong with what comes back: it ends the grant.
#[tokio::test]
async fn reuse_is_told_before_a_wrong_resource_and_before_expiry() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let mcp = format!("{}/mcp", base_url(&app));
    for resource in [mcp.as_str(), "", "https://other.example"] {
        let code = client.owners_code().await;
        let form = client.exchange_form(&code);
        let tokens = Tokens::of(&client.token(&form).await);
        ends(&client, &tokens, with(form, &[("resource", resource)])).await;

        let old = client.tokens().await;
        let tokens = Tokens::of(&client.refresh(&old.refresh).await);
        let form = with(client.refresh_form(&old.refresh), &[("resource", resource)]);
        ends(&client, &tokens, form).await;
    }
    let old = client.tokens().await;
    app.clock.advance(Duration::DAY);
    let next = Tokens::of(&client.refresh(&old.refresh).await);
    app.clock.advance(Duration::days(89));
    let description = refused(&client.refresh(&old.refresh).await, 400, "invalid_grant");
    assert!(description.contains("used before"), "{description}");
    refused(&client.refresh(&next.refresh).await, 400, "invalid_grant");
}

/// Asserts that the form is refused as something that was used before, and that its grant is revoked.
async fn ends(client: &Client<'_>, tokens: &Tokens, form: Pairs<'_>) {
    call(client.app, "/me", &tokens.access).await.ok();
    let description = refused(&client.token(&form).await, 400, "invalid_grant");
    assert!(description.contains("used before"), "{description}");
    call(client.app, "/me", &tokens.access)
        .await
        .problem(401, "grant-revoked");
}

#[tokio::test]
async fn approval_and_reuse_have_rows_of_their_own_in_the_audit_log() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    let of_code = Tokens::of(&client.token(&form).await).grant();
    let tokens = client.tokens().await;
    Tokens::of(&client.refresh(&tokens.refresh).await);
    // The second time there is nothing left to end.
    for _ in 0..2 {
        refused(&client.token(&form).await, 400, "invalid_grant");
        refused(&client.refresh(&tokens.refresh).await, 400, "invalid_grant");
    }
    let rows = async |action: &str| -> Vec<[String; 3]> {
        let rows = app
            .sql(&format!(
                "SELECT actor, subject_id, details::text FROM audit_log WHERE action = '{action}' ORDER BY id"
            ))
            .await;
        rows.into_iter()
            .map(|row| {
                row.try_into()
                    .map(|row: [Option<String>; 3]| row.map(Option::unwrap))
                    .unwrap()
            })
            .collect()
    };
    let by_client = format!("client:{}", client.id);
    let ended =
        |grant: CredentialId, details: &str| [by_client.clone(), grant.to_string(), details.to_owned()];
    let reused = [
        ended(of_code, r#"{"of": "code"}"#),
        ended(tokens.grant(), r#"{"of": "refresh token"}"#),
    ];
    assert_eq!(rows("grant.reuse").await, reused);
    let revoked = [of_code, tokens.grant()].map(|grant| ended(grant, "{}"));
    assert_eq!(rows("grant.revoke").await, revoked);

    let approved = rows("client.approve").await;
    assert_eq!(approved.len(), 2);
    let [actor, subject, details] = &approved[0];
    assert_eq!(actor, &format!("user:{}", app.world.owner));
    assert_eq!(subject, &client.id);
    let details: Value = serde_json::from_str(details).unwrap();
    let expected = json!({
        "scopes": ["read:domains", "read:overview", "read:uptime"],
        "workspaces": [app.world.workspace],
        "resource": base_url(&app),
    });
    assert_eq!(details, expected);
}

/// Who reads the log sees that somebody else may have had the code or the token, and whose grant that was.
#[tokio::test(flavor = "multi_thread")]
async fn reuse_is_a_warning_in_the_log_once() {
    let app = TestApp::start().await;
    // The node goes by the true time, by which the app's grants were over long ago.
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    let client = Client::register(&app).await;
    let exchange = client.exchange_form(&client.owners_code().await);
    let of_code = Tokens::of(&client.token(&exchange).await).grant();
    let tokens = client.tokens().await;
    Tokens::of(&client.refresh(&tokens.refresh).await);

    let log = tempfile::NamedTempFile::new().unwrap();
    let issuer = format!("http://{}", app.address);
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_BASE_URL", issuer.as_str()),
        ("PHAROS_LOG_FORMAT", "json"),
    ];
    let file = File::create(log.path()).unwrap();
    let node = Node::start_logging(&["--roles", "api"], &environment, file);
    for form in [exchange, client.refresh_form(&tokens.refresh)] {
        // The second time there is nothing left to end.
        for _ in 0..2 {
            let request = Request::new(node.address, "POST", "/oauth/token");
            let request = request.body("application/x-www-form-urlencoded", encoded(&form));
            refused(&request.send_unchecked().await, 400, "invalid_grant");
        }
    }
    node.signal("TERM");
    assert_eq!(node.end(std::time::Duration::from_secs(60)), Some(0));

    let text = std::fs::read_to_string(log.path()).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told: Vec<Value> = lines
        .filter(|line| {
            line["message"]
                .as_str()
                .is_some_and(|message| message.contains("used before"))
        })
        .map(|line| json!([line["level"], line["message"], line["grant"], line["client"]]))
        .collect();
    let warning = |what: &str, grant: CredentialId| {
        let message = format!("a {what} came back that was used before: its grant is revoked");
        json!(["WARN", message, grant.to_string(), client.id])
    };
    let expected = [warning("code", of_code), warning("refresh token", tokens.grant())];
    assert_eq!(told, expected, "{text}");
}

/// RFC 6749, section 6: less for the hour of one access token; the grant stays what it was.
#[tokio::test]
async fn a_refresh_narrows_its_access_token_alone() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let form = with(
        client.refresh_form(&tokens.refresh),
        &[("scope", "read:uptime write:uptime openid")],
    );
    let narrowed = Tokens::of(&client.token(&form).await);
    assert_eq!(narrowed.scope, "read:uptime", "write:uptime was not granted");
    assert_eq!(narrowed.claims()["scope"], "read:uptime");
    let me = call(&app, "/me", &narrowed.access).await.ok();
    assert_eq!(me["scopes"], json!(["read:uptime"]));
    call(&app, "/domains", &narrowed.access)
        .await
        .problem(403, "insufficient-scope");
    call(&app, "/domains", &tokens.access).await.ok();

    let form = client.refresh_form(&narrowed.refresh);
    for (scope, error) in [
        ("write:uptime", "invalid_scope"),
        ("openid", "invalid_scope"),
        ("read:uptime\0", "invalid_scope"),
    ] {
        let form = with(form.clone(), &[("scope", scope)]);
        refused(&client.token(&form).await, 400, error);
    }
    // None of these used it up, and the refresh token is for all that was granted.
    let whole = Tokens::of(&client.token(&form).await);
    assert_eq!(whole.scope, tokens.scope);
    call(&app, "/domains", &whole.access).await.ok();
}

/// OAuth 2.1 has no `redirect_uri` at the token endpoint; sent all the same, it has to be the one of the request.
#[tokio::test]
async fn a_code_is_exchanged_without_the_redirect_uri() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    let other = with(form.clone(), &[("redirect_uri", "https://app.example/other")]);
    refused(&client.token(&other).await, 400, "invalid_grant");
    Tokens::of(&client.token(&with(form, &[("redirect_uri", "")])).await);
}

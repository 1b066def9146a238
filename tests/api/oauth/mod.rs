//! The authorization server, through the API.

mod authorization;
mod bad_input;
mod discovery;
pub(crate) mod libraries;
mod limits;
mod one_use;
mod processes;
mod registration;
mod resources;
mod revocation;
mod tokens;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use pharos_domain::{
    ids::{CredentialId, UserId, WorkspaceId},
    scope::ScopeSet,
};
use serde_json::{Value, json};
use url::Url;

use crate::harness::{Reply, TestApp, all_scopes};

const REDIRECT_URI: &str = "https://app.example/callback";
/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

type Pairs<'a> = Vec<(&'a str, String)>;

/// Sets or, with an empty value, takes away a parameter.
fn with<'a>(mut pairs: Pairs<'a>, changes: &[(&'a str, &str)]) -> Pairs<'a> {
    for (name, value) in changes {
        pairs.retain(|(known, _)| known != name);
        if !value.is_empty() {
            pairs.push((name, (*value).to_owned()));
        }
    }
    pairs
}

fn encoded(pairs: &[(&str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}

/// An app in the sense of OAuth, and the server that it is connected to.
pub(crate) struct Client<'a> {
    app: &'a TestApp,
    pub(crate) id: String,
    secret: Option<String>,
}

impl<'a> Client<'a> {
    /// Registers a public client.
    pub(crate) async fn register(app: &'a TestApp) -> Self {
        Self::register_as(app, "none").await
    }

    async fn register_as(app: &'a TestApp, method: &str) -> Self {
        let body = json!({
            "client_name": "Site report",
            "redirect_uris": [REDIRECT_URI, "https://app.example/other"],
            "token_endpoint_auth_method": method,
        });
        let reply = register(app, &body).await;
        assert_eq!(reply.status, 201, "{:?}", reply.body);
        let registered = reply.json();
        Self {
            app,
            id: registered["client_id"].as_str().unwrap().to_owned(),
            secret: registered["client_secret"].as_str().map(str::to_owned),
        }
    }

    /// The query of an authorization request that is in order.
    fn query(&self) -> Pairs<'static> {
        vec![
            ("response_type", "code".to_owned()),
            ("client_id", self.id.clone()),
            ("redirect_uri", REDIRECT_URI.to_owned()),
            ("scope", "read:overview read:domains read:uptime".to_owned()),
            ("state", "xyz".to_owned()),
            ("code_challenge", CHALLENGE.to_owned()),
            ("code_challenge_method", "S256".to_owned()),
            ("resource", base_url(self.app)),
        ]
    }

    async fn authorize(&self, query: &[(&str, String)]) -> Reply {
        let path = format!("/oauth/authorize?{}", encoded(query));
        self.app.request("GET", &path).send().await
    }

    /// The handle of a request that is in order.
    async fn handle(&self) -> String {
        self.handle_of(&self.query()).await
    }

    async fn handle_of(&self, query: &[(&str, String)]) -> String {
        let reply = self.authorize(query).await;
        let consent = location(&reply);
        assert_eq!(consent.path(), "/console/consent", "{consent}");
        parameter(&consent, "request").unwrap()
    }

    /// The code that `user` grants.
    async fn code(&self, user: UserId, scopes: ScopeSet, workspaces: Vec<WorkspaceId>) -> String {
        let handle = self.handle().await;
        self.code_for(&handle, user, scopes, workspaces).await
    }

    async fn code_for(
        &self,
        handle: &str,
        user: UserId,
        scopes: ScopeSet,
        workspaces: Vec<WorkspaceId>,
    ) -> String {
        let back = self
            .app
            .authorization()
            .approve(handle, user, scopes, workspaces)
            .await
            .unwrap();
        parameter(&Url::parse(&back).unwrap(), "code").unwrap()
    }

    /// The code that the world's owner grants for everything that was asked for.
    async fn owners_code(&self) -> String {
        let world = &self.app.world;
        self.code(world.owner, all_scopes(), vec![world.workspace]).await
    }

    /// The form that exchanges a code.
    fn exchange_form(&self, code: &str) -> Pairs<'static> {
        let mut form = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("redirect_uri", REDIRECT_URI.to_owned()),
            ("code_verifier", VERIFIER.to_owned()),
            ("resource", base_url(self.app)),
            ("client_id", self.id.clone()),
        ];
        form.extend(self.secret.clone().map(|secret| ("client_secret", secret)));
        form
    }

    /// The form that refreshes.
    fn refresh_form(&self, token: &str) -> Pairs<'static> {
        let mut form = vec![
            ("grant_type", "refresh_token".to_owned()),
            ("refresh_token", token.to_owned()),
            ("resource", base_url(self.app)),
            ("client_id", self.id.clone()),
        ];
        form.extend(self.secret.clone().map(|secret| ("client_secret", secret)));
        form
    }

    async fn token(&self, form: &[(&str, String)]) -> Reply {
        post_form(self.app, "/oauth/token", form).await
    }

    async fn refresh(&self, token: &str) -> Reply {
        self.token(&self.refresh_form(token)).await
    }

    /// The same for another resource than the API.
    pub(crate) async fn tokens_for(&self, resource: &str) -> Tokens {
        let handle = self
            .handle_of(&with(self.query(), &[("resource", resource)]))
            .await;
        let world = &self.app.world;
        let code = self
            .code_for(&handle, world.owner, all_scopes(), vec![world.workspace])
            .await;
        let form = with(self.exchange_form(&code), &[("resource", resource)]);
        Tokens::of(&self.token(&form).await)
    }

    /// Ends the grant behind these tokens.
    pub(crate) async fn revoke(&self, tokens: &Tokens) {
        let form = [("token", tokens.access.clone()), ("client_id", self.id.clone())];
        assert_eq!(post_form(self.app, "/oauth/revoke", &form).await.status, 200);
    }

    /// Tokens of a grant of the world's owner.
    pub(crate) async fn tokens(&self) -> Tokens {
        let code = self.owners_code().await;
        Tokens::of(&self.token(&self.exchange_form(&code)).await)
    }
}

/// The tokens that the token endpoint gave, and their scopes.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    refresh: String,
    scope: String,
}

impl Tokens {
    #[track_caller]
    fn of(reply: &Reply) -> Self {
        let body = reply.ok();
        assert_eq!(body["token_type"], "Bearer");
        assert_eq!(body["expires_in"], 3600);
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self {
            access: text("access_token"),
            refresh: text("refresh_token"),
            scope: text("scope"),
        }
    }

    /// The grant behind them.
    fn grant(&self) -> CredentialId {
        self.claims()["grant_id"].as_str().unwrap().parse().unwrap()
    }

    /// The claims of the access token.
    fn claims(&self) -> Value {
        let claims = self.access.split('.').nth(1).unwrap();
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
    }
}

fn base_url(app: &TestApp) -> String {
    format!("http://{}", app.address)
}

async fn register(app: &TestApp, body: &Value) -> Reply {
    app.request("POST", "/oauth/register").json(body).send().await
}

async fn post_form(app: &TestApp, path: &str, form: &[(&str, String)]) -> Reply {
    let kind = "application/x-www-form-urlencoded";
    app.request("POST", path).body(kind, encoded(form)).send().await
}

/// A call of the API with an access token.
pub(crate) async fn call(app: &TestApp, path: &str, token: &str) -> Reply {
    let header = format!("Bearer {token}");
    app.request("GET", path)
        .header("authorization", header)
        .send()
        .await
}

#[track_caller]
fn location(reply: &Reply) -> Url {
    assert_eq!(reply.status, 302, "{:?}", reply.body);
    Url::parse(reply.header("location").unwrap()).unwrap()
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.into_owned())
}

/// Asserts a refusal in the JSON of RFC 6749, section 5.2, which no cache may keep.
#[track_caller]
fn refused(reply: &Reply, status: u16, error: &str) -> String {
    let body = reply.json();
    assert_eq!(
        (reply.status, body["error"].as_str()),
        (status, Some(error)),
        "{body}"
    );
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert!(reply.header("cache-control").unwrap().contains("no-store"));
    body["error_description"].as_str().unwrap().to_owned()
}

//! An app that asks for access, as RFC 6749, 7591, 7636 and 8707 say.

use pharos_auth::oauth::resource::Resources;
use serde_json::{Value, json};

use crate::harness::{Reply, TestApp};

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const CALLBACK: &str = "https://app.example/callback?tenant=a";

/// A registered app.
pub(crate) struct OauthApp {
    pub(crate) client_id: String,
    callback: String,
    resource: String,
}

impl OauthApp {
    /// Registers an app of that name.
    pub(crate) async fn register(app: &TestApp, name: Option<&str>) -> Self {
        Self::register_at(app, name, CALLBACK).await
    }

    /// The same where users come back elsewhere.
    pub(crate) async fn register_at(app: &TestApp, name: Option<&str>, callback: &str) -> Self {
        let body = json!({ "client_name": name, "redirect_uris": [callback] });
        let reply = app
            .request("POST", "/oauth/register")
            .json(&body)
            .send_unchecked()
            .await;
        assert_eq!(reply.status, 201);
        Self {
            client_id: reply.json()["client_id"].as_str().unwrap().to_owned(),
            callback: callback.to_owned(),
            resource: Resources::at(&format!("http://{}", app.address)).api,
        }
    }

    /// Asks for scopes, and gives the path of the consent screen.
    pub(crate) async fn ask(&self, app: &TestApp, scope: &str) -> String {
        let query: String = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("response_type", "code"),
                ("client_id", &self.client_id),
                ("redirect_uri", &self.callback),
                ("scope", scope),
                ("state", "a state & more"),
                ("code_challenge", CHALLENGE),
                ("code_challenge_method", "S256"),
                ("resource", &self.resource),
            ])
            .finish();
        let path = format!("/oauth/authorize?{query}");
        let reply = app.request("GET", &path).send_unchecked().await;
        assert_eq!(reply.status, 302);
        let location = reply.header("location").unwrap();
        location
            .strip_prefix(&format!("http://{}", app.address))
            .unwrap()
            .to_owned()
    }

    /// Exchanges a code for tokens.
    pub(crate) async fn exchange(&self, app: &TestApp, code: &str) -> Value {
        self.bring(app, code).await.ok()
    }

    /// Brings a code to the token endpoint.
    pub(crate) async fn bring(&self, app: &TestApp, code: &str) -> Reply {
        let body: String = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("grant_type", "authorization_code"),
                ("code", code),
                ("redirect_uri", &self.callback),
                ("client_id", &self.client_id),
                ("code_verifier", VERIFIER),
                ("resource", &self.resource),
            ])
            .finish();
        let request = app.request("POST", "/oauth/token");
        let request = request.body("application/x-www-form-urlencoded", body);
        request.send_unchecked().await
    }

    /// Calls the API with an access token.
    pub(crate) async fn call(&self, app: &TestApp, tokens: &Value, path: &str) -> Reply {
        let token = tokens["access_token"].as_str().unwrap();
        let request = app.request("GET", path);
        request
            .header("authorization", format!("Bearer {token}"))
            .send()
            .await
    }
}

/// The parameters that the browser brings back to [`CALLBACK`].
pub(crate) fn brought_back(location: &str) -> Vec<(String, String)> {
    let query = location
        .strip_prefix(CALLBACK)
        .unwrap()
        .strip_prefix('&')
        .unwrap();
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// One of them.
pub(crate) fn parameter(location: &str, name: &str) -> Option<String> {
    let found = brought_back(location)
        .into_iter()
        .find(|(known, _)| known == name);
    found.map(|(_, value)| value)
}

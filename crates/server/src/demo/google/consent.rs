//! The page on which Google asks for consent, played, and the codes that it gives out: RFC 6749 with PKCE (RFC 7636), as Google's
//! guide for web server applications has it.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use maud::{DOCTYPE, html};
use pharos_auth::{oauth::pkce::CodeChallenge, secret::Secret};
use pharos_search::google::token::SCOPE;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use url::{Url, form_urlencoded};

/// The path of the page.
pub const PATH: &str = "/consent";
/// The path of the console that browsers come back to. Google is told of it when a client is made; the play knows it.
const CALLBACK: &str = "/console/search-console/callback";
/// How long a code is good.
const GOOD_FOR: Duration = Duration::minutes(5);
/// How many codes wait, so that a browser that asks again and again fills no memory.
const MOST_WAITING: usize = 1_000;
/// How codes and refresh tokens begin.
const CODE: &str = "played-code-";
const REFRESH_TOKEN: &str = "played-refresh-";

/// The answer to a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A page, with its status.
    Page(u16, String),
    /// The way to another address.
    Redirect(String),
}

/// A code that was given out.
struct Waiting {
    redirect_uri: String,
    challenge: CodeChallenge,
    /// Whether access goes on without the person.
    is_offline: bool,
    /// Whether reading was allowed.
    is_allowed: bool,
    until: OffsetDateTime,
}

/// Asks for consent in the name of one account.
pub struct Consents {
    client: String,
    client_secret: String,
    /// The address of the account.
    email: String,
    waiting: Mutex<HashMap<String, Waiting>>,
}

/// A request for consent, as far as the play reads it.
struct Wanted {
    redirect_uri: String,
    redirect: Url,
    state: String,
    challenge: CodeChallenge,
    is_offline: bool,
}

impl Consents {
    /// Those of an account, asked for by a client.
    #[must_use]
    pub fn new(client: &str, client_secret: &str, email: &str) -> Self {
        Self {
            client: client.to_owned(),
            client_secret: client_secret.to_owned(),
            email: email.to_owned(),
            waiting: Mutex::default(),
        }
    }

    /// The page for the request in this query; with a decision of its form in the body, where the browser goes on to.
    #[must_use]
    pub fn answer(&self, query: &str, body: &[u8], now: OffsetDateTime) -> Said {
        let asked = match self.asked(query) {
            Ok(asked) => asked,
            Err(why) => return Said::Page(400, page(&self.email, &why, false)),
        };
        let form = fields(body);
        match form.get("decision").map(String::as_str) {
            Some("allow") => self.allow(&asked, form.contains_key("read"), now),
            Some(_) => asked.back(&[("error", "access_denied")]),
            None => {
                let what = "Pharos asks to see the Search Console data of your sites.";
                Said::Page(200, page(&self.email, what, true))
            }
        }
    }

    fn allow(&self, asked: &Wanted, is_allowed: bool, now: OffsetDateTime) -> Said {
        let Ok(code) = Secret::generate(CODE) else {
            return asked.back(&[("error", "server_error")]);
        };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|_, waiting| waiting.until > now);
        if waiting.len() >= MOST_WAITING {
            return asked.back(&[("error", "temporarily_unavailable")]);
        }
        let given = Waiting {
            redirect_uri: asked.redirect_uri.clone(),
            challenge: asked.challenge.clone(),
            is_offline: asked.is_offline,
            is_allowed,
            until: now + GOOD_FOR,
        };
        waiting.insert(code.reveal().to_owned(), given);
        drop(waiting);
        asked.back(&[("code", code.reveal())])
    }

    fn asked(&self, query: &str) -> Result<Wanted, String> {
        let mut fields = fields(query.as_bytes());
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        if take("client_id") != self.client {
            return Err("Error 401: invalid_client. The client was not found.".to_owned());
        }
        let redirect_uri = take("redirect_uri");
        let redirect = Url::parse(&redirect_uri)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.path() == CALLBACK);
        let Some(redirect) = redirect else {
            return Err(
                "Error 400: redirect_uri_mismatch. The client does not have this redirect URI.".to_owned(),
            );
        };
        let is_code = take("response_type") == "code" && take("code_challenge_method") == "S256";
        let covers = take("scope").split(' ').any(|scope| scope == SCOPE);
        let challenge = CodeChallenge::parse(&take("code_challenge")).filter(|_| is_code && covers);
        Ok(Wanted {
            challenge: challenge.ok_or("Error 400: invalid_request.")?,
            redirect_uri,
            redirect,
            state: take("state"),
            // A consent that was given before is no news otherwise, and comes without a refresh token.
            is_offline: take("access_type") == "offline" && take("prompt") == "consent",
        })
    }

    /// The answer of the token service to a form with a code; `None`: it asks for something else.
    #[must_use]
    pub fn token(&self, body: &[u8], access_token: &str, now: OffsetDateTime) -> Option<(u16, Value)> {
        let form = fields(body);
        let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        if field("grant_type") != "authorization_code" {
            return None;
        }
        if field("client_id") != self.client || field("client_secret") != self.client_secret {
            return Some((401, json!({ "error": "invalid_client" })));
        }
        // Whatever comes of it, a code is good once.
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let given = waiting.remove(field("code"));
        drop(waiting);
        let challenge = CodeChallenge::of(field("code_verifier"));
        let given = given.filter(|given| {
            given.until > now
                && given.redirect_uri == field("redirect_uri")
                && challenge.as_ref() == Some(&given.challenge)
        });
        let Some((given, refresh_token)) = given.zip(Secret::generate(REFRESH_TOKEN).ok()) else {
            return Some((
                400,
                json!({ "error": "invalid_grant", "error_description": "Bad Request" }),
            ));
        };
        let scope = if given.is_allowed {
            format!("openid https://www.googleapis.com/auth/userinfo.email {SCOPE}")
        } else {
            "openid https://www.googleapis.com/auth/userinfo.email".to_owned()
        };
        let mut answer = json!({
            "access_token": access_token, "expires_in": 3_599, "token_type": "Bearer", "scope": scope,
            "id_token": self.id_token(now),
        });
        if given.is_offline {
            answer["refresh_token"] = json!(refresh_token.reveal());
        }
        Some((200, answer))
    }

    /// An ID token, which nobody has signed.
    fn id_token(&self, now: OffsetDateTime) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let claims = json!({
            "iss": "https://accounts.google.com", "aud": self.client, "sub": "1", "email": self.email,
            "email_verified": true, "iat": now.unix_timestamp(), "exp": now.unix_timestamp() + 3_600,
        });
        let header = json!({ "alg": "RS256", "typ": "JWT" });
        format!(
            "{}.{}.{}",
            part(&header),
            part(&claims),
            URL_SAFE_NO_PAD.encode("played")
        )
    }
}

impl Wanted {
    /// The way back, with these parameters and the state.
    fn back(&self, parameters: &[(&str, &str)]) -> Said {
        let mut url = self.redirect.clone();
        url.query_pairs_mut()
            .extend_pairs(parameters)
            .append_pair("state", &self.state);
        Said::Redirect(url.into())
    }
}

/// The fields of a form or of a query, the last of each name.
fn fields(text: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(text).into_owned().collect()
}

/// A page, with the form for a decision where one is asked for. The form goes to the page's own address.
fn page(email: &str, what: &str, asks: bool) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Consent, played" }
            }
            body {
                h1 { "This is not Google" }
                p { "Pharos plays Google here, so that the way can be walked without an account." }
                p { (what) }
                @if asks {
                    form method="post" {
                        p { "You are " strong { (email) } "." }
                        p {
                            label {
                                input type="checkbox" name="read" value="yes" checked;
                                " View Search Console data for your verified sites"
                            }
                        }
                        p {
                            button type="submit" name="decision" value="allow" { "Continue" }
                            " "
                            button type="submit" name="decision" value="deny" { "Cancel" }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);
    const BACK: &str = "http://127.0.0.1:7070/console/search-console/callback";
    /// RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn written(fields: &[(&str, &str)]) -> String {
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish()
    }

    fn query(changed: &[(&str, &str)]) -> String {
        let usual = [
            ("response_type", "code"),
            ("client_id", "demo"),
            ("redirect_uri", BACK),
            ("scope", SCOPE),
            ("state", "s"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("access_type", "offline"),
            ("prompt", "consent"),
        ];
        // The last of a name counts.
        written(&[&usual, changed].concat())
    }

    /// The parameters that a browser is sent back with.
    fn back(consents: &Consents, query: &str, decision: &str) -> HashMap<String, String> {
        match consents.answer(query, decision.as_bytes(), NOW) {
            Said::Redirect(to) => {
                assert!(to.starts_with(BACK), "{to}");
                fields(to.split_once('?').unwrap().1.as_bytes())
            }
            Said::Page(status, page) => panic!("{status} {page}"),
        }
    }

    fn exchanged(consents: &Consents, changed: &[(&str, &str)]) -> (u16, Value) {
        let usual = [
            ("grant_type", "authorization_code"),
            ("client_id", "demo"),
            ("client_secret", "secret"),
            ("redirect_uri", BACK),
            ("code_verifier", VERIFIER),
        ];
        let form = written(&[&usual, changed].concat());
        consents.token(form.as_bytes(), "access", NOW).unwrap()
    }

    #[test]
    fn a_code_is_good_once_and_for_its_verifier_alone() {
        let consents = Consents::new("demo", "secret", "ada@shop.example");
        let code = || back(&consents, &query(&[]), "decision=allow&read=yes")["code"].clone();
        let good = code();
        let (status, answer) = exchanged(&consents, &[("code", &good)]);
        assert_eq!((status, &answer["access_token"]), (200, &json!("access")));
        assert!(answer["refresh_token"].is_string() && answer["id_token"].is_string());
        for (code, changed) in [
            (good, ("state", "")),
            (code(), ("code_verifier", CHALLENGE)),
            (code(), ("redirect_uri", "http://127.0.0.1:7070/")),
        ] {
            let (status, answer) = exchanged(&consents, &[("code", &code), changed]);
            assert_eq!(
                (status, &answer["error"]),
                (400, &json!("invalid_grant")),
                "{changed:?}"
            );
        }
        let (status, _) = exchanged(&consents, &[("code", &code()), ("client_secret", "guessed")]);
        assert_eq!(status, 401);
        assert!(
            consents
                .token(b"grant_type=refresh_token", "access", NOW)
                .is_none()
        );
    }

    #[test]
    fn who_cancels_sends_the_browser_back_without_a_code() {
        let consents = Consents::new("demo", "secret", "ada@shop.example");
        let back = back(&consents, &query(&[]), "decision=deny");
        assert_eq!(back["error"], "access_denied");
        assert_eq!(back["state"], "s");
        assert!(!back.contains_key("code"));
    }

    #[test]
    fn access_that_is_not_asked_for_offline_has_no_refresh_token() {
        let consents = Consents::new("demo", "secret", "ada@shop.example");
        for changed in [("access_type", "online"), ("prompt", "none")] {
            let code = back(&consents, &query(&[changed]), "decision=allow")["code"].clone();
            let (status, answer) = exchanged(&consents, &[("code", &code)]);
            assert_eq!(status, 200);
            assert!(answer.get("refresh_token").is_none(), "{answer}");
        }
    }

    #[test]
    fn a_request_that_google_refuses_is_refused() {
        let consents = Consents::new("demo", "secret", "ada@shop.example");
        for changed in [
            ("client_id", "another"),
            ("redirect_uri", "https://elsewhere.example/"),
            ("redirect_uri", "ftp://127.0.0.1/console/search-console/callback"),
            ("code_challenge_method", "plain"),
            ("code_challenge", "short"),
            ("scope", "openid"),
        ] {
            let said = consents.answer(&query(&[changed]), b"decision=allow", NOW);
            assert!(matches!(said, Said::Page(400, _)), "{changed:?}");
        }
    }
}

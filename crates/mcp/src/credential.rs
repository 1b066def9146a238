//! The credential that a caller shows, which is handed on to the API as it came.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderValue, header};
use pharos_domain::{
    identity::Source,
    on_behalf::{ON_BEHALF_OF, OnBehalf},
};
use serde::Deserialize;

/// No credential of Pharos is as long.
const LONGEST: usize = 4_200;

/// Who calls. The API alone judges whether the credential holds.
#[derive(Clone)]
pub struct Caller {
    authorization: HeaderValue,
    /// Who that is to the API, signed; without it, this server.
    on_behalf: Option<HeaderValue>,
    /// Whether the answer has the API's word on it, or says that there is none.
    is_settled: Arc<AtomicBool>,
    /// Whether it is an access token, which its user can widen, and not a key.
    pub is_token: bool,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("is_token", &self.is_token)
            .finish_non_exhaustive()
    }
}

/// Why a request is not heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCaller {
    /// It shows no credential.
    Missing,
    /// It shows one that can't be any.
    Malformed,
    /// It shows an access token that was made for another resource.
    Audience,
}

#[derive(Deserialize)]
struct Claims {
    aud: Audience,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Caller {
    /// The caller of a request: an API key, or an access token that was made for `resource`.
    ///
    /// # Errors
    /// There is no credential, or none that may be handed on.
    pub fn of(headers: &HeaderMap, resource: &str) -> Result<Self, NoCaller> {
        let mut given = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(given), others) = (given.next(), given.next()) else {
            return Err(NoCaller::Missing);
        };
        if others.is_some() {
            return Err(NoCaller::Malformed);
        }
        let given = given.to_str().map_err(|_| NoCaller::Malformed)?;
        let credential = match given.split_once(' ') {
            Some((scheme, credential)) if scheme.eq_ignore_ascii_case("bearer") => credential.trim(),
            _ => return Err(NoCaller::Malformed),
        };
        Self::with(credential, resource)
    }

    /// The caller that shows this credential.
    ///
    /// # Errors
    /// It can't be handed on.
    pub fn with(credential: &str, resource: &str) -> Result<Self, NoCaller> {
        if credential.is_empty() || credential.len() > LONGEST {
            return Err(NoCaller::Malformed);
        }
        let is_token = match credential.split('.').collect::<Vec<_>>()[..] {
            [_, claims, _] => {
                judge(claims, resource)?;
                true
            }
            [_] => false,
            _ => return Err(NoCaller::Malformed),
        };
        let mut authorization =
            HeaderValue::from_str(&format!("Bearer {credential}")).map_err(|_| NoCaller::Malformed)?;
        authorization.set_sensitive(true);
        Ok(Self {
            authorization,
            on_behalf: None,
            is_settled: Arc::default(),
            is_token,
        })
    }

    /// The same, who calls from this address, by a secret that the API knows.
    #[must_use]
    pub fn at(self, address: Source, on_behalf: &OnBehalf) -> Self {
        Self {
            on_behalf: HeaderValue::from_str(&on_behalf.header(address)).ok(),
            ..self
        }
    }

    /// Notes that the API is shown the credential, or that the answer says that it can't be.
    pub(crate) fn settled(&self) {
        self.is_settled.store(true, Ordering::Relaxed);
    }

    /// Whether the API's word on the credential is in the answer, or that there is none.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled.load(Ordering::Relaxed)
    }

    /// The credential, by which its calls are told from those of others.
    pub(crate) fn credential(&self) -> &[u8] {
        self.authorization.as_bytes()
    }

    /// Puts the credential on a request to the API.
    pub(crate) fn sign(&self, headers: &mut HeaderMap) {
        headers.insert(header::AUTHORIZATION, self.authorization.clone());
        if let Some(caller) = &self.on_behalf {
            headers.insert(ON_BEHALF_OF, caller.clone());
        }
    }
}

/// Whether a token says that it is for `resource`. Its signature is the API's to judge: a token that lies here is refused
/// there.
fn judge(claims: &str, resource: &str) -> Result<(), NoCaller> {
    let claims = URL_SAFE_NO_PAD.decode(claims).map_err(|_| NoCaller::Malformed)?;
    let Claims { aud } = serde_json::from_slice(&claims).map_err(|_| NoCaller::Malformed)?;
    let fits = match aud {
        Audience::One(audience) => audience == resource,
        Audience::Many(audiences) => audiences.iter().any(|audience| audience == resource),
    };
    if fits { Ok(()) } else { Err(NoCaller::Audience) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESOURCE: &str = "https://pharos.example/mcp";

    fn of(values: &[&str]) -> Result<Caller, NoCaller> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().unwrap());
        }
        Caller::of(&headers, RESOURCE)
    }

    fn token(claims: &str) -> String {
        format!("Bearer e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims))
    }

    #[test]
    fn keys_and_tokens_for_this_server_are_handed_on() {
        assert!(!of(&["Bearer svc_dev_abc"]).unwrap().is_token);
        for claims in [
            r#"{"aud":"https://pharos.example/mcp"}"#,
            r#"{"aud":["x","https://pharos.example/mcp"]}"#,
        ] {
            let caller = of(&[&token(claims)]).unwrap();
            assert!(caller.is_token);
            let mut headers = HeaderMap::new();
            caller.sign(&mut headers);
            assert_eq!(headers[header::AUTHORIZATION], token(claims));
        }
    }

    #[test]
    fn all_others_are_refused() {
        let for_the_api = token(r#"{"aud":"https://pharos.example"}"#);
        let long = format!("Bearer {}", "a".repeat(LONGEST + 1));
        for (values, why) in [
            (vec![], NoCaller::Missing),
            (vec!["Basic YTpi"], NoCaller::Malformed),
            (vec!["Bearer "], NoCaller::Malformed),
            (vec!["Bearer"], NoCaller::Malformed),
            (vec!["Bearer a.b"], NoCaller::Malformed),
            (vec!["Bearer a.!.c"], NoCaller::Malformed),
            (vec!["Bearer a", "Bearer b"], NoCaller::Malformed),
            (vec![&*long], NoCaller::Malformed),
            (vec![&*for_the_api], NoCaller::Audience),
        ] {
            assert_eq!(of(&values).unwrap_err(), why, "{values:?}");
        }
    }

    #[test]
    fn nothing_shows_the_credential() {
        let caller = of(&["Bearer svc_dev_abc"]).unwrap();
        let mut headers = HeaderMap::new();
        caller.sign(&mut headers);
        assert!(!format!("{caller:?} {headers:?}").contains("svc_dev_abc"));
    }
}

//! Calls of the API, each with its caller's own credential.

mod call;
mod refusal;
mod turns;

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use pharos_domain::log_pace::LogPace;
use pharos_egress::trust::{TlsSetupError, TrustAnchors};
use serde_json::Value;
use tokio::{
    sync::Mutex,
    time::{Instant, sleep, timeout},
};
use url::Url;

use self::refusal::RETRY_AFTER;
pub(crate) use self::turns::{HEAVY_AT_ONCE, Turns};
pub use self::{
    call::Call,
    refusal::{CallError, Refused},
};
use crate::{catalogue::Catalogue, credential::Caller, shaping::Shaping};

/// How long the API may take to answer; longer than any of its statements.
pub(crate) const ANSWERS_WITHIN: Duration = Duration::from_secs(20);
const CONNECTS_WITHIN: Duration = Duration::from_secs(5);
/// How long a heavy query waits for others of its caller.
const TURN_WITHIN: Duration = Duration::from_secs(20);
/// How long a call is repeated that the API refuses for the moment: other servers may call for the same caller.
pub(crate) const PATIENCE: Duration = Duration::from_secs(8);
/// The bytes of an answer at most.
const MOST_ANSWERED: usize = 4 * 1024 * 1024;
/// The most bytes of an answer that is read beside other requests.
const READ_AT_ONCE: usize = 64 * 1024;
/// The bytes of the OpenAPI document at most.
const MOST_DOCUMENTED: usize = 32 * 1024 * 1024;
/// How long the operations are used that the API returned last.
const DOCUMENT_HOLDS: Duration = Duration::from_secs(3_600);
/// How long nobody else fetches them while one caller does, or after that failed.
const FAILURE_HOLDS: Duration = Duration::from_secs(60);
/// How long an API that did not answer is left alone.
const SILENCE_HOLDS: Duration = Duration::from_secs(5);
const IDLE: Duration = Duration::from_secs(30);
/// The path of the MCP server below the address of its Pharos.
const MCP: &str = "/mcp";
const COST: &str = "x-credits-cost";
const REMAINING: &str = "x-credits-remaining";

/// The operations, or why the API did not tell them, and until when it is not asked again.
type Known = (Instant, Result<Arc<Catalogue>, CallError>);

/// The API of a Pharos. It keeps the list of operations, which is public. It keeps nothing of callers, except who waits at
/// present.
pub struct Api {
    base: String,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    known: Mutex<Option<Known>>,
    turns: Turns,
    /// Where large answers are read, and results put together.
    pub(crate) shaping: Shaping,
    answers_within: Duration,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

/// An answer of the API.
#[derive(Debug)]
pub struct Answer {
    /// The JSON that it consists of.
    pub body: Value,
    /// The bytes that it came in.
    pub length: usize,
    /// The credits that it cost.
    pub cost: u64,
    /// The credits that the workspace that paid has left.
    pub remaining: Option<u64>,
}

/// Why there can't be an API.
#[derive(Debug, thiserror::Error)]
pub enum InvalidApi {
    /// Its address is none. It is not quoted, since it may hold a password.
    #[error(
        "Pharos and its API are at addresses such as https://pharos.example, without a query or a password"
    )]
    Address,
    /// TLS can't be set up.
    #[error("TLS can't be set up")]
    Tls(#[from] TlsSetupError),
}

/// The address of a Pharos or of its API, without the slash at its end. The address of its MCP server, which clients take
/// that speak HTTP, does too.
///
/// # Errors
/// It is no URL of http or https with a host, or has a query, a fragment or a password.
pub fn address(base: &str) -> Result<&str, InvalidApi> {
    let is_address = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    };
    let url = Url::parse(base).ok().filter(is_address);
    let url = url.ok_or(InvalidApi::Address)?;
    let base = base.trim_end_matches('/');
    // A host may have that name too.
    let is_below = url.path().trim_end_matches('/').ends_with(MCP);
    let above = base.strip_suffix(MCP).filter(|_| is_below);
    Ok(above.map_or(base, |above| above.trim_end_matches('/')))
}

impl Api {
    /// The API at `base`, a URL without a path at its end, whose certificate these authorities sign.
    ///
    /// # Errors
    /// That is no address, or TLS can't be set up.
    pub fn at(base: &str, trust: &TrustAnchors) -> Result<Self, InvalidApi> {
        let base = address(base)?.to_owned();
        let mut tls = trust.client_config()?;
        // The builder offers those that it is told to enable.
        tls.alpn_protocols.clear();
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECTS_WITHIN));
        connector.set_nodelay(true);
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(connector);
        Ok(Self {
            base,
            client,
            known: Mutex::new(None),
            turns: Turns::of(HEAVY_AT_ONCE),
            shaping: Shaping::default(),
            answers_within: ANSWERS_WITHIN,
        })
    }

    /// The operations that the API has. They are fetched anew once an hour. In between, and if the API can't be reached, the
    /// last ones are used.
    ///
    /// # Errors
    /// They were never known, and the API does not answer.
    pub async fn catalogue(&self) -> Result<Arc<Catalogue>, CallError> {
        let mut known = self.known.lock().await;
        let before = match &*known {
            // Those who waited for the lock do not wait for the same silence once more.
            Some((until, told)) if Instant::now() < *until => return told.clone(),
            Some((_, Ok(before))) => Some(Arc::clone(before)),
            _ => None,
        };
        if let Some(before) = before {
            *known = Some((Instant::now() + FAILURE_HOLDS, Ok(Arc::clone(&before))));
            drop(known);
            let Ok(told) = self.document().await.map(Arc::new) else {
                return Ok(before);
            };
            let until = Instant::now() + DOCUMENT_HOLDS;
            *self.known.lock().await = Some((until, Ok(Arc::clone(&told))));
            return Ok(told);
        }
        let answered = self.document().await.map(Arc::new);
        let holds = if answered.is_ok() {
            DOCUMENT_HOLDS
        } else {
            SILENCE_HOLDS
        };
        *known = Some((Instant::now() + holds, answered.clone()));
        answered
    }

    async fn document(&self) -> Result<Catalogue, CallError> {
        let (status, _, body) = self.public("/openapi.json").await?;
        if !status.is_success() {
            tracing::warn!(%status, "the API does not tell its operations");
            let is_for_now = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
            return Err(if is_for_now {
                CallError::Away("The API does not tell its operations.")
            } else {
                CallError::NotApi("A server answered, but it is not the API: it has no list of operations.")
            });
        }
        Catalogue::read(&body).map_err(|error| {
            tracing::error!(%error, "the API's document can't be used");
            CallError::NotApi(
                "A server answered, but it is not the API: its list of operations can't be read.",
            )
        })
    }

    /// A document that anybody may read.
    ///
    /// # Errors
    /// The API does not answer.
    pub async fn public(&self, path: &str) -> Result<(StatusCode, HeaderMap, Bytes), CallError> {
        let request = self.request(Method::GET, path)?;
        self.exchange(request, MOST_DOCUMENTED).await
    }

    /// Who a caller is, which costs nothing.
    ///
    /// # Errors
    /// The API refuses the credential, or does not answer.
    pub async fn identity(&self, caller: &Caller) -> Result<Answer, CallError> {
        let catalogue = self.catalogue().await?;
        let operation = catalogue.operation("getMe");
        let operation = operation.ok_or(CallError::NotApi("The API does not tell who calls."))?;
        self.call(caller, Call::of(operation)).await
    }

    /// The answer to a call, which waits for its caller's turn.
    ///
    /// # Errors
    /// The API refuses it, or does not answer.
    pub async fn call(&self, caller: &Caller, call: Call<'_>) -> Result<Answer, CallError> {
        let mut request = self.request(call.operation.method.clone(), &call.target())?;
        if let Some(key) = &call.key {
            let key = HeaderValue::from_str(key)
                .map_err(|_| CallError::invalid(&["idempotency_key: it is printable ASCII.".to_owned()]))?;
            request.headers_mut().insert("idempotency-key", key);
        }
        if let Some(body) = &call.body {
            request
                .headers_mut()
                .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = Full::from(body.to_string());
        }
        // Boxed, because who waits for a turn holds the future several times over.
        let asked = Box::pin(self.asked(caller, request));
        let answered = if call.operation.is_heavy {
            let until = Instant::now() + TURN_WITHIN;
            let turn = self.turns.during(caller, until, asked);
            turn.await.unwrap_or_else(|| Err(CallError::crowded()))
        } else {
            asked.await
        };
        match &call.key {
            Some(key) => answered.map_err(|error| error.with_key(key)),
            None => answered,
        }
    }

    /// The answer at a path that the API named, such as that of a run.
    ///
    /// # Errors
    /// The API refuses it, or does not answer.
    pub async fn follow(&self, caller: &Caller, path: &str) -> Result<Answer, CallError> {
        let request = self.request(Method::GET, path)?;
        self.asked(caller, request).await
    }

    /// The answer to a request. The request is repeated while the API says that there will soon be room for it.
    async fn asked(&self, caller: &Caller, mut request: Request<Full<Bytes>>) -> Result<Answer, CallError> {
        caller.sign(request.headers_mut());
        caller.settled();
        let until = Instant::now() + PATIENCE;
        loop {
            let answered = self.answered(caller, request.clone()).await;
            let soon = answered.as_ref().err().and_then(CallError::soon);
            match soon {
                Some(pause) if Instant::now() + pause <= until => sleep(pause).await,
                _ => return answered,
            }
        }
    }

    async fn answered(&self, caller: &Caller, request: Request<Full<Bytes>>) -> Result<Answer, CallError> {
        let (status, headers, body) = self.exchange(request, MOST_ANSWERED).await?;
        let length = body.len();
        let body = if length == 0 {
            // All refusals of the API have a body.
            (!is_gateways(status) && !status.is_redirection()).then_some(Value::Null)
        } else {
            let read = move || serde_json::from_slice::<Value>(&body);
            let read = if length > READ_AT_ONCE {
                let crowded = CallError::Away("Too many large answers of this credential are read.");
                self.shaping.during(caller, read).await.ok_or(crowded)?
            } else {
                read()
            };
            read.ok()
        };
        let body = match body {
            Some(body) => body,
            None if is_gateways(status) => {
                return Err(CallError::Away("The server in front of the API can't reach it."));
            }
            // Such a server may refuse what the API was not asked.
            None if matches!(status.as_u16(), 413 | 429) => Value::Null,
            None => {
                let why = "A server answered, but it is not the API: its answer is no JSON.";
                return Err(CallError::NotApi(why));
            }
        };
        if status.is_success() {
            Ok(Answer {
                body,
                length,
                cost: number(&headers, COST).unwrap_or(0),
                remaining: number(&headers, REMAINING),
            })
        } else {
            let mut refused = Refused::of(status, body);
            // A proxy that refuses says it in the header alone.
            if let Some(seconds) = number(&headers, header::RETRY_AFTER.as_str()) {
                refused
                    .extras
                    .entry(RETRY_AFTER)
                    .or_insert_with(|| Value::from(seconds));
            }
            Err(CallError::Refused(Box::new(refused)))
        }
    }

    fn request(&self, method: Method, target: &str) -> Result<Request<Full<Bytes>>, CallError> {
        let unusable = || CallError::invalid(&["The arguments make no address of the API.".to_owned()]);
        if !target.starts_with('/') {
            return Err(unusable());
        }
        let uri: Uri = format!("{}{target}", self.base).parse().map_err(|_| unusable())?;
        let mut request = Request::new(Full::default());
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        request.headers_mut().insert(
            header::USER_AGENT,
            HeaderValue::from_static(concat!("pharos-mcp/", env!("CARGO_PKG_VERSION"))),
        );
        Ok(request)
    }

    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
        most: usize,
    ) -> Result<(StatusCode, HeaderMap, Bytes), CallError> {
        let exchange = async {
            let response = self.client.request(request).await.map_err(|error| {
                static PACE: LogPace = LogPace::new();
                if let Some(held_back) = PACE.turn() {
                    // The whole chain, since the error alone says nothing of a certificate.
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::warn!(error, held_back, "the API can't be reached");
                }
                CallError::Away("The API can't be reached at the moment.")
            })?;
            let (head, body) = response.into_parts();
            let body = Limited::new(body, most).collect().await.map_err(|error| {
                if error.is::<LengthLimitError>() {
                    CallError::TooLarge {
                        cost: number(&head.headers, COST).unwrap_or(0),
                        remaining: number(&head.headers, REMAINING),
                    }
                } else {
                    CallError::Away("The API's answer broke off.")
                }
            })?;
            Ok((head.status, head.headers, body.to_bytes()))
        };
        timeout(self.answers_within, exchange)
            .await
            .unwrap_or(Err(CallError::Away("The API did not answer in time.")))
    }
}

/// Whether a server says by this status that it can't reach the one behind it.
fn is_gateways(status: StatusCode) -> bool {
    matches!(status.as_u16(), 502..=504)
}

/// The number that a header is.
fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests;

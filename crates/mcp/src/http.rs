//! Streamable HTTP: the requests that are heard, and what they are answered with.

use std::{sync::Arc, time::Duration};

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderName, HeaderValue, header};
use http_body_util::{BodyExt, Full};
use pharos_domain::{identity::TrustedHops, on_behalf::OnBehalf, problem::Suffix};
use pharos_egress::trust::TrustAnchors;
use rmcp::{
    model::{ClientJsonRpcMessage, ErrorCode},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;
use url::Url;

use crate::{
    api::{Api, CallError, InvalidApi, Refused},
    credential::{Caller, NoCaller},
    metrics,
    server::{RefusedCredential, Session, away},
    tools,
};

/// The bytes of a message at most.
const MOST: usize = 1024 * 1024;
/// The bytes of it that are read before the API has judged its sender, about. Few messages are longer.
const UNJUDGED: usize = 64 * 1024;
/// How long a message may take to arrive.
const ARRIVES_WITHIN: Duration = Duration::from_secs(10);
/// How long an answer may take to begin: longer than any tool may.
pub(crate) const ANSWERS_WITHIN: Duration = Duration::from_secs(180);
const METADATA: &str = "/.well-known/oauth-protected-resource";
const FORWARDED: &str = "x-forwarded-for";
const EVENTS: &str = "text/event-stream";
/// The kinds of answers that there are, both of which the protocol's crate wants to be named.
const ACCEPTED: &str = "application/json, text/event-stream";
/// The advice where a message is none of the protocol's.
const AS_THE_PROTOCOL: &str = "Send one message of JSON-RPC 2.0 as `application/json`, and accept `application/json, text/event-stream`.";
/// The letters of a refusal by the protocol's crate that are told: it may quote what was sent.
const MOST_TOLD: usize = 200;

/// Where a server is, and where its API is.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the API is called: a URL without a path.
    pub api: String,
    /// The address that people know Pharos by, for links to the console.
    pub base_url: String,
    /// The address that people know this server by, which access tokens name as their resource.
    pub resource: String,
    /// The proxies in front of this server.
    pub hops: TrustedHops,
    /// Tells the API where callers are. Without it, all of them are where this server is: they share its limits, and allowlists
    /// of keys are about its address.
    pub on_behalf: Option<OnBehalf>,
    /// Who vouches for the API's certificate.
    pub trust: TrustAnchors,
}

/// The MCP server over HTTP. It keeps nothing from one request to the next, so that any number of processes may serve.
#[derive(Clone)]
pub struct McpServer {
    service: StreamableHttpService<Session, NeverSessionManager>,
    api: Arc<Api>,
    resource: Arc<str>,
    origin: Arc<str>,
    path: Arc<str>,
    hops: TrustedHops,
    on_behalf: Option<OnBehalf>,
}

impl std::fmt::Debug for McpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpServer")
            .field("resource", &self.resource)
            .finish_non_exhaustive()
    }
}

/// Why a server can't have such settings.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSettings {
    /// Its address is none of http or https, or has no path, by which its metadata is told from that of the API.
    #[error("the resource of the MCP server is an https:// or http:// URL with a path, unlike {0:?}")]
    Resource(String),
    /// There can't be such an API.
    #[error(transparent)]
    Api(#[from] InvalidApi),
}

impl McpServer {
    /// A server with these settings. It asks the API for its operations with the first request.
    ///
    /// # Errors
    /// The resource is no URL with a path, or the API can't be called.
    pub fn new(settings: &Settings) -> Result<Self, InvalidSettings> {
        let invalid = || InvalidSettings::Resource(settings.resource.clone());
        let url = Url::parse(&settings.resource).map_err(|_| invalid())?;
        let path = url.path().trim_end_matches('/');
        if !matches!(url.scheme(), "http" | "https") || path.is_empty() {
            return Err(invalid());
        }
        let api = Arc::new(Api::at(&settings.api, &settings.trust)?);
        let console: Arc<str> = settings.base_url.trim_end_matches('/').into();
        let session = Session::new(Arc::clone(&api), console, None);
        // Who asks from where is judged here, before the message is read.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(MOST)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(NeverSessionManager::default());
        metrics::begin(tools::names());
        Ok(Self {
            service: StreamableHttpService::new(move || Ok(session.clone()), sessions, config),
            api,
            resource: settings.resource.as_str().into(),
            origin: url.origin().ascii_serialization().into(),
            path: path.into(),
            hops: settings.hops,
            on_behalf: settings.on_behalf.clone(),
        })
    }

    /// Mounts the server at the path of its resource, also where that is written with a slash at its end.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        for path in [self.path.to_string(), format!("{}/", self.path)] {
            let server = self.clone();
            config.route(
                &path,
                web::route().to(move |request: HttpRequest, body: web::Payload| {
                    let server = server.clone();
                    async move { server.answer(&request, body).await }
                }),
            );
        }
    }

    /// Mounts the metadata of the resource (RFC 9728) as the API tells it, for a server that has a host of its own.
    pub fn configure_metadata(&self, config: &mut web::ServiceConfig) {
        let metadata = format!("{METADATA}{}", self.path);
        for path in [METADATA.to_owned(), metadata.clone()] {
            let (server, metadata) = (self.clone(), metadata.clone());
            config.route(
                &path,
                web::get().to(move || {
                    let (server, metadata) = (server.clone(), metadata.clone());
                    async move { server.metadata(&metadata).await }
                }),
            );
        }
    }

    async fn metadata(&self, path: &str) -> HttpResponse {
        match self.api.public(path).await {
            Ok((status, _, body)) if status.is_success() => HttpResponse::Ok()
                .content_type("application/json")
                .insert_header(("Access-Control-Allow-Origin", "*"))
                .body(body),
            _ => HttpResponse::BadGateway().finish(),
        }
    }

    async fn answer(&self, request: &HttpRequest, body: web::Payload) -> HttpResponse {
        let headers = headers_of(request);
        // A page that was rebound to this address shows its own origin (DNS rebinding).
        let foreign = |origin: &HeaderValue| origin.as_bytes() != self.origin.as_bytes();
        if headers.get(header::ORIGIN).is_some_and(foreign) {
            let told = "Pages of another origin are not heard.";
            let advice = "Call from a program, or from a page of this server's own origin.";
            return refusal(StatusCode::FORBIDDEN, told, advice);
        }
        if !request.query_string().is_empty() {
            let told = "The address takes no query.";
            let advice = "Leave the query out. Send `Authorization: Bearer <credential>`.";
            return refusal(StatusCode::BAD_REQUEST, told, advice);
        }
        let caller = match Caller::of(&headers, &self.resource) {
            Ok(caller) => self.placed(caller, request, &headers),
            Err(why) => return self.unauthorized(why),
        };
        if request.method() != actix_web::http::Method::POST {
            let told = "There are no sessions, and no streams beside answers.";
            let mut refused = refusal(StatusCode::METHOD_NOT_ALLOWED, told, "Send messages by POST.");
            let headers = refused.headers_mut();
            let post = actix_web::http::header::HeaderValue::from_static("POST");
            headers.insert(actix_web::http::header::ALLOW, post);
            return refused;
        }
        let (message, answered) = match self.received(&headers, &caller, body).await {
            Ok(message) => {
                let answered = self.hear(headers, caller.clone(), message.clone()).await;
                (message, answered)
            }
            Err(refused) => (Bytes::new(), refused),
        };
        // Not every message has to do with the API. None is answered to whom the API does not know, or can't be asked about.
        if !caller.is_settled()
            && let Err(error) = self.api.identity(&caller).await
        {
            return self.refused(&error, &id_of(&message));
        }
        answered
    }

    /// The message of a request: one, and no batch. The sender of a long one is judged before all of it is read.
    async fn received(
        &self,
        headers: &http::HeaderMap,
        caller: &Caller,
        body: web::Payload,
    ) -> Result<Bytes, HttpResponse> {
        let length = headers.get(header::CONTENT_LENGTH);
        let length: Option<usize> = length.and_then(|length| length.to_str().ok()?.parse().ok());
        let is_longer = |most: usize| length.is_some_and(|length| length > most);
        let mut arriving = Arriving {
            body,
            message: Vec::new(),
        };
        if is_longer(UNJUDGED) || !arriving.ends_within(UNJUDGED).await? {
            let judged = self.api.identity(caller).await;
            judged.map_err(|error| self.refused(&error, &Value::Null))?;
            if is_longer(MOST) || !arriving.ends_within(MOST).await? {
                let told = "A message has 1 MiB at most.";
                return Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, told, "Send less."));
            }
        }
        let Arriving { message, .. } = arriving;
        if message.trim_ascii_start().first() == Some(&b'[') {
            let told = "A request has one message: there are no batches.";
            let advice = "Send each message by a request of its own.";
            return Err(refusal(StatusCode::BAD_REQUEST, told, advice));
        }
        Ok(Bytes::from(message))
    }

    /// The answer to a request whose caller the API refused, or could not be asked about.
    fn refused(&self, error: &CallError, id: &Value) -> HttpResponse {
        let told = away(error);
        let CallError::Refused(refused) = error else {
            let status = match error {
                CallError::NotApi(_) => StatusCode::BAD_GATEWAY,
                _ => StatusCode::SERVICE_UNAVAILABLE,
            };
            return fault(status, id, told.code, &told.message, told.data);
        };
        let status = StatusCode::from_u16(refused.status.as_u16()).unwrap_or_default();
        let mut response = fault(status, id, told.code, &told.message, told.data);
        if let Some(seconds) = refused.retry_after() {
            let headers = response.headers_mut();
            headers.insert(actix_web::http::header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            challenging(&mut response, &self.challenge(refused));
        }
        response
    }

    /// The caller with its address, where the API takes it from this server.
    fn placed(&self, caller: Caller, request: &HttpRequest, headers: &http::HeaderMap) -> Caller {
        let Some(on_behalf) = &self.on_behalf else {
            return caller;
        };
        let forwarded = headers.get_all(FORWARDED).iter();
        let source = self.hops.source(
            request.peer_addr().map(|peer| peer.ip()),
            forwarded.map(|value| value.to_str().ok()),
        );
        caller.at(source, on_behalf)
    }

    /// Hands a message to the protocol. The credential goes beside it, so that no part of the protocol holds it.
    async fn hear(&self, mut headers: http::HeaderMap, caller: Caller, message: Bytes) -> HttpResponse {
        headers.remove(header::AUTHORIZATION);
        if accepts_all(&headers) {
            headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPTED));
        }
        let mut request = http::Request::new(Full::<Bytes>::from(message.clone()));
        *request.method_mut() = http::Method::POST;
        *request.headers_mut() = headers;
        let refused_credential = RefusedCredential::default();
        request.extensions_mut().insert(caller);
        request.extensions_mut().insert(Arc::clone(&refused_credential));
        // A tool that panicked answers nobody.
        let Ok(answered) = timeout(ANSWERS_WITHIN, self.service.handle(request)).await else {
            let told = "The answer took too long.";
            let advice = advised(StatusCode::GATEWAY_TIMEOUT, "Ask for less.");
            let code = ErrorCode::INTERNAL_ERROR;
            return fault(
                StatusCode::GATEWAY_TIMEOUT,
                &id_of(&message),
                code,
                told,
                Some(advice),
            );
        };
        let (head, body) = answered.into_parts();
        // The protocol's crate says of a message that it can't read that its kind is another.
        if head.status == http::StatusCode::UNSUPPORTED_MEDIA_TYPE
            && let Some(broken) = broken(&message)
        {
            return broken;
        }
        let content_type = head.headers.get(header::CONTENT_TYPE);
        let streams = content_type.is_some_and(|kind| kind.as_bytes().starts_with(EVENTS.as_bytes()));
        // An answer that has begun to stream keeps its status; the refusal stands in its last message.
        let refused = if streams { None } else { refused_credential.get() };
        let status = refused.map_or(head.status.as_u16(), |refused| refused.status.as_u16());
        let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap_or_default());
        for (name, value) in &head.headers {
            response.append_header((name.as_str(), value.as_bytes()));
        }
        if let Some(refused) = refused {
            response.insert_header(("WWW-Authenticate", self.challenge(refused)));
        }
        response.insert_header(("Cache-Control", "no-store"));
        if streams {
            response.streaming(body.into_data_stream())
        } else {
            let is_told = content_type.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
            match body.collect().await {
                Ok(body) if head.status.is_client_error() && !is_told => {
                    let status = StatusCode::from_u16(status).unwrap_or_default();
                    let told = String::from_utf8_lossy(&body.to_bytes()).into_owned();
                    let told: String = told.chars().take(MOST_TOLD).collect();
                    let advice = Some(advised(status, AS_THE_PROTOCOL));
                    fault(
                        status,
                        &id_of(&message),
                        ErrorCode::INVALID_REQUEST,
                        &told,
                        advice,
                    )
                }
                Ok(body) => response.body(body.to_bytes()),
                Err(never) => match never {},
            }
        }
    }

    /// Tells a client what to do about a refusal (RFC 6750, section 3; RFC 9728, section 5.1).
    fn challenge(&self, refused: &Refused) -> String {
        let metadata = self.metadata_url();
        let scope = refused
            .extras
            .get("required_scope")
            .and_then(|scope| scope.as_str());
        match scope.map(quotable) {
            Some(scope) => format!(
                r#"Bearer error="insufficient_scope", scope="{scope}", resource_metadata="{metadata}""#
            ),
            None => format!(r#"Bearer error="invalid_token", resource_metadata="{metadata}""#),
        }
    }

    fn metadata_url(&self) -> String {
        format!("{}{METADATA}{}", self.origin, self.path)
    }

    fn unauthorized(&self, why: NoCaller) -> HttpResponse {
        let metadata = self.metadata_url();
        let (suffix, detail) = match why {
            NoCaller::Missing => (Suffix::MissingCredential, "The request has no credential."),
            NoCaller::Malformed => (
                Suffix::InvalidCredential,
                "The credential is neither an API key nor an access token.",
            ),
            NoCaller::Audience => (
                Suffix::InvalidAudience,
                "The access token was made for another resource.",
            ),
        };
        let mut told = away(&CallError::refused(suffix, detail));
        if let (NoCaller::Audience, Some(data)) = (why, &mut told.data) {
            data["what_to_do"] = json!("Ask for a token with the `resource` of this server.");
        }
        // The request is not read, and so has no id.
        let id = Value::Null;
        let mut response = fault(StatusCode::UNAUTHORIZED, &id, told.code, &told.message, told.data);
        let error = match why {
            NoCaller::Missing => "",
            NoCaller::Malformed | NoCaller::Audience => r#"error="invalid_token", "#,
        };
        challenging(
            &mut response,
            &format!(r#"Bearer {error}resource_metadata="{metadata}""#),
        );
        response
    }
}

/// The letters of a scope that a challenge may hold (RFC 6750, section 3).
fn quotable(scope: &str) -> String {
    let may_stand = |letter: &char| matches!(letter, ' '..='~') && !matches!(letter, '"' | '\\');
    scope.chars().filter(may_stand).collect()
}

/// Tells with a response where to authorize.
fn challenging(response: &mut HttpResponse, challenge: &str) {
    if let Ok(challenge) = challenge.parse() {
        let headers = response.headers_mut();
        headers.insert(actix_web::http::header::WWW_AUTHENTICATE, challenge);
    }
}

/// The headers in the words of the protocol's crate.
fn headers_of(request: &HttpRequest) -> http::HeaderMap {
    request
        .headers()
        .iter()
        .filter_map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_str().as_bytes()).ok()?;
            Some((name, HeaderValue::from_bytes(value.as_bytes()).ok()?))
        })
        .fold(http::HeaderMap::new(), |mut headers, (name, value)| {
            headers.append(name, value);
            headers
        })
}

/// Whether a client takes answers of whatever kind, as many do that were not made for this protocol.
fn accepts_all(headers: &http::HeaderMap) -> bool {
    let kinds = headers.get_all(header::ACCEPT).iter();
    let kinds: Vec<&str> = kinds.filter_map(|kinds| kinds.to_str().ok()).collect();
    let is_any = |kind: &str| kind.split(';').next().is_some_and(|kind| kind.trim() == "*/*");
    kinds.iter().any(|kinds| kinds.split(',').any(is_any))
}

/// A message that arrives.
struct Arriving {
    body: web::Payload,
    message: Vec<u8>,
}

impl Arriving {
    /// Reads on until the message ends. `false`: it is longer than that, and not read to its end.
    async fn ends_within(&mut self, most: usize) -> Result<bool, HttpResponse> {
        let read = async {
            while self.message.len() <= most {
                match self.body.next().await {
                    Some(Ok(piece)) => self.message.extend_from_slice(&piece),
                    Some(Err(_)) => {
                        let told = "The message broke off.";
                        return Err(refusal(StatusCode::BAD_REQUEST, told, "Send it once more."));
                    }
                    None => return Ok(true),
                }
            }
            Ok(false)
        };
        match timeout(ARRIVES_WITHIN, read).await {
            Ok(read) => read,
            Err(_) => {
                let told = "The message took too long to arrive.";
                Err(refusal(StatusCode::REQUEST_TIMEOUT, told, "Send it once more."))
            }
        }
    }
}

/// A refusal of the whole request, as an error of JSON-RPC, with what to do about it.
fn refusal(status: StatusCode, told: &str, advice: &str) -> HttpResponse {
    let data = Some(advised(status, advice));
    fault(status, &Value::Null, ErrorCode::INVALID_REQUEST, told, data)
}

/// The data of a refusal that has no problem of the API.
fn advised(status: StatusCode, advice: &str) -> Value {
    json!({ "status": status.as_u16(), "what_to_do": advice })
}

/// The id of a message, where it can be read.
fn id_of(message: &[u8]) -> Value {
    #[derive(Deserialize)]
    struct Identified {
        id: Value,
    }
    let id = serde_json::from_slice::<Identified>(message).map(|message| message.id);
    id.ok()
        .filter(|id| id.is_string() || id.is_number())
        .unwrap_or_default()
}

/// The same of a message with its id and code, and with what else is to be known of it.
fn fault(status: StatusCode, id: &Value, code: ErrorCode, told: &str, data: Option<Value>) -> HttpResponse {
    let mut error = json!({ "code": code.0, "message": told });
    if let Some(data) = data {
        error["data"] = data;
    }
    HttpResponse::build(status)
        .insert_header(("Cache-Control", "no-store"))
        .json(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

/// The refusal of a message that the protocol does not know; `None`: the message is one of the protocol's.
fn broken(message: &[u8]) -> Option<HttpResponse> {
    let error = serde_json::from_slice::<ClientJsonRpcMessage>(message).err()?;
    let (code, told) = if error.is_syntax() || error.is_eof() {
        let told = "The message is no JSON, or nested too deep.";
        (ErrorCode::PARSE_ERROR, told)
    } else {
        (ErrorCode::INVALID_REQUEST, "The message is none of JSON-RPC 2.0.")
    };
    let status = StatusCode::BAD_REQUEST;
    let advice = Some(advised(status, AS_THE_PROTOCOL));
    Some(fault(status, &id_of(message), code, told, advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_the_id_of_its_message_where_there_is_one() {
        for (message, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":1}"#, json!(7)),
            (r#"{"id":"seven"}"#, json!("seven")),
            (r#"{"id":{"x":1}}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","method":"ping"}"#, Value::Null),
            (r#"{"id":1"#, Value::Null),
            ("", Value::Null),
        ] {
            assert_eq!(id_of(message.as_bytes()), id, "{message}");
        }
    }

    #[test]
    fn a_challenge_can_hold_whatever_scope_the_api_names() {
        assert_eq!(quotable("read:uptime write:rum"), "read:uptime write:rum");
        let odd = quotable("read:\r\nx\"\u{7f}\\\0\u{fc}y");
        assert_eq!(odd, "read:xy");
        assert!(HeaderValue::from_str(&odd).is_ok());
    }
}

//! Operations that need no credential: those by which one is got. A limit an hour for each source address bounds them,
//! and they answer in the words of their own RFCs instead of problems.

use std::{fmt, future::Future, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use pharos_domain::{
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyRequest},
    identity::Source,
    ports::Ports,
};
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;

use crate::{
    extract::body::read_all, metering::RateLimiter, metrics::OperationMetrics, shapes::PortCheck, spec::Verb,
};

/// An open operation, declared once.
#[derive(Clone, Copy, Debug)]
pub struct OpenSpec {
    /// `operationId`, camelCase.
    pub id: &'static str,
    /// The only method of its path.
    pub method: Verb,
    /// The path below [`BASE_PATH`](crate::spec::BASE_PATH).
    pub path: &'static str,
    /// The tag that it stands under in the document, and what that gathers.
    pub tag: (&'static str, &'static str),
    /// One line for the document.
    pub summary: &'static str,
    /// Whatever a caller must know beyond the summary.
    pub description: &'static str,
    /// Whether scripts of any origin may read its answers (CORS).
    pub is_for_scripts: bool,
}

/// A request of an open operation.
#[derive(Debug)]
pub struct OpenCall {
    request: HttpRequest,
    /// The body; empty where there was none.
    pub body: Bytes,
}

impl OpenCall {
    /// A port, as the group or the server implements it.
    #[must_use]
    pub fn port<T: ?Sized + Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.request.app_data::<Ports>()?.get().ok()
    }

    /// The query, still encoded.
    #[must_use]
    pub fn query(&self) -> &str {
        self.request.query_string()
    }

    /// Whether there is a header of that name, whatever it says.
    #[must_use]
    pub fn has_header(&self, name: &str) -> bool {
        self.request.headers().contains_key(name)
    }

    /// The header of that name, if it stands once and is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.request.headers().get_all(name);
        let first = values.next()?;
        values.next().is_none().then(|| first.to_str().ok()).flatten()
    }

    /// The media type of the body, without its parameters, in lower case.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next()?.trim().to_ascii_lowercase())
    }
}

/// The answer of an open operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAnswer {
    /// The HTTP status.
    pub status: u16,
    /// Headers of its own.
    pub headers: Vec<(&'static str, String)>,
    /// The body, of the type that a `content-type` among the headers names.
    pub body: Bytes,
}

impl OpenAnswer {
    /// JSON.
    #[must_use]
    pub fn json(status: u16, body: &impl Serialize) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: serde_json::to_vec(body).unwrap_or_default().into(),
        }
    }

    /// Sends a browser elsewhere.
    #[must_use]
    pub fn redirect(location: String) -> Self {
        Self {
            status: 302,
            headers: vec![("location", location)],
            body: Bytes::new(),
        }
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn respond(self) -> HttpResponse {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = HttpResponse::with_body(status, actix_web::body::BoxBody::new(self.body));
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response
                    .headers_mut()
                    .insert(HeaderName::from_static(name), value);
            }
        }
        response
    }
}

/// The body of a refusal before the operation was reached (RFC 6749, section 5.2).
#[derive(Serialize)]
struct Refusal {
    error: &'static str,
    error_description: String,
}

fn refuse(status: u16, error: &'static str, error_description: String) -> OpenAnswer {
    OpenAnswer::json(
        status,
        &Refusal {
            error,
            error_description,
        },
    )
}

type Handler = dyn Fn(OpenCall) -> LocalBoxFuture<'static, OpenAnswer> + Send + Sync;

/// A spec, its handler, and what the document says of it.
#[derive(Clone)]
pub struct OpenOperation {
    /// The rules of the operation, by which it is routed and documented.
    pub spec: &'static OpenSpec,
    /// How often one source address may call it.
    pub limit: HourlyLimit,
    /// `parameters`, `requestBody` and `responses` of the OpenAPI document.
    pub described: Value,
    /// Records what becomes of its requests.
    pub(crate) metrics: OperationMetrics,
    /// Whether the ports are there that it takes.
    pub(crate) ports: Vec<PortCheck>,
    handler: Arc<Handler>,
}

impl fmt::Debug for OpenOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenOperation").field(&self.spec.id).finish()
    }
}

impl OpenOperation {
    /// Binds a handler to its spec.
    pub fn new<F, Fut>(spec: &'static OpenSpec, limit: HourlyLimit, described: Value, handler: F) -> Self
    where
        F: Fn(OpenCall) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = OpenAnswer> + 'static,
    {
        Self {
            spec,
            metrics: OperationMetrics::of(spec.id),
            limit,
            described,
            ports: Vec::new(),
            handler: Arc::new(move |call| Box::pin(handler(call))),
        }
    }

    /// The same, which takes this port by [`OpenCall::port`].
    #[must_use]
    pub fn taking<T: ?Sized + Send + Sync + 'static>(mut self) -> Self {
        self.ports.push(|ports| ports.get::<T>().map(drop));
        self
    }

    /// Lets a request in, and answers it.
    pub(crate) async fn answer(
        &self,
        limiter: &dyn RateLimiter,
        source: Source,
        request: HttpRequest,
        payload: actix_web::dev::Payload,
        now: OffsetDateTime,
    ) -> HttpResponse {
        let network = source.network();
        let asked = HourlyRequest {
            limit: self.limit,
            subject: network.as_bytes(),
            weight: 1,
            now,
        };
        let mut response = match limiter.admit_hourly(&asked).await {
            HourlyAdmission::Refused { retry_after_seconds } => refuse(
                429,
                "temporarily_unavailable",
                format!(
                    "No more than {} requests an hour from one address.",
                    self.limit.per_hour
                ),
            )
            .with("retry-after", retry_after_seconds.to_string()),
            HourlyAdmission::Admitted => match read_all(&request, payload).await {
                Ok(body) => (self.handler)(OpenCall { request, body }).await,
                Err(problem) => refuse(problem.suffix.status(), "invalid_request", problem.detail),
            },
        }
        .respond();
        response
            .headers_mut()
            .insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
        response
    }
}

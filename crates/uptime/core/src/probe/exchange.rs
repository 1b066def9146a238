//! Sends the one request of a hop and takes in the head of the answer, over HTTP/1.1 or HTTP/2.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Response, Uri, Version};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::bounded::bounded;
use super::error_class::ErrorClass;
use super::failure::source_of;
use super::limits::ProbeLimits;
use super::report::{HttpVersion, ProbeError, ProbeReport};
use super::request::{ProbeMethod, is_reserved_header};

const EXCHANGE: &str = "the wait for an answer";
const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+uptime)"));

/// An answer whose head has arrived, with what keeps its connection going.
pub(super) struct Exchange {
    pub(super) response: Response<Incoming>,
    /// To be held until the body has been read.
    pub(super) tasks: Tasks,
}

/// One request over a connection that is used for nothing else. Notes status, version and time to the
/// first byte in `report`.
pub(super) async fn exchange<S>(
    stream: S,
    protocol: Protocol,
    request: Request<Empty<Bytes>>,
    limits: &ProbeLimits,
    deadline: Instant,
    report: &mut ProbeReport,
) -> Result<Exchange, ProbeError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let tasks = Tasks::default();
    let io = TokioIo::new(bounded(stream, limits.connection_bytes));
    let answer = async {
        let sent;
        let answer = match protocol {
            Protocol::Http1 => {
                let (mut sender, connection) = http1::Builder::new()
                    .max_headers(limits.header_count)
                    .max_header_size(usize::try_from(limits.header_bytes).unwrap_or(usize::MAX))
                    .handshake(io)
                    .await?;
                tasks.spawn(connection);
                sent = Instant::now();
                sender.send_request(request).await?
            }
            Protocol::Http2 => {
                let (mut sender, connection) = http2::Builder::new(tasks.executor())
                    .max_header_list_size(limits.header_bytes)
                    .handshake(io)
                    .await?;
                tasks.spawn(connection);
                sent = Instant::now();
                sender.send_request(request).await?
            }
        };
        Ok::<_, hyper::Error>((answer, sent.elapsed()))
    };
    let (response, ttfb) = match timeout_at(deadline, Box::pin(answer)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => return Err(classify(&error, EXCHANGE)),
        Err(_) => return Err(ProbeError::read_timeout(EXCHANGE)),
    };
    // HTTP/1 counts header lines while it reads them; HTTP/2 only their bytes.
    if response.headers().len() > limits.header_count {
        return Err(unusable_answer());
    }
    report.ttfb = Some(ttfb);
    report.status_code = Some(response.status().as_u16());
    report.response_headers = telling(response.headers());
    report.http_version = match response.version() {
        Version::HTTP_10 => Some(HttpVersion::Http10),
        Version::HTTP_11 => Some(HttpVersion::Http11),
        Version::HTTP_2 => Some(HttpVersion::Http2),
        _ => None,
    };
    Ok(Exchange { response, tasks })
}

/// The headers that tell who answered: of each the first, and not more of it than one would read.
fn telling(headers: &HeaderMap) -> BTreeMap<String, String> {
    const NAMES: [&str; 4] = ["server", "via", "cf-ray", "retry-after"];
    const LONGEST: usize = 200;
    NAMES
        .into_iter()
        .filter_map(|name| {
            let value = headers.get(name)?.to_str().ok()?;
            Some((name.to_owned(), value.chars().take(LONGEST).collect()))
        })
        .collect()
}

/// The protocol that a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

/// The request of one hop. Headers of the user replace ours of the same name.
pub(super) fn request(
    url: &Url,
    method: ProbeMethod,
    headers: &[(HeaderName, HeaderValue)],
    protocol: Protocol,
) -> Result<Request<Empty<Bytes>>, ProbeError> {
    let unusable = || ProbeError::unknown("The URL cannot be put into a request.");
    let host = url.host_str().ok_or_else(unusable)?;
    let authority = url
        .port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let mut sent = HeaderMap::new();
    sent.insert(header::USER_AGENT, USER_AGENT);
    sent.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
    sent.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    let allowed = || headers.iter().filter(|(name, _)| !is_reserved_header(name));
    for (name, _) in allowed() {
        sent.remove(name);
    }
    for (name, value) in allowed() {
        let mut value = value.clone();
        value.set_sensitive(true);
        sent.append(name, value);
    }
    let uri = match protocol {
        Protocol::Http1 => {
            sent.insert(
                header::HOST,
                HeaderValue::from_str(&authority).map_err(|_| unusable())?,
            );
            Uri::try_from(path)
        }
        Protocol::Http2 => Uri::try_from(format!("{}://{authority}{path}", url.scheme())),
    };
    let mut request = Request::new(Empty::new());
    *request.uri_mut() = uri.map_err(|_| unusable())?;
    *request.method_mut() = match method {
        ProbeMethod::Get => Method::GET,
        ProbeMethod::Head => Method::HEAD,
    };
    *request.headers_mut() = sent;
    Ok(request)
}

/// What went wrong on a connection that had been made. Also used while the body is read.
pub(super) fn classify(error: &hyper::Error, during: &str) -> ProbeError {
    let h2 = source_of::<h2::Error>(error);
    if let Some(io) = source_of::<io::Error>(error).or_else(|| h2.and_then(h2::Error::get_io)) {
        // In TLS 1.3 a server objects to the client only after the handshake is over for the client.
        return match source_of::<rustls::Error>(io) {
            Some(_) => ProbeError::new(ErrorClass::TlsHandshake, format!("TLS failed during {during}.")),
            None => ProbeError::broken(io, during),
        };
    }
    if h2.is_some_and(|error| error.is_remote() && (error.is_reset() || error.is_go_away())) {
        return ProbeError::broken(&io::ErrorKind::ConnectionReset.into(), during);
    }
    if error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
        return ProbeError::broken(&io::ErrorKind::UnexpectedEof.into(), during);
    }
    unusable_answer()
}

/// hyper does not tell a client whether a head was wrong or too large.
fn unusable_answer() -> ProbeError {
    ProbeError::unknown("The answer is not valid HTTP, or has more or longer headers than the check accepts.")
}

/// The tasks of one connection. They end with it: nothing of a probe outlives the probe.
#[derive(Default)]
pub(super) struct Tasks(Executor);

#[derive(Clone, Default)]
struct Executor(Arc<Mutex<JoinSet<()>>>);

impl Tasks {
    fn spawn<F>(&self, connection: F)
    where
        F: Future<Output = Result<(), hyper::Error>> + Send + 'static,
    {
        // Whoever waits for the answer learns of the failure; the connection's own copy says no more.
        self.0.spawn(async move {
            let _ = connection.await;
        });
    }

    fn executor(&self) -> Executor {
        self.0.clone()
    }
}

impl Executor {
    fn spawn<F: Future<Output = ()> + Send + 'static>(&self, task: F) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).spawn(task);
    }
}

impl<F> hyper::rt::Executor<F> for Executor
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, task: F) {
        self.spawn(async move {
            let _ = task.await;
        });
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        // The tasks hold the set that holds them, so it would never be dropped by itself.
        self.0
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .abort_all();
    }
}

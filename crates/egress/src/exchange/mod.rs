//! One request over one connection, up to the head of the answer, over HTTP/1.1 or HTTP/2.

mod bounded;
mod broken;
mod request;
mod tasks;

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, timeout_at};

use self::bounded::bounded;
pub use self::broken::{Broken, source_of};
pub use self::request::{is_reserved_header, request, with_headers};
pub use self::tasks::Tasks;

/// The protocol that a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1.
    Http1,
    /// HTTP/2.
    Http2,
}

/// How much of an answer is taken in, whatever its server does.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeLimits {
    /// Bytes that are taken from the connection, whatever they are: interim answers and frames of HTTP/2 that carry
    /// nothing are counted nowhere else.
    pub connection_bytes: usize,
    /// Bytes of a response head.
    pub header_bytes: u32,
    /// Header lines of a response head.
    pub header_count: usize,
}

impl ExchangeLimits {
    /// The usual ones, where a body of so many bytes is to come through.
    #[must_use]
    pub fn of_body(sent_bytes: usize) -> Self {
        let usual = Self::default();
        Self {
            connection_bytes: usual.connection_bytes.saturating_add(sent_bytes),
            ..usual
        }
    }
}

impl Default for ExchangeLimits {
    fn default() -> Self {
        Self {
            connection_bytes: 8 * 1024 * 1024,
            header_bytes: 64 * 1024,
            header_count: 200,
        }
    }
}

/// An answer whose head has arrived, with what keeps its connection going.
pub struct Exchange {
    /// The answer; its body is still to come.
    pub response: Response<Incoming>,
    /// From sending the request to the head of the answer.
    pub first_byte: Duration,
    /// Held until the body has been read.
    pub tasks: Tasks,
}

/// Makes one request over a connection that is used for nothing else.
///
/// # Errors
/// No answer came within the limits and the time.
pub async fn exchange<S>(
    stream: S,
    protocol: Protocol,
    request: Request<Full<Bytes>>,
    limits: &ExchangeLimits,
    deadline: Instant,
) -> Result<Exchange, Broken>
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
    let (response, first_byte) = match timeout_at(deadline, Box::pin(answer)).await {
        Ok(answer) => answer.map_err(|error| Broken::from(&error))?,
        Err(_) => return Err(Broken::Timeout),
    };
    // HTTP/1 counts header lines while it reads them; HTTP/2 only their bytes.
    if response.headers().len() > limits.header_count {
        return Err(Broken::Invalid);
    }
    Ok(Exchange {
        response,
        first_byte,
        tasks,
    })
}

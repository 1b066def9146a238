//! The client. Every answer that it gets is held against the contract.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header::HeaderName};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use pharos_http::spec::BASE_PATH;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

use super::{Contract, Key};

/// A request on its way.
#[derive(Clone)]
pub(crate) struct Request {
    address: SocketAddr,
    from: IpAddr,
    method: String,
    target: String,
    headers: HeaderMap,
    body: Bytes,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Request {
    pub(crate) fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        let target = if path.starts_with("//") {
            path[1..].to_owned()
        } else {
            format!("{BASE_PATH}{path}")
        };
        Self {
            address,
            from: Ipv4Addr::UNSPECIFIED.into(),
            method: method.to_owned(),
            target,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    pub(crate) fn key(self, key: &Key) -> Self {
        self.header("authorization", format!("Bearer {}", key.secret))
    }

    /// The same from an address of this machine.
    pub(crate) fn coming_from(self, from: IpAddr) -> Self {
        Self { from, ..self }
    }

    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let name: HeaderName = name.parse().unwrap();
        self.headers
            .append(name, HeaderValue::from_bytes(value.as_ref()).unwrap());
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub(crate) fn body(mut self, kind: &str, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self.header("content-type", kind)
    }

    /// Sends it, and holds the answer against the contract.
    pub(crate) async fn send(self) -> Reply {
        let (method, target) = (self.method.clone(), self.target.clone());
        let reply = self.send_unchecked().await;
        Contract::get().check(&method, &target, &reply);
        reply
    }

    /// Sends it where the contract has nothing to say.
    pub(crate) async fn send_unchecked(self) -> Reply {
        self.try_send().await.expect("an answer")
    }

    async fn connect(&self) -> std::io::Result<TcpStream> {
        if self.from.is_unspecified() {
            return TcpStream::connect(self.address).await;
        }
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(self.from, 0))?;
        socket.connect(self.address).await
    }

    /// Sends it where there may be no answer. The connection ends with its request: whoever gives up waiting hangs up.
    pub(crate) async fn try_send(self) -> Option<Reply> {
        let mut connection = Connection::open(&self).await?;
        connection.send(self).await
    }
}

/// A connection that takes one request after the other, until it breaks.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    _driver: AbortOnDropHandle<hyper::Result<()>>,
}

impl Connection {
    /// Connects to where the request goes; `None` where nobody listens.
    pub(crate) async fn open(request: &Request) -> Option<Self> {
        let stream = request.connect().await.ok()?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
        Some(Self {
            sender,
            _driver: AbortOnDropHandle::new(tokio::spawn(connection)),
        })
    }

    /// Sends a request; `None` where the connection broke before there was an answer.
    pub(crate) async fn send(&mut self, request: Request) -> Option<Reply> {
        let mut sent = http::Request::builder()
            .method(request.method.as_str())
            .uri(&request.target)
            .header("host", request.address.to_string())
            .body(Full::new(request.body))
            .unwrap();
        sent.headers_mut().extend(request.headers);
        self.sender.ready().await.ok()?;
        let reply = self.sender.send_request(sent).await.ok()?;
        let (parts, body) = reply.into_parts();
        Some(Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: body.collect().await.ok()?.to_bytes(),
        })
    }
}

/// Sends bytes as they are, and gives what comes back until the server closes or has no more to say.
pub(crate) async fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    // Not shut down: the server takes that for hanging up.
    let quiet = std::time::Duration::from_secs(1);
    while let Ok(Ok(1..)) = tokio::time::timeout(quiet, stream.read_buf(&mut answer)).await {}
    String::from_utf8_lossy(&answer).into_owned()
}

impl Reply {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    /// The header of that name, if it is there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let first = values.next()?.to_str().unwrap();
        assert!(values.next().is_none(), "{name} stands more than once");
        Some(first)
    }

    /// The suffix of a problem.
    pub(crate) fn suffix(&self) -> String {
        let kind = self.json()["type"].as_str().expect("a problem").to_owned();
        kind.rsplit('/').next().unwrap().to_owned()
    }

    /// Asserts that the status is 200, and gives the body.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        self.with_status(200)
    }

    /// Asserts the status, and gives the body.
    #[track_caller]
    pub(crate) fn with_status(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// Asserts status and suffix, and gives the problem.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, suffix: &str) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!((self.status, self.suffix().as_str()), (status, suffix), "{text}");
        self.json()
    }

    /// The parameters and pointers that a 400 names, sorted.
    #[track_caller]
    pub(crate) fn faults(&self) -> Vec<String> {
        let problem = self.problem(400, "invalid-request");
        let faults = problem["errors"].as_array().expect("errors").iter();
        let named = |fault: &Value| {
            fault["parameter"]
                .as_str()
                .or(fault["pointer"].as_str())
                .unwrap()
                .to_owned()
        };
        let mut names: Vec<String> = faults.map(named).collect();
        names.sort();
        names
    }
}

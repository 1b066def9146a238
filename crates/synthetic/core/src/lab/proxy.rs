//! The proxy through which a browser reaches the network: every address that a page leads it to, by name, redirect or
//! subresource, is judged by the policy of addresses before there is a connection, and the connection goes to the address that
//! was judged.
//!
//! It speaks `CONNECT` for https and WebSockets, and forwards plain http.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use http::{
    HeaderName, Method, Request, Response, StatusCode, Uri,
    header::{CONNECTION, HOST, PROXY_AUTHORIZATION, TE, TRANSFER_ENCODING, UPGRADE},
};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    body::{self, Frame, Incoming, SizeHint},
    client, server,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use pharos_egress::{address_policy::AddressPolicy, connect::connect, resolver::NameResolver};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Host;

/// How long a name and a connection may take.
const CONNECTS_WITHIN: Duration = Duration::from_secs(10);
/// How long the second family of addresses is waited for, and between two attempts (RFC 8305).
const STAGGER: Duration = Duration::from_millis(250);
/// How many connections a browser may have at once.
const MOST_CONNECTIONS: usize = 256;
/// The pause after a connection that could not be taken.
const ACCEPTS_AGAIN: Duration = Duration::from_millis(100);
/// How many refused addresses are told of a load, since a page may want to go to any number.
const MOST_TOLD: usize = 100;
/// How much is copied at once, in bytes.
const CHUNK: usize = 16 * 1024;

type Body = BoxBody<Bytes, io::Error>;

/// A proxy for one load. It ends with its value.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    way: Arc<Way>,
    _end: DropGuard,
}

/// The parts that connections share.
#[derive(Debug)]
struct Way {
    resolver: NameResolver,
    policy: AddressPolicy,
    /// How many bytes are left.
    left: AtomicU64,
    /// Whether something was cut off.
    is_spent: AtomicBool,
    /// The requests that the policy refused.
    refused: Mutex<Refused>,
    places: Semaphore,
    tunnels: Arc<Semaphore>,
    /// Ends what is under way, with the proxy.
    end: CancellationToken,
}

/// The requests that a policy refused: each once, and 100 at most.
#[derive(Clone, Debug, Default)]
struct Refused {
    /// The hosts as the page names them, with their ports where those are unusual.
    hosts: Vec<String>,
    /// The addresses that they lead to.
    addresses: Vec<SocketAddr>,
}

/// Why there is no connection.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// The address is not allowed, or the request is none that a proxy takes.
    Forbidden,
    /// Nobody answers there.
    Unreachable,
}

impl Proxy {
    /// Listens on a free port of this machine alone; the browser may take so many bytes.
    ///
    /// # Errors
    /// There is no port.
    pub async fn start(resolver: NameResolver, policy: AddressPolicy, most_bytes: u64) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let end = CancellationToken::new();
        let way = Arc::new(Way {
            resolver,
            policy,
            left: AtomicU64::new(most_bytes),
            is_spent: AtomicBool::new(false),
            refused: Mutex::default(),
            places: Semaphore::new(MOST_CONNECTIONS),
            tunnels: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            end: end.clone(),
        });
        let guard = end.clone().drop_guard();
        let served = Arc::clone(&way);
        tokio::spawn(async move {
            end.run_until_cancelled(serve(listener, served)).await;
        });
        Ok(Self {
            address,
            way,
            _end: guard,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether the browser wanted more bytes than it may take: something was cut off, and figures are not those of the page.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.way.is_spent.load(Ordering::Relaxed)
    }

    /// The addresses that the browser wanted to go to, and the policy refuses: each once, and 100 at most.
    #[must_use]
    pub fn refused(&self) -> Vec<SocketAddr> {
        self.way.refused().addresses.clone()
    }

    /// The hosts that lead there, as the page names them.
    pub(super) fn refused_hosts(&self) -> Vec<String> {
        self.way.refused().hosts.clone()
    }
}

async fn serve(listener: TcpListener, way: Arc<Way>) {
    // Dropped with the future, they end.
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = listener.accept().await else {
            // Where there are no more files to open there will be some.
            sleep(ACCEPTS_AGAIN).await;
            continue;
        };
        let way = Arc::clone(&way);
        connections.spawn(async move {
            let served = Arc::clone(&way);
            let service = service_fn(move |request| {
                let way = Arc::clone(&served);
                async move { Ok::<_, std::convert::Infallible>(way.answer(request).await) }
            });
            let Ok(_place) = way.places.acquire().await else {
                return;
            };
            let connection = server::conn::http1::Builder::new()
                .preserve_header_case(true)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // That the browser hangs up is no fault.
            let _ = connection.await;
        });
    }
}

impl Way {
    async fn answer(self: &Arc<Self>, request: Request<Incoming>) -> Response<Body> {
        let answered = if request.method() == Method::CONNECT {
            self.tunnel(request).await
        } else {
            self.forward(request).await
        };
        answered.unwrap_or_else(|refusal| {
            let status = match refusal {
                Refusal::Forbidden => StatusCode::FORBIDDEN,
                Refusal::Unreachable => StatusCode::BAD_GATEWAY,
            };
            let mut response = Response::new(nothing());
            *response.status_mut() = status;
            response
        })
    }

    /// A connection to the address of a name, if the policy allows all that the name leads to.
    async fn reach(&self, uri: &Uri, usual_port: Option<u16>) -> Result<TcpStream, Refusal> {
        let port = uri.port_u16().or(usual_port).ok_or(Refusal::Forbidden)?;
        let host = uri.host().ok_or(Refusal::Forbidden)?;
        let host = Host::parse(host).map_err(|_| Refusal::Forbidden)?;
        let host = match &host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(ip) => Host::Ipv4(*ip),
            Host::Ipv6(ip) => Host::Ipv6(*ip),
        };
        let deadline = Instant::now() + CONNECTS_WITHIN;
        let addresses = self
            .resolver
            .addresses(&host, STAGGER, deadline)
            .await
            .map_err(|_| Refusal::Unreachable)?;
        let addresses: Vec<SocketAddr> = addresses.into_iter().map(|ip| (ip, port).into()).collect();
        let allowed = self.policy.check_all(&addresses).map_err(|_| {
            self.note(&host, port, &addresses);
            Refusal::Forbidden
        })?;
        connect(&allowed, STAGGER, deadline)
            .await
            .map_err(|_| Refusal::Unreachable)
    }

    fn refused(&self) -> MutexGuard<'_, Refused> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request that the policy refused.
    fn note(&self, host: &Host<&str>, port: u16, addresses: &[SocketAddr]) {
        crate::metrics::refused();
        let host = match port {
            80 | 443 => host.to_string(),
            port => format!("{host}:{port}"),
        };
        let mut refused = self.refused();
        if refused.hosts.len() < MOST_TOLD && !refused.hosts.contains(&host) {
            refused.hosts.push(host);
        }
        for address in addresses {
            if refused.addresses.len() < MOST_TOLD && !refused.addresses.contains(address) {
                refused.addresses.push(*address);
            }
        }
    }

    async fn tunnel(self: &Arc<Self>, request: Request<Incoming>) -> Result<Response<Body>, Refusal> {
        let place = Arc::clone(&self.tunnels)
            .try_acquire_owned()
            .map_err(|_| Refusal::Unreachable)?;
        let stream = self.reach(request.uri(), None).await?;
        let way = Arc::clone(self);
        let upgraded = hyper::upgrade::on(request);
        // A server that never closes keeps it no longer than the proxy is there.
        tokio::spawn(self.end.clone().run_until_cancelled_owned(async move {
            let _place = place;
            if let Ok(browser) = upgraded.await {
                way.between(TokioIo::new(browser), stream).await;
            }
        }));
        Ok(Response::new(nothing()))
    }

    /// Copies both ways, until one of them ends or too much was copied.
    async fn between(&self, browser: impl AsyncRead + AsyncWrite, stream: TcpStream) {
        let (from_browser, to_browser) = tokio::io::split(browser);
        let (from_server, to_server) = stream.into_split();
        tokio::select! {
            () = self.copy(from_browser, to_server) => {}
            () = self.copy(from_server, to_browser) => {}
        }
    }

    async fn copy(&self, from: impl AsyncRead, to: impl AsyncWrite) {
        let (mut from, mut to) = (std::pin::pin!(from), std::pin::pin!(to));
        let mut chunk = vec![0; CHUNK];
        while let Ok(count) = from.read(&mut chunk).await {
            if count == 0 || !self.take(count) || to.write_all(&chunk[..count]).await.is_err() {
                break;
            }
        }
        let _ = to.shutdown().await;
    }

    /// Takes so many bytes of those that are left; `false`: there are not so many.
    fn take(&self, count: usize) -> bool {
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(count as u64)
            });
        if taken.is_err() {
            self.is_spent.store(true, Ordering::Relaxed);
        }
        taken.is_ok()
    }

    async fn forward(self: &Arc<Self>, request: Request<Incoming>) -> Result<Response<Body>, Refusal> {
        if request.uri().scheme_str() != Some("http") {
            return Err(Refusal::Forbidden);
        }
        let stream = self.reach(request.uri(), Some(80)).await?;
        let (mut sender, connection) = client::conn::http1::Builder::new()
            .preserve_header_case(true)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|_| Refusal::Unreachable)?;
        let way = Arc::clone(self);
        let request = to_origin(request)?.map(|body| Metered { body, way });
        // It ends with the answer or with the proxy.
        let exchange = tokio::spawn(self.end.clone().run_until_cancelled_owned(connection));
        let answered = sender.send_request(request).await;
        let Ok(response) = answered else {
            exchange.abort();
            return Err(Refusal::Unreachable);
        };
        let (mut head, body) = response.into_parts();
        remove_hop_by_hop(&mut head.headers);
        let way = Arc::clone(self);
        Ok(Response::from_parts(head, Metered { body, way }.boxed()))
    }
}

/// The body of a request or an answer, as far as the browser may still take so many bytes. Where it may not, the rest is cut off,
/// and whoever reads it sees that it is not whole.
struct Metered {
    body: Incoming,
    way: Arc<Way>,
}

impl body::Body for Metered {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|frame| {
            let frame = frame.map_err(io::Error::other)?;
            match frame.data_ref() {
                Some(data) if !self.way.take(data.len()) => Err(io::ErrorKind::FileTooLarge.into()),
                _ => Ok(frame),
            }
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The request as the server gets it: its own path, and nothing that is between the browser and us (RFC 9110, 7.6).
fn to_origin(request: Request<Incoming>) -> Result<Request<Incoming>, Refusal> {
    let (mut head, body) = request.into_parts();
    let authority = head.uri.authority().ok_or(Refusal::Forbidden)?.clone();
    remove_hop_by_hop(&mut head.headers);
    // Who names one host to us and another to the server is up to no good.
    let host = authority.as_str().rsplit('@').next().unwrap_or_default();
    head.headers
        .insert(HOST, host.parse().map_err(|_| Refusal::Forbidden)?);
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    head.uri = path.parse().map_err(|_| Refusal::Forbidden)?;
    head.version = http::Version::HTTP_11;
    Ok(Request::from_parts(head, body))
}

fn remove_hop_by_hop(headers: &mut http::HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|names| names.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    for name in [CONNECTION, UPGRADE, TE, PROXY_AUTHORIZATION, TRANSFER_ENCODING] {
        headers.remove(name);
    }
    for name in ["proxy-connection", "keep-alive"] {
        headers.remove(name);
    }
}

fn nothing() -> Body {
    Full::new(Bytes::new()).map_err(|never| match never {}).boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that answers everybody with its name, and a proxy that lets exactly it through.
    async fn site(most_bytes: u64) -> (SocketAddr, Proxy) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut head = vec![0; 4_096];
                    let count = stream.read(&mut head).await.unwrap_or(0);
                    let head = String::from_utf8_lossy(&head[..count]).into_owned();
                    let body = "x".repeat(1_000) + &head;
                    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        let policy = AddressPolicy::public().permitting_exactly(address);
        let proxy = Proxy::start(NameResolver::system().unwrap(), policy, most_bytes)
            .await
            .unwrap();
        (address, proxy)
    }

    /// A server that takes connections, says nothing and never closes.
    #[tokio::test]
    async fn a_tunnel_ends_with_its_proxy() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let policy = AddressPolicy::public().permitting_exactly(address);
        let proxy = Proxy::start(NameResolver::system().unwrap(), policy, 1_000)
            .await
            .unwrap();
        let mut browser = TcpStream::connect(proxy.address()).await.unwrap();
        let connect = format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n");
        browser.write_all(connect.as_bytes()).await.unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        let mut answer = [0; 12];
        browser.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        drop(proxy);
        let ended = tokio::time::timeout(Duration::from_secs(60), server.read(&mut answer)).await;
        assert!(
            matches!(ended, Ok(Ok(0) | Err(_))),
            "the server's side is still open"
        );
    }

    async fn say(proxy: &Proxy, text: &str) -> String {
        let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let mut chunk = [0; 4_096];
        loop {
            match tokio::time::timeout(Duration::from_secs(20), stream.read(&mut chunk)).await {
                Ok(Ok(count)) if count > 0 => answer.extend_from_slice(&chunk[..count]),
                _ => break,
            }
            if answer.ends_with(b"\r\n\r\n") {
                break;
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[tokio::test]
    async fn what_is_allowed_is_forwarded_without_what_is_between_us() {
        let (address, proxy) = site(1_000_000).await;
        let asked = format!(
            "GET http://{address}/a?b=1 HTTP/1.1\r\nHost: other.example\r\nProxy-Connection: keep-alive\r\nX-Own: 1\r\nConnection: close, x-hop\r\nX-Hop: 1\r\n\r\n"
        );
        let answer = say(&proxy, &asked).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains("GET /a?b=1 HTTP/1.1"), "{answer}");
        assert!(
            answer.to_lowercase().contains(&format!("host: {address}")),
            "{answer}"
        );
        assert!(
            answer.contains("X-Own: 1") && !answer.to_lowercase().contains("x-hop"),
            "{answer}"
        );
        assert!(!answer.to_lowercase().contains("proxy-connection"), "{answer}");
    }

    #[tokio::test]
    async fn a_tunnel_leads_to_what_is_allowed_alone() {
        let (address, proxy) = site(1_000_000).await;
        let open = say(
            &proxy,
            &format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n"),
        )
        .await;
        assert!(open.starts_with("HTTP/1.1 200"), "{open}");
        assert!(proxy.refused().is_empty());
        for private in [
            "127.0.0.1:1",
            "[::1]:80",
            "169.254.169.254:80",
            "10.0.0.1:443",
            "localhost:22",
        ] {
            let refused = say(
                &proxy,
                &format!("CONNECT {private} HTTP/1.1\r\nHost: {private}\r\n\r\n"),
            )
            .await;
            assert!(refused.starts_with("HTTP/1.1 403"), "{private}: {refused}");
        }
        let refused = proxy.refused();
        assert!(
            refused.contains(&SocketAddr::from(([10, 0, 0, 1], 443))),
            "{refused:?}"
        );
        assert_eq!(
            proxy.refused_hosts(),
            [
                "127.0.0.1:1",
                "[::1]",
                "169.254.169.254",
                "10.0.0.1",
                "localhost:22"
            ]
        );
    }

    /// It is the policy that is told of, not a request that no proxy takes.
    #[tokio::test]
    async fn a_request_that_no_proxy_takes_is_no_refusal_of_the_policy() {
        let (_, proxy) = site(1_000_000).await;
        let refused = say(
            &proxy,
            "GET ftp://127.0.0.1/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
        )
        .await;
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
        assert!(proxy.refused().is_empty());
    }

    #[tokio::test]
    async fn private_addresses_and_other_schemes_are_refused() {
        let (_, proxy) = site(1_000_000).await;
        for target in [
            "http://127.0.0.1:1/",
            "http://169.254.169.254/latest/meta-data",
            "http://[::ffff:10.0.0.1]/",
            "http://0x7f000001/",
            "http://localhost/",
            "ftp://127.0.0.1/",
            "/",
        ] {
            let refused = say(
                &proxy,
                &format!("GET {target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"),
            )
            .await;
            assert!(refused.starts_with("HTTP/1.1 403"), "{target}: {refused}");
        }
    }

    #[tokio::test]
    async fn a_browser_gets_no_more_than_it_may_take() {
        let (address, proxy) = site(500).await;
        assert!(!proxy.is_spent());
        let answer = say(
            &proxy,
            &format!("GET http://{address}/ HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"),
        )
        .await;
        assert!(
            !answer.contains("GET / HTTP/1.1"),
            "the end of the answer is cut off: {answer}"
        );
        assert!(proxy.is_spent());
    }

    /// A page may send without an end what it needs nobody to send to it.
    #[tokio::test]
    async fn a_browser_sends_no_more_than_it_may_take() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let policy = AddressPolicy::public().permitting_exactly(address);
        let proxy = Proxy::start(NameResolver::system().unwrap(), policy, 1_000)
            .await
            .unwrap();
        let mut browser = TcpStream::connect(proxy.address()).await.unwrap();
        let head =
            format!("POST http://{address}/ HTTP/1.1\r\nHost: {address}\r\nContent-Length: 100000\r\n\r\n");
        browser.write_all(head.as_bytes()).await.unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        // The proxy hangs up before it has taken all of it.
        let sent = async {
            let _ = browser.write_all("x".repeat(100_000).as_bytes()).await;
            let mut answer = Vec::new();
            let _ = browser.read_to_end(&mut answer).await;
        };
        let mut got = Vec::new();
        let came = async {
            let _ = server.read_to_end(&mut got).await;
        };
        let both = async { tokio::join!(sent, came) };
        tokio::time::timeout(Duration::from_secs(60), both)
            .await
            .expect("the upload is cut off");
        assert!(got.len() < 10_000, "{} bytes came", got.len());
        assert!(proxy.is_spent());
    }
}

//! A server that follows a script, byte by byte, so that it can also misbehave.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

/// A step of a script.
#[derive(Clone)]
pub enum Step {
    /// Writes this.
    Send(Vec<u8>),
    /// Writes this again and again until nobody listens.
    Repeat(Vec<u8>),
    /// Writes this with a pause after every byte.
    Trickle(Vec<u8>, Duration),
    /// Says nothing for this long.
    Wait(Duration),
    /// Keeps the connection open and says nothing more.
    Hold,
    /// Breaks the connection off.
    Reset,
}

type Script = dyn Fn(&str) -> Vec<Step> + Send + Sync;

/// A server on this machine, which takes one request on each connection.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    scheme: &'static str,
    log: Arc<Log>,
}

/// Requests that a server saw, and bytes that it sent.
#[derive(Default)]
struct Log {
    heads: Mutex<Vec<String>>,
    sent: AtomicU64,
    left: watch::Sender<usize>,
}

impl Server {
    /// Plain HTTP on 127.0.0.1. The script is given the head of the request.
    pub async fn start(script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::start_on("127.0.0.1:0", None, script).await
    }

    /// Gives everyone the same answer.
    pub async fn answering(answer: Vec<u8>) -> Self {
        Self::start(move |_| vec![Step::Send(answer.clone())]).await
    }

    /// HTTP/1.1 over TLS.
    pub async fn secure(tls: TlsAcceptor) -> Self {
        Self::start_on("127.0.0.1:0", Some(tls), |_| {
            vec![Step::Send(answer(200, &[], "hello"))]
        })
        .await
    }

    /// Listens on `socket`, with TLS where it is given.
    pub async fn start_on(
        socket: &str,
        tls: Option<TlsAcceptor>,
        script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self::start_with(TcpListener::bind(socket).await.unwrap(), tls, script)
    }

    /// The same on a socket that listens already.
    pub fn start_with(
        listener: TcpListener,
        tls: Option<TlsAcceptor>,
        script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Log::default());
        let scheme = if tls.is_some() { "https" } else { "http" };
        let script: Arc<Script> = Arc::new(script);
        let kept = Arc::clone(&log);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, tls.clone(), Arc::clone(&script), Arc::clone(&kept)));
            }
        });
        Self { address, scheme, log }
    }

    /// A URL of this server, by address.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    /// A URL of this server, by name.
    pub fn url_at(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.address.port())
    }

    /// The heads of all requests so far, in lower case.
    pub fn heads(&self) -> Vec<String> {
        self.log.heads.lock().unwrap().clone()
    }

    /// The bytes that it could write so far, on all connections.
    pub fn sent(&self) -> u64 {
        self.log.sent.load(Ordering::SeqCst)
    }

    /// Waits until so many connections have been closed by those who asked.
    pub async fn is_left_by(&self, clients: usize) {
        let mut left = self.log.left.subscribe();
        let closed = timeout(Duration::from_secs(10), left.wait_for(|left| *left >= clients));
        assert!(closed.await.is_ok(), "a connection is still open");
    }
}

/// Listens on the same port of two addresses.
pub async fn on_one_port(first: &str, second: &str) -> (TcpListener, TcpListener) {
    loop {
        let first = TcpListener::bind(format!("{first}:0")).await.unwrap();
        let port = first.local_addr().unwrap().port();
        // Someone else may have it there already; then another one will do.
        if let Ok(second) = TcpListener::bind(format!("{second}:{port}")).await {
            return (first, second);
        }
    }
}

/// A whole answer with a length.
pub fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut answer = head(status, headers, body.len());
    answer.extend_from_slice(body);
    answer
}

/// The head of an answer whose body comes apart from it.
pub fn head(status: u16, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {length}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// A redirect.
pub fn redirect(status: u16, to: &str) -> Vec<u8> {
    answer(status, &[("location", to)], "")
}

/// The path that a request asks for.
pub fn path_of(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

async fn serve(stream: TcpStream, tls: Option<TlsAcceptor>, script: Arc<Script>, log: Arc<Log>) {
    match tls {
        None => follow(stream, &script, &log).await,
        Some(tls) => {
            if let Ok(stream) = tls.accept(stream).await {
                follow(stream, &script, &log).await;
            }
        }
    }
}

async fn follow<S>(mut stream: S, script: &Arc<Script>, log: &Log)
where
    S: AsyncRead + AsyncWrite + Linger + Unpin,
{
    let Some(head) = read_head(&mut stream).await else {
        return;
    };
    log.heads.lock().unwrap().push(head.to_lowercase());
    let steps = script(&head);
    let resets = steps.iter().any(|step| matches!(step, Step::Reset));
    let (mut reading, mut writing) = tokio::io::split(stream);
    let mut unheard = tokio::io::sink();
    let is_left = tokio::select! {
        // Whatever else is said is not listened to, but the end of it is.
        _ = tokio::io::copy(&mut reading, &mut unheard) => true,
        acted = act(&mut writing, steps, log) => acted.is_err(),
    };
    if is_left {
        log.left.send_modify(|left| *left += 1);
    }
    let mut stream = reading.unsplit(writing);
    if resets {
        stream.reset_on_drop();
    } else {
        let _ = stream.shutdown().await;
    }
}

async fn act(stream: &mut (impl AsyncWrite + Unpin), steps: Vec<Step>, log: &Log) -> std::io::Result<()> {
    for step in steps {
        match step {
            Step::Send(bytes) => send(stream, &bytes, log).await?,
            Step::Repeat(bytes) => loop {
                send(stream, &bytes, log).await?;
            },
            Step::Trickle(bytes, pause) => {
                for byte in bytes {
                    send(stream, &[byte], log).await?;
                    tokio::time::sleep(pause).await;
                }
            }
            Step::Wait(pause) => tokio::time::sleep(pause).await,
            Step::Hold => std::future::pending().await,
            Step::Reset => return Ok(()),
        }
    }
    Ok(())
}

async fn send(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8], log: &Log) -> std::io::Result<()> {
    stream.write_all(bytes).await?;
    stream.flush().await?;
    log.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
    Ok(())
}

async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok()
}

/// Closing so that the other side sees a reset.
trait Linger {
    fn reset_on_drop(&self);
}

impl Linger for TcpStream {
    fn reset_on_drop(&self) {
        self.set_zero_linger().unwrap();
    }
}

impl Linger for tokio_rustls::server::TlsStream<TcpStream> {
    fn reset_on_drop(&self) {
        self.get_ref().0.reset_on_drop();
    }
}

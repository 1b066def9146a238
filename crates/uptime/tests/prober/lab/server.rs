//! A server that follows a script, byte by byte, so that it can also misbehave.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// What the server does next on a connection.
#[derive(Clone)]
pub(crate) enum Step {
    /// Writes this.
    Send(Vec<u8>),
    /// Writes this again and again until nobody listens.
    Repeat(Vec<u8>),
    /// Writes this with a pause after every byte.
    Trickle(Vec<u8>, Duration),
    Wait(Duration),
    /// Keeps the connection open and says nothing more.
    Hold,
    /// Breaks the connection off.
    Reset,
}

type Script = dyn Fn(&str) -> Vec<Step> + Send + Sync;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    scheme: &'static str,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Plain HTTP on 127.0.0.1. The script is given the head of the request.
    pub(crate) async fn start(script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::start_on("127.0.0.1:0", None, script).await
    }

    /// Gives everyone the same answer.
    pub(crate) async fn answering(answer: Vec<u8>) -> Self {
        Self::start(move |_| vec![Step::Send(answer.clone())]).await
    }

    /// HTTP/1.1 over TLS.
    pub(crate) async fn secure(tls: TlsAcceptor) -> Self {
        Self::start_on("127.0.0.1:0", Some(tls), |_| {
            vec![Step::Send(answer(200, &[], "hello"))]
        })
        .await
    }

    pub(crate) async fn start_on(
        socket: &str,
        tls: Option<TlsAcceptor>,
        script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self::start_with(TcpListener::bind(socket).await.unwrap(), tls, script)
    }

    pub(crate) fn start_with(
        listener: TcpListener,
        tls: Option<TlsAcceptor>,
        script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let scheme = if tls.is_some() { "https" } else { "http" };
        let script: Arc<Script> = Arc::new(script);
        let log = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, tls.clone(), Arc::clone(&script), Arc::clone(&log)));
            }
        });
        Self {
            address,
            scheme,
            heads,
        }
    }

    /// A URL of this server, by address.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    /// A URL of this server, by name.
    pub(crate) fn url_at(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.address.port())
    }

    /// The heads of all requests so far, in lower case.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// Listens on the same port of two addresses.
pub(crate) async fn on_one_port(first: &str, second: &str) -> (TcpListener, TcpListener) {
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
pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut answer = head(status, headers, body.len());
    answer.extend_from_slice(body);
    answer
}

/// The head of an answer whose body comes apart from it.
pub(crate) fn head(status: u16, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {length}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// A redirect.
pub(crate) fn redirect(status: u16, to: &str) -> Vec<u8> {
    answer(status, &[("location", to)], "")
}

/// The path that a request asks for.
pub(crate) fn path_of(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

async fn serve(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    script: Arc<Script>,
    log: Arc<Mutex<Vec<String>>>,
) {
    match tls {
        None => follow(stream, &script, &log).await,
        Some(tls) => {
            if let Ok(stream) = tls.accept(stream).await {
                follow(stream, &script, &log).await;
            }
        }
    }
}

async fn follow<S>(mut stream: S, script: &Arc<Script>, log: &Mutex<Vec<String>>)
where
    S: AsyncRead + AsyncWrite + Linger + Unpin,
{
    let Some(head) = read_head(&mut stream).await else {
        return;
    };
    log.lock().unwrap().push(head.to_lowercase());
    for step in script(&head) {
        let done = match step {
            Step::Send(bytes) => stream.write_all(&bytes).await,
            Step::Repeat(bytes) => loop {
                if let Err(error) = stream.write_all(&bytes).await {
                    break Err(error);
                }
            },
            Step::Trickle(bytes, pause) => trickle(&mut stream, &bytes, pause).await,
            Step::Wait(pause) => {
                let _ = stream.flush().await;
                tokio::time::sleep(pause).await;
                Ok(())
            }
            Step::Hold => std::future::pending().await,
            Step::Reset => {
                stream.reset_on_drop();
                return;
            }
        };
        if done.is_err() {
            return;
        }
    }
    let _ = stream.shutdown().await;
}

async fn trickle(
    stream: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
    pause: Duration,
) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        stream.flush().await?;
        tokio::time::sleep(pause).await;
    }
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

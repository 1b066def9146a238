//! A reverse proxy in front of nodes. It does what those of `deploy/` do: the nodes take turns, it appends the client's address to
//! `X-Forwarded-For`, and where a node is gone it asks the next one.

use std::{
    io,
    net::{IpAddr, SocketAddr},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

/// A proxy for requests that change nothing, which may be sent to a second node.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    _accepting: AbortOnDropHandle<()>,
}

impl Proxy {
    pub(crate) async fn start(nodes: Vec<SocketAddr>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = tokio::spawn(async move {
            let mut turn = 0;
            while let Ok((client, from)) = listener.accept().await {
                let mut in_turn = nodes.clone();
                in_turn.rotate_left(turn % nodes.len());
                turn += 1;
                tokio::spawn(hand_on(client, from.ip(), in_turn));
            }
        });
        Self {
            address,
            _accepting: AbortOnDropHandle::new(accepting),
        }
    }
}

/// Has the first of these nodes that answers do it.
async fn hand_on(mut client: TcpStream, from: IpAddr, nodes: Vec<SocketAddr>) -> io::Result<()> {
    let mut asked = Vec::new();
    let end = loop {
        if client.read_buf(&mut asked).await? == 0 {
            return Ok(());
        }
        if let Some(at) = asked.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = appended(&String::from_utf8_lossy(&asked[..end]), from);
    let asked = [head.as_bytes(), &asked[end..]].concat();
    for node in nodes {
        let Ok((mut node, answered)) = ask(node, &asked).await else {
            continue;
        };
        client.write_all(&answered).await?;
        copy_bidirectional(&mut client, &mut node).await?;
        return Ok(());
    }
    let nobody = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    client.write_all(nobody).await
}

/// The connection to a node and the beginning of its answer.
async fn ask(node: SocketAddr, asked: &[u8]) -> io::Result<(TcpStream, Vec<u8>)> {
    let mut stream = TcpStream::connect(node).await?;
    stream.write_all(asked).await?;
    let mut answered = Vec::new();
    match stream.read_buf(&mut answered).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok((stream, answered)),
    }
}

/// The head of a request with the client's address, for one request on its connection.
fn appended(head: &str, from: IpAddr) -> String {
    let (mut addresses, mut lines) = (Vec::new(), Vec::new());
    for line in head.trim_end().split("\r\n") {
        let name = line.split_once(':').map_or("", |(name, _)| name);
        if name.eq_ignore_ascii_case("x-forwarded-for") {
            addresses.push(line[name.len() + 1..].trim().to_owned());
        } else if !name.eq_ignore_ascii_case("connection") {
            lines.push(line);
        }
    }
    addresses.push(from.to_string());
    format!(
        "{}\r\nx-forwarded-for: {}\r\nconnection: close\r\n\r\n",
        lines.join("\r\n"),
        addresses.join(", ")
    )
}

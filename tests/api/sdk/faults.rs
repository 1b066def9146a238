//! A proxy between a client and Pharos that fails once.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional},
    net::{TcpListener, TcpStream},
    select,
};

#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// Answers 429 with Retry-After 1 by itself.
    Busy,
    /// Lets the request through, and loses the answer.
    Cut,
}

/// An address before `app` where the first connection meets this fault; those after it go through.
pub(super) async fn before(app: SocketAddr, fault: Fault) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut fault = Some(fault);
        while let Ok((client, _)) = listener.accept().await {
            match fault.take() {
                Some(Fault::Busy) => busy(client).await,
                Some(Fault::Cut) => cut(client, app).await,
                None => {
                    tokio::spawn(pass(client, app));
                }
            }
        }
    });
    address
}

async fn busy(mut client: TcpStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.unwrap());
    }
    let problem =
        r#"{"type":"https://pharos.example/docs/api/errors/rate-limited","status":429,"detail":"Too many."}"#;
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\nconnection: close\r\n\
         content-type: application/problem+json\r\ncontent-length: {}\r\n\r\n{problem}",
        problem.len()
    );
    client.write_all(answer.as_bytes()).await.unwrap();
    client.shutdown().await.unwrap();
}

async fn cut(client: TcpStream, app: SocketAddr) {
    let mut server = TcpStream::connect(app).await.unwrap();
    let (mut asking, _answering) = client.into_split();
    let (mut answers, mut requests) = server.split();
    let mut first = [0];
    select! {
        sent = copy(&mut asking, &mut requests) => panic!("the client left before its answer: {sent:?}"),
        answer = answers.read_exact(&mut first) => assert_eq!(answer.unwrap(), 1),
    }
}

async fn pass(mut client: TcpStream, app: SocketAddr) {
    let mut server = TcpStream::connect(app).await.unwrap();
    // However it ends, the client's side of it is what the test looks at.
    copy_bidirectional(&mut client, &mut server).await.ok();
}

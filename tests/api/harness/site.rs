//! A site to check, on this machine.

use std::{net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    task::JoinHandle,
};

type Answer = dyn Fn(&str) -> String + Send + Sync;

/// A site that says when it is asked, and answers when it may.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    asked: mpsc::UnboundedReceiver<()>,
    answers: Arc<Semaphore>,
    accepting: JoinHandle<()>,
}

impl Site {
    /// A site that answers at once.
    pub(crate) async fn open() -> Self {
        Self::saying(fine).await
    }

    /// A site that answers at once, by the path that it is asked for, with these bytes.
    pub(crate) async fn saying(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let site = Self::start(Arc::new(answer)).await;
        site.answer(Semaphore::MAX_PERMITS);
        site
    }

    /// A site that answers when it is told to.
    pub(crate) async fn held() -> Self {
        Self::start(Arc::new(fine)).await
    }

    async fn start(say: Arc<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (asks, asked) = mpsc::unbounded_channel();
        let answers = Arc::new(Semaphore::new(0));
        let gate = Arc::clone(&answers);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, asks.clone(), Arc::clone(&gate), Arc::clone(&say)));
            }
        });
        Self {
            address,
            asked,
            answers,
            accepting,
        }
    }

    /// Answers so many requests, those that came already first.
    pub(crate) fn answer(&self, requests: usize) {
        self.answers.add_permits(requests);
    }

    /// Waits until it is asked.
    pub(crate) async fn is_asked(&mut self) {
        self.asked.recv().await.unwrap();
    }

    /// How often it was asked since the last time that somebody waited or counted.
    pub(crate) fn asks(&mut self) -> usize {
        std::iter::from_fn(|| self.asked.try_recv().ok()).count()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn fine(_path: &str) -> String {
    "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok".to_owned()
}

async fn answer(
    mut stream: TcpStream,
    asks: mpsc::UnboundedSender<()>,
    gate: Arc<Semaphore>,
    say: Arc<Answer>,
) {
    let (mut request, mut part) = (Vec::new(), [0; 1_024]);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part).await {
            Ok(read) if read > 0 => request.extend_from_slice(&part[..read]),
            _ => return,
        }
    }
    let _ = asks.send(());
    gate.acquire().await.unwrap().forget();
    let request = String::from_utf8_lossy(&request);
    let answer = say(request.split(' ').nth(1).unwrap_or_default());
    let _ = stream.write_all(answer.as_bytes()).await;
}

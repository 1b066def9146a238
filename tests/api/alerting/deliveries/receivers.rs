//! Receivers of deliveries, as programs of their own, and a server that answers as a test wants.

use std::{
    collections::VecDeque,
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    net::TcpStream,
    process::{Child, ChildStdout, Command},
    task::JoinHandle,
    time::timeout,
};

use crate::harness::{clients, openssl::Vault, python};

/// As long a delivery may take on a busy machine, its second attempt included.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that prints a line of JSON for each delivery. Killed when dropped.
pub(crate) struct Receiver {
    lines: Lines<BufReader<ChildStdout>>,
    _child: Child,
}

impl Receiver {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("run `cargo xtask test`");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { lines, _child: child }
    }

    /// The receiver that the guide shows in this language, on a port that was free before.
    pub(super) fn of_the_guide(language: Language, port: u16, secret: &str) -> Self {
        let mut command = match language {
            Language::Python => {
                let mut command = Command::new(python());
                command.arg(clients("webhook_receiver.py"));
                command
            }
            Language::JavaScript => {
                let mut command = Command::new("node");
                command.arg(clients("webhook_receiver.mjs"));
                command
            }
        };
        Self::start(
            command
                .env("WEBHOOK_SECRET", secret)
                .env("PORT", port.to_string()),
        )
    }

    /// A mail server with a certificate of the vault, and its port. The first mails break off in the middle.
    pub(crate) async fn of_mail(vault: &Vault, mode: &str, drops: u8) -> (Self, u16) {
        vault.issue("mail", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 30);
        let mut receiver = Self::start(
            Command::new(python())
                .arg(clients("receive_mail.py"))
                .arg(mode)
                .args([vault.path("mail.pem"), vault.path("mail.key"), drops.to_string()]),
        );
        let port = receiver.line().await.parse().unwrap();
        (receiver, port)
    }

    async fn line(&mut self) -> String {
        let line = timeout(PATIENCE, self.lines.next_line()).await;
        line.expect("a delivery in time")
            .unwrap()
            .expect("a receiver at work")
    }

    /// The next delivery.
    pub(crate) async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }
}

#[derive(Clone, Copy)]
pub(super) enum Language {
    Python,
    JavaScript,
}

/// A server that keeps the last request, and answers with the statuses that it is given, then with 204.
pub(super) struct Recorder {
    pub(super) port: u16,
    seen: Arc<Mutex<Seen>>,
    accepting: JoinHandle<()>,
}

struct Seen {
    answers: VecDeque<String>,
    requests: Vec<(String, String)>,
    pause: Duration,
}

impl Recorder {
    /// One that answers with these status lines and headers first, such as `410 Gone`.
    pub(super) async fn answering(answers: &[&str]) -> Self {
        Self::start(answers, Duration::ZERO).await
    }

    /// One that takes its time.
    pub(super) async fn slow(pause: Duration) -> Self {
        Self::start(&[], pause).await
    }

    async fn start(answers: &[&str], pause: Duration) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Seen {
            answers: answers.iter().map(ToString::to_string).collect(),
            requests: Vec::new(),
            pause,
        }));
        let shared = Arc::clone(&seen);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move { record(stream, &shared).await });
            }
        });
        Self {
            port,
            seen,
            accepting,
        }
    }

    /// The head and the body of each request, the oldest first.
    pub(super) fn requests(&self) -> Vec<(String, String)> {
        self.seen.lock().unwrap().requests.clone()
    }
}

/// The value of a header.
pub(super) fn header(head: &str, name: &str) -> String {
    let prefix = format!("{name}: ");
    let line = head.lines().find(|line| line.to_lowercase().starts_with(&prefix));
    line.unwrap_or_else(|| panic!("{name} in {head}"))[prefix.len()..].to_owned()
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn record(mut stream: TcpStream, seen: &Mutex<Seen>) -> std::io::Result<()> {
    let mut reader = BufReader::new(&mut stream);
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let from = head.len();
        if reader.read_line(&mut head).await? == 0 {
            return Ok(());
        }
        if let Some(value) = head[from..].to_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await?;
    let (answer, pause) = {
        let mut seen = seen.lock().unwrap();
        seen.requests.push((head, String::from_utf8(body).unwrap()));
        let answer = seen.answers.pop_front();
        (answer.unwrap_or_else(|| "204 No Content".to_owned()), seen.pause)
    };
    tokio::time::sleep(pause).await;
    let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await
}

//! Receivers of deliveries, as programs of their own, and a server that answers as a test wants.

use std::{
    collections::VecDeque,
    net::TcpListener,
    path::{Path, PathBuf},
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

use crate::harness::openssl::Vault;

/// As long a delivery may take on a busy machine, its second attempt included.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) fn clients(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(file)
}

fn python() -> String {
    std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// A program that prints a line of JSON for each delivery. Killed when dropped.
pub(super) struct Receiver {
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
    pub(super) async fn of_mail(vault: &Vault, mode: &str, drops: u8) -> (Self, u16) {
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
    pub(super) async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }
}

#[derive(Clone, Copy)]
pub(super) enum Language {
    Python,
    JavaScript,
}

/// A port that is free now.
pub(super) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// A server that keeps the last request, and answers with the statuses that it is given, then with 204.
pub(super) struct Recorder {
    pub(super) port: u16,
    seen: Arc<Mutex<Seen>>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    answers: VecDeque<String>,
    requests: usize,
    head: String,
    body: String,
}

impl Recorder {
    /// One that answers with these status lines and headers first, such as `410 Gone`.
    pub(super) async fn answering(answers: &[&str]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Seen {
            answers: answers.iter().map(ToString::to_string).collect(),
            ..Seen::default()
        }));
        let shared = Arc::clone(&seen);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = record(stream, &shared).await;
            }
        });
        Self {
            port,
            seen,
            accepting,
        }
    }

    /// The head of the last request, and its body.
    pub(super) fn last(&self) -> (String, String) {
        let seen = self.seen.lock().unwrap();
        (seen.head.clone(), seen.body.clone())
    }

    /// How many requests there were.
    pub(super) fn requests(&self) -> usize {
        self.seen.lock().unwrap().requests
    }
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
    let answer = {
        let mut seen = seen.lock().unwrap();
        seen.requests += 1;
        seen.head = head;
        seen.body = String::from_utf8(body).unwrap();
        seen.answers
            .pop_front()
            .unwrap_or_else(|| "204 No Content".to_owned())
    };
    let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await
}

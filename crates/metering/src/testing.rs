//! A Redis of one's own, for tests.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use pharos_supervisor::Supervisor;
use tempfile::TempDir;

use crate::redis::Redis;

/// The variable with the program `redis-server`; without it the one on the `PATH` is taken.
pub const PROGRAM_VARIABLE: &str = "PHAROS_TEST_REDIS_SERVER";

/// A server on a socket in a temporary folder. It keeps nothing on disk, and ends with this value.
#[derive(Debug)]
pub struct RedisServer {
    folder: TempDir,
    arguments: Vec<String>,
    process: Child,
}

impl RedisServer {
    /// Starts a server with a folder of its own.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with more arguments.
    #[must_use]
    pub fn start_with(arguments: &[&str]) -> Self {
        let folder = TempDir::with_prefix("pharos-redis-").unwrap();
        let arguments: Vec<_> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let process = run(&folder, &arguments);
        Self {
            folder,
            arguments,
            process,
        }
    }

    /// Its address, as `redis_url` takes it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("unix://{}", socket(&self.folder).display())
    }

    /// A connection that waits for every reply, however busy the machine is: for tests of what is counted, and not of a
    /// server that is away.
    pub async fn connect(&self) -> Redis {
        let redis = Redis::with_patience(&self.url(), Duration::from_secs(60), &Supervisor::default())
            .await
            .unwrap();
        assert!(redis.is_available());
        redis
    }

    /// Answers nothing more, and keeps all connections.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Goes on where it was frozen.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    /// Is gone at once, with everything that it knew.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Is there again at the same address.
    pub fn restart(&mut self) {
        self.process = run(&self.folder, &self.arguments);
    }

    /// The answer to a command, as `redis-cli` prints it.
    pub fn command(&self, arguments: &[&str]) -> String {
        let output = Command::new("redis-cli")
            .arg("-s")
            .arg(socket(&self.folder))
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// All keys, and how many seconds each lives still; -1: without an end.
    #[must_use]
    pub fn keys(&self) -> Vec<(String, i64)> {
        let keys = self.command(&["--scan"]);
        keys.lines()
            .map(|key| (key.to_owned(), self.command(&["TTL", key]).parse().unwrap()))
            .collect()
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill")
            .args([signal, &self.process.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn socket(folder: &TempDir) -> PathBuf {
    folder.path().join("redis.sock")
}

fn run(folder: &TempDir, arguments: &[String]) -> Child {
    let socket = socket(folder);
    let _ = std::fs::remove_file(&socket);
    let program = std::env::var_os(PROGRAM_VARIABLE).unwrap_or_else(|| "redis-server".into());
    let process = Command::new(program)
        .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
        .arg(&socket)
        .args(arguments)
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("redis-server; run `cargo xtask test`");
    eventually("Redis listens", || {
        std::os::unix::net::UnixStream::connect(&socket).is_ok()
    });
    process
}

/// Waits until something is so.
pub fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(10), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

//! A Redis of one's own, and how a suite runs on every backing.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// A server on a socket in a temporary folder. It keeps nothing on disk, and ends with this value.
pub(crate) struct RedisServer {
    folder: TempDir,
    process: Child,
}

impl RedisServer {
    pub(crate) fn start() -> Self {
        let folder = TempDir::with_prefix("pharos-redis-").unwrap();
        let process = run(&folder);
        Self { folder, process }
    }

    pub(crate) fn url(&self) -> String {
        format!("unix://{}", socket(&self.folder).display())
    }

    /// Answers nothing more, and keeps all connections.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Goes on where it was frozen.
    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    /// Is gone at once, with everything that it knew.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Is there again at the same address.
    pub(crate) fn restart(&mut self) {
        self.process = run(&self.folder);
    }

    /// What a command answers.
    pub(crate) fn command(&self, arguments: &[&str]) -> String {
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
    pub(crate) fn keys(&self) -> Vec<(String, i64)> {
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

fn run(folder: &TempDir) -> Child {
    let socket = socket(folder);
    let _ = std::fs::remove_file(&socket);
    let process = Command::new("redis-server")
        .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
        .arg(&socket)
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
pub(crate) fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(10), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A module for each backing, with a test for each function of the suite, which takes the backing.
macro_rules! on_every_backing {
    ($backing:ident: $($test:ident),+ $(,)?) => {
        mod in_memory {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(&super::$backing::in_memory()).await;
            })+
        }

        mod in_redis {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(&super::$backing::in_redis().await).await;
            })+
        }
    };
}
pub(crate) use on_every_backing;

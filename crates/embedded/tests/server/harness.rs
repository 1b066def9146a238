//! Shared by the tests of the embedded server: folders, questions to a server, a Pharos to kill.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use pharos_embedded::{Embedded, EmbeddedOptions};
use tempfile::TempDir;
use tokio_postgres::{NoTls, SimpleQueryMessage};

pub(crate) const SOON: Duration = Duration::from_secs(10);

/// Below `/tmp`, since the account that a server of root's runs under has to get there.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in("/tmp").unwrap()
}

/// Options for a thread that ends before the process does.
pub(crate) fn options(folder: &Path) -> EmbeddedOptions {
    EmbeddedOptions {
        die_with_parent: false,
        ..EmbeddedOptions::new(folder)
    }
}

pub(crate) fn start(folder: &Path) -> Embedded {
    Embedded::start(&options(folder)).unwrap()
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Runs statements, and returns the first column of what they answer.
pub(crate) fn query(url: &str, statements: &str) -> Vec<String> {
    runtime().block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let answer = client.simple_query(statements).await.unwrap();
        answer
            .iter()
            .filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
                _ => None,
            })
            .collect()
    })
}

/// Not gone, and not merely waiting for somebody to take note of its end.
pub(crate) fn is_alive(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').unwrap().1.trim_start().starts_with('Z'))
}

pub(crate) fn wait_for(what: &str, within: Duration, mut reached: impl FnMut() -> bool) {
    let began = Instant::now();
    while !reached() {
        assert!(began.elapsed() < within, "waited {within:?} for: {what}");
        sleep(Duration::from_millis(5));
    }
}

pub(crate) fn kill(signal: &str, pid: u32) {
    assert!(
        Command::new("kill")
            .args([signal, &pid.to_string()])
            .status()
            .unwrap()
            .success()
    );
}

/// The example beside this test, which starts a server from its main thread and waits.
fn parent_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.ancestors().nth(2).unwrap();
        let program = profile.join("examples/embedded_parent");
        let changed = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
        // Asking for one test alone doesn't build the examples, and leaves an old one where it is.
        let libraries = std::fs::read_dir(profile.join("deps"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let is_ours = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.starts_with("libpharos_embedded-") && name.ends_with(".rlib")
        };
        let newest = libraries.filter(is_ours).filter_map(|path| changed(&path)).max();
        let is_stale = changed(&program) < newest;
        if let Some(cargo) = std::env::var_os("CARGO").filter(|_| is_stale) {
            let mut build = Command::new(cargo);
            build.args([
                "build",
                "--quiet",
                "--example",
                "embedded_parent",
                "--manifest-path",
            ]);
            build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
            build
                .arg("--profile")
                .arg(match profile.file_name().unwrap().to_str().unwrap() {
                    "debug" => "dev",
                    other => other,
                });
            assert!(build.status().unwrap().success());
        }
        program
    })
}

/// A Pharos in another process.
pub(crate) struct Parent {
    pub(crate) process: Child,
    pub(crate) postmaster: u32,
    pub(crate) url: String,
}

impl Parent {
    pub(crate) fn spawn(folder: &Path, arguments: &[&str]) -> Child {
        let mut command = Command::new(parent_program());
        command
            .arg(folder)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut process = Self::spawn(folder, arguments);
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let (postmaster, url) = line.trim().split_once(' ').unwrap();
        Self {
            process,
            postmaster: postmaster.parse().unwrap(),
            url: url.to_owned(),
        }
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

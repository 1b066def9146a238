//! A PostgreSQL of a test's own, to be stopped and killed.

use std::{
    os::unix::fs::PermissionsExt,
    process::Command,
    time::{Duration, Instant},
};

use pharos_embedded::{Embedded, EmbeddedOptions};
use pharos_persistence::pool::Database;
use pharos_server::groups::{SCHEMAS, database_options};
use pharos_tests::stores::Stores;
use tempfile::TempDir;
use tokio::time::sleep;

/// A server with a migrated database. It keeps its address.
pub(crate) struct OwnPostgres {
    server: Option<Embedded>,
    url: String,
    folder: TempDir,
}

impl OwnPostgres {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // As root it runs under another account.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let server = start(&folder).await;
        let url = server.database_url().to_owned();
        let postgres = Self {
            server: Some(server),
            url,
            folder,
        };
        postgres.database().await.migrate(SCHEMAS).await.unwrap();
        postgres
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) async fn stores(&self) -> Stores {
        Stores::new(&self.database().await)
    }

    async fn database(&self) -> Database {
        Database::connect(&self.url, &database_options()).await.unwrap()
    }

    /// Stops it as an operator does: what is connected is told.
    pub(crate) fn stop(&mut self) {
        let server = self.server.take().unwrap();
        aside(|| server.stop(Duration::from_secs(5))).unwrap();
    }

    /// SIGKILL to the postmaster and everything that it started.
    pub(crate) fn kill(&mut self) {
        let server = self.server.take().unwrap();
        let pid = server.pid();
        signal(pid, "KILL");
        // It says that it was ended.
        let _ = aside(|| server.stop(Duration::from_secs(5)));
    }

    /// SIGSTOP to the postmaster and everything that it started, or SIGCONT: it is there, and says nothing.
    pub(crate) fn freeze(&self, is_frozen: bool) {
        let pid = self.server.as_ref().unwrap().pid();
        let signal = if is_frozen { "STOP" } else { "CONT" };
        self::signal(pid, signal);
    }

    /// Starts it again where it was.
    pub(crate) async fn restart(&mut self) {
        let server = start(&self.folder).await;
        assert_eq!(server.database_url(), self.url, "the same address");
        self.server = Some(server);
    }
}

/// To the postmaster and everything that it started. It stands still meanwhile, so that nothing begins, or leaves the list.
fn signal(pid: u32, signal: &str) {
    let script = format!("kill -STOP {pid} && kill -{signal} $(cat /proc/{pid}/task/*/children) {pid}");
    let done = Command::new("sh").args(["-c", &script]).status().unwrap();
    assert!(done.success());
}

async fn start(folder: &TempDir) -> Embedded {
    let options = EmbeddedOptions {
        // The thread that starts it ends.
        die_with_parent: false,
        ..EmbeddedOptions::new(folder.path().join("data"))
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        match aside(|| Embedded::start(&options)) {
            Ok(postgres) => return postgres,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Does what blocks on a thread without a runtime.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    tokio::task::block_in_place(|| std::thread::scope(|scope| scope.spawn(work).join().unwrap()))
}

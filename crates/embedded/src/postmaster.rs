//! The server's first process: starting it, waiting for its answer, and stopping it.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::account::Account;
use super::binaries::Binaries;
use super::errors::{Context as _, EmbeddedError};
use super::leftover::{pid_file, recorded};
use super::log::Log;
use super::ready::{Answer, Probe};

const LOOK_EVERY: Duration = Duration::from_millis(5);
/// After a crash of the machine, replaying the log can take a while.
const READY_WITHIN: Duration = Duration::from_secs(300);
const SAY_SO_EVERY: Duration = Duration::from_secs(10);
/// An immediate shutdown kills what is left after 5 s by itself.
const QUIT_WITHIN: Duration = Duration::from_secs(8);

/// Our child, the postmaster.
#[derive(Debug)]
pub(super) struct Postmaster(Child);

/// Where a server runs and how it is known.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) cluster: &'a Path,
    pub(super) configuration: &'a Path,
    pub(super) socket_folder: &'a Path,
    pub(super) mark: &'a str,
}

impl Postmaster {
    /// Starts the server. On Linux it shuts down by itself when the thread that calls this ends,
    /// if it is to die with its parent.
    pub(super) fn spawn(
        binaries: &Binaries,
        account: &Account,
        place: &Place<'_>,
        log: &Log,
        dies_with_parent: bool,
    ) -> Result<Self, EmbeddedError> {
        let mut postgres = account.command(&binaries.postgres(), dies_with_parent.then_some(Signal::INT));
        postgres.arg("-D").arg(place.cluster);
        for (name, value) in settings(place) {
            let mut setting = OsString::from(name);
            setting.push("=");
            setting.push(value);
            postgres.arg("-c").arg(setting);
        }
        // A group of its own: a Ctrl-C in the terminal is for Pharos, which then stops the server
        // once its own requests are through.
        postgres
            .process_group(0)
            .stdout(log.handle()?)
            .stderr(log.handle()?);
        Ok(Self(postgres.spawn().context("run", &binaries.postgres())?))
    }

    pub(super) fn pid(&self) -> u32 {
        self.0.id()
    }

    /// How the server ended, if it has.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }

    /// Waits until this very server answers, and its database is there.
    pub(super) fn wait_until_ready(
        &mut self,
        cluster: &Path,
        probe: &Probe<'_>,
        log: &Log,
    ) -> Result<(), EmbeddedError> {
        let began = Instant::now();
        let mut said = began;
        loop {
            if let Some(status) = self.exit_status() {
                let (log, tail) = (log.path().to_owned(), log.tail());
                return Err(EmbeddedError::StartFailed { status, log, tail });
            }
            // The lock file names the server whose socket this is. Another's would answer as well.
            if self.says_ready(cluster) && probe.ask(log)? == Answer::Ready && self.says_ready(cluster) {
                return Ok(());
            }
            if began.elapsed() > READY_WITHIN {
                let (seconds, log, tail) = (READY_WITHIN.as_secs(), log.path().to_owned(), log.tail());
                return Err(EmbeddedError::NotReady { seconds, log, tail });
            }
            if said.elapsed() > SAY_SO_EVERY {
                said = Instant::now();
                tracing::info!(log = %log.path().display(), "waiting for PostgreSQL to finish its recovery");
            }
            sleep(LOOK_EVERY);
        }
    }

    /// Whether the cluster's lock file is our child's, and says that it takes connections.
    fn says_ready(&self, cluster: &Path) -> bool {
        let path = pid_file(cluster);
        let state = std::fs::read_to_string(&path).unwrap_or_default();
        recorded(&path) == Some(Pid::from_child(&self.0))
            && state.lines().nth(7).is_some_and(|state| state.trim() == "ready")
    }

    /// Shuts the server down: open transactions are rolled back, clients are let go. When that takes
    /// longer than `within`, it ends at once and replays its log at the next start.
    pub(super) fn stop(&mut self, within: Duration) -> Result<(), EmbeddedError> {
        if self.end(Signal::INT, within)? {
            return Ok(());
        }
        if !self.end(Signal::QUIT, QUIT_WITHIN)? {
            self.end(Signal::KILL, QUIT_WITHIN)?;
        }
        Err(EmbeddedError::SlowStop {
            seconds: within.as_secs(),
        })
    }

    /// Sends a signal and says whether the server ended in time.
    fn end(&mut self, signal: Signal, within: Duration) -> Result<bool, EmbeddedError> {
        let name = Path::new("postgres");
        let began = Instant::now();
        // Until its end is taken note of here, its id is not given to another process.
        if self.0.try_wait().context("wait for", name)?.is_some() {
            return Ok(true);
        }
        kill_process(Pid::from_child(&self.0), signal)
            .map_err(io::Error::from)
            .context("send a signal to", name)?;
        loop {
            let ended = self.0.try_wait().context("wait for", name)?.is_some();
            if ended || began.elapsed() >= within {
                return Ok(ended);
            }
            sleep(LOOK_EVERY);
        }
    }
}

/// The settings that nobody may change: these win over every file.
fn settings<'a>(place: &Place<'a>) -> [(&'static str, &'a std::ffi::OsStr); 11] {
    [
        ("config_file", place.configuration.as_os_str()),
        ("cluster_name", place.mark.as_ref()),
        ("listen_addresses", "".as_ref()),
        ("port", "5432".as_ref()),
        ("unix_socket_directories", place.socket_folder.as_os_str()),
        ("unix_socket_permissions", "0700".as_ref()),
        ("fsync", "on".as_ref()),
        ("full_page_writes", "on".as_ref()),
        ("logging_collector", "off".as_ref()),
        ("log_destination", "stderr".as_ref()),
        ("log_line_prefix", "%m [%p] ".as_ref()),
    ]
}

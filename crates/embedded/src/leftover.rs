//! Clears the way for a start: stops the server that an earlier Pharos left, and tells the dead ones.
//!
//! The caller holds the data folder's lock, so no other Pharos uses the cluster, and what runs on it
//! is nobody's any more.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::errors::{Context as _, EmbeddedError};
use super::folder::socket_lock;
use super::processes::{Process, all, one};

const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a server may take to shut down before it is made to.
const GENTLE: Duration = Duration::from_secs(10);
/// How long it may take after that.
const FORCED: Duration = Duration::from_secs(5);
/// Processes of a server that was killed notice that within moments; after this they are told.
const NOTICE: Duration = Duration::from_secs(1);
/// How long a zombie is left to whoever should take note of its end.
const REAPED: Duration = Duration::from_secs(1);

/// The cluster that is to be free of others.
#[derive(Debug)]
pub(super) struct Leftovers<'a> {
    pub(super) cluster: &'a Path,
    pub(super) socket_folder: &'a Path,
    /// The mark that the command lines of our servers' processes hold.
    pub(super) mark: &'a str,
    /// The account that they run under.
    pub(super) uid: u32,
}

impl Leftovers<'_> {
    /// Returns once nothing of an earlier server is left that would be in the way of the next.
    pub(super) fn clear(&self) -> Result<(), EmbeddedError> {
        self.stop_ours()?;
        let began = Instant::now();
        for path in [pid_file(self.cluster), socket_lock(self.socket_folder)] {
            self.clear_stale(&path, began)?;
        }
        Ok(())
    }

    /// Stops the processes of a server of ours that outlived its Pharos, and waits for their end.
    fn stop_ours(&self) -> Result<(), EmbeddedError> {
        let began = Instant::now();
        let mut told = None;
        loop {
            let live = self.ours().context("list", Path::new("/proc"))?;
            let Some(first) = live.first() else { return Ok(()) };
            let postmaster = recorded(&pid_file(self.cluster))
                .and_then(|pid| live.iter().find(|process| process.pid == pid));
            let waited = began.elapsed();
            let signal = match postmaster {
                Some(_) if waited < GENTLE => Some(Signal::INT),
                None if waited < NOTICE => None,
                _ => Some(Signal::QUIT),
            };
            if let Some(signal) = signal
                && told != Some(signal)
            {
                told = Some(signal);
                tracing::warn!(
                    pid = first.pid.as_raw_nonzero(),
                    ?signal,
                    "stopping a PostgreSQL left over"
                );
                let targets = postmaster.map_or(live.as_slice(), std::slice::from_ref);
                for process in targets {
                    // It may have ended by itself meanwhile.
                    let _ = kill_process(process.pid, signal);
                }
            }
            if waited > GENTLE + FORCED {
                let pid = first.pid.as_raw_nonzero().get();
                return Err(EmbeddedError::LeftoverStays {
                    folder: self.cluster.to_owned(),
                    pid,
                });
            }
            sleep(LOOK_EVERY);
        }
    }

    /// The live processes of servers on this cluster that a Pharos has started.
    fn ours(&self) -> io::Result<Vec<Process>> {
        let is_server = |command: &str| {
            let program = command.split([' ', ':']).next().unwrap_or_default();
            program.rsplit('/').next() == Some("postgres")
        };
        Ok(all()?
            .into_iter()
            .filter(|process| !process.is_zombie && process.uid == self.uid)
            .filter(|process| is_server(&process.command) && process.command.contains(self.mark))
            .collect())
    }

    /// PostgreSQL takes a lock file for a live server's when any process has the id in it: a zombie
    /// that nobody takes note of, or somebody else's process that got the id of a dead server.
    fn clear_stale(&self, path: &Path, began: Instant) -> Result<(), EmbeddedError> {
        let Some(pid) = recorded(path) else { return Ok(()) };
        loop {
            let Some(process) = one(pid) else {
                // PostgreSQL sees for itself that it is gone.
                return Ok(());
            };
            if process.is_zombie {
                // When we are a container's first process, it has become our child. Otherwise this
                // fails, and there is nothing to do but wait.
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
                if began.elapsed() < REAPED {
                    sleep(LOOK_EVERY);
                    continue;
                }
            } else if self.may_hold(&process) {
                let pid = pid.as_raw_nonzero().get();
                return Err(EmbeddedError::ForeignPostmaster {
                    folder: self.cluster.to_owned(),
                    pid,
                });
            }
            tracing::info!(path = %path.display(), "deleting the lock file of a dead PostgreSQL");
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context("delete", path),
                _ => Ok(()),
            };
        }
    }

    /// Whether a live process may be a server on this cluster that somebody started by hand.
    fn may_hold(&self, process: &Process) -> bool {
        let words: Vec<&str> = process.command.split(' ').collect();
        let program = words
            .first()
            .and_then(|program| program.rsplit('/').next())
            .unwrap_or_default();
        let elsewhere = words.contains(&"-D") && !process.command.contains(&*self.cluster.to_string_lossy());
        matches!(program, "postgres" | "postmaster") && !elsewhere
    }
}

/// The lock file of the server that runs on a cluster.
pub(super) fn pid_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

/// The process id in a lock file. A negative one is a single-user server's.
pub(super) fn recorded(path: &Path) -> Option<Pid> {
    let text = fs::read_to_string(path).ok()?;
    let pid: i32 = text.lines().next()?.trim().parse().ok()?;
    Pid::from_raw(pid.checked_abs()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::BufRead as _;
    use std::process::Command;

    use super::*;

    fn leftovers<'a>(folder: &'a Path) -> Leftovers<'a> {
        let uid = rustix::process::geteuid().as_raw();
        Leftovers {
            cluster: folder,
            socket_folder: folder,
            mark: "pharos-of-this-test",
            uid,
        }
    }

    #[test]
    fn a_zombies_lock_file_is_deleted_when_nobody_takes_note_of_its_end() {
        let folder = tempfile::tempdir().unwrap();
        // The shell's child ends, and the program that the shell becomes doesn't wait for it.
        let script = "sleep 0.1 & echo $!; exec sleep 60";
        let mut parent = Command::new("sh")
            .args(["-c", script])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut pid = String::new();
        io::BufReader::new(parent.stdout.take().unwrap())
            .read_line(&mut pid)
            .unwrap();
        let zombie = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        while !one(zombie).unwrap().is_zombie {
            sleep(LOOK_EVERY);
        }
        fs::write(
            pid_file(folder.path()),
            format!("{pid}{}\n", folder.path().display()),
        )
        .unwrap();
        leftovers(folder.path()).clear().unwrap();
        assert!(!pid_file(folder.path()).exists());
        assert!(one(zombie).unwrap().is_zombie);
        parent.kill().unwrap();
        parent.wait().unwrap();
    }

    #[test]
    fn a_dead_child_is_taken_note_of() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("true").spawn().unwrap();
        let pid = Pid::from_child(&child);
        while !one(pid).unwrap().is_zombie {
            sleep(LOOK_EVERY);
        }
        fs::write(pid_file(folder.path()), format!("{}\n", child.id())).unwrap();
        leftovers(folder.path()).clear().unwrap();
        assert_eq!(
            one(pid),
            None,
            "a server that starts sees for itself that it is gone"
        );
        // There is nothing left to wait for.
        child.wait().unwrap_err();
    }

    #[test]
    fn a_lock_file_whose_id_somebody_else_got_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let us = std::process::id();
        fs::write(pid_file(folder.path()), format!("{us}\n")).unwrap();
        fs::write(socket_lock(folder.path()), format!("{us}\n")).unwrap();
        leftovers(folder.path()).clear().unwrap();
        assert!(!pid_file(folder.path()).exists());
        assert!(!socket_lock(folder.path()).exists());
    }

    #[test]
    fn a_server_that_somebody_started_by_hand_keeps_its_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let process = |command: String| Process {
            pid: rustix::process::getpid(),
            uid: 1,
            is_zombie: false,
            command,
        };
        let cluster = folder.path().display();
        let leftovers = leftovers(folder.path());
        assert!(leftovers.may_hold(&process(format!(
            "/usr/lib/postgresql/15/bin/postgres -D {cluster}"
        ))));
        assert!(leftovers.may_hold(&process("postgres".to_owned())));
        assert!(!leftovers.may_hold(&process("postgres -D /var/lib/postgresql/15/main".to_owned())));
        assert!(!leftovers.may_hold(&process("postgres: main: walwriter".to_owned())));
        assert!(!leftovers.may_hold(&process("/usr/bin/sleep 60".to_owned())));
    }
}

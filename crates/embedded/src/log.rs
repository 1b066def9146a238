//! The server's log: one file and its predecessor, kept from growing without end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use super::errors::{Context as _, EmbeddedError};

/// At this size the log becomes `postgres.log.1`, in place of the one before.
const LARGEST: u64 = 16 << 20;
const LOOK_EVERY: Duration = Duration::from_secs(30);
const TAIL_LINES: usize = 20;
const TAIL_BYTES: u64 = 16 << 10;

/// The log of one start of the server.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    start: u64,
    /// The thread that watches the size ends when this is dropped.
    _watch: Sender<()>,
}

impl Log {
    pub(super) fn open(data_folder: &Path) -> Result<Self, EmbeddedError> {
        let path = data_folder.join("postgres.log");
        // The server writes through this handle, whatever account it runs under. Appending lets the
        // file be cut while it does.
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .mode(0o600)
            .open(&path)
            .context("open", &path)?;
        cut(&path, &file, LARGEST).context("cut", &path)?;
        let start = file.metadata().context("look at", &path)?.len();
        let watch = watch(path.clone(), file.try_clone().context("open", &path)?)?;
        Ok(Self {
            path,
            file,
            start,
            _watch: watch,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A handle for the server to write through.
    pub(super) fn handle(&self) -> Result<File, EmbeddedError> {
        self.file.try_clone().context("open", &self.path)
    }

    /// The last lines that this start has written.
    pub(super) fn tail(&self) -> String {
        let read = || {
            let mut file = &self.file;
            let end = file.metadata()?.len();
            file.seek(SeekFrom::Start(
                self.start.max(end.saturating_sub(TAIL_BYTES)).min(end),
            ))?;
            let mut bytes = Vec::new();
            file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
            io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        read().map_or_else(
            |error| format!("(the log can't be read: {error})"),
            |text| last_lines(&text),
        )
    }
}

/// The last lines of a program's output, which say why it failed.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

/// Cuts the log now and then, for as long as the returned end of a channel lives.
fn watch(path: PathBuf, file: File) -> Result<Sender<()>, EmbeddedError> {
    let (alive, ended) = mpsc::channel::<()>();
    let name = path.clone();
    std::thread::Builder::new()
        .name("postgres-log".to_owned())
        .spawn(move || {
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = cut(&path, &file, LARGEST) {
                    tracing::warn!(path = %path.display(), %error, "could not cut PostgreSQL's log");
                }
            }
        })
        .context("watch the size of", &name)?;
    Ok(alive)
}

/// Keeps a log that has grown too large as the predecessor, and starts over.
fn cut(path: &Path, file: &File, largest: u64) -> io::Result<()> {
    if file.metadata()?.len() > largest {
        fs::copy(path, path.with_extension("log.1"))?;
        file.set_len(0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_log_that_grew_too_large_starts_over_and_keeps_one_predecessor() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(folder.path()).unwrap();
        let mut server = log.handle().unwrap();
        server.write_all(b"first\n").unwrap();
        cut(log.path(), &log.file, 5).unwrap();
        server.write_all(b"second\n").unwrap();
        assert_eq!(fs::read_to_string(log.path()).unwrap(), "second\n");
        assert_eq!(
            fs::read_to_string(folder.path().join("postgres.log.1")).unwrap(),
            "first\n"
        );
        cut(log.path(), &log.file, 100).unwrap();
        assert_eq!(fs::read_to_string(log.path()).unwrap(), "second\n");
    }

    #[test]
    fn the_tail_holds_only_what_this_start_wrote() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("postgres.log"), "an earlier start\n").unwrap();
        let log = Log::open(folder.path()).unwrap();
        log.handle().unwrap().write_all(b"FATAL: no\n").unwrap();
        assert_eq!(log.tail(), "FATAL: no");
    }

    #[test]
    fn only_the_last_lines_are_shown() {
        let text: String = (1..=30).map(|line| format!("{line}\n")).collect();
        assert!(last_lines(&text).starts_with("11\n"));
        assert_eq!(last_lines(""), "");
    }
}

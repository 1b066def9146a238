//! The faults that can keep the embedded server from starting or stopping, and what to do about them.

use std::io;
use std::path::PathBuf;

/// Why the embedded PostgreSQL didn't start, or didn't stop as it should.
///
/// Each message ends in what to do next, since its reader is whoever installs Pharos.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// No PostgreSQL server is installed where it was looked for.
    #[error(
        "PostgreSQL {oldest} or newer is not installed: run `{install}`, or set PHAROS_DATABASE_URL to a server of your own"
    )]
    BinariesMissing {
        /// The oldest major version that Pharos works with.
        oldest: u32,
        /// The command that installs it on this system.
        install: String,
    },

    /// The folder that the configuration names doesn't hold both programs.
    #[error("{} holds no `{program}` that runs: name the folder that holds `postgres` and `initdb`", folder.display())]
    BinariesIncomplete {
        /// The folder that was named.
        folder: PathBuf,
        /// The program that is missing or doesn't run.
        program: &'static str,
    },

    /// Only versions older than Pharos works with are installed.
    #[error("PostgreSQL {found} in {} is too old: install {oldest} or newer with `{install}`", folder.display())]
    BinariesTooOld {
        /// Where the newest of them is.
        folder: PathBuf,
        /// The newest version that was found.
        found: String,
        /// The oldest major version that Pharos works with.
        oldest: u32,
        /// The command that installs a newer one on this system.
        install: String,
    },

    /// The data was written by a major version that isn't installed.
    #[error(
        "the data in {} was written by PostgreSQL {wanted}, and here is {found}: install that version beside it with `{install}`, or move the data with pg_upgrade",
        folder.display()
    )]
    OtherVersion {
        /// The cluster's folder.
        folder: PathBuf,
        /// The major version that wrote it.
        wanted: u32,
        /// The version that is installed.
        found: String,
        /// The command that installs the one that is wanted.
        install: String,
    },

    /// The data was written by a version older than Pharos works with.
    #[error(
        "the data in {} was written by PostgreSQL {wanted}, and Pharos works with {oldest} or newer: move the data with pg_upgrade, or name another folder",
        folder.display()
    )]
    DataTooOld {
        /// The cluster's folder.
        folder: PathBuf,
        /// The major version that wrote it.
        wanted: u32,
        /// The oldest major version that Pharos works with.
        oldest: u32,
    },

    /// The programs that dump and restore a database aren't installed in a version that fits the server.
    #[error(
        "pg_dump and pg_restore of PostgreSQL {wanted} or newer are not to be found (found: {found}): run `{install}`, or name their folder with PHAROS_POSTGRES_BIN"
    )]
    ClientsMissing {
        /// The server's major version.
        wanted: u32,
        /// The versions that were found, as a list.
        found: String,
        /// The command that installs them on this system.
        install: String,
    },

    /// `start` was called from a thread other than the main one.
    #[error(
        "the embedded PostgreSQL stops when the thread that started it ends: start it from the main thread, or set `die_with_parent` to false"
    )]
    NotMainThread,

    /// `start` was called from inside an async runtime, which it would block.
    #[error(
        "the embedded PostgreSQL has to be started before the async runtime: call it outside of any runtime"
    )]
    InsideRuntime,

    /// Another Pharos holds the data folder.
    #[error(
        "another Pharos runs on {} (pid {pid}): stop it first, or give this one a data folder of its own",
        folder.display()
    )]
    AnotherPharos {
        /// The data folder.
        folder: PathBuf,
        /// The other process, as it wrote it into the lock file.
        pid: String,
    },

    /// A PostgreSQL that Pharos didn't start holds the cluster.
    #[error(
        "a PostgreSQL that Pharos did not start runs on {} (pid {pid}): stop it first, for example with `kill -INT {pid}`",
        folder.display()
    )]
    ForeignPostmaster {
        /// The cluster's folder.
        folder: PathBuf,
        /// The process that holds it.
        pid: i32,
    },

    /// A server that an earlier Pharos left behind doesn't stop.
    #[error(
        "a PostgreSQL left over on {} does not stop (pid {pid}): end it with `kill -QUIT {pid}` and start again",
        folder.display()
    )]
    LeftoverStays {
        /// The cluster's folder.
        folder: PathBuf,
        /// One of the processes that stay.
        pid: i32,
    },

    /// A folder belongs to somebody else.
    #[error(
        "{} belongs to user id {owner}, and not to {wanted}: change its owner with `chown`, or name another folder",
        folder.display()
    )]
    NotOurs {
        /// The folder.
        folder: PathBuf,
        /// Whom it belongs to.
        owner: u32,
        /// Whom it should belong to.
        wanted: u32,
    },

    /// Something other than a folder is in the way.
    #[error("{} is not a folder: move it away", path.display())]
    NotAFolder {
        /// The file that is in the way.
        path: PathBuf,
    },

    /// A path is longer than PostgreSQL can work with.
    #[error("the path {} has more than {limit} bytes: name a shorter folder", path.display())]
    PathTooLong {
        /// The path that is too long.
        path: PathBuf,
        /// How many bytes it may have.
        limit: usize,
    },

    /// The account that PostgreSQL runs under can't reach the data.
    #[error(
        "PostgreSQL runs as `{account}`, which may not enter {}: run `chmod o+x` on it, or choose a data folder such as /var/lib/pharos",
        folder.display()
    )]
    CannotEnter {
        /// The account that PostgreSQL runs under.
        account: String,
        /// The first folder on the way that it can't enter.
        folder: PathBuf,
    },

    /// As root: there is no account to run PostgreSQL under.
    #[error(
        "PostgreSQL refuses to run as root and there is no account `postgres` or `nobody` to run it under: add one with `useradd --system postgres`, or run Pharos as an ordinary user"
    )]
    NoAccount,

    /// PostgreSQL asks for the name of its account, and there is none.
    #[error(
        "user id {uid} has no entry in /etc/passwd, which PostgreSQL needs: run Pharos as a user that has one, or set PHAROS_DATABASE_URL to a server of your own"
    )]
    NoPasswdEntry {
        /// Whom Pharos runs as.
        uid: u32,
    },

    /// The cluster's folder holds something that isn't a cluster.
    #[error("{} holds files but no PostgreSQL cluster: move it away and start again", folder.display())]
    NotACluster {
        /// The folder.
        folder: PathBuf,
    },

    /// The database's name can't be used.
    #[error("`{name}` is no name for a database: it takes 1 to 63 bytes")]
    BadDatabaseName {
        /// The name that was given.
        name: String,
    },

    /// A program of PostgreSQL's ended with an error.
    #[error("`{program}` failed ({status}); it said:\n{output}")]
    ProgramFailed {
        /// The program.
        program: &'static str,
        /// How it ended.
        status: std::process::ExitStatus,
        /// The last lines that it wrote.
        output: String,
    },

    /// The server ended before it answered.
    #[error("PostgreSQL ended while it started ({status}); the last lines of {} are:\n{tail}", log.display())]
    StartFailed {
        /// How it ended.
        status: std::process::ExitStatus,
        /// The log that the server writes.
        log: PathBuf,
        /// The last lines of this start.
        tail: String,
    },

    /// The server runs, but it didn't answer in time.
    #[error("PostgreSQL did not answer within {seconds} s; the last lines of {} are:\n{tail}", log.display())]
    NotReady {
        /// How long it was given.
        seconds: u64,
        /// The log that the server writes.
        log: PathBuf,
        /// The last lines of this start.
        tail: String,
    },

    /// The password on disk isn't the one that the cluster knows.
    #[error("PostgreSQL refuses the password in {}: delete that file, and the next start sets a new one", path.display())]
    PasswordRefused {
        /// The file that holds the password.
        path: PathBuf,
    },

    /// The server took longer to stop than it was given.
    #[error(
        "PostgreSQL did not stop within {seconds} s and was ended at once; its next start replays its log, nothing committed is lost"
    )]
    SlowStop {
        /// How long it was given.
        seconds: u64,
    },

    /// The server refused what was asked of it while it was set up.
    #[error("PostgreSQL refused {doing}: see {}", log.display())]
    Database {
        /// The request, as a part of a sentence.
        doing: &'static str,
        /// The log that the server writes.
        log: PathBuf,
        /// The server's own error.
        #[source]
        source: tokio_postgres::Error,
    },

    /// Randomness wasn't to be had.
    #[error("the system gave no random bytes for the database's password: try again")]
    Random,

    /// A file or a process couldn't be worked with.
    #[error("could not {doing} {}: check that it exists, that its owner is right and that the disk is neither full nor read-only", path.display())]
    Io {
        /// The attempt, as a verb.
        doing: &'static str,
        /// On which file or program.
        path: PathBuf,
        /// The system's own error.
        #[source]
        source: io::Error,
    },
}

/// Adds what was tried, and on what, to an error of the system's.
pub(super) trait Context<T> {
    fn context(self, doing: &'static str, path: &std::path::Path) -> Result<T, EmbeddedError>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, doing: &'static str, path: &std::path::Path) -> Result<T, EmbeddedError> {
        self.map_err(|source| EmbeddedError::Io {
            doing,
            path: path.to_owned(),
            source,
        })
    }
}

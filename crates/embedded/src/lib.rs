#![doc = include_str!("../README.md")]
//!
//! A PostgreSQL of Pharos's own, for a start without a database server: supervised, private, durable.
//!
//! [`Embedded::start`] finds the installed programs, makes a cluster in the data folder at first use,
//! and runs a server that listens on no network, only on a socket in a folder that nobody else may
//! enter. It stops with the process, whatever ends it. Everything here is Unix only.
//!
//! In the data folder lie the `cluster`, the `password` (mode 0600), `postgresql.conf` for settings
//! of one's own, `postgres.log` with one predecessor, and the `lock` that one Pharos holds.

mod account;
mod binaries;
mod clients;
mod cluster;
mod errors;
mod folder;
mod leftover;
mod log;
mod postmaster;
mod processes;
mod ready;
mod running;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use account::Account;
use cluster::{Password, SUPERUSER};
use folder::DataFolder;
use leftover::Leftovers;
use log::Log;
use postmaster::{Place, Postmaster};
use ready::Probe;

pub use binaries::{Binaries, find_binaries};
pub use clients::{Clients, find_clients};
pub use errors::EmbeddedError;
pub use folder::{default_data_folder, holds_data};
pub use running::running_database_url;

/// How long the server is given to stop when it is dropped.
const DROP_WITHIN: Duration = Duration::from_secs(10);

/// The characters that stay as they are in a URL.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Where the embedded server lies, and how it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedOptions {
    /// Where everything lies. It is made where it is missing, and has to belong to whoever runs Pharos.
    pub data_folder: PathBuf,
    /// The folder of `postgres` and `initdb`; by default they are looked for.
    pub bin_folder: Option<PathBuf>,
    /// The database to connect to. It is made where it is missing.
    pub database: String,
    /// Whether the server shuts down when its parent is killed, on Linux. The kernel watches the
    /// thread that starts it, so that has to be the main thread, which lives as long as the process.
    ///
    /// Tests run in threads that come and go: they set this to false. A server that is left over is
    /// stopped by the next start on its data folder.
    pub die_with_parent: bool,
}

impl EmbeddedOptions {
    /// A database called `pharos` in a data folder, by the programs that are found.
    pub fn new(data_folder: impl Into<PathBuf>) -> Self {
        Self {
            data_folder: data_folder.into(),
            bin_folder: None,
            database: "pharos".to_owned(),
            die_with_parent: true,
        }
    }
}

/// A running server. It is stopped when this is dropped.
pub struct Embedded {
    postmaster: Postmaster,
    binaries: Binaries,
    socket_folder: PathBuf,
    database_url: String,
    log: Log,
    // Last, since it holds the lock: nobody else may start before the server has stopped.
    data: DataFolder,
}

impl Embedded {
    /// Starts the server, and returns once it answers and its database is there.
    ///
    /// This blocks, for most of a second at first use. Call it from the main thread before the async
    /// runtime starts (see [`EmbeddedOptions::die_with_parent`]).
    ///
    /// # Errors
    /// When PostgreSQL isn't installed, the data folder is another's or in use, or the server doesn't
    /// start; each message says what to do.
    pub fn start(options: &EmbeddedOptions) -> Result<Self, EmbeddedError> {
        let began = Instant::now();
        refuse_wrong_thread(options.die_with_parent)?;
        if options.database.is_empty() || options.database.len() > 63 || options.database.contains('\0') {
            return Err(EmbeddedError::BadDatabaseName {
                name: options.database.clone(),
            });
        }
        let data = DataFolder::open(&options.data_folder)?;
        let cluster = data.cluster();
        let account = Account::choose(&cluster)?;
        account.check_can_enter(data.path())?;
        cluster::delete_unfinished(&data)?;
        let on_disk = cluster::version_on_disk(&cluster)?;
        let binaries = match on_disk {
            Some(major) => binaries::find_binaries_for(options.bin_folder.as_deref(), &cluster, major)?,
            None => find_binaries(options.bin_folder.as_deref())?,
        };

        let socket_folder = folder::socket_folder(data.mark(), &account)?;
        let (mark, uid) = (data.mark(), account.uid);
        Leftovers {
            cluster: &cluster,
            socket_folder: &socket_folder,
            mark,
            uid,
        }
        .clear()?;

        let password = match (cluster::read_password(&data)?, on_disk) {
            (Some(password), _) => password,
            (None, None) => cluster::new_password(&data)?,
            (None, Some(_)) => cluster::reset_password(&data, &account, &binaries, options.die_with_parent)?,
        };
        if on_disk.is_none() {
            cluster::create(&data, &account, &binaries, &password, options.die_with_parent)?;
        }

        let configuration = cluster::configuration(&data)?;
        let log = Log::open(data.path())?;
        let place = Place {
            cluster: &cluster,
            configuration: &configuration,
            socket_folder: &socket_folder,
            mark,
        };
        let postmaster = Postmaster::spawn(&binaries, &account, &place, &log, options.die_with_parent)?;
        let database_url = database_url(&password, &socket_folder, &options.database);
        // From here on, dropping it stops the server.
        let mut embedded = Self {
            postmaster,
            binaries,
            socket_folder,
            database_url,
            log,
            data,
        };
        embedded.wait_until_ready(&password, &options.database)?;
        let (version, pid) = (embedded.version(), embedded.pid());
        tracing::info!(version, pid, folder = %embedded.data_folder().display(), took = ?began.elapsed(), "PostgreSQL runs");
        Ok(embedded)
    }

    fn wait_until_ready(&mut self, password: &Password, database: &str) -> Result<(), EmbeddedError> {
        let password_file = cluster::password_file(&self.data);
        let probe = Probe::new(&self.socket_folder, password, database, &password_file)?;
        self.postmaster
            .wait_until_ready(&self.data.cluster(), &probe, &self.log)
    }

    /// The address to connect to. It holds the password: never log it.
    pub fn database_url(&self) -> &str {
        &self.database_url
    }

    /// The process id of the server's first process.
    pub fn pid(&self) -> u32 {
        self.postmaster.pid()
    }

    /// The server's version, for example `15.14`.
    pub fn version(&self) -> &str {
        self.binaries.version()
    }

    /// Where everything lies, as an absolute path.
    pub fn data_folder(&self) -> &Path {
        self.data.path()
    }

    /// Whether the server has ended without being asked to. It restarts failed processes of its own,
    /// so this means that its first process was killed.
    pub fn has_ended(&mut self) -> bool {
        self.postmaster.exit_status().is_some()
    }

    /// Stops the server and waits for its end: connections are closed, and what they had open is
    /// rolled back. When that takes longer than `within`, the server ends at once.
    ///
    /// # Errors
    /// When it had to be ended at once. Nothing that was committed is lost by that.
    pub fn stop(mut self, within: Duration) -> Result<(), EmbeddedError> {
        self.postmaster.stop(within)
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if let Err(error) = self.postmaster.stop(DROP_WITHIN) {
            tracing::warn!(%error, "PostgreSQL did not stop as it should");
        }
        // Only an empty one goes; what is in use stays.
        let _ = std::fs::remove_dir(&self.socket_folder);
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Embedded")
            .field("pid", &self.pid())
            .field("version", &self.version())
            .field("data_folder", &self.data_folder())
            .field("socket_folder", &self.socket_folder)
            .finish_non_exhaustive()
    }
}

fn refuse_wrong_thread(die_with_parent: bool) -> Result<(), EmbeddedError> {
    #[cfg(target_os = "linux")]
    if die_with_parent && rustix::thread::gettid() != rustix::process::getpid() {
        return Err(EmbeddedError::NotMainThread);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = die_with_parent;
    if tokio::runtime::Handle::try_current().is_ok() {
        return Err(EmbeddedError::InsideRuntime);
    }
    Ok(())
}

fn database_url(password: &Password, socket_folder: &Path, database: &str) -> String {
    let encode = |text| utf8_percent_encode(text, PLAIN);
    let folder = socket_folder.to_string_lossy();
    // In the path a slash would end the database's name.
    let database = encode(database).to_string().replace('/', "%2F");
    format!(
        "postgres://{SUPERUSER}:{}@/{database}?host={}",
        encode(password.as_str()),
        encode(&folder)
    )
}

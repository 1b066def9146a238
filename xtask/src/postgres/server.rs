//! A PostgreSQL server for one run of the tests: its own folder, its own port, nothing kept.

use std::{
    fs,
    io::Read,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::{Binaries, account::Account};
use crate::host::Host;

const SUPERUSER: &str = "postgres";

/// Settings of a server whose data nobody will miss. The kernel maps and unmaps the memory that sessions share
/// thousands of times in a run: so it is small. A database is dropped once every session has been
/// told, those that are still signing in too; where a test ends in the middle of one, that takes until it is given up.
const SETTINGS: [&str; 11] = [
    "authentication_timeout=10s",
    "autovacuum=off",
    "fsync=off",
    "full_page_writes=off",
    "max_connections=300",
    "max_wal_senders=0",
    "max_wal_size=512MB",
    "shared_buffers=64MB",
    "synchronous_commit=off",
    "unix_socket_directories=",
    "wal_level=minimal",
];

/// Where files are memory, and how much has to be free there: twice the log, and the databases of the tests that run
/// at once.
const MEMORY: (&str, u64) = ("/dev/shm", 2 << 30);

/// How long a start may take, and a stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a start is tried: between finding a free port and taking it, another may take it.
const ATTEMPTS: usize = 3;

/// A running server. Dropped, it stops and its folder is deleted.
pub(crate) struct Server {
    process: Child,
    /// The superuser's URL, of the database `postgres`.
    pub(crate) url: String,
    folder: TempDir,
}

impl Server {
    /// Starts a server on a free port of the loopback address.
    pub(crate) fn start(host: &Host, binaries: &Binaries) -> Result<Self> {
        let account = Account::choose(host)?;
        let folder = private_folder(host, &account)?;
        let password = random_hex()?;
        let password_file = folder.path().join("password");
        fs::write(&password_file, &password).context("the test server's password can't be written")?;
        account.give(&password_file)?;
        initialise(&account, binaries, folder.path(), &password_file)?;
        for _ in 0..ATTEMPTS {
            let port = free_port()?;
            if let Some(process) = launch(host, &account, binaries, folder.path(), port)? {
                let url = format!("postgres://{SUPERUSER}:{password}@127.0.0.1:{port}/postgres");
                return Ok(Self { process, url, folder });
            }
        }
        let log = fs::read_to_string(log_file(folder.path())).unwrap_or_default();
        let told = log
            .lines()
            .rev()
            .find(|line| line.contains("FATAL"))
            .unwrap_or("its log is empty");
        bail!("the test server does not start: {told}")
    }

    /// Its address, without the password.
    pub(crate) fn address(&self) -> &str {
        self.url.split(['@', '/']).nth(3).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The data is deleted next, so a shutdown that writes it all out first would be time lost.
        signal(&self.process, Signal::QUIT);
        if !ends_within(&mut self.process, PATIENCE) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
        if let Err(error) = fs::remove_dir_all(self.folder.path()) {
            eprintln!(
                "the test server's folder {} is left: {error}",
                self.folder.path().display()
            );
        }
    }
}

/// A folder that only the server's account can enter.
fn private_folder(host: &Host, account: &Account) -> Result<TempDir> {
    let parent = parent(host);
    let folder = tempfile::Builder::new()
        .prefix("pharos-test-")
        .tempdir_in(&parent);
    let folder = folder.with_context(|| format!("no folder can be made in {}", parent.display()))?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700))?;
    account.give(folder.path())?;
    Ok(folder)
}

/// Each test makes and deletes hundreds of files, which a disk's file system takes ten times as long for as memory.
/// As root and without such memory it is /tmp: the server's account may be barred from root's own temporary folder.
fn parent(host: &Host) -> PathBuf {
    let (memory, wanted) = MEMORY;
    let memory = host.at(memory);
    let free = rustix::fs::statvfs(&memory).map_or(0, |found| found.f_bavail * found.f_frsize);
    if free >= wanted {
        memory
    } else if host.is_root() {
        PathBuf::from("/tmp")
    } else {
        std::env::temp_dir()
    }
}

fn initialise(account: &Account, binaries: &Binaries, folder: &Path, password_file: &Path) -> Result<()> {
    // The password goes over the loopback as it is: proving it by SCRAM costs an unoptimised client 50 ms
    // for each of the thousands of connections of a run.
    let made = account
        .command(&binaries.folder.join("initdb"))
        .args([
            "--encoding=UTF8",
            "--locale=C",
            "--auth=password",
            "--no-sync",
            "--no-instructions",
        ])
        .args(["--username", SUPERUSER])
        .arg("--pwfile")
        .arg(password_file)
        .arg("--pgdata")
        .arg(data(folder))
        .output()
        .context("initdb did not start")?;
    if !made.status.success() {
        bail!(
            "initdb failed ({}): {}",
            made.status,
            String::from_utf8_lossy(&made.stderr).trim()
        );
    }
    Ok(())
}

/// Starts the server and waits until it is ready. None: it ended by itself.
fn launch(
    host: &Host,
    account: &Account,
    binaries: &Binaries,
    folder: &Path,
    port: u16,
) -> Result<Option<Child>> {
    let log = fs::File::create(log_file(folder)).context("the test server's log can't be written")?;
    let server = binaries.folder.join("postgres");
    // Killed outright, we clean up nothing; where util-linux is there, the kernel at least ends the server.
    let mut command = match host.program("setpriv") {
        Some(setpriv) => {
            let mut command = account.command(&setpriv);
            command.args(["--pdeathsig", "QUIT"]).arg(server);
            command
        }
        None => account.command(&server),
    };
    command
        .arg("-D")
        .arg(data(folder))
        .args(["-h", "127.0.0.1", "-p", &port.to_string()]);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    let mut process = command
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .context("the test server did not start")?;
    let started = Instant::now();
    while !is_ready(folder) {
        if process.try_wait().context("the test server was lost")?.is_some() {
            return Ok(None);
        }
        if started.elapsed() > PATIENCE {
            let _ = process.kill();
            let _ = process.wait();
            bail!("the test server was not ready within {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(Some(process))
}

/// The last line of its lock file tells when it takes connections.
fn is_ready(folder: &Path) -> bool {
    fs::read_to_string(data(folder).join("postmaster.pid"))
        .is_ok_and(|lines| lines.lines().nth(7).is_some_and(|state| state.trim() == "ready"))
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn log_file(folder: &Path) -> PathBuf {
    folder.join("postgres.log")
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free on 127.0.0.1")?;
    Ok(listener
        .local_addr()
        .context("a free port can't be found")?
        .port())
}

fn random_hex() -> Result<String> {
    let mut bytes = [0; 16];
    fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .context("/dev/urandom can't be read")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn signal(process: &Child, signal: Signal) {
    if let Some(id) = i32::try_from(process.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(id, signal);
    }
}

fn ends_within(process: &mut Child, patience: Duration) -> bool {
    let started = Instant::now();
    while started.elapsed() < patience {
        match process.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::{net::TcpStream, path::PathBuf, thread, time::Duration};

    use super::Server;
    use crate::{host::Host, postgres::find};

    #[test]
    fn a_server_listens_while_it_lives_and_leaves_nothing() {
        let host = Host::this();
        let Some(binaries) = find::newest(&host) else {
            return;
        };
        let server = Server::start(&host, &binaries).unwrap();
        let address = server.address().to_owned();
        let folder: PathBuf = server.folder.path().to_owned();
        assert!(folder.join("data/PG_VERSION").exists());
        TcpStream::connect(&address).unwrap();
        drop(server);
        thread::sleep(Duration::from_millis(50));
        assert!(TcpStream::connect(&address).is_err());
        assert!(!folder.exists());
    }
}

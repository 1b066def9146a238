//! The cluster on disk: made once, whole or not at all, with a password that only we can read.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ring::rand::{SecureRandom as _, SystemRandom};
use rustix::process::Signal;

use super::account::Account;
use super::binaries::Binaries;
use super::errors::{Context as _, EmbeddedError};
use super::folder::{DataFolder, private_folder};

/// The database's superuser, whom Pharos connects as.
pub(super) const SUPERUSER: &str = "pharos";

/// The beginnings of the names of files and folders that a start leaves behind when it is cut off.
const UNFINISHED: [&str; 3] = ["cluster.new-", "password.new-", "postgresql.conf.new-"];

const STILL_WRITING: Duration = Duration::from_secs(3);

/// The settings that may be changed by hand; everything else that matters is on the server's command line.
const CONFIGURATION: &str = "\
# Written once by Pharos; yours to change. It takes effect at the next start.
include 'cluster/postgresql.conf'

max_connections = 200
shared_buffers = 128MB
timezone = 'UTC'
log_timezone = 'UTC'
";

/// The superuser's password. It has no `Debug`, so that it can't end up in a log.
pub(super) struct Password(String);

impl Password {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

fn random_hex<const BYTES: usize>() -> Result<String, EmbeddedError> {
    let mut bytes = [0; BYTES];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| EmbeddedError::Random)?;
    Ok(bytes.iter().fold(String::with_capacity(2 * BYTES), |text, byte| {
        text + &format!("{byte:02x}")
    }))
}

/// The major version that wrote the cluster; `None` when there is no cluster yet.
pub(super) fn version_on_disk(cluster: &Path) -> Result<Option<u32>, EmbeddedError> {
    let path = cluster.join("PG_VERSION");
    match fs::read_to_string(&path) {
        Ok(text) => text
            .trim()
            .parse()
            .map(Some)
            .map_err(|_| EmbeddedError::NotACluster {
                folder: cluster.to_owned(),
            }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_empty = fs::read_dir(cluster).map_or(true, |mut entries| entries.next().is_none());
            if is_empty {
                Ok(None)
            } else {
                Err(EmbeddedError::NotACluster {
                    folder: cluster.to_owned(),
                })
            }
        }
        Err(error) => Err(error).context("read", &path),
    }
}

/// Brings the cluster into being: runs initdb into a folder beside it, and renames that when it is
/// whole, so that an initdb cut off half way is as if it had never run.
pub(super) fn create(
    data: &DataFolder,
    account: &Account,
    binaries: &Binaries,
    password: &Password,
    dies_with_parent: bool,
) -> Result<(), EmbeddedError> {
    let attempt = random_hex::<8>()?;
    let new = data.path().join(format!("cluster.new-{attempt}"));
    let password_copy = data.path().join(format!("password.new-{attempt}"));
    let made = (|| {
        private_folder(&new, account)?;
        write_private(&password_copy, password.as_str().as_bytes())?;
        account.give(&password_copy)?;
        let mut initdb = account.command(&binaries.initdb(), dies_with_parent.then_some(Signal::TERM));
        initdb
            .args([
                "--encoding=UTF8",
                "--locale=C",
                "--auth=scram-sha-256",
                "--no-instructions",
            ])
            .args(["--username", SUPERUSER])
            .arg("--pwfile")
            .arg(&password_copy)
            .arg("--pgdata")
            .arg(&new);
        let output = initdb.output().context("run", &binaries.initdb())?;
        check("initdb", &output)?;
        let cluster = data.cluster();
        fs::rename(&new, &cluster).context("put in place", &cluster)?;
        sync(data.path())
    })();
    if let Err(error) = remove(&password_copy)
        && made.is_ok()
    {
        return Err(error).context("delete", &password_copy);
    }
    if made.is_err() {
        // Left there it only takes room, and the next start deletes it.
        let _ = fs::remove_dir_all(&new);
    }
    made
}

/// Deletes what starts that were cut off have left behind. The caller holds the folder's lock.
pub(super) fn delete_unfinished(data: &DataFolder) -> Result<(), EmbeddedError> {
    for entry in fs::read_dir(data.path()).context("list", data.path())?.flatten() {
        let name = entry.file_name();
        if !UNFINISHED
            .iter()
            .any(|prefix| name.as_encoded_bytes().starts_with(prefix.as_bytes()))
        {
            continue;
        }
        let path = entry.path();
        // An initdb whose Pharos was killed is told to end, but may still write for a moment.
        let began = Instant::now();
        let removed = loop {
            match remove(&path) {
                Err(_) if began.elapsed() < STILL_WRITING => sleep(Duration::from_millis(20)),
                removed => break removed,
            }
        };
        if let Err(error) = removed {
            tracing::warn!(path = %path.display(), %error, "could not delete what an unfinished start left");
        }
    }
    Ok(())
}

const PASSWORD_FILE: &str = "password";

/// Reads the superuser's password; `None` when there is none that can be used.
pub(super) fn read_password(data: &DataFolder) -> Result<Option<Password>, EmbeddedError> {
    let password = password_in(data.path())?;
    if password.is_some() {
        let path = password_file(data);
        fs::set_permissions(&path, Permissions::from_mode(0o600)).context("change the mode of", &path)?;
    }
    Ok(password)
}

/// The same in a data folder that this process does not hold.
pub(super) fn password_in(folder: &Path) -> Result<Option<Password>, EmbeddedError> {
    let path = folder.join(PASSWORD_FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("read", &path),
    };
    let text = text.trim();
    Ok((text.len() >= 32).then(|| Password(text.to_owned())))
}

/// Makes a password and keeps it on disk, readable by us alone.
pub(super) fn new_password(data: &DataFolder) -> Result<Password, EmbeddedError> {
    let password = Password(random_hex::<32>()?);
    keep(data, &password)?;
    Ok(password)
}

/// Gives the superuser of a cluster whose password file was lost a new password. The server must
/// not be running.
pub(super) fn reset_password(
    data: &DataFolder,
    account: &Account,
    binaries: &Binaries,
    dies_with_parent: bool,
) -> Result<Password, EmbeddedError> {
    let password = Password(random_hex::<32>()?);
    let statements = data.path().join(format!("password.new-{}", random_hex::<8>()?));
    let statement = format!("ALTER ROLE {SUPERUSER} PASSWORD '{}'\n", password.as_str());
    write_private(&statements, statement.as_bytes())?;
    let output = File::open(&statements).and_then(|input| {
        let mut postgres = account.command(&binaries.postgres(), dies_with_parent.then_some(Signal::INT));
        postgres
            .args(["--single", "-D"])
            .arg(data.cluster())
            .arg("postgres")
            .stdin(input)
            .output()
    });
    remove(&statements).context("delete", &statements)?;
    check("postgres --single", &output.context("run", &binaries.postgres())?)?;
    // Only now: a file that came before the change and outlived a crash would be refused for ever.
    keep(data, &password)?;
    Ok(password)
}

fn keep(data: &DataFolder, password: &Password) -> Result<(), EmbeddedError> {
    let new = data.path().join(format!("password.new-{}", random_hex::<8>()?));
    write_private(&new, password.as_str().as_bytes())?;
    let path = password_file(data);
    fs::rename(&new, &path).context("put in place", &path)?;
    sync(data.path())
}

/// Writes the file of settings that may be changed by hand, unless it is there.
pub(super) fn configuration(data: &DataFolder) -> Result<PathBuf, EmbeddedError> {
    let path = data.path().join("postgresql.conf");
    if !path.exists() {
        let new = data
            .path()
            .join(format!("postgresql.conf.new-{}", random_hex::<8>()?));
        write_private(&new, CONFIGURATION.as_bytes())?;
        fs::rename(&new, &path).context("put in place", &path)?;
    }
    // The account reads it too; nothing in it is secret.
    fs::set_permissions(&path, Permissions::from_mode(0o644)).context("change the mode of", &path)?;
    Ok(path)
}

pub(super) fn password_file(data: &DataFolder) -> PathBuf {
    data.path().join(PASSWORD_FILE)
}

fn write_private(path: &Path, text: &[u8]) -> Result<(), EmbeddedError> {
    let write = || {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        file.write_all(text)?;
        file.sync_all()
    };
    write().context("write", path)
}

/// Deletes a file or a folder with all that it holds; afterwards it isn't there.
fn remove(path: &Path) -> io::Result<()> {
    let gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path).or_else(|error| if gone(&error) { Ok(()) } else { Err(error) }),
        Err(error) if gone(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A rename is only kept across a power cut once the folder is written.
fn sync(folder: &Path) -> Result<(), EmbeddedError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .context("write", folder)
}

fn check(program: &'static str, output: &Output) -> Result<(), EmbeddedError> {
    if output.status.success() {
        return Ok(());
    }
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if text.contains("could not look up effective user ID") {
        return Err(EmbeddedError::NoPasswdEntry {
            uid: rustix::process::geteuid().as_raw(),
        });
    }
    Err(EmbeddedError::ProgramFailed {
        program,
        status: output.status,
        output: super::log::last_lines(&text),
    })
}

//! The data folder, the lock that one Pharos holds on it, and the short private folder of the socket.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::geteuid;

use super::account::Account;
use super::errors::{Context as _, EmbeddedError};

/// PostgreSQL cuts paths at 1,024 bytes; the longest name below the data folder has to fit.
const LONGEST_DATA_FOLDER: usize = 900;
/// The longest path in a socket's address on Linux, in bytes without its closing zero; macOS has four bytes fewer.
const LONGEST_SOCKET: usize = if cfg!(target_os = "macos") { 103 } else { 107 };
const LET_GO: Duration = Duration::from_millis(300);
const SOCKET_NAME: &str = ".s.PGSQL.5432";

/// Where the data goes unless the configuration says otherwise: `/var/lib/pharos` as root, else
/// `pharos` in the user's data folder (`$XDG_DATA_HOME`, or `~/.local/share`).
pub fn default_data_folder() -> PathBuf {
    if geteuid().is_root() {
        return "/var/lib/pharos".into();
    }
    absolute(std::env::var_os("XDG_DATA_HOME"))
        .or_else(|| {
            Some(
                std::env::home_dir()
                    .filter(|home| home.is_absolute())?
                    .join(".local/share"),
            )
        })
        .map_or_else(
            || format!("/var/tmp/pharos-{}", geteuid().as_raw()).into(),
            |folder| folder.join("pharos"),
        )
}

/// Whether a server has run in the data folder: there is a cluster in it. One that may not be looked into counts: whoever opens
/// it is told why.
pub fn holds_data(data_folder: &Path) -> bool {
    data_folder
        .join("cluster/PG_VERSION")
        .try_exists()
        .unwrap_or(true)
}

fn absolute(value: Option<std::ffi::OsString>) -> Option<PathBuf> {
    value.map(PathBuf::from).filter(|path| path.is_absolute())
}

/// A data folder of ours, locked for as long as this lives.
#[derive(Debug)]
pub(super) struct DataFolder {
    path: PathBuf,
    mark: String,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder where it is missing, checks that it is ours, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self, EmbeddedError> {
        let too_long = |path: &Path| EmbeddedError::PathTooLong {
            path: path.to_owned(),
            limit: LONGEST_DATA_FOLDER,
        };
        if path.as_os_str().len() > LONGEST_DATA_FOLDER {
            return Err(too_long(path));
        }
        if path.exists() && !path.is_dir() {
            return Err(EmbeddedError::NotAFolder {
                path: path.to_owned(),
            });
        }
        // Other accounts may pass through root's folder to the cluster, but not list it.
        let mode = if geteuid().is_root() { 0o711 } else { 0o700 };
        DirBuilder::new()
            .recursive(true)
            .mode(mode)
            .create(path)
            .context("make the folder", path)?;
        let path = fs::canonicalize(path).context("look at", path)?;
        if path.as_os_str().len() > LONGEST_DATA_FOLDER {
            return Err(too_long(&path));
        }
        let found = own_folder(&path, &[geteuid().as_raw()])?;
        fs::set_permissions(&path, Permissions::from_mode(mode)).context("change the mode of", &path)?;
        let lock = lock(&path)?;
        Ok(Self {
            mark: mark(&found),
            path,
            _lock: lock,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn cluster(&self) -> PathBuf {
        self.path.join("cluster")
    }

    /// A name that no other data folder has and that this one keeps: it marks the processes of its
    /// server, and names the socket's folder. It is made from the folder itself, not from its path.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }
}

fn mark(found: &fs::Metadata) -> String {
    let seed = format!("{}:{}", found.dev(), found.ino());
    let digest = ring::digest::digest(&ring::digest::SHA256, seed.as_bytes());
    digest.as_ref()[..8]
        .iter()
        .fold("pharos-".to_owned(), |mark, byte| format!("{mark}{byte:02x}"))
}

/// Takes the lock that a Pharos holds on its data folder until its process ends.
fn lock(folder: &Path) -> Result<File, EmbeddedError> {
    let path = folder.join("lock");
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .context("open", &path)?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            // A process between fork and exec holds what its parent has let go of already.
            Err(TryLockError::WouldBlock) if began.elapsed() < LET_GO => sleep(Duration::from_millis(10)),
            Err(TryLockError::WouldBlock) => {
                let pid = fs::read_to_string(&path).unwrap_or_default();
                let pid = if pid.trim().is_empty() {
                    "unknown"
                } else {
                    pid.trim()
                }
                .to_owned();
                return Err(EmbeddedError::AnotherPharos {
                    folder: folder.to_owned(),
                    pid,
                });
            }
            Err(TryLockError::Error(error)) => return Err(error).context("lock", &path),
        }
    }
    file.set_len(0)
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .context("write our process id into", &path)?;
    Ok(file)
}

/// Looks at a folder that has to be a real one of an owner that we trust.
fn own_folder(path: &Path, owners: &[u32]) -> Result<fs::Metadata, EmbeddedError> {
    let found = fs::symlink_metadata(path).context("look at", path)?;
    if !found.is_dir() {
        return Err(EmbeddedError::NotAFolder {
            path: path.to_owned(),
        });
    }
    if !owners.contains(&found.uid()) {
        let wanted = owners.first().copied().unwrap_or_default();
        return Err(EmbeddedError::NotOurs {
            folder: path.to_owned(),
            owner: found.uid(),
            wanted,
        });
    }
    Ok(found)
}

/// Makes a folder that only the account may enter, or takes over the one that is there if it is
/// the account's or ours.
pub(super) fn private_folder(path: &Path, account: &Account) -> Result<(), EmbeddedError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error).context("make the folder", path),
    }
    own_folder(path, &[account.uid, geteuid().as_raw()])?;
    fs::set_permissions(path, Permissions::from_mode(0o700)).context("change the mode of", path)?;
    account.give(path)
}

/// Chooses and makes the folder of the server's socket.
pub(super) fn socket_folder(mark: &str, account: &Account) -> Result<PathBuf, EmbeddedError> {
    let runtime = absolute(std::env::var_os("XDG_RUNTIME_DIR"));
    let folder = choose_socket_folder(mark, geteuid().as_raw(), runtime.as_deref())?;
    private_folder(&folder, account)?;
    Ok(folder)
}

/// The first of the usual places that is ours to write to and short enough.
fn choose_socket_folder(mark: &str, uid: u32, runtime: Option<&Path>) -> Result<PathBuf, EmbeddedError> {
    let parent = if uid == 0 {
        Some(Path::new("/run"))
    } else {
        runtime
    };
    let ours = parent.filter(|parent| {
        fs::symlink_metadata(parent).is_ok_and(|found| found.is_dir() && found.uid() == uid)
            && rustix::fs::access(
                *parent,
                rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK,
            )
            .is_ok()
    });
    let short = Path::new("/tmp").join(mark.replacen('-', &format!("-{uid}-"), 1));
    let folder = ours
        .map(|parent| parent.join(mark))
        .filter(|folder| fits(folder))
        .unwrap_or(short);
    if fits(&folder) {
        Ok(folder)
    } else {
        let limit = LONGEST_SOCKET - SOCKET_NAME.len() - 1;
        Err(EmbeddedError::PathTooLong { path: folder, limit })
    }
}

/// Whether the socket's path fits into an address, and needs no quotes in PostgreSQL's list of
/// folders nor in the client's list of hosts.
fn fits(folder: &Path) -> bool {
    let bytes = folder.as_os_str().as_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    bytes.len() + 1 + SOCKET_NAME.len() <= LONGEST_SOCKET && bytes.iter().all(plain)
}

/// The lock file beside the server's socket.
pub(super) fn socket_lock(folder: &Path) -> PathBuf {
    folder.join(format!("{SOCKET_NAME}.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us() -> u32 {
        geteuid().as_raw()
    }

    #[test]
    fn a_socket_lies_in_the_runtime_folder_unless_its_path_is_too_long_for_an_address() {
        let top = tempfile::tempdir_in("/tmp").unwrap();
        // Root has a place of its own, so this asks for somebody who owns the folder.
        if us() != 0 {
            let found = choose_socket_folder("pharos-0a", us(), Some(top.path())).unwrap();
            assert_eq!(found, top.path().join("pharos-0a"));
        }
        let long = top.path().join("x".repeat(100));
        fs::create_dir(&long).unwrap();
        let found = choose_socket_folder("pharos-0a", 4_711, Some(&long)).unwrap();
        assert_eq!(found, Path::new("/tmp/pharos-4711-0a"));
    }

    #[test]
    fn a_socket_path_of_107_bytes_fits_and_one_of_108_does_not() {
        let longest = LONGEST_SOCKET - SOCKET_NAME.len() - 1;
        assert!(fits(Path::new(&format!("/{}", "x".repeat(longest - 1)))));
        assert!(!fits(Path::new(&format!("/{}", "x".repeat(longest)))));
        assert!(!fits(Path::new("/tmp/a,b")));
        let error = choose_socket_folder(&format!("pharos-{}", "x".repeat(120)), 4_711, None).unwrap_err();
        assert!(matches!(error, EmbeddedError::PathTooLong { .. }), "{error}");
    }

    #[test]
    fn a_link_in_place_of_a_private_folder_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let link = top.path().join("link");
        std::os::unix::fs::symlink(top.path(), &link).unwrap();
        let error = own_folder(&link, &[us()]).unwrap_err();
        assert!(matches!(error, EmbeddedError::NotAFolder { .. }), "{error}");
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let error = own_folder(top.path(), &[us() + 1]).unwrap_err();
        assert!(
            matches!(error, EmbeddedError::NotOurs { owner, .. } if owner == us()),
            "{error}"
        );
    }

    #[test]
    fn two_locks_on_one_folder_are_refused_with_the_holders_pid() {
        let top = tempfile::tempdir().unwrap();
        let held = lock(top.path()).unwrap();
        let error = lock(top.path()).unwrap_err();
        let pid = std::process::id();
        assert!(
            error
                .to_string()
                .contains(&format!("another Pharos runs on {}", top.path().display())),
            "{error}"
        );
        assert!(error.to_string().contains(&format!("(pid {pid})")), "{error}");
        drop(held);
        lock(top.path()).unwrap();
    }
}

//! A load as a group of processes: what becomes of one becomes of all, and nothing stays behind.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use rustix::process::{
    Pid, Signal, geteuid, getpid, kill_process_group, test_kill_process, test_kill_process_group,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    task::spawn_blocking,
};
use uuid::Uuid;

use super::accounts::{Account, become_account};

/// How much of what the programs complain of is logged, in bytes.
const MOST_COMPLAINTS: u64 = 64 * 1024;
/// How often it is looked whether a group that was killed is gone, and how long that may take.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const LOOKS: usize = 50;

/// The folder of a load: the profile of its browser, and the script. It is removed with its value.
#[derive(Debug)]
pub(super) struct WorkFolder(PathBuf);

impl WorkFolder {
    /// A folder below that of this process.
    pub(super) fn make(work: &Path, account: Option<&Account>) -> io::Result<Self> {
        prepare(work)?;
        let own = work.join(std::process::id().to_string());
        // Short: Chromium gives up where its socket, which lies within, has a path of more than 107 bytes.
        let name = Uuid::new_v4().simple().to_string();
        let folder = own.join(name.get(..12).unwrap_or(&name));
        fs::create_dir_all(&own)?;
        fs::create_dir(&folder)?;
        // Who comes from another account has to pass; what lies within is for that account alone.
        for passed in [work, &own] {
            fs::set_permissions(passed, fs::Permissions::from_mode(0o711))?;
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        if let Some(account) = account {
            account.give(&folder)?;
        }
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// A process that is about to die may still write: a folder is removed until it is gone.
fn remove(folder: &Path) {
    for _ in 0..20 {
        match fs::remove_dir_all(folder) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => std::thread::sleep(LOOK_EVERY),
        }
    }
    tracing::warn!(folder = %folder.display(), "the folder of a lab test could not be removed");
}

/// Makes the folder that those of loads lie in. It lies where everybody may make one: in a folder of somebody else, or behind a
/// link, they would say what it is that is written, given away and removed here.
pub(super) fn prepare(work: &Path) -> io::Result<()> {
    fs::create_dir_all(work)?;
    let found = fs::symlink_metadata(work)?;
    if found.is_dir() && found.uid() == geteuid().as_raw() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        "it is a link, or belongs to somebody else; remove it",
    ))
}

/// Whether folders were swept in this process.
static SWEPT: AtomicBool = AtomicBool::new(false);

/// Removes the folders of processes that are gone: they were killed, and their browsers ended with them.
pub(super) fn sweep(work: &Path) {
    sweep_as(work, !SWEPT.swap(true, Ordering::Relaxed));
}

/// At the first time, before any load, a folder with the number of this process is that of another, which had the number before:
/// in a container all of them have the same.
fn sweep_as(work: &Path, is_first: bool) {
    for entry in fs::read_dir(work).into_iter().flatten().flatten() {
        let number = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<i32>().ok());
        let Some(process) = number.and_then(Pid::from_raw) else {
            continue;
        };
        let is_gone = if process == getpid() {
            is_first
        } else {
            test_kill_process(process) == Err(rustix::io::Errno::SRCH)
        };
        if is_gone {
            remove(&entry.path());
        }
    }
}

/// The processes of a load. Dropped, all of them are killed at once; a thread buries them and then removes their folder, since
/// that waits, and whoever drops a load is a task.
pub(super) struct LabProcess {
    // `None`: they were ended.
    remains: Option<Remains>,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

impl LabProcess {
    pub(super) fn start(
        node: &Path,
        script: &Path,
        folder: WorkFolder,
        account: Option<&Account>,
    ) -> io::Result<Self> {
        let mut command = Command::new(node);
        command
            .arg(script)
            .current_dir(folder.path())
            // Our environment may hold secrets.
            .env_clear()
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .env("LC_ALL", "C.UTF-8")
            .env("PATH", std::env::var_os("PATH").as_deref().unwrap_or(OsStr::new("/usr/bin:/bin")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        become_account(command.as_std_mut(), account);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a process without an id or without its pipes");
        let group = child
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()))
            .ok_or_else(missing)?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(missing)?;
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(complaints(stderr));
        }
        Ok(Self {
            remains: Some(Remains {
                group,
                child,
                _folder: folder,
            }),
            stdin,
            stdout,
        })
    }

    /// Gives the order, and reads `most` bytes of the result. Stdin stays open: its end would end the load.
    pub(super) async fn result(mut self, order: &[u8], most: u64) -> io::Result<Vec<u8>> {
        if let Some(stdin) = &mut self.stdin {
            stdin.write_all(order).await?;
            stdin.write_all(b"\n").await?;
            stdin.flush().await?;
        }
        let mut output = Vec::new();
        (&mut self.stdout).take(most).read_to_end(&mut output).await?;
        if let Some(remains) = self.remains.take() {
            remains.kill();
            spawn_blocking(|| remains.bury()).await?;
        }
        Ok(output)
    }
}

impl Drop for LabProcess {
    fn drop(&mut self) {
        if let Some(remains) = self.remains.take() {
            remains.kill();
            let buried = std::thread::Builder::new()
                .name("lab-burial".to_owned())
                .spawn(|| remains.bury());
            if let Err(error) = buried {
                tracing::warn!(%error, "the processes of a lab test could not be waited for");
            }
        }
    }
}

/// Processes that are about to end, and the folder that is removed after them.
struct Remains {
    group: Pid,
    child: Child,
    _folder: WorkFolder,
}

impl Remains {
    fn kill(&self) {
        // It may be gone already.
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    /// Waits until the processes are gone, and removes their folder.
    fn bury(mut self) {
        // The leader is ours to bury: until then its group is there. Its children fall to init.
        for _ in 0..LOOKS {
            let is_over = matches!(self.child.try_wait(), Ok(Some(_)) | Err(_));
            if is_over && test_kill_process_group(self.group).is_err() {
                return;
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

async fn complaints(stderr: tokio::process::ChildStderr) {
    let mut lines = BufReader::new(stderr.take(MOST_COMPLAINTS)).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(line, "a lab test complains");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_of_the_same_number_left_is_removed() {
        let work = tempfile::tempdir().unwrap();
        let own = work.path().join(std::process::id().to_string());
        fs::create_dir_all(own.join("left")).unwrap();
        sweep_as(work.path(), true);
        assert!(!own.exists());
        let load = WorkFolder::make(work.path(), None).unwrap();
        sweep_as(work.path(), false);
        assert!(load.path().exists(), "it is under way");
    }

    #[test]
    fn no_load_lies_in_a_folder_of_somebody_else() {
        let place = tempfile::tempdir().unwrap();
        let work = place.path().join("work");
        prepare(&work).unwrap();
        prepare(&work).unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(&work, &link).unwrap();
        let refusals = [prepare(&link), WorkFolder::make(&link, None).map(|_| ())];
        for refusal in refusals {
            assert_eq!(refusal.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        }
        assert_eq!(fs::read_dir(&work).unwrap().count(), 0);
        if geteuid().is_root() {
            std::os::unix::fs::chown(&work, Some(65_534), None).unwrap();
            assert!(prepare(&work).is_err());
        }
    }
}

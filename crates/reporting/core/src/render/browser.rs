//! The browser's processes: all of them end with the one that was started, and of what they complain of the last is kept.

use std::{
    io,
    process::{ExitStatus, Stdio},
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::AsyncReadExt,
    process::{ChildStderr, Command},
};

/// How much of what they complain of is kept, in bytes: its end tells why one gave up.
const KEPT_COMPLAINTS: usize = 8 * 1024;

/// Runs the browser to its end, and gives its status with the last of its complaints. Whatever it started and left behind is killed,
/// and so is all of it where nobody waits any more.
pub(super) async fn run(command: &mut Command) -> io::Result<(ExitStatus, String)> {
    let mut child = command
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    // As long as one of them is left, no other group gets its number; where none is, numbers go round before it comes again.
    let group = child
        .id()
        .and_then(|id| Pid::from_raw(id.cast_signed()))
        .map(Group);
    let complaints = child.stderr.take().map(|stderr| tokio::spawn(last_of(stderr)));
    let status = child.wait().await?;
    drop(group);
    let said = match complaints {
        Some(complaints) => complaints.await.map_err(io::Error::other)?,
        None => Vec::new(),
    };
    Ok((status, String::from_utf8_lossy(&said).into_owned()))
}

/// A group of processes. Dropped, all of them are killed.
struct Group(Pid);

impl Drop for Group {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

/// All of it is read, or whoever writes it would wait.
async fn last_of(mut stderr: ChildStderr) -> Vec<u8> {
    let mut kept = Vec::new();
    loop {
        kept.reserve(KEPT_COMPLAINTS);
        match stderr.read_buf(&mut kept).await {
            Ok(0) | Err(_) => return kept,
            Ok(_) => {}
        }
        let over = kept.len().saturating_sub(KEPT_COMPLAINTS);
        kept.drain(..over);
    }
}

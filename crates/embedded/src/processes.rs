//! The processes of this machine, as far as it takes to tell a live PostgreSQL from a dead one.

use rustix::process::Pid;

/// A process, alive or waiting for somebody to take note of its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: Pid,
    pub(super) uid: u32,
    /// It has ended and holds nothing any more, but its id is still taken.
    pub(super) is_zombie: bool,
    /// Its command line, or what it shows in its place.
    pub(super) command: String,
}

/// All processes that can be seen.
#[cfg(target_os = "linux")]
pub(super) fn all() -> std::io::Result<Vec<Process>> {
    let entries = std::fs::read_dir("/proc")?;
    Ok(entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw))
        .filter_map(one)
        .collect())
}

/// One process; `None` when it is gone.
#[cfg(target_os = "linux")]
pub(super) fn one(pid: Pid) -> Option<Process> {
    use std::os::unix::fs::MetadataExt as _;

    let folder = std::path::Path::new("/proc").join(pid.as_raw_nonzero().to_string());
    let uid = std::fs::metadata(&folder).ok()?.uid();
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    // `/proc/<pid>/cwd` would tell more, but in a container even root may not read another's.
    let command = std::fs::read(folder.join("cmdline")).ok()?;
    let command = String::from_utf8_lossy(&command)
        .replace('\0', " ")
        .trim_end()
        .to_owned();
    Some(Process {
        pid,
        uid,
        is_zombie: is_zombie(&stat),
        command,
    })
}

/// Reads the state out of `4711 (name) Z 1 …`; the name may hold anything, brackets too.
#[cfg(target_os = "linux")]
fn is_zombie(stat: &str) -> bool {
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X']))
}

/// All processes that can be seen.
#[cfg(not(target_os = "linux"))]
pub(super) fn all() -> std::io::Result<Vec<Process>> {
    let output = std::process::Command::new("ps")
        .args(["-axww", "-o", "pid=,uid=,stat=,command="])
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(parse)
        .collect())
}

/// One process; `None` when it is gone.
#[cfg(not(target_os = "linux"))]
pub(super) fn one(pid: Pid) -> Option<Process> {
    all().ok()?.into_iter().find(|process| process.pid == pid)
}

#[cfg(not(target_os = "linux"))]
fn parse(line: &str) -> Option<Process> {
    let mut fields = line.split_whitespace();
    let pid = Pid::from_raw(fields.next()?.parse().ok()?)?;
    let uid = fields.next()?.parse().ok()?;
    let is_zombie = fields.next()?.starts_with('Z');
    Some(Process {
        pid,
        uid,
        is_zombie,
        command: fields.collect::<Vec<_>>().join(" "),
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_zombies_state_is_read_whatever_its_name() {
        assert!(is_zombie("4711 (postgres) Z 1 4711"));
        assert!(is_zombie("4711 (a) R (b) Z 1 4711"));
        assert!(!is_zombie("4711 (Z) S 1 4711"));
        assert!(!is_zombie(""));
    }

    #[test]
    fn a_child_is_alive_then_a_zombie_then_gone() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_child(&child);
        // Between fork and exec it still shows our own command line.
        while one(pid).unwrap().command != "sleep 60" {
            std::thread::yield_now();
        }
        let seen = one(pid).unwrap();
        assert!(!seen.is_zombie);
        assert_eq!(seen.uid, rustix::process::geteuid().as_raw());
        child.kill().unwrap();
        while !one(pid).unwrap().is_zombie {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert_eq!(one(pid), None);
    }
}

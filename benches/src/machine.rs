//! How busy the machine is, and with whom.

use std::{
    collections::{HashMap, HashSet},
    fs,
    time::Instant,
};

use anyhow::{Context, Result};

/// The processor time that was spent until a moment, in seconds.
#[derive(Debug)]
pub(crate) struct Cpu {
    at: Instant,
    /// By everybody, the host's other guests included.
    all: f64,
    /// By this process and all that descend from it.
    ours: f64,
}

impl Cpu {
    /// Reads `/proc` (proc(5)).
    pub(crate) fn now() -> Result<Self> {
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        let stat = fs::read_to_string("/proc/stat").context("/proc/stat can't be read")?;
        let processes = processes()?;
        Ok(Self {
            at: Instant::now(),
            all: all(&stat).context("/proc/stat has another form")? as f64 / ticks,
            ours: of_tree(&processes, std::process::id()) as f64 / ticks,
        })
    }

    /// How much time this process and all that descend from it have spent.
    pub(crate) fn ours_since(&self, before: &Self) -> f64 {
        self.ours - before.ours
    }

    /// How many cores others used on average.
    pub(crate) fn strangers_since(&self, before: &Self) -> f64 {
        let spent = (self.all - before.all) - (self.ours - before.ours);
        (spent / (self.at - before.at).as_secs_f64()).max(0.0)
    }
}

/// User, nice, system and steal of the line that sums up all cores. Time in interrupts is left out: most of it
/// carries our own packets, and no process is charged for it.
fn all(stat: &str) -> Option<u64> {
    let mut fields = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let mut sum = 0;
    for at in 0..8 {
        let field: u64 = fields.next()?.parse().ok()?;
        if matches!(at, 0 | 1 | 2 | 7) {
            sum += field;
        }
    }
    Some(sum)
}

/// The processor time that a process has spent, in seconds.
pub(crate) fn spent(id: u32) -> Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).context("a process is gone")?;
    let process = process(&stat).context("/proc/[pid]/stat has another form")?;
    Ok(process.time as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The most memory that a process has held, in bytes.
pub(crate) fn most_memory(id: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).context("a process is gone")?;
    high_water(&status).context("/proc/[pid]/status has another form")
}

/// The memory that a process holds, in bytes.
pub(crate) fn memory(id: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).context("a process is gone")?;
    bytes(&status, "VmRSS:").context("/proc/[pid]/status has another form")
}

/// The memory that this process holds, in bytes. The most that it has held is counted from here on.
pub(crate) fn memory_from_here() -> Result<u64> {
    // proc(5): 5 resets the high-water mark.
    fs::write("/proc/self/clear_refs", "5").context("/proc/self/clear_refs can't be written")?;
    let status = fs::read_to_string("/proc/self/status").context("/proc/self/status can't be read")?;
    bytes(&status, "VmRSS:").context("/proc/[pid]/status has another form")
}

/// The high-water mark in `/proc/[pid]/status`, in bytes.
fn high_water(status: &str) -> Option<u64> {
    bytes(status, "VmHWM:")
}

/// A line of `/proc/[pid]/status` or `smaps_rollup`, in bytes.
fn bytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1_024)
}

struct Process {
    id: u32,
    parent: u32,
    /// Its own time, and that of its children that ended.
    time: u64,
}

/// Reads `/proc/[pid]/stat`. The name, in brackets, may hold anything.
fn process(stat: &str) -> Option<Process> {
    let (id, rest) = stat.split_once(" (")?;
    let fields: Vec<&str> = rest.rsplit_once(") ")?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Process {
        id: id.parse().ok()?,
        parent: fields.get(1)?.parse().ok()?,
        time: (11..15).map(number).sum::<Option<u64>>()?,
    })
}

/// All processes, by their id.
fn processes() -> Result<HashMap<u32, Process>> {
    let mut processes = HashMap::new();
    for entry in fs::read_dir("/proc").context("/proc can't be read")?.flatten() {
        // A process may end while it is looked at.
        if let Ok(stat) = fs::read_to_string(entry.path().join("stat"))
            && let Some(process) = process(&stat)
        {
            processes.insert(process.id, process);
        }
    }
    Ok(processes)
}

/// A process and all that descend from it, but for `others` and what descends from these.
fn tree<'a>(
    processes: &'a HashMap<u32, Process>,
    root: u32,
    others: &'a HashSet<u32>,
) -> impl Iterator<Item = &'a Process> {
    let belongs = move |process: &&Process| {
        let mut id = process.id;
        // The chain of parents ends at 0.
        while id != root {
            match processes.get(&id) {
                Some(process) if !others.contains(&id) => id = process.parent,
                _ => return false,
            }
        }
        true
    };
    processes.values().filter(belongs)
}

fn of_tree(processes: &HashMap<u32, Process>, root: u32) -> u64 {
    tree(processes, root, &HashSet::new())
        .map(|process| process.time)
        .sum()
}

/// All that descend from this process, by their ids.
pub(crate) fn descendants() -> Result<HashSet<u32>> {
    let (processes, none, this) = (processes()?, HashSet::new(), std::process::id());
    let ids = tree(&processes, this, &none).map(|process| process.id);
    Ok(ids.filter(|id| *id != this).collect())
}

/// The memory of this process and of all that descend from it, but for `others` and what descends from these, in bytes. It is the sum of
/// their proportional set sizes, so that what several of them share counts once.
pub(crate) fn memory_beside(others: &HashSet<u32>) -> Result<u64> {
    let processes = processes()?;
    // A process may end while it is looked at.
    let held = |process: &Process| {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", process.id)).ok()?;
        bytes(&rollup, "Pss:")
    };
    Ok(tree(&processes, std::process::id(), others)
        .filter_map(held)
        .sum())
}

/// How many cores the machine has.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cores_time_is_read_without_idleness_and_interrupts() {
        assert_eq!(all("cpu  1 2 4 1000 1000 1000 1000 8 0 0\ncpu0 …"), Some(15));
        assert_eq!(all("intr 1"), None);
    }

    #[test]
    fn a_process_is_told_by_its_parents() {
        let line = |id: u32, parent: u32, time: u64| {
            format!("{id} (a) b (c) S {parent} 1 1 0 -1 4194304 0 0 0 0 {time} 1 1 1 20 0 1 0 5 0 0")
        };
        let read = [(1, 0, 50), (7, 1, 10), (8, 7, 20), (9, 8, 30), (10, 1, 40)]
            .map(|(id, parent, time)| process(&line(id, parent, time)).unwrap());
        let processes: HashMap<u32, Process> =
            read.into_iter().map(|process| (process.id, process)).collect();
        assert_eq!(of_tree(&processes, 7), 10 + 20 + 30 + 3 * 3);
        let others = HashSet::from([8]);
        let alone: Vec<u32> = tree(&processes, 7, &others).map(|process| process.id).collect();
        assert_eq!(alone, [7], "9 descends from 8");
    }

    #[test]
    fn memory_is_read_in_bytes() {
        let status = "Name:\tpharos\nVmHWM:\t   12345 kB\nVmRSS:\t   10000 kB\n";
        assert_eq!(high_water(status), Some(12_345 * 1_024));
        assert_eq!(high_water("VmRSS:\t1 kB\n"), None);
        assert!(most_memory(std::process::id()).unwrap() > 1 << 20);
    }

    #[test]
    fn the_memory_of_children_is_known() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let (children, held) = (descendants().unwrap(), memory_beside(&HashSet::new()).unwrap());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(children.contains(&child.id()) && held > 0);
    }

    #[test]
    fn what_we_do_ourselves_is_ours() {
        let before = Cpu::now().unwrap();
        let give_up = Instant::now() + std::time::Duration::from_secs(60);
        while Cpu::now().unwrap().ours_since(&before) < 0.2 {
            assert!(Instant::now() < give_up);
        }
        assert!(spent(std::process::id()).unwrap() >= 0.2);
    }
}

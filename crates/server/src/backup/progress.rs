//! The lines on standard error that say how far it is.

use std::{
    io::Write,
    time::{Duration, Instant},
};

const SAY_EVERY: Duration = Duration::from_secs(5);

/// Says on standard error what is being done.
pub(super) fn say(text: &str) {
    // Nobody may be reading; that is no reason to stop.
    let _ = writeln!(std::io::stderr(), "pharos: {text}");
}

/// Bytes that pass by, told every few seconds.
pub(super) struct Progress {
    doing: &'static str,
    total: Option<u64>,
    done: u64,
    said: Instant,
}

impl Progress {
    /// `total` is how many there will be, where that is known.
    pub(super) fn of(doing: &'static str, total: Option<u64>) -> Self {
        Self {
            doing,
            total,
            done: 0,
            said: Instant::now(),
        }
    }

    pub(super) fn add(&mut self, bytes: usize) {
        self.done += bytes as u64;
        if self.said.elapsed() < SAY_EVERY {
            return;
        }
        self.said = Instant::now();
        let done = size(self.done);
        match self.total {
            Some(total) => say(&format!("{}: {done} of {}", self.doing, size(total))),
            None => say(&format!("{}: {done}", self.doing)),
        }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }
}

/// A number of bytes, for people.
pub(super) fn size(bytes: u64) -> String {
    const STEP: u64 = 1_000;
    let mut unit = 1;
    let mut names = ["kB", "MB", "GB", "TB"].into_iter();
    let mut name = "bytes";
    while bytes / unit >= STEP {
        let Some(next) = names.next() else { break };
        (unit, name) = (unit * STEP, next);
    }
    if unit == 1 {
        return format!("{bytes} {name}");
    }
    format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_unit_that_fits() {
        for (bytes, told) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (12_345_678, "12.3 MB"),
            (5_400_000_000_000_000, "5400.0 TB"),
        ] {
            assert_eq!(size(bytes), told);
        }
    }
}

//! Telling the user which step runs, and how long each took.

use std::time::Instant;

use anyhow::Result;

/// A task's steps, counted as they begin.
pub(crate) struct Steps {
    total: usize,
    begun: usize,
}

impl Steps {
    pub(crate) fn new(total: usize) -> Self {
        Self { total, begun: 0 }
    }

    /// Runs a step between two lines: what it does, and what came of it after how long.
    pub(crate) fn run<T>(
        &mut self,
        what: &str,
        step: impl FnOnce() -> Result<T>,
        outcome: impl FnOnce(&T) -> String,
    ) -> Result<T> {
        self.begin(what);
        let started = Instant::now();
        let value = step()?;
        eprintln!(
            "      {} ({:.1} s)",
            outcome(&value),
            started.elapsed().as_secs_f64()
        );
        Ok(value)
    }

    /// Names a step that lasts as long as the task.
    pub(crate) fn begin(&mut self, what: &str) {
        self.begun += 1;
        eprintln!("[{}/{}] {what}", self.begun, self.total);
    }
}

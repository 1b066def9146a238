//! Ctrl-C: the bench stops measuring, and whatever it started ends in order.

use std::{
    process::{ExitCode, Termination},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

static CAME: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether one came.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// Runs a bench, which no signal ends by itself. Whatever failed after one did so because of that.
pub(crate) fn watched<T: Termination>(bench: impl FnOnce() -> Result<T>) -> Result<ExitCode> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&CAME)).context("signals can't be watched")?;
    }
    let measured = bench();
    if came() {
        eprintln!("interrupted");
        return Ok(ExitCode::FAILURE);
    }
    measured.map(Termination::report)
}

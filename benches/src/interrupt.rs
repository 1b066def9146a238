//! Ctrl-C: the bench stops measuring, and whatever it started ends in order.

use std::{
    process::ExitCode,
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

/// From here on a signal ends nothing by itself.
pub(crate) fn watch() -> Result<()> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&CAME)).context("signals can't be watched")?;
    }
    Ok(())
}

/// Whether one came.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// How a bench ends that measured this. Whatever failed after a signal did so because of that.
pub(crate) fn ending(measured: Result<ExitCode>) -> Result<ExitCode> {
    if came() {
        eprintln!("interrupted");
        return Ok(ExitCode::FAILURE);
    }
    measured
}

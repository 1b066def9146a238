//! Ctrl-C and SIGTERM: what was begun is cleaned up.

use tokio::signal::unix::{SignalKind, signal};

/// Does work until it is done, or until a signal ends it: then the work is dropped where it waits.
///
/// # Errors
/// The work's own, or that a signal came.
pub(super) async fn unless_stopped<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        biased;
        _ = interrupt.recv() => anyhow::bail!("stopped by SIGINT"),
        _ = terminate.recv() => anyhow::bail!("stopped by SIGTERM"),
        done = work => done,
    }
}

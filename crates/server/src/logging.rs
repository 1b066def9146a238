//! The log.

use std::{io::IsTerminal, sync::OnceLock};

use pharos_auth::keys::secret::Environment;
use tracing_subscriber::{EnvFilter, fmt, reload::Handle};

use crate::config::{Config, LogFormat};

/// Gives the log another filter; whether that was done.
type Refilter = Box<dyn Fn(EnvFilter) -> bool + Send + Sync>;

static REFILTER: OnceLock<Refilter> = OnceLock::new();

/// Starts the log, on standard error. A second call changes nothing.
///
/// # Errors
/// `log` is no filter.
pub fn start(config: &Config) -> anyhow::Result<()> {
    let filter = config.log_filter()?;
    let colours = std::io::stderr().is_terminal();
    let log = fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colours)
        .with_target(false);
    let by_default = match config.environment {
        Environment::Production => LogFormat::Json,
        Environment::Development => LogFormat::Text,
    };
    let _ = match config.log_format.unwrap_or(by_default) {
        LogFormat::Text => {
            let log = log.with_filter_reloading();
            keep(log.reload_handle());
            log.try_init()
        }
        LogFormat::Json => {
            let log = log.json().flatten_event(true).with_filter_reloading();
            keep(log.reload_handle());
            log.try_init()
        }
    };
    Ok(())
}

/// Gives the log that was started the filter of this configuration.
///
/// # Errors
/// It is no filter, or no log was started.
pub fn refilter(config: &Config) -> anyhow::Result<()> {
    let filter = config.log_filter()?;
    let is_done = REFILTER.get().is_some_and(|refilter| refilter(filter));
    anyhow::ensure!(is_done, "the log was not started");
    Ok(())
}

/// Keeps the handle of the first log, which is the one that counts.
fn keep<S: 'static>(handle: Handle<EnvFilter, S>) {
    let _ = REFILTER.set(Box::new(move |filter| handle.reload(filter).is_ok()));
}

//! The log.

use std::io::IsTerminal;

use pharos_auth::keys::secret::Environment;
use tracing_subscriber::{EnvFilter, fmt};

use crate::config::{Config, LogFormat};

/// Starts the log, on standard error. A second call changes nothing.
pub fn start(config: &Config) {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("info"));
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
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}

//! SIGHUP: what needs no restart is read anew, and what does is named.

use crate::{
    config::Config,
    logging,
    sentence::sentence,
    settings::{READ_ANEW, changed},
    tls::Presented,
};

/// Reads the configuration anew.
pub type Reread<'a> = dyn Fn() -> anyhow::Result<Config> + 'a;

/// Takes what has changed since a node began.
pub(crate) struct Reload<'a> {
    reread: &'a Reread<'a>,
    began_with: Config,
}

impl<'a> Reload<'a> {
    /// For a node that began with this configuration.
    pub(crate) fn new(reread: &'a Reread<'a>, began_with: &Config) -> Self {
        Self {
            reread,
            began_with: began_with.clone(),
        }
    }

    /// Takes what needs no restart: of the configuration which events are logged, and the files of the certificate.
    pub(crate) fn run(&self, presented: Option<&Presented>) {
        match self.configuration() {
            Ok(waiting) if waiting.is_empty() => tracing::info!("the filter of the log was read anew"),
            Ok(waiting) => {
                let settings = waiting.join(", ");
                tracing::warn!(
                    settings,
                    "the filter of the log was read anew; these settings have changed too, and wait for a restart"
                );
            }
            Err(error) => {
                let error = sentence(&error);
                tracing::warn!(
                    error,
                    "the configuration can't be read anew; everything stays as it was"
                );
            }
        }
        match presented.map(Presented::reread) {
            Some(Ok(())) => tracing::info!("the certificate was read anew"),
            Some(Err(error)) => {
                let error = sentence(&error);
                tracing::warn!(
                    error,
                    "the certificate can't be read anew; the one of before stays"
                );
            }
            None => {}
        }
    }

    /// Takes the filter of the log, and says which other settings have changed since the node began.
    fn configuration(&self) -> anyhow::Result<Vec<&'static str>> {
        let read = (self.reread)()?;
        let mut waiting = changed(&self.began_with, &read)?;
        waiting.retain(|name| *name != READ_ANEW);
        logging::refilter(&read)?;
        Ok(waiting)
    }
}

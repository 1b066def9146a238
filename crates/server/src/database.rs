//! One's own PostgreSQL, or the one of `PHAROS_DATABASE_URL`.

use std::time::Duration;

use anyhow::Context;
use pharos_embedded::{Embedded, EmbeddedOptions, holds_data, running_database_url};

use crate::{config::Config, restoring::plan};

/// The PostgreSQL that holds the data.
#[derive(Debug)]
pub enum Server {
    /// A server that others look after.
    External(String),
    /// The server of another `pharos` on this machine.
    Shared(String),
    /// A server of this process.
    Own(Box<Embedded>),
}

impl Server {
    /// Finds the server, or starts one. Blocks; call it from the main thread before any runtime starts.
    ///
    /// # Errors
    /// There is no PostgreSQL, or it does not start; the message says what to do.
    pub fn open(config: &Config, sharing: Sharing) -> anyhow::Result<Self> {
        let server = Self::find(config, sharing)?;
        plan::end_of_last_restore(config, server.url())?;
        Ok(server)
    }

    /// The same for a command, which makes no new database where the name of the folder is mistyped.
    ///
    /// # Errors
    /// No node has kept data in the folder, or the errors of [`Server::open`].
    pub fn open_for_command(config: &Config) -> anyhow::Result<Self> {
        anyhow::ensure!(
            config.database_url.is_some() || holds_data(&config.data_folder),
            "there is no Pharos in {}: name its folder with --data-folder, or its database with PHAROS_DATABASE_URL; a \
             new one begins with `pharos serve`",
            config.data_folder.display()
        );
        Self::open(config, Sharing::Allowed)
    }

    fn find(config: &Config, sharing: Sharing) -> anyhow::Result<Self> {
        if let Some(url) = &config.database_url {
            return Ok(Self::External(url.reveal().to_owned()));
        }
        let options = EmbeddedOptions {
            bin_folder: config.postgres_bin.clone(),
            ..EmbeddedOptions::new(&config.data_folder)
        };
        if sharing == Sharing::Allowed
            && let Some(url) = running_database_url(&options)?
        {
            return Ok(Self::Shared(url));
        }
        let own = Embedded::start(&options).context("Pharos's own PostgreSQL")?;
        Ok(Self::Own(Box::new(own)))
    }

    /// The address, password included: never log it.
    #[must_use]
    pub fn url(&self) -> &str {
        match self {
            Self::External(url) | Self::Shared(url) => url,
            Self::Own(embedded) => embedded.database_url(),
        }
    }

    /// Stops what this process started.
    pub fn close(self) {
        if let Self::Own(embedded) = self
            && let Err(error) = embedded.stop(Duration::from_secs(2))
        {
            tracing::warn!(%error, "PostgreSQL did not stop as it should");
        }
    }
}

/// Whether a command may use the server of a `pharos` that runs already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// For commands.
    Allowed,
    /// For nodes: two can't share a data folder.
    Refused,
}

//! The database of countries, by which collection tells where visitors are.

use anyhow::Context;
use pharos_ingest::client::Places;

use crate::{config::Config, finding::Finding, sentence::sentence};

/// The database of countries that is configured.
///
/// # Errors
/// It can't be read.
pub(crate) fn places(config: &Config) -> anyhow::Result<Places> {
    match &config.country_database {
        Some(file) => Places::open(file).with_context(|| format!("country_database: {}", file.display())),
        None => Ok(Places::default()),
    }
}

/// The database by which visitors get their country, and how old it is.
pub(super) fn countries(config: &Config) -> Finding {
    const WHAT: &str = "countries";
    match places(config) {
        Ok(places) => match (places.built_at(), &config.country_header) {
            (Some(built), _) => Finding::well(WHAT, format!("by a database of {}", built.date())),
            (None, Some(header)) => Finding::well(WHAT, format!("by the header {header} of the proxy")),
            (None, None) => Finding::well(WHAT, "unknown, since country_database is not set"),
        },
        Err(error) => Finding::wrong(WHAT, &sentence(&error)),
    }
}

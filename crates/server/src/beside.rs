//! The address of a node that keeps its own PostgreSQL, for commands that run beside it: they have its data folder, and not the
//! arguments that it was started with.

use std::fs;

use anyhow::Context;
use url::Url;

use crate::config::Config;

/// Names the address that callers know the node by.
const NOTE: &str = "address";

/// Notes the node's address in its data folder.
///
/// # Errors
/// The note can't be written.
pub fn note(config: &Config) -> anyhow::Result<()> {
    if config.database_url.is_some() {
        return Ok(());
    }
    let note = config.data_folder.join(NOTE);
    fs::write(&note, config.addresses().base_url).with_context(|| format!("writing {}", note.display()))
}

/// The address that links name: what the configuration says, else that of the node which served from this data folder last.
#[must_use]
pub fn base_url(config: &Config) -> String {
    let configured = config.addresses().base_url;
    if config.base_url.is_some() || config.database_url.is_some() {
        return configured;
    }
    fs::read_to_string(config.data_folder.join(NOTE))
        .ok()
        .filter(|noted| Url::parse(noted).is_ok())
        .unwrap_or(configured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_the_node_beside_unless_the_configuration_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let command = Config {
            data_folder: folder.path().to_owned(),
            ..Config::default()
        };
        let usual = command.addresses().base_url;
        assert_eq!(base_url(&command), usual, "no node was there");
        let node = Config {
            listen: "127.0.0.1:7999".parse().unwrap(),
            ..command.clone()
        };
        note(&node).unwrap();
        assert_eq!(base_url(&command), "http://127.0.0.1:7999");
        let configured = Config {
            base_url: Some("https://pharos.example".to_owned()),
            ..command.clone()
        };
        assert_eq!(base_url(&configured), "https://pharos.example");
        fs::write(folder.path().join(NOTE), "cut o").unwrap();
        assert_eq!(base_url(&command), usual);
    }
}

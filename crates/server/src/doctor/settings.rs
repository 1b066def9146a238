//! Which settings are in force, and which do nothing.

use serde::Serialize;
use serde_json::Value;

use super::Finding;
use crate::{
    config::{self, Config},
    flags::{GlobalFlags, ServeFlags},
};

#[derive(Serialize)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) from: String,
}

pub(super) fn in_force(global: &GlobalFlags, config: &Config) -> Vec<Setting> {
    let figment = config::sources(global, &ServeFlags::default());
    let values = serde_json::to_value(config).unwrap_or_default();
    config::settings()
        .into_iter()
        .map(|name| {
            let secret = match name.as_str() {
                "database_url" => &config.database_url,
                "redis_url" => &config.redis_url,
                "smtp_url" => &config.smtp_url,
                _ => &None,
            };
            let value = if secret.is_some() {
                Value::from("(set)")
            } else {
                values[name.as_str()].clone()
            };
            let from = figment
                .find_metadata(&name)
                .map_or("default", |metadata| metadata.name.as_ref());
            // A value that comes from a struct bears the name of its type.
            let from = match from {
                of_type if of_type.contains("Flags") => "flag".to_owned(),
                of_type if of_type.contains("Config") => "default".to_owned(),
                other => other.replace('`', ""),
            };
            Setting { value, from, name }
        })
        .collect()
}

/// Variables that set nothing, but nearly have the name of one that would.
pub(super) fn misspelled(variables: impl Iterator<Item = String>) -> Vec<Finding> {
    const PREFIX: &str = "PHAROS_";
    // In a short name one error makes another word.
    let typing_errors = |name: &str| (name.len().saturating_sub(PREFIX.len()) / 3).min(3);
    let known: Vec<String> = config::settings()
        .into_iter()
        .chain(["config".to_owned()])
        .map(|name| format!("{PREFIX}{}", name.to_ascii_uppercase()))
        .collect();
    variables
        .map(|variable| variable.to_ascii_uppercase())
        .filter(|variable| variable.starts_with(PREFIX) && !known.contains(variable))
        .filter_map(|variable| {
            let distance = |name: &&String| strsim::damerau_levenshtein(name, &variable);
            let nearest = known.iter().min_by_key(distance)?;
            (distance(&nearest) <= typing_errors(nearest)).then(|| {
                let detail = format!("{variable} sets nothing; perhaps {nearest} is meant");
                Finding::wrong("configuration", &detail)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(variable: &str) -> Vec<String> {
        misspelled([variable.to_owned()].into_iter())
            .into_iter()
            .map(|finding| finding.detail)
            .collect()
    }

    #[test]
    fn a_misspelled_variable_is_named_with_the_one_that_is_meant() {
        let want = "PHAROS_DATABSE_URL sets nothing; perhaps PHAROS_DATABASE_URL is meant";
        assert_eq!(told("PHAROS_DATABSE_URL"), [want]);
        for other in [
            "PHAROS_DATABASE_URL",
            "PHAROS_CONFIG",
            "PHAROS_TEST_DATABASE_URL",
            "PHAROS_PORT",
            "PHAROS_KEY",
            "PHAROS_BIN",
            "PATH",
        ] {
            assert!(told(other).is_empty(), "{other}");
        }
    }
}

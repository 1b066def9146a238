//! Which settings are in force, and which do nothing.

use serde::Serialize;
use serde_json::Value;

use super::Finding;
use crate::{
    config::{self, Config},
    flags::{GlobalFlags, ServeFlags},
    settings::{self, Kind, refusal, unknown},
};

#[derive(Serialize)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) value: Value,
    pub(super) from: String,
}

pub(super) fn in_force(global: &GlobalFlags, config: &Config) -> Vec<Setting> {
    let figment = config::sources(global, &ServeFlags::default());
    let values = serde_json::to_value(config).unwrap_or_default();
    settings::all()
        .map(|setting| {
            let name = setting.name;
            let value = match &values[name] {
                set if setting.kind == Kind::Secret && !set.is_null() => Value::from("(set)"),
                value => value.clone(),
            };
            let from = figment
                .find_metadata(name)
                .map_or_else(|| "default".to_owned(), |metadata| refusal::from(metadata, name));
            Setting { name, value, from }
        })
        .collect()
}

/// Variables that set nothing. No other command starts with one.
pub(super) fn unknown_variables() -> Vec<Finding> {
    unknown::of_environment()
        .iter()
        .map(|(name, nearest)| Finding::wrong("configuration", &unknown::told(name, nearest)))
        .collect()
}

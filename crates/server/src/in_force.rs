//! The settings that are in force, each with where its value came from. Nothing is told of a secret but that it is set.

use serde::Serialize;
use serde_json::Value;

use crate::{
    config::{self, Config},
    flags::{GlobalFlags, ServeFlags},
    settings::{Kind, all, refusal},
};

/// A setting as it is in force.
#[derive(Debug, Serialize)]
pub struct InForce {
    /// Its name in the file.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
    /// Where that came from.
    pub from: String,
}

/// All settings as these flags, the environment and the file make them.
#[must_use]
pub fn in_force(global: &GlobalFlags, serve: &ServeFlags, config: &Config) -> Vec<InForce> {
    let figment = config::sources(global, serve);
    let values = serde_json::to_value(config).unwrap_or_default();
    all()
        .map(|setting| {
            let name = setting.name;
            let value = match &values[name] {
                set if setting.kind == Kind::Secret && !set.is_null() => Value::from("(set)"),
                value => value.clone(),
            };
            let from = figment
                .find_metadata(name)
                .map_or_else(|| "default".to_owned(), |metadata| refusal::from(metadata, name));
            InForce { name, value, from }
        })
        .collect()
}

/// The same for people: a line a setting.
#[must_use]
pub fn lines(settings: &[InForce]) -> String {
    let width = settings.iter().map(|setting| setting.name.len()).max();
    let width = width.unwrap_or(0);
    let lines = settings.iter().map(|InForce { name, value, from }| {
        let value = match value {
            Value::Null => "–".to_owned(),
            Value::String(value) => value.clone(),
            other => other.to_string(),
        };
        format!("{name:width$}  {value}  ({from})")
    });
    lines.collect::<Vec<_>>().join("\n")
}

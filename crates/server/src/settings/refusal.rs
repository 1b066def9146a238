//! Values that can't be what they are given as: told by setting and source, without the names of types.

use figment::{
    Metadata,
    error::{Actual, Error, Kind as Fault},
};

use super::{Kind, Setting, find, unknown::nearest_setting, variable};

/// All faults of a configuration, one a line.
#[must_use]
pub fn told(error: Error) -> String {
    let faults: Vec<String> = error.into_iter().map(|fault| one(&fault)).collect();
    faults.join("\n")
}

fn one(fault: &Error) -> String {
    let name = fault.path.first().map_or("", String::as_str);
    let source = fault.metadata.as_ref().map_or_else(String::new, |metadata| {
        format!(" (from {})", from(metadata, name))
    });
    if let Fault::UnknownField(field, _) = &fault.kind {
        return format!(
            "there is no setting {field}; perhaps {} is meant{source}",
            nearest_setting(field)
        );
    }
    match find(name) {
        Some(setting) => {
            let is = setting.kind.told();
            match found(setting, &fault.kind) {
                Some(found) => format!("{name} is {is}, not {found}{source}"),
                None => format!("{name} is {is}{source}"),
            }
        }
        // A file that is not there, or is no TOML: words of several lines, of which the last is ended.
        None => format!("{}{source}", fault.kind.to_string().trim_end()),
    }
}

/// The value that was found in its place; nothing is told of a secret.
fn found(setting: &Setting, fault: &Fault) -> Option<String> {
    if setting.kind == Kind::Secret {
        return None;
    }
    match fault {
        Fault::InvalidType(actual, _) | Fault::InvalidValue(actual, _) => Some(shown(actual)),
        Fault::UnknownVariant(word, _) => Some(format!("{word:?}")),
        Fault::ISizeOutOfRange(number) => Some(number.to_string()),
        Fault::USizeOutOfRange(number) => Some(number.to_string()),
        // The message of a parser, such as that of addresses.
        Fault::Message(said) => Some(format!("that: {said}")),
        _ => None,
    }
}

fn shown(actual: &Actual) -> String {
    match actual {
        Actual::Bool(value) => value.to_string(),
        Actual::Unsigned(value) => format!("the number {value}"),
        Actual::Signed(value) => format!("the number {value}"),
        Actual::Float(value) => format!("the number {value}"),
        Actual::Str(value) => format!("{value:?}"),
        Actual::Seq => "a list".to_owned(),
        Actual::Map => "a table".to_owned(),
        _ => "that".to_owned(),
    }
}

/// Where the value of a setting comes from.
#[must_use]
pub fn from(metadata: &Metadata, name: &str) -> String {
    match metadata.name.as_ref() {
        // A value that comes from a struct bears the name of its type.
        of_type if of_type.contains("Flags") => "flag".to_owned(),
        of_type if of_type.contains("Config") => "default".to_owned(),
        of_environment if of_environment.contains("environment") && !name.is_empty() => {
            format!("environment, {}", variable(name))
        }
        other => match metadata.source.as_ref().and_then(figment::Source::file_path) {
            Some(path) => format!("file {}", path.display()),
            None => other.replace('`', ""),
        },
    }
}

//! The settings of a node: what each is, within which bounds, and what it does. Documentation, refusals and the doctor are made
//! from this one table.

pub mod flags;
pub mod markdown;
pub mod refusal;
mod table;
pub mod unknown;

use serde::Serialize;
use serde_json::Value;
use url::Url;

pub use self::table::SECTIONS;

/// Settings that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Their subject.
    pub title: &'static str,
    /// The settings.
    pub settings: &'static [Setting],
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in the file. Its variable is `PHAROS_` and this in capital letters.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// Its description, in Markdown, beside `docs/configuration.md`.
    pub about: &'static str,
    /// The behaviour without it, where that is not a value; in Markdown.
    pub without: Option<&'static str>,
}

/// Which values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An address with a port.
    Address,
    /// A URL of http or https.
    Url,
    /// The path of a file.
    File,
    /// The path of a folder.
    Folder,
    /// Any text.
    Text,
    /// A text that is never shown.
    Secret,
    /// Yes or no.
    Switch,
    /// A whole number within bounds, both of which it may be.
    Number(u64, u64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Some of these words.
    SomeOf(&'static [&'static str]),
    /// Networks in CIDR notation.
    Networks,
}

impl Kind {
    /// The values that it takes, as a sentence says them.
    #[must_use]
    pub fn told(self) -> String {
        match self {
            Self::Address => "an address with a port, such as 127.0.0.1:7070".to_owned(),
            Self::Url => "an https:// or http:// URL".to_owned(),
            Self::File => "the path of a file".to_owned(),
            Self::Folder => "the path of a folder".to_owned(),
            Self::Text | Self::Secret => "a text".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Number(least, most) => {
                format!("a whole number from {} to {}", grouped(least), grouped(most))
            }
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::SomeOf(words) => format!("a list of {}, such as [\"{}\"]", words.join(", "), words[0]),
            Self::Networks => "a list of networks, such as [\"10.1.0.0/16\"]".to_owned(),
        }
    }
}

impl Setting {
    const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self {
            name,
            kind,
            about,
            without: None,
        }
    }

    const fn without(mut self, told: &'static str) -> Self {
        self.without = Some(told);
        self
    }

    /// The name of its variable.
    #[must_use]
    pub fn variable(&self) -> String {
        variable(self.name)
    }
}

/// All settings, in the order of their sections.
pub fn all() -> impl Iterator<Item = &'static Setting> {
    SECTIONS.iter().flat_map(|section| section.settings)
}

/// The setting of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.name == name)
}

/// The name of the variable of a setting.
#[must_use]
pub fn variable(name: &str) -> String {
    format!("{}{}", unknown::PREFIX, name.to_ascii_uppercase())
}

/// Holds each number of a configuration against its bounds, and each URL against what one is.
///
/// # Errors
/// The first that does not fit.
pub fn check(config: &impl Serialize) -> anyhow::Result<()> {
    let values = serde_json::to_value(config)?;
    for setting in all() {
        let value = &values[setting.name];
        let fits = match (setting.kind, value) {
            (Kind::Number(least, most), Value::Number(number)) => number
                .as_u64()
                .is_some_and(|number| (least..=most).contains(&number)),
            (Kind::Url, Value::String(text)) => {
                let url = Url::parse(text);
                url.is_ok_and(|url| matches!(url.scheme(), "https" | "http") && url.has_host())
            }
            _ => true,
        };
        anyhow::ensure!(fits, "{} is {}, not {value}", setting.name, setting.kind.told());
    }
    Ok(())
}

/// The setting that a node takes of a configuration that it reads anew. It reads the files of a certificate anew, not the settings.
pub const READ_ANEW: &str = "log";

/// The names of the settings that have another value now.
///
/// # Errors
/// A configuration can't be written as JSON.
pub fn changed<T: Serialize>(before: &T, now: &T) -> anyhow::Result<Vec<&'static str>> {
    let (before, now) = (serde_json::to_value(before)?, serde_json::to_value(now)?);
    let names = all().map(|setting| setting.name);
    Ok(names.filter(|name| before[*name] != now[*name]).collect())
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;

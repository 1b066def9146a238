//! The rules of schemas, as far as services state them.

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde_json::Value;

/// The members of an object. A schema takes what it knows; what is left is unknown.
pub(crate) struct Members<'a> {
    at: String,
    left: BTreeMap<&'a str, &'a Value>,
}

impl<'a> Members<'a> {
    pub(crate) fn of(value: &'a Value, at: &str) -> Result<Self, String> {
        let members = value.as_object().ok_or(format!("{at} is not an object"))?;
        Ok(Self {
            at: at.to_owned(),
            left: members
                .iter()
                .map(|(name, value)| (name.as_str(), value))
                .collect(),
        })
    }

    /// A member that may be missing.
    pub(crate) fn optional(&mut self, name: &str) -> Option<&'a Value> {
        self.left.remove(name)
    }

    pub(crate) fn required(&mut self, name: &str) -> Result<&'a Value, String> {
        self.left
            .remove(name)
            .ok_or(format!("{}.{name} is missing", self.at))
    }

    /// A text with so many characters.
    pub(crate) fn text(&mut self, name: &str, lengths: RangeInclusive<usize>) -> Result<&'a str, String> {
        text(self.required(name)?, &format!("{}.{name}", self.at), lengths)
    }

    pub(crate) fn optional_text(
        &mut self,
        name: &str,
        lengths: RangeInclusive<usize>,
    ) -> Result<Option<&'a str>, String> {
        let at = format!("{}.{name}", self.at);
        self.optional(name)
            .map(|value| text(value, &at, lengths))
            .transpose()
    }

    /// One of these texts.
    pub(crate) fn one_of(&mut self, name: &str, words: &[&str]) -> Result<&'a str, String> {
        let word = self.text(name, 0..=usize::MAX)?;
        match words.contains(&word) {
            true => Ok(word),
            false => Err(format!("{}.{name} is none of {words:?}", self.at)),
        }
    }

    pub(crate) fn optional_one_of(&mut self, name: &str, words: &[&str]) -> Result<(), String> {
        match self.left.contains_key(name) {
            true => self.one_of(name, words).map(|_| ()),
            false => Ok(()),
        }
    }

    pub(crate) fn optional_bool(&mut self, name: &str) -> Result<Option<bool>, String> {
        let at = format!("{}.{name}", self.at);
        let value = self.optional(name);
        value
            .map(|value| value.as_bool().ok_or(format!("{at} is not a boolean")))
            .transpose()
    }

    pub(crate) fn optional_number(&mut self, name: &str, range: RangeInclusive<i64>) -> Result<(), String> {
        match self.optional(name) {
            Some(value) if !value.as_i64().is_some_and(|number| range.contains(&number)) => {
                Err(format!("{}.{name} is not a number in {range:?}", self.at))
            }
            _ => Ok(()),
        }
    }

    /// A list with so many values.
    pub(crate) fn list(&mut self, name: &str, lengths: RangeInclusive<usize>) -> Result<&'a [Value], String> {
        let (at, value) = (format!("{}.{name}", self.at), self.required(name)?);
        let list = value.as_array().ok_or(format!("{at} is not a list"))?;
        match lengths.contains(&list.len()) {
            true => Ok(list),
            false => Err(format!("{at} has {} values", list.len())),
        }
    }

    /// Refuses what was not taken.
    pub(crate) fn end(self) -> Result<(), String> {
        match self.left.keys().next() {
            Some(name) => Err(format!("{}.{name} is unknown", self.at)),
            None => Ok(()),
        }
    }
}

/// A text with so many characters.
pub(crate) fn text<'a>(
    value: &'a Value,
    at: &str,
    lengths: RangeInclusive<usize>,
) -> Result<&'a str, String> {
    let text = value.as_str().ok_or(format!("{at} is not a text"))?;
    let length = text.chars().count();
    match lengths.contains(&length) {
        true => Ok(text),
        false => Err(format!("{at} has {length} characters")),
    }
}

/// A moment as RFC 3339 writes it.
pub(crate) fn moment(text: &str) -> Result<(), String> {
    let format = time::format_description::well_known::Rfc3339;
    match time::OffsetDateTime::parse(text, &format) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("{text} is not a moment")),
    }
}

/// A URL of http or https.
pub(crate) fn link(text: &str) -> Result<(), String> {
    let is_http = text.starts_with("https://") || text.starts_with("http://");
    let is_bare = !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>|\"".contains(c));
    let is_link = is_http && is_bare;
    is_link
        .then_some(())
        .ok_or_else(|| format!("{text:.40} is no link"))
}

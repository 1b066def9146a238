//! Typed members of a JSON object. A member that is null counts as absent.

use std::ops::RangeInclusive;

use pharos_domain::settings::Faults;
use serde_json::{Map, Value};

/// The members of an object of a beacon.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a>(pub &'a Map<String, Value>);

impl<'a> Members<'a> {
    /// The member, whatever it is.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text as it was sent.
    pub fn raw_text(self, name: &str, faults: &mut Faults) -> Option<&'a str> {
        let value = self.get(name)?;
        let text = value.as_str();
        if text.is_none() {
            faults.add(name, "a text");
        }
        text
    }

    /// A text without control characters and outer spaces, of which the first `most` characters count; none where nothing
    /// is left.
    pub fn text(self, name: &str, most: usize, faults: &mut Faults) -> Option<String> {
        self.raw_text(name, faults).and_then(|text| clean(text, most))
    }

    /// A number within bounds.
    pub fn number(self, name: &str, bounds: RangeInclusive<f64>, faults: &mut Faults) -> Option<f64> {
        let value = self.get(name)?;
        let number = value.as_f64().filter(|number| bounds.contains(number));
        if number.is_none() {
            let (least, most) = bounds.into_inner();
            faults.add(name, format!("a number of {least} to {most}"));
        }
        number
    }

    /// A number within bounds, rounded to a whole one.
    pub fn whole(self, name: &str, bounds: RangeInclusive<u32>, faults: &mut Faults) -> Option<u32> {
        let bounds = f64::from(*bounds.start())..=f64::from(*bounds.end());
        let number = self.number(name, bounds, faults)?.round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number within bounds that are u32"
        )]
        Some(number as u32)
    }

    /// A list of at most `most` items.
    pub fn list(self, name: &str, most: usize, faults: &mut Faults) -> Option<&'a [Value]> {
        let value = self.get(name)?;
        let list = value.as_array().filter(|list| list.len() <= most);
        if list.is_none() {
            faults.add(name, format!("a list of at most {most}"));
        }
        list.map(Vec::as_slice)
    }

    /// An object.
    pub fn object(self, name: &str, faults: &mut Faults) -> Option<Members<'a>> {
        let value = self.get(name)?;
        let object = value.as_object();
        if object.is_none() {
            faults.add(name, "an object");
        }
        object.map(Members)
    }
}

/// The text without control characters (PostgreSQL can't keep the first of them) and outer spaces, cut after `most`
/// characters.
pub(crate) fn clean(text: &str, most: usize) -> Option<String> {
    let kept: String = text
        .trim()
        .chars()
        .filter(|character| !character.is_control())
        .take(most)
        .collect();
    let kept = kept.trim();
    (!kept.is_empty()).then(|| kept.to_owned())
}

//! Which countries there are.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// In use everywhere, though no code of ISO 3166-1.
const KOSOVO: &str = "XK";

/// A country: two letters of ISO 3166-1 in upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country([u8; 2]);

/// A text that names no country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not {should}", should = super::SHOULD)]
pub struct NoCountry;

impl Country {
    /// The country of two upper-case letters, which the store has.
    #[must_use]
    pub fn new(letters: &str) -> Option<Self> {
        let letters: [u8; 2] = letters.as_bytes().try_into().ok()?;
        letters
            .iter()
            .all(u8::is_ascii_uppercase)
            .then_some(Self(letters))
    }

    /// The letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The English name; `None`: the letters are given to no country.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self.as_str() {
            KOSOVO => Some("Kosovo"),
            letters => rust_iso3166::from_alpha2(letters).map(|country| country.name),
        }
    }
}

impl FromStr for Country {
    type Err = NoCountry;

    /// The country that a caller names, in whatever case.
    fn from_str(letters: &str) -> Result<Self, NoCountry> {
        let country = Self::new(&letters.to_ascii_uppercase()).ok_or(NoCountry)?;
        country.name().map(|_| country).ok_or(NoCountry)
    }
}

impl Serialize for Country {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Country {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let letters = String::deserialize(deserializer)?;
        letters.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_named_in_whatever_case_and_exists() {
        for (text, country) in [("DE", "DE"), ("us", "US"), ("xK", "XK")] {
            assert_eq!(text.parse(), Country::new(country).ok_or(NoCountry), "{text}");
        }
        for text in ["", "U", "USA", "Germany", "QQ", "ZZ", "U1", "ü"] {
            assert_eq!(text.parse::<Country>(), Err(NoCountry), "{text}");
        }
        assert_eq!(NoCountry.to_string(), "not two letters of ISO 3166-1, such as US");
    }
}

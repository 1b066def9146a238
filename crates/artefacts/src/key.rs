//! The names of artefacts.

use std::{fmt, str::FromStr};

/// The longest key, in bytes.
const LONGEST: usize = 512;

/// The name of an artefact: parts with slashes between them, each of letters, digits, `.`, `-` and `_`, and none of them dots
/// alone. So it is the same as a path, in a URL and in a store.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtefactKey(String);

/// The text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not the name of an artefact: letters, digits, dots, hyphens and underscores, with slashes between the parts"
)]
pub struct MalformedKey;

impl ArtefactKey {
    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a key may have this between two of its slashes.
    #[must_use]
    pub fn is_part(text: &str) -> bool {
        text.len() <= LONGEST
            && text.bytes().any(|byte| byte != b'.')
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    }
}

impl FromStr for ArtefactKey {
    type Err = MalformedKey;

    fn from_str(text: &str) -> Result<Self, MalformedKey> {
        if text.len() <= LONGEST && text.split('/').all(Self::is_part) {
            Ok(Self(text.to_owned()))
        } else {
            Err(MalformedKey)
        }
    }
}

impl fmt::Display for ArtefactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stays_below_its_folder() {
        for good in ["synthetic/0190f3c2-7a4e/frame-0.jpg", "a", "a.b/c_d"] {
            assert_eq!(good.parse::<ArtefactKey>().map(|key| key.0), Ok(good.to_owned()));
        }
        let long = "a".repeat(LONGEST + 1);
        for bad in [
            "", "/", "a/", "/a", "a//b", "../a", "a/..", "a/./b", "a b", "a%2fb", "a\\b", "ä", &long,
        ] {
            assert_eq!(bad.parse::<ArtefactKey>(), Err(MalformedKey), "{bad}");
        }
    }
}

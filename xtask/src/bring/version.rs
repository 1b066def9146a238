//! Versions as programs and packages write them.

use std::fmt;

/// The first two numbers of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

impl Version {
    /// Reads `15.14`, `18beta1`, and what Debian makes of versions: `17+248`, `5:7.0.15-1~deb12u10`, whose epoch
    /// says nothing.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = match text.split_once(':') {
            Some((epoch, rest)) if epoch.parse::<u32>().is_ok() => rest,
            _ => text,
        };
        let (major, rest) = leading_number(text)?;
        let minor = rest.strip_prefix('.').and_then(leading_number);
        Some(Self {
            major,
            minor: minor.map_or(0, |(minor, _)| minor),
        })
    }
}

/// 18 and the rest of `18beta1`.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

/// As it is said in a sentence: 15, 6.2.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.minor {
            0 => write!(f, "{}", self.major),
            minor => write!(f, "{}.{minor}", self.major),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_read_as_programs_and_packages_write_them() {
        for (text, major, minor) in [
            ("15.14", 15, 14),
            ("18beta1", 18, 0),
            ("17+248", 17, 0),
            ("7", 7, 0),
            ("5:7.0.15-1~deb12u10", 7, 0),
            ("6.2.14", 6, 2),
        ] {
            assert_eq!(Version::parse(text), Some(Version { major, minor }), "{text}");
        }
        for text in ["", "(none)", "beta"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }
}

//! Which status codes count as up.

use std::fmt;
use std::str::FromStr;

/// A single status code, or a class of a hundred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpectedStatus {
    /// Exactly this code, such as 404.
    Code(u16),
    /// Every code of a class: 2 stands for 200 to 299.
    Class(u8),
}

/// The statuses that a check accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedStatuses(Vec<ExpectedStatus>);

/// A text that is neither a code from 100 to 599 nor a class from 1xx to 5xx; or no text at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be status codes such as \"200\" or classes such as \"2xx\", and at least one")]
pub struct InvalidExpectedStatus;

impl ExpectedStatuses {
    /// Reads a list such as `["200", "3xx"]`.
    ///
    /// # Errors
    /// If the list is empty, or holds anything but codes and classes.
    pub fn parse<I>(list: I) -> Result<Self, InvalidExpectedStatus>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let list: Vec<_> = list
            .into_iter()
            .map(|item| item.as_ref().parse())
            .collect::<Result<_, _>>()?;
        if list.is_empty() {
            Err(InvalidExpectedStatus)
        } else {
            Ok(Self(list))
        }
    }

    /// Whether this code is one of them.
    #[must_use]
    pub fn contains(&self, code: u16) -> bool {
        self.0.iter().any(|expected| match *expected {
            ExpectedStatus::Code(wanted) => wanted == code,
            ExpectedStatus::Class(class) => u16::from(class) == code / 100,
        })
    }

    /// The codes and classes, in the order in which they were given.
    #[must_use]
    pub fn as_slice(&self) -> &[ExpectedStatus] {
        &self.0
    }
}

impl Default for ExpectedStatuses {
    /// Any success and any redirect.
    fn default() -> Self {
        Self(vec![ExpectedStatus::Class(2), ExpectedStatus::Class(3)])
    }
}

impl FromStr for ExpectedStatus {
    type Err = InvalidExpectedStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [class @ b'1'..=b'5', b'x' | b'X', b'x' | b'X'] => Ok(Self::Class(class - b'0')),
            [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'] => {
                text.parse().map(Self::Code).map_err(|_| InvalidExpectedStatus)
            }
            _ => Err(InvalidExpectedStatus),
        }
    }
}

impl fmt::Display for ExpectedStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Class(class) => write!(f, "{class}xx"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ExpectedStatuses;

    #[test]
    fn codes_and_classes_are_told_apart() {
        let expected = ExpectedStatuses::parse(["404", "2xx"]).unwrap();
        for code in [200, 204, 299, 404] {
            assert!(expected.contains(code), "{code}");
        }
        for code in [199, 300, 400, 405] {
            assert!(!expected.contains(code), "{code}");
        }
    }

    #[test]
    fn what_is_neither_is_refused() {
        for text in [
            "", "2", "20", "099", "600", "2x", "2xxx", "xx", "0xx", "6xx", " 200", "+20", "٢٠٠",
        ] {
            assert!(ExpectedStatuses::parse([text]).is_err(), "{text}");
        }
        assert!(ExpectedStatuses::parse(Vec::<String>::new()).is_err());
    }

    #[test]
    fn the_default_is_any_success_and_any_redirect() {
        assert_eq!(
            ExpectedStatuses::default(),
            ExpectedStatuses::parse(["2xx", "3xx"]).unwrap()
        );
    }

    #[test]
    fn it_prints_as_it_was_written() {
        let expected = ExpectedStatuses::parse(["404", "2XX"]).unwrap();
        let printed: Vec<_> = expected.as_slice().iter().map(ToString::to_string).collect();
        assert_eq!(printed, ["404", "2xx"]);
    }
}

//! A rule that does not hold, at one place of the document.

use std::fmt;

/// A closed list of rules, each with a name that a reader can search for.
pub(crate) trait Rule: Copy + 'static {
    #[cfg(test)]
    const ALL: &'static [Self];

    fn name(self) -> &'static str;
}

/// Declares such a list, a rule a line.
macro_rules! rules {
    ($(#[$about:meta])* $($rule:ident = $name:literal,)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(crate) enum Rule {
            $($rule,)+
        }

        impl $crate::openapi::fault::Rule for Rule {
            #[cfg(test)]
            const ALL: &'static [Self] = &[$(Self::$rule),+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)+
                }
            }
        }
    };
}
pub(super) use rules;

/// One fault.
#[derive(Debug)]
pub(crate) struct Fault<R> {
    pub(crate) rule: R,
    place: String,
    detail: String,
}

impl<R> Fault<R> {
    pub(crate) fn new(rule: R, place: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            rule,
            place: place.into(),
            detail: detail.into(),
        }
    }
}

impl<R: Rule> fmt::Display for Fault<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}: {}", self.rule.name(), self.place, self.detail)
    }
}

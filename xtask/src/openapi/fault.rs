//! A rule that does not hold, at one place of the document.

use std::fmt;

/// Declares the rules, each with a name that a reader can search for.
macro_rules! rules {
    ($($rule:ident = $name:literal,)+) => {
        /// Every way to fall short.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(crate) enum Rule {
            $($rule,)+
        }

        impl Rule {
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$rule),+];

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)+
                }
            }
        }
    };
}

rules! {
    SummaryMissing = "summary-missing",
    TagNotOne = "tag-not-one",
    OperationIdNotUnique = "operation-id-not-unique",
    ParameterUndescribed = "parameter-undescribed",
    ParameterWithoutSchema = "parameter-without-schema",
    ParameterEnumInline = "parameter-enum-inline",
    ExtensionMissing = "extension-missing",
    SuccessWithoutSchema = "success-without-schema",
    ExampleMissing = "example-missing",
    ExampleMisfits = "example-misfits",
    ProblemMissing = "problem-missing",
    PropertyUndescribed = "property-undescribed",
    NullUnexplained = "null-unexplained",
    ReferenceBroken = "reference-broken",
    SentenceWithoutSubject = "sentence-without-subject",
}

/// One fault.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    place: String,
    detail: String,
}

impl Fault {
    pub(crate) fn new(rule: Rule, place: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            rule,
            place: place.into(),
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}: {}", self.rule.name(), self.place, self.detail)
    }
}

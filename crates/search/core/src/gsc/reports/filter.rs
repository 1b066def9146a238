//! Filters of reports: they fit values as those of the upstream do.

use std::ops::RangeInclusive;

use pharos_domain::wire_enum;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::gsc::{
    expression::{compiled, kept},
    figures::Device,
    judging::{Budget, Judge, TooCostly},
    place::{Country, NoCountry},
};

/// How many filters a run has at most.
pub const FILTERS: usize = 20;
/// How long an expression is, in bytes. The upstream's longest regular expression has as many.
pub const EXPRESSION: RangeInclusive<usize> = 1..=4_096;

wire_enum! {
    /// The dimension that a filter tests.
    FilterDimension as "SearchReportDimension" {
        /// The query, in lower case as the upstream has it.
        Query = "query",
        /// The URL of the page.
        Page = "page",
        /// The country: two letters of ISO 3166-1.
        Country = "country",
        /// The device: desktop, mobile or tablet.
        Device = "device",
        /// The look of the result.
        SearchAppearance = "search_appearance",
    }
}

impl FilterDimension {
    /// Whether the upstream tells it together with looks of results.
    #[must_use]
    pub const fn is_told_with_looks(self) -> bool {
        matches!(self, Self::Page | Self::SearchAppearance)
    }
}

wire_enum! {
    /// How a filter fits.
    Operator as "SearchReportOperator" {
        /// The value is the expression. By case, but of countries.
        Equals = "equals",
        /// It is not.
        NotEquals = "not_equals",
        /// The expression stands in the value, whatever the case.
        Contains = "contains",
        /// It does not.
        NotContains = "not_contains",
        /// The expression, a regular expression of RE2, is found in the value, by case.
        IncludingRegex = "including_regex",
        /// It is not found.
        ExcludingRegex = "excluding_regex",
    }
}

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Filter {
    /// The dimension that it tests.
    pub dimension: FilterDimension,
    /// How it fits.
    pub operator: Operator,
    /// With what.
    pub expression: String,
}

/// A filter that is ready to be checked against values.
#[derive(Clone, Debug)]
pub struct Matcher {
    test: Test,
    /// Whether it fits where the test fails.
    is_negative: bool,
}

#[derive(Clone, Debug)]
enum Test {
    Is(String),
    /// In lower case.
    Holds(String),
    Finds(Regex),
}

/// Compiles an expression, by case where the flag is not set.
type Compile = fn(&str, bool) -> Result<Regex, String>;

impl Filter {
    /// The filter, ready to be checked against values, within a budget: an expression is compiled in a turn of its own.
    ///
    /// # Errors
    /// There was no time left. Inside: as those of [`Self::matcher`].
    pub async fn matcher_within(&self, budget: &mut Budget) -> Result<Result<Matcher, String>, TooCostly> {
        self.compiled_within(budget, compiled).await
    }

    /// The same of a filter that was judged when it was stored, perhaps by another version: its expression need not fulfil the
    /// rules of this one.
    ///
    /// # Errors
    /// As those of [`Self::matcher_within`].
    pub async fn stored_matcher_within(
        &self,
        budget: &mut Budget,
    ) -> Result<Result<Matcher, String>, TooCostly> {
        self.compiled_within(budget, kept).await
    }

    async fn compiled_within(
        &self,
        budget: &mut Budget,
        compile: Compile,
    ) -> Result<Result<Matcher, String>, TooCostly> {
        match self.operator {
            Operator::IncludingRegex | Operator::ExcludingRegex => {
                let filter = self.clone();
                budget.spent(move || filter.matcher_by(compile)).await
            }
            Operator::Equals | Operator::NotEquals | Operator::Contains | Operator::NotContains => {
                Ok(self.matcher_by(compile))
            }
        }
    }

    /// The filter, ready to be checked against values. To compile an expression may take some time.
    ///
    /// # Errors
    /// The expression is no regular expression of RE2, or one that takes too much memory, or equals a country or a device that
    /// there is not: why, as a clause for people.
    pub fn matcher(&self) -> Result<Matcher, String> {
        self.matcher_by(compiled)
    }

    fn matcher_by(&self, compile: Compile) -> Result<Matcher, String> {
        let Self {
            dimension,
            operator,
            expression,
        } = self;
        let test = match operator {
            Operator::Equals | Operator::NotEquals => Test::Is(match dimension {
                FilterDimension::Country => country(expression)?,
                FilterDimension::Device => device(expression)?,
                FilterDimension::Query | FilterDimension::Page | FilterDimension::SearchAppearance => {
                    expression.clone()
                }
            }),
            Operator::Contains | Operator::NotContains => Test::Holds(expression.to_lowercase()),
            Operator::IncludingRegex | Operator::ExcludingRegex => Test::Finds(compile(expression, false)?),
        };
        let is_negative = matches!(
            operator,
            Operator::NotEquals | Operator::NotContains | Operator::ExcludingRegex
        );
        Ok(Matcher { test, is_negative })
    }
}

/// The letters of a country as values have them.
fn country(expression: &str) -> Result<String, String> {
    let country: Country = expression.parse().map_err(|fault: NoCountry| fault.to_string())?;
    Ok(country.as_str().to_owned())
}

/// The name of a device, judged as the parameter `device` of other operations is.
fn device(expression: &str) -> Result<String, String> {
    let found = expression
        .parse()
        .map(|device: Device| device.as_str().to_owned());
    found.map_err(|_| {
        let names: Vec<&str> = Device::ALL.iter().map(|device| device.as_str()).collect();
        format!("not one of {}", names.join(", "))
    })
}

impl Matcher {
    /// Whether it fits a value. One that is not known is like an empty text.
    #[must_use]
    pub fn fits(&self, value: &str) -> bool {
        let holds = match &self.test {
            Test::Is(expression) => value == expression,
            Test::Holds(expression) => value.to_lowercase().contains(expression),
            Test::Finds(regex) => regex.is_match(value),
        };
        holds != self.is_negative
    }
}

/// Filters of which a value has to fit all.
#[derive(Debug)]
pub struct Matchers(pub Vec<Matcher>);

impl Judge for Matchers {
    fn fits(&self, value: &str) -> bool {
        self.0.iter().all(|matcher| matcher.fits(value))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn fits(operator: Operator, expression: &str, value: &str) -> bool {
        let filter = Filter {
            dimension: FilterDimension::Query,
            operator,
            expression: expression.to_owned(),
        };
        filter.matcher().unwrap().fits(value)
    }

    #[tokio::test]
    async fn expressions_are_compiled_as_long_as_there_is_time() {
        let mut none = Budget::new(Duration::ZERO);
        let filter = |operator: Operator| Filter {
            dimension: FilterDimension::Query,
            operator,
            expression: "shoes".to_owned(),
        };
        let regex = filter(Operator::IncludingRegex);
        assert!(matches!(regex.matcher_within(&mut none).await, Err(TooCostly)));
        let text = filter(Operator::Contains).matcher_within(&mut none).await;
        assert!(text.unwrap().unwrap().fits("red shoes"));
        let mut enough = Budget::new(Duration::from_secs(60));
        let regex = regex.matcher_within(&mut enough).await.unwrap();
        assert!(regex.unwrap().fits("red shoes"));
    }

    /// A report that waits while the version changes is made all the same.
    #[tokio::test]
    async fn an_expression_that_was_taken_before_is_compiled_as_it_was() {
        let filter = Filter {
            dimension: FilterDimension::Query,
            operator: Operator::IncludingRegex,
            expression: "^[r[e]]+d".to_owned(),
        };
        let mut budget = Budget::new(Duration::from_secs(60));
        assert!(filter.matcher_within(&mut budget).await.unwrap().is_err());
        let stored = filter.stored_matcher_within(&mut budget).await.unwrap();
        assert!(stored.unwrap().fits("red shoes"));
    }

    #[test]
    fn operators_fit_as_those_of_the_upstream() {
        let table = [
            (Operator::Equals, Operator::NotEquals, "Red shoes", false),
            (Operator::Equals, Operator::NotEquals, "red shoes", true),
            (Operator::Equals, Operator::NotEquals, "red", false),
            (Operator::Contains, Operator::NotContains, "ED SH", true),
            (Operator::Contains, Operator::NotContains, "blue", false),
            (
                Operator::IncludingRegex,
                Operator::ExcludingRegex,
                "^red .*s$",
                true,
            ),
            (Operator::IncludingRegex, Operator::ExcludingRegex, "sho", true),
            (Operator::IncludingRegex, Operator::ExcludingRegex, "RED", false),
            (
                Operator::IncludingRegex,
                Operator::ExcludingRegex,
                "(?i)RED",
                true,
            ),
        ];
        for (positive, negative, expression, expected) in table {
            assert_eq!(
                fits(positive, expression, "red shoes"),
                expected,
                "{positive} {expression}"
            );
            assert_eq!(
                fits(negative, expression, "red shoes"),
                !expected,
                "{negative} {expression}"
            );
        }
    }

    #[test]
    fn countries_are_equal_whatever_the_case_and_devices_as_they_are_named() {
        for (dimension, expression, value) in [
            (FilterDimension::Country, "de", "DE"),
            (FilterDimension::Device, "mobile", "mobile"),
        ] {
            let filter = Filter {
                dimension,
                operator: Operator::Equals,
                expression: expression.to_owned(),
            };
            assert!(filter.matcher().unwrap().fits(value));
            assert!(!filter.matcher().unwrap().fits(""));
        }
    }

    #[test]
    fn what_equals_no_country_or_device_is_refused_with_a_reason() {
        for (dimension, expression, reason) in [
            (FilterDimension::Country, "usa", "two letters of ISO 3166-1"),
            (FilterDimension::Country, "QQ", "two letters of ISO 3166-1"),
            (
                FilterDimension::Device,
                "phone",
                "not one of desktop, mobile, tablet",
            ),
            (
                FilterDimension::Device,
                "MOBILE",
                "not one of desktop, mobile, tablet",
            ),
        ] {
            for operator in [Operator::Equals, Operator::NotEquals] {
                let filter = Filter {
                    dimension,
                    operator,
                    expression: expression.to_owned(),
                };
                let why = filter.matcher().unwrap_err();
                assert!(why.contains(reason), "{operator} {expression}: {why}");
            }
        }
    }

    /// RE2 has neither; the last two would take exponential time or memory elsewhere.
    #[test]
    fn what_re2_does_not_have_is_refused_with_a_reason() {
        for (expression, reason) in [
            ("(?=shoes)", "look-around"),
            ("(?<!red) shoes", "look-around"),
            (r"(red) \1", "back-references"),
            ("red(", "unclosed group"),
            ("(?:(?:(?:x{1000}){1000}){1000})", "larger than 2 MiB"),
        ] {
            let filter = Filter {
                dimension: FilterDimension::Query,
                operator: Operator::IncludingRegex,
                expression: expression.to_owned(),
            };
            let why = filter.matcher().unwrap_err();
            assert!(why.contains(reason), "{expression}: {why}");
        }
        assert!(!fits(
            Operator::IncludingRegex,
            "(a+)+$",
            &format!("{}!", "a".repeat(4_096))
        ));
    }

    /// As `docs/guides/search-figures.md` has it.
    #[test]
    fn syntax_differs_from_re2_where_the_guide_says_so() {
        let regex = |expression: &str, value: &str| fits(Operator::IncludingRegex, expression, value);
        assert!(regex(r"^\w$", "é") && regex(r"^\d$", "٣"));
        assert!(!regex(r"^(?-u:\w)$", "é"));
        assert!(regex(r"\<sho", "red shoes") && !regex(r"\<hoes", "red shoes"));
        assert!(regex(r"\b{start}sho", "red shoes") && !regex(r"\b{start}hoes", "red shoes"));
        assert!(regex("^x{1001}$", &"x".repeat(1_001)));
        for taken in ["(?x) a", "(?R)a", "(?u)a", "a**", "a++", "a*+", r"\u0061"] {
            assert!(regex(taken, "a"), "{taken}");
        }
        for refused in [
            r"\Qa.b\E",
            r"\C",
            "[a-z&&[^b]]",
            "[a-z--b]",
            "[a-z~~b]",
            "[a[bc]]",
            "[[]",
            "a{",
            "a{,5}",
        ] {
            assert!(compiled(refused, false).is_err(), "{refused}");
        }
    }
}

//! The lab tests of a domain: a figure over time, and single tests with all that they showed.

pub(crate) mod course;
mod load;
pub(crate) mod one;
pub(crate) mod settings;

use maud::Markup;
use pharos_domain::{module::Module, runs::RunStatus};
use pharos_pictures::figure::{millis, number};
use pharos_synthetic::{
    budget::{BudgetMetric, BudgetResult},
    figure::{LabMetric, LabUnit},
    profile::Profile,
};

use crate::{
    parts::mark::{self, Tone},
    shown::shown,
};

/// The figures that people look at first, each with its name.
const SHOWN: [(LabMetric, &str); 12] = [
    (LabMetric::PerformanceScore, "Performance"),
    (LabMetric::AccessibilityScore, "Accessibility"),
    (LabMetric::BestPracticesScore, "Best practices"),
    (LabMetric::SeoScore, "SEO"),
    (LabMetric::FcpMs, "First Contentful Paint"),
    (LabMetric::LcpMs, "Largest Contentful Paint"),
    (LabMetric::TbtMs, "Total Blocking Time"),
    (LabMetric::Cls, "Cumulative Layout Shift"),
    (LabMetric::SpeedIndexMs, "Speed Index"),
    (LabMetric::TtfbMs, "Time to First Byte"),
    (LabMetric::TotalBytes, "Bytes"),
    (LabMetric::RequestCount, "Requests"),
];

/// The page of a figure, below the domain's.
fn course_path(metric: LabMetric) -> String {
    format!("{}/figures/{metric}", Module::Synthetic.as_str())
}

/// The page where people begin.
pub(crate) fn first_path() -> String {
    course_path(LabMetric::PerformanceScore)
}

/// The page of a test, below the domain's.
pub(super) fn test_path(run: impl std::fmt::Display) -> String {
    format!("{}/tests/{run}", Module::Synthetic.as_str())
}

/// How values of a unit are written.
fn words(unit: LabUnit) -> fn(f64) -> String {
    match unit {
        LabUnit::Ms => millis,
        LabUnit::Bytes => bytes,
        LabUnit::None => |value| number(value, 3),
        LabUnit::Points | LabUnit::Requests => |value| number(value, 0),
    }
}

fn bytes(value: f64) -> String {
    let size = value.abs();
    if size < 1e3 {
        format!("{} bytes", number(value, 0))
    } else if size < 1e6 {
        format!("{} kB", number(value / 1e3, 0))
    } else {
        format!("{} MB", number(value / 1e6, 1))
    }
}

/// A text of Lighthouse, as it is shown. It has spaces between numbers and units that keep them in one line, which can be seen
/// like any others.
fn told(text: &str) -> String {
    shown(&text.replace('\u{a0}', " "))
}

/// How a budget stands.
fn budget_state(result: BudgetResult, metric: BudgetMetric, has_test: bool) -> Markup {
    let tone = match result {
        BudgetResult::Passed => Tone::Good,
        BudgetResult::Failed => Tone::Bad,
        BudgetResult::Unknown => Tone::Calm,
    };
    mark::state(tone, result.words(metric, has_test))
}

/// The device of a profile.
fn device(profile: &str) -> &str {
    Profile::named(profile).map_or(profile, |profile| profile.name)
}

fn status(status: RunStatus) -> Markup {
    let (tone, word) = match status {
        RunStatus::Succeeded => (Tone::Good, "Succeeded"),
        RunStatus::Queued => (Tone::Calm, "Waits"),
        RunStatus::Running => (Tone::Calm, "Is measured"),
        RunStatus::Partial => (Tone::Warn, "In part"),
        RunStatus::Failed => (Tone::Bad, "Failed"),
        RunStatus::Canceled => (Tone::Calm, "Called off"),
        RunStatus::Expired => (Tone::Calm, "No longer kept"),
    };
    mark::state(tone, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_in_their_units() {
        let written = |metric: LabMetric, value| words(metric.unit())(value);
        assert_eq!(written(LabMetric::PerformanceScore, 44.0), "44");
        assert_eq!(written(LabMetric::Cls, 0.167_55), "0.168");
        assert_eq!(written(LabMetric::LcpMs, 2_500.0), "2,500 ms");
        assert_eq!(written(LabMetric::TotalBytes, 512.0), "512 bytes");
        assert_eq!(written(LabMetric::TotalBytes, 300_000.0), "300 kB");
        assert_eq!(written(LabMetric::TotalBytes, 1_737_194.0), "1.7 MB");
    }

    #[test]
    fn spaces_of_lighthouse_are_spaces() {
        assert_eq!(told("Est savings of 184\u{a0}KiB"), "Est savings of 184 KiB");
        assert_eq!(told("\u{202e}lave"), "⟦U+202E⟧lave");
    }
}

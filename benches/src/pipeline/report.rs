//! Printing a figure: a table, or a line of JSON.

use anyhow::Result;
use serde::Serialize;

use super::{
    figure::{Figure, Targets},
    finding::{Finding, Ratio, mean, spread},
};
use crate::{machine, report::Report, statistics::rounded};

/// A figure as JSON.
#[derive(Serialize)]
struct Line {
    bench: &'static str,
    figure: String,
    value: f64,
    /// The standard error of `value`.
    error: Option<f64>,
    unit: &'static str,
    target: f64,
    met: bool,
    goal: f64,
    goal_met: bool,
    /// The cores that others took meanwhile, at worst.
    others: f64,
}

/// Prints a finding.
pub(super) fn add(report: &Report, finding: &Finding) -> Result<()> {
    report.text(&finding.table())?;
    report.line(&finding.line())
}

impl Finding {
    fn line(&self) -> Line {
        let Targets { good, goal } = self.figure.targets();
        let Ratio { value, error } = self.ratio();
        Line {
            bench: "pipeline",
            figure: self.figure.name(),
            value,
            error,
            unit: self.figure.unit(),
            target: good,
            met: value >= good,
            goal,
            goal_met: value >= goal,
            others: rounded(self.others()),
        }
    }

    fn table(&self) -> String {
        let figure = self.figure;
        let mut text = format!(
            "{}: {} ({} connections)\n",
            figure.name(),
            figure.title(),
            figure.connections()
        );
        let width = self
            .series
            .iter()
            .map(|series| series.label.len())
            .max()
            .unwrap_or(0);
        for series in &self.series {
            let rate = mean(&series.samples);
            let (_, low, high) = spread(series, |sample| sample.rate);
            let (p50, ..) = spread(series, |sample| sample.p50_ms);
            let (p99, ..) = spread(series, |sample| sample.p99_ms);
            text.push_str(&format!(
                "  {:width$}  {rate:>9.0} req/s [{low:.0} – {high:.0}]  p50 {p50:.2} ms  p99 {p99:.2} ms\n",
                series.label
            ));
        }
        let Ratio { value, error } = self.ratio();
        let error = error.map_or_else(String::new, |error| format!(" ± {error:.2}"));
        let Targets { good, goal } = figure.targets();
        let said = |target: f64| if value >= target { "met" } else { "missed" };
        text.push_str(&format!(
            "  {value:.2}{error} {}; good {good:.2} {}, goal {goal:.2} {}\n",
            figure.unit(),
            said(good),
            said(goal)
        ));
        if let [_, measured, ceiling] = self.series.as_slice()
            && figure != Figure::RouteDepth
        {
            let ratio = mean(&measured.samples) / mean(&ceiling.samples);
            text.push_str(&format!("  for information: {ratio:.2} of {}\n", ceiling.label));
        }
        if let Some(commit_ms) = self.commit_ms {
            text.push_str(&format!("  a commit alone took {commit_ms:.2} ms here\n"));
        }
        text.push_str(&format!(
            "  others took up to {:.2} of {} cores meanwhile\n",
            self.others(),
            machine::cores()
        ));
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::finding::tests::finding, Figure};

    #[test]
    fn a_line_says_what_was_met() {
        let found = finding(Figure::CacheHit, &[&[100.0], &[63.0]]);
        let line = json!({
            "bench": "pipeline", "figure": "cache-hit", "value": 0.63, "error": null, "unit": "of the base",
            "target": 0.6, "met": true, "goal": 0.75, "goal_met": false, "others": 0.1,
        });
        assert_eq!(serde_json::to_value(found.line()).unwrap(), line);
    }

    #[test]
    fn a_table_says_what_is_compared_and_what_came_of_it() {
        let found = finding(
            Figure::ChargedRead64,
            &[&[100.0, 110.0, 90.0], &[80.0, 88.0, 45.0], &[142.0; 3]],
        );
        let table = found.table();
        for line in [
            "charged-read-64: a read of one row",
            "100 req/s [90 – 110]  p50 1.00 ms  p99 2.00 ms",
            "0.71 ± 0.09 of the base; good 0.75 missed, goal 1.00 missed",
            "for information: 0.50 of side",
            "others took up to 0.10 of",
        ] {
            assert!(table.contains(line), "{line} is missing in\n{table}");
        }
    }
}

//! What is printed: a table a figure, or JSON.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use super::{
    compare::Series,
    figure::{Figure, Targets},
};
use crate::{load::Sample, machine};

/// Where findings go.
pub(super) struct Report {
    json: bool,
}

/// A figure that was measured.
pub(super) struct Finding {
    pub(super) figure: Figure,
    pub(super) series: Vec<Series>,
}

/// A figure as JSON.
#[derive(Serialize)]
struct Line {
    bench: &'static str,
    figure: String,
    value: f64,
    unit: &'static str,
    target: f64,
    met: bool,
    goal: f64,
    goal_met: bool,
    /// The cores that others took meanwhile, at worst.
    others: f64,
}

impl Report {
    pub(super) fn begin(json: bool, setting: &str) -> Result<Self> {
        let report = Self { json };
        report.text(&format!("{setting}\n"))?;
        Ok(report)
    }

    pub(super) fn add(&self, finding: &Finding) -> Result<()> {
        self.text(&finding.table())?;
        if self.json {
            let mut output = std::io::stdout().lock();
            writeln!(output, "{}", serde_json::to_string(&finding.line())?)?;
            output.flush()?;
        }
        Ok(())
    }

    /// The tables go to standard output, unless that is JSON's.
    fn text(&self, text: &str) -> Result<()> {
        if self.json {
            eprintln!("{text}");
        } else {
            writeln!(std::io::stdout(), "{text}")?;
        }
        Ok(())
    }
}

impl Finding {
    fn line(&self) -> Line {
        let Targets { good, goal } = self.figure.targets();
        let (value, ..) = self.ratio();
        Line {
            bench: "pipeline",
            figure: self.figure.name(),
            value,
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
            let (rate, low, high) = spread(series, |sample| sample.rate);
            let (p50, ..) = spread(series, |sample| sample.p50_ms);
            let (p99, ..) = spread(series, |sample| sample.p99_ms);
            text.push_str(&format!(
                "  {:width$}  {rate:>9.0} req/s [{low:.0} – {high:.0}]  p50 {p50:.2} ms  p99 {p99:.2} ms\n",
                series.label
            ));
        }
        let (value, low, high) = self.ratio();
        let Targets { good, goal } = figure.targets();
        let said = |target: f64| if value >= target { "met" } else { "missed" };
        text.push_str(&format!(
            "  {value:.2} {} [{low:.2} – {high:.2}]; good {good:.2} {}, goal {goal:.2} {}\n",
            figure.unit(),
            said(good),
            said(goal)
        ));
        if let [_, measured, ceiling] = self.series.as_slice()
            && figure != Figure::RouteDepth
        {
            let ratio = median(measured) / median(ceiling);
            text.push_str(&format!("  for information: {ratio:.2} of {}\n", ceiling.label));
        }
        text.push_str(&format!(
            "  others took up to {:.2} of {} cores meanwhile\n",
            self.others(),
            machine::cores()
        ));
        text
    }

    /// The ratio of the medians, and the range of the rounds' ratios. To two digits, as the targets are.
    fn ratio(&self) -> (f64, f64, f64) {
        let compare = |rates: &[f64]| match self.figure {
            Figure::RouteDepth => {
                let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
                slowest / rates.iter().copied().fold(0.0, f64::max)
            }
            _ => rates[1] / rates[0],
        };
        let medians: Vec<f64> = self.series.iter().map(median).collect();
        let rounds = self
            .series
            .iter()
            .map(|series| series.samples.len())
            .min()
            .unwrap_or(0);
        let mut ratios: Vec<f64> = (0..rounds)
            .map(|round| {
                let rates: Vec<f64> = self
                    .series
                    .iter()
                    .map(|series| series.samples[round].rate)
                    .collect();
                compare(&rates)
            })
            .collect();
        let (_, low, high) = middle_and_range(&mut ratios);
        (rounded(compare(&medians)), low, high)
    }

    /// The worst that strangers did to a sample, in cores.
    fn others(&self) -> f64 {
        let samples = self.series.iter().flat_map(|series| &series.samples);
        samples.map(|sample| sample.others).fold(0.0, f64::max)
    }
}

fn median(series: &Series) -> f64 {
    spread(series, |sample| sample.rate).0
}

/// Median, lowest and highest.
fn spread(series: &Series, of: impl Fn(&Sample) -> f64) -> (f64, f64, f64) {
    let mut values: Vec<f64> = series.samples.iter().map(of).collect();
    middle_and_range(&mut values)
}

fn middle_and_range(values: &mut [f64]) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (values.first(), values.last()) else {
        return (f64::NAN, f64::NAN, f64::NAN);
    };
    let half = values.len() / 2;
    let middle = if values.len() % 2 == 1 {
        values[half]
    } else {
        f64::midpoint(values[half - 1], values[half])
    };
    (middle, *low, *high)
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(figure: Figure, rates: &[&[f64]]) -> Finding {
        let sample = |rate: &f64| Sample {
            rate: *rate,
            p50_ms: 1.0,
            p99_ms: 2.0,
            answered: 1,
            others: 0.1,
        };
        let series = rates.iter().map(|rates| Series {
            label: "side",
            samples: rates.iter().map(sample).collect(),
        });
        Finding {
            figure,
            series: series.collect(),
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_medians_and_its_range_that_of_the_rounds() {
        let found = finding(Figure::CacheHit, &[&[100.0, 200.0, 90.0], &[60.0, 80.0, 63.0]]);
        assert_eq!(found.ratio(), (0.63, 0.4, 0.7));
        let line = found.line();
        assert!(line.met && !line.goal_met);
    }

    #[test]
    fn of_routes_the_slowest_is_compared_with_the_fastest() {
        let found = finding(Figure::RouteDepth, &[&[100.0], &[104.0], &[98.0]]);
        assert_eq!(found.ratio().0, 0.94);
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assert_eq!(middle_and_range(&mut [4.0, 1.0, 2.0, 10.0]), (3.0, 1.0, 10.0));
    }
}

//! The figures, what was found of them, and how it is printed.

use serde::Serialize;

use crate::{
    machine,
    statistics::{middle_and_range, rounded},
};

/// Two ways to the same answer.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    title: &'static str,
    /// The base's time by that of Pharos has to be so much at least, or at most.
    target: Target,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    /// Pharos is so many times faster.
    Faster(f64),
    /// Pharos takes so many times as long at most.
    AtMost(f64),
}

pub(super) static BY_DAY: Figure = Figure {
    name: "by-day",
    title: "75th percentiles by day and by device over 28 days: of percentile_cont on every view",
    target: Target::Faster(10.0),
};

pub(super) static TOP_PAGES: Figure = Figure {
    name: "top-pages",
    title: "75th percentiles of the 100 pages with the most views: of the best single statement",
    target: Target::AtMost(2.0),
};

/// A figure that was measured: milliseconds, one value a round.
pub(super) struct Finding {
    pub(super) figure: &'static Figure,
    pub(super) base: Vec<f64>,
    pub(super) measured: Vec<f64>,
    /// The cores that others took meanwhile.
    pub(super) others: f64,
}

/// A figure as JSON.
#[derive(Serialize)]
pub(super) struct Line {
    bench: &'static str,
    figure: &'static str,
    value: f64,
    unit: &'static str,
    target: f64,
    met: bool,
    others: f64,
}

impl Finding {
    /// The figure's value, its unit, the target, and whether that is met.
    fn value(&self) -> (f64, &'static str, f64, bool) {
        let middle = |times: &[f64]| middle_and_range(&mut times.to_vec()).0;
        let (base, measured) = (middle(&self.base), middle(&self.measured));
        match self.figure.target {
            Target::Faster(least) => {
                let value = rounded(base / measured);
                (value, "times faster", least, value >= least)
            }
            Target::AtMost(most) => {
                let value = rounded(measured / base);
                (value, "times the base", most, value <= most)
            }
        }
    }

    pub(super) fn line(&self) -> Line {
        let (value, unit, target, met) = self.value();
        Line {
            bench: "vitals",
            figure: self.figure.name,
            value,
            unit,
            target,
            met,
            others: rounded(self.others),
        }
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!("{}: {}\n", self.figure.name, self.figure.title);
        for (side, times) in [("base", &self.base), ("Pharos", &self.measured)] {
            let (middle, low, high) = middle_and_range(&mut times.clone());
            text.push_str(&format!("  {side:<6}  {middle:>9.2} ms [{low:.2} – {high:.2}]\n"));
        }
        let (value, unit, target, met) = self.value();
        text.push_str(&format!(
            "  {value:.2} {unit}; target {target:.2} {}\n  others took {:.2} of {} cores meanwhile\n",
            if met { "met" } else { "missed" },
            self.others,
            machine::cores()
        ));
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(figure: &'static Figure, base: &[f64], measured: &[f64]) -> Finding {
        Finding {
            figure,
            base: base.to_vec(),
            measured: measured.to_vec(),
            others: 0.1,
        }
    }

    #[test]
    fn faster_is_a_ratio_of_the_base_and_slower_one_of_pharos() {
        let faster = found(&BY_DAY, &[900.0, 1_000.0, 1_200.0], &[50.0, 80.0, 90.0]);
        assert_eq!(
            serde_json::to_value(faster.line()).unwrap(),
            json!({
                "bench": "vitals", "figure": "by-day", "value": 12.5, "unit": "times faster", "target": 10.0,
                "met": true, "others": 0.1,
            })
        );
        let slower = found(&TOP_PAGES, &[100.0], &[250.0]);
        assert!(
            slower.table().contains("2.50 times the base; target 2.00 missed"),
            "{}",
            slower.table()
        );
    }
}

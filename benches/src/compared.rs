//! Measurements in rounds: how often they are taken, their targets, and how they are printed.

use serde::Serialize;

use crate::{
    machine::{self, Cpu},
    report::Report,
    statistics::{middle_and_range, rounded},
};

/// How a bench measures. Benches with short or long rounds change the default of `rounds`.
#[derive(clap::Args)]
pub(crate) struct Measuring {
    /// How many rounds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
}

/// The target of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// It is for information.
    None,
}

impl Target {
    const fn bound(self) -> Option<f64> {
        match self {
            Self::AtLeast(bound) | Self::AtMost(bound) => Some(bound),
            Self::None => None,
        }
    }

    fn is_met(self, value: f64) -> Option<bool> {
        match self {
            Self::AtLeast(bound) => Some(value >= bound),
            Self::AtMost(bound) => Some(value <= bound),
            Self::None => None,
        }
    }

    fn said(self, value: f64) -> String {
        let met = if self.is_met(value) == Some(true) {
            "met"
        } else {
            "missed"
        };
        match self {
            Self::AtLeast(bound) => format!("at least {bound} {met}"),
            Self::AtMost(bound) => format!("at most {bound} {met}"),
            Self::None => "for information".to_owned(),
        }
    }
}

/// Something that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) target: Target,
}

/// The measurements of a figure, one value a round.
pub(crate) enum Measured {
    /// Values of Pharos alone, in this unit.
    Alone(Vec<f64>, &'static str),
    /// How many times faster Pharos is: milliseconds of the base, and of Pharos.
    Faster([Vec<f64>; 2]),
    /// How many times as long Pharos takes: milliseconds of the base, and of Pharos.
    AsLong([Vec<f64>; 2]),
    /// How many times as much Pharos does in a second: what the base does, and what Pharos does, in this unit.
    AsMuch([Vec<f64>; 2], &'static str),
}

/// A figure that was measured.
pub(crate) struct Finding {
    pub(crate) figure: Figure,
    pub(crate) measured: Measured,
    /// The cores that others took meanwhile.
    pub(crate) others: f64,
}

/// A figure as JSON.
#[derive(Serialize)]
struct Line<'a> {
    bench: &'a str,
    figure: &'a str,
    value: f64,
    low: f64,
    high: f64,
    unit: &'a str,
    /// Null: the figure is for information.
    target: Option<f64>,
    met: Option<bool>,
    others: f64,
}

impl Measured {
    const fn unit(&self) -> &'static str {
        match self {
            Self::Alone(_, unit) => unit,
            Self::Faster(_) => "times faster",
            Self::AsLong(_) | Self::AsMuch(..) => "times the base",
        }
    }

    /// Both sides, and the unit of their values.
    const fn sides(&self) -> Option<(&[Vec<f64>; 2], &'static str)> {
        match self {
            Self::Alone(..) => None,
            Self::Faster(sides) | Self::AsLong(sides) => Some((sides, "ms")),
            Self::AsMuch(sides, unit) => Some((sides, unit)),
        }
    }

    /// The median, or the ratio of the medians; with the range of the rounds.
    fn summary(&self) -> (f64, f64, f64) {
        let Some(([base, pharos], _)) = self.sides() else {
            let Self::Alone(values, _) = self else {
                return (f64::NAN, f64::NAN, f64::NAN);
            };
            let (middle, low, high) = middle_and_range(&mut values.clone());
            return (rounded(middle), rounded(low), rounded(high));
        };
        let ratio = |base: f64, pharos: f64| {
            if matches!(self, Self::Faster(_)) {
                base / pharos
            } else {
                pharos / base
            }
        };
        let middle = |values: &[f64]| middle_and_range(&mut values.to_vec()).0;
        let rounds = base
            .iter()
            .zip(pharos)
            .map(|(base, pharos)| ratio(*base, *pharos));
        let (_, low, high) = middle_and_range(&mut rounds.collect::<Vec<_>>());
        (
            rounded(ratio(middle(base), middle(pharos))),
            rounded(low),
            rounded(high),
        )
    }
}

impl Finding {
    /// Prints it, as text or as a JSON object.
    pub(crate) fn print(&self, bench: &str, report: &Report) -> anyhow::Result<()> {
        report.text(&self.table())?;
        report.line(&self.line(bench))
    }

    fn line<'a>(&'a self, bench: &'a str) -> Line<'a> {
        let (value, low, high) = self.measured.summary();
        let Figure { name, target, .. } = &self.figure;
        Line {
            bench,
            figure: name,
            value,
            low,
            high,
            unit: self.measured.unit(),
            target: target.bound(),
            met: target.is_met(value),
            others: rounded(self.others),
        }
    }

    fn table(&self) -> String {
        let Figure { name, title, target } = &self.figure;
        let mut text = format!("{name}: {title}\n");
        if let Some(([base, pharos], unit)) = self.measured.sides() {
            for (side, values) in [("base", base), ("Pharos", pharos)] {
                let (middle, low, high) = middle_and_range(&mut values.clone());
                text.push_str(&format!(
                    "  {side:<6}  {middle:>9.2} {unit} [{low:.2} – {high:.2}]\n"
                ));
            }
        }
        let (value, low, high) = self.measured.summary();
        text.push_str(&format!(
            "  {value:.2} {} [{low:.2} – {high:.2}]; {}\n  others took {:.2} of {} cores meanwhile\n",
            self.measured.unit(),
            target.said(value),
            self.others,
            machine::cores()
        ));
        text
    }
}

/// The order of so many sides in a round: every other one goes backwards, so that none always comes first.
pub(crate) fn order(sides: usize, round: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sides).collect();
    if round % 2 == 1 {
        order.reverse();
    }
    order
}

/// The cores that others have taken since this was made.
pub(crate) struct Others(Cpu);

impl Others {
    pub(crate) fn from_here() -> anyhow::Result<Self> {
        Cpu::now().map(Self)
    }

    pub(crate) fn took(&self) -> anyhow::Result<f64> {
        Ok(Cpu::now()?.strangers_since(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(target: Target, measured: Measured) -> Finding {
        Finding {
            figure: Figure {
                name: "top".to_owned(),
                title: "A title".to_owned(),
                target,
            },
            measured,
            others: 0.1,
        }
    }

    #[test]
    fn a_ratio_is_that_of_the_medians_in_the_direction_that_is_asked_for() {
        let sides = || [vec![900.0, 1_000.0, 1_200.0], vec![50.0, 80.0, 100.0]];
        let faster = found(Target::AtLeast(10.0), Measured::Faster(sides()));
        assert_eq!(
            serde_json::to_value(faster.line("search")).unwrap(),
            json!({
                "bench": "search", "figure": "top", "value": 12.5, "low": 12.0, "high": 18.0, "unit": "times faster",
                "target": 10.0, "met": true, "others": 0.1,
            })
        );
        let as_long = found(Target::AtMost(0.05), Measured::AsLong(sides()));
        assert!(
            as_long
                .table()
                .contains("  0.08 times the base [0.06 – 0.08]; at most 0.05 missed\n"),
            "{}",
            as_long.table()
        );
        let as_much = found(
            Target::AtLeast(0.6),
            Measured::AsMuch([vec![100.0], vec![70.0]], "beacons/s"),
        );
        assert_eq!(
            serde_json::to_value(as_much.line("collect")).unwrap()["met"],
            json!(true)
        );
    }

    #[test]
    fn a_value_alone_has_no_base() {
        let alone = found(Target::None, Measured::Alone(vec![3.0, 1.0, 2.0], "ms"));
        assert_eq!(
            alone.table().lines().nth(1),
            Some("  2.00 ms [1.00 – 3.00]; for information")
        );
        assert_eq!(
            serde_json::to_value(alone.line("search")).unwrap()["met"],
            json!(null)
        );
    }

    #[test]
    fn every_other_round_goes_backwards() {
        assert_eq!((order(3, 0), order(3, 1)), (vec![0, 1, 2], vec![2, 1, 0]));
    }
}

//! The result of a run, as figures.

use serde::Serialize;

use super::{
    detection::Detection,
    script::CONFIRMATION,
    timing::{Timing, quantile},
};

/// The resources that were spent while the slots were counted.
pub(super) struct Spent {
    /// Processor time of `pharos`, in seconds.
    pub(super) pharos: f64,
    /// That of the database's processes.
    pub(super) database: f64,
    /// Transactions that were committed.
    pub(super) commits: f64,
    /// The bytes that were written to the log of the database.
    pub(super) wal: f64,
    /// The most memory that `pharos` has held, in bytes.
    pub(super) memory: u64,
    /// The cores that others took.
    pub(super) others: f64,
}

/// The result of a run.
pub(super) struct Finding {
    pub(super) timing: Timing,
    pub(super) detection: Detection,
    /// Checks that came to something else than their site did.
    pub(super) misjudged: u64,
    /// How long after their end checks could be read, in microseconds; empty: it was not looked at.
    pub(super) shown: Vec<i64>,
    /// The seconds between two checks of a site.
    pub(super) interval: u32,
    pub(super) spent: Spent,
}

/// A figure as JSON. A value that was not measured is null.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Line {
    bench: &'static str,
    figure: &'static str,
    value: Option<f64>,
    unit: &'static str,
    /// The bound that the value ought not to exceed.
    target: Option<f64>,
    met: Option<bool>,
    /// The cores that others took meanwhile.
    others: f64,
}

impl Line {
    fn new(
        figure: &'static str,
        value: Option<f64>,
        unit: &'static str,
        target: Option<f64>,
        others: f64,
    ) -> Self {
        Self {
            bench: "scheduler",
            figure,
            value: value.map(rounded),
            unit,
            target,
            met: value.zip(target).map(|(value, target)| value <= target),
            others: rounded(others),
        }
    }

    /// The same for people.
    pub(super) fn text(&self) -> String {
        let value = self.value.map_or_else(
            || "not measured".to_owned(),
            |value| format!("{value} {}", self.unit),
        );
        let judged = match (self.target, self.met) {
            (Some(target), Some(true)) => format!("; target {target} met"),
            (Some(target), Some(false)) => format!("; target {target} missed"),
            _ => String::new(),
        };
        format!("  {:14}{value}{judged}", self.figure)
    }
}

/// To the thousandth.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

impl Finding {
    /// The figures.
    pub(super) fn lines(&self) -> Vec<Line> {
        let Self {
            timing,
            detection,
            misjudged,
            shown,
            interval,
            spent,
        } = self;
        let mut lags: Vec<i64> = timing.lags.iter().map(|(_, lag)| *lag).collect();
        lags.sort_unstable();
        let mut shown = shown.clone();
        shown.sort_unstable();
        let checks = lags.len() as f64;
        let worst = |after: &[i64]| after.iter().max().map(|ms| *ms as f64 / 1e3);
        let count = |count: usize| Some(count as f64);
        let within = |checks: u32| Some(f64::from(interval * checks + 2));
        [
            ("lag-p50", quantile(&lags, 500), "s", None),
            ("lag-p99", quantile(&lags, 990), "s", Some(1.0)),
            ("lag-most", quantile(&lags, 1_000), "s", None),
            ("missed", Some(timing.missed as f64), "slots", Some(0.0)),
            ("doubled", Some(timing.doubled as f64), "checks", Some(0.0)),
            ("misjudged", Some(*misjudged as f64), "checks", Some(0.0)),
            (
                "detection",
                worst(&detection.shown_after),
                "s at most",
                within(CONFIRMATION),
            ),
            ("recovery", worst(&detection.ended_after), "s at most", within(1)),
            (
                "undetected",
                count(detection.undetected.len()),
                "outages",
                Some(0.0),
            ),
            ("wrong", count(detection.wrong.len()), "incidents", Some(0.0)),
            ("shown", quantile(&shown, 1_000), "s at most", Some(2.0)),
            ("cpu", Some(spent.pharos * 1e3 / checks), "ms a check", None),
            (
                "cpu-database",
                Some(spent.database * 1e3 / checks),
                "ms a check",
                None,
            ),
            (
                "cpu-both",
                Some((spent.pharos + spent.database) * 1e3 / checks),
                "ms a check",
                Some(2.0),
            ),
            ("commits", Some(spent.commits / checks), "a check", Some(1.2)),
            ("wal", Some(spent.wal / checks), "bytes a check", None),
            (
                "memory",
                Some(spent.memory as f64 / 1_048_576.0),
                "MiB at most",
                None,
            ),
        ]
        .map(|(figure, value, unit, target)| Line::new(figure, value, unit, target, spent.others))
        .into()
    }

    /// The lag of each minute.
    pub(super) fn by_minute(&self, from: i64) -> Vec<String> {
        let mut minutes: Vec<Vec<i64>> = Vec::new();
        for (slot, lag) in &self.timing.lags {
            let at = usize::try_from((slot - from) / 60_000_000).unwrap_or(0);
            if minutes.len() <= at {
                minutes.resize_with(at + 1, Vec::new);
            }
            minutes[at].push(*lag);
        }
        let told = minutes.iter_mut().enumerate().map(|(at, lags)| {
            lags.sort_unstable();
            let [half, most, all] = [500, 990, 1_000].map(|share| quantile(lags, share).unwrap_or_default());
            format!(
                "  minute {}: {} checks, lag p50 {half:.3} s, p99 {most:.3} s, most {all:.3} s",
                at + 1,
                lags.len()
            )
        });
        told.collect()
    }

    /// The faults that must never be, in words.
    pub(super) fn faults(&self) -> Vec<String> {
        let Timing { missed, doubled, .. } = self.timing;
        let counted = [
            (missed, "slots have no check"),
            (doubled, "checks are a second one of their slot"),
            (
                self.misjudged,
                "checks came to something else than their site did",
            ),
        ];
        let counted = counted
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"));
        let told = self.detection.undetected.iter().chain(&self.detection.wrong);
        counted.chain(told.cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn finding() -> Finding {
        Finding {
            timing: Timing {
                lags: vec![(0, 20_000), (1_000_000, 40_000), (61_000_000, 1_200_000)],
                missed: 1,
                doubled: 0,
            },
            detection: Detection {
                shown_after: vec![70_500, 119_000],
                ..Detection::default()
            },
            misjudged: 0,
            shown: vec![900_000, 1_100_000],
            interval: 60,
            spent: Spent {
                pharos: 0.003,
                database: 0.006,
                commits: 3.0,
                wal: 9_000.0,
                memory: 3 << 20,
                others: 0.1,
            },
        }
    }

    #[test]
    fn a_line_says_whether_the_target_was_met() {
        let lines = finding().lines();
        let line = |figure: &str| {
            let line = lines.iter().find(|line| line.figure == figure).unwrap();
            (serde_json::to_value(line).unwrap(), line.text())
        };
        let (json, text) = line("lag-p99");
        assert_eq!(
            json,
            json!({
                "bench": "scheduler", "figure": "lag-p99", "value": 1.2, "unit": "s", "target": 1.0, "met": false,
                "others": 0.1,
            })
        );
        assert_eq!(text, "  lag-p99       1.2 s; target 1 missed");
        assert_eq!(
            line("detection").1,
            "  detection     119 s at most; target 122 met"
        );
        assert_eq!(line("cpu").1, "  cpu           1 ms a check");
        let (json, text) = line("recovery");
        assert_eq!((&json["value"], &json["met"]), (&json!(null), &json!(null)));
        assert_eq!(text, "  recovery      not measured");
    }

    #[test]
    fn the_lag_is_told_for_each_minute() {
        assert_eq!(
            finding().by_minute(0),
            [
                "  minute 1: 2 checks, lag p50 0.020 s, p99 0.040 s, most 0.040 s",
                "  minute 2: 1 checks, lag p50 1.200 s, p99 1.200 s, most 1.200 s",
            ]
        );
    }

    #[test]
    fn slowness_is_no_fault_but_a_missed_slot_is() {
        assert_eq!(finding().faults(), ["1 slots have no check"]);
    }
}

//! `cargo xtask build-times`: which crates took longest in the last `cargo build --timings`, by the report that cargo left.

use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cargo;

/// No crate may take longer, in seconds: `docs/adding-a-group.md` has the budget.
const MOST_SECONDS: f64 = 45.0;
/// How many units are shown.
const SHOWN: usize = 10;
/// Stands before the list of units in the report.
const BEFORE_UNITS: &str = "const UNIT_DATA = ";

/// A unit that was built: a library, a program, a test, or the run of a build script.
#[derive(Debug, Deserialize)]
struct Unit {
    name: String,
    /// The kind of unit, with a space before it; empty for a library.
    target: String,
    /// Its seconds.
    duration: f64,
}

pub(crate) fn run() -> Result<()> {
    let folder = cargo::workspace()?.target_directory;
    let file = folder.join("cargo-timings/cargo-timing.html");
    let report = fs::read_to_string(&file)
        .with_context(|| format!("there is no {file}: run `cargo build --timings` first"))?;
    println!("{}", told(units(&report)?));
    Ok(())
}

fn units(report: &str) -> Result<Vec<Unit>> {
    let (_, rest) = report
        .split_once(BEFORE_UNITS)
        .context("the report of cargo lists no units")?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Vec<Unit>>();
    let units = values.next().context("the report of cargo is cut off")?;
    units.context("the report of cargo has units that can't be read")
}

/// The slowest units, and those that took longer than any may.
fn told(mut units: Vec<Unit>) -> String {
    units.sort_by(|one, other| other.duration.total_cmp(&one.duration));
    let mut text = String::new();
    for Unit {
        name,
        target,
        duration,
    } in units.iter().take(SHOWN)
    {
        text.push_str(&format!("{duration:6.1} s  {name}{target}\n"));
    }
    let above = units.iter().take_while(|unit| unit.duration > MOST_SECONDS);
    let above: Vec<String> = above
        .map(|unit| format!("{}{}", unit.name, unit.target))
        .collect();
    text.push_str(&match above.as_slice() {
        [] => format!("None took above {MOST_SECONDS} s."),
        above => format!("Above {MOST_SECONDS} s: {}", above.join(", ")),
    });
    text
}

#[cfg(test)]
mod tests {
    use super::{told, units};

    const REPORT: &str = r#"<script>
const UNIT_DATA = [
  { "i": 0, "name": "pharos-http", "version": "0.1.0", "target": "", "duration": 12.34, "sections": null },
  { "i": 1, "name": "pharos-tests", "version": "0.1.0", "target": " test \"api\" (test)", "duration": 61.0 },
  { "i": 2, "name": "pharos-domain", "version": "0.1.0", "target": "", "duration": 45.0 }
];
const CONCURRENCY_DATA = [];
</script>"#;

    #[test]
    fn the_slowest_come_first_and_those_above_the_budget_are_named() {
        assert_eq!(
            told(units(REPORT).unwrap()),
            "  61.0 s  pharos-tests test \"api\" (test)\n  45.0 s  pharos-domain\n  12.3 s  pharos-http\n\
             Above 45 s: pharos-tests test \"api\" (test)"
        );
        assert_eq!(told(Vec::new()), "None took above 45 s.");
    }

    #[test]
    fn a_report_of_another_form_is_refused_in_words() {
        for (report, expected) in [
            ("<script></script>", "lists no units"),
            ("const UNIT_DATA = ", "is cut off"),
            ("const UNIT_DATA = [{}];", "can't be read"),
        ] {
            let refusal = units(report).unwrap_err().to_string();
            assert!(refusal.contains(expected), "{report}: {refusal}");
        }
    }
}

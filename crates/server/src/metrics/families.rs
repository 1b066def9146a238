//! The families of metrics: who describes them, and that no two describe the same.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use anyhow::bail;
use metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit, with_local_recorder,
};

use super::sampler;
use crate::groups::GROUPS;

/// The crates that are no group, each with the function that describes its metrics.
const KITS: [(&str, fn()); 8] = [
    ("due", pharos_due::metrics::describe),
    ("http", pharos_http::metrics::describe),
    ("mcp", pharos_mcp::metrics::describe),
    ("metering", pharos_metering::metrics::describe),
    ("persistence", pharos_persistence::metrics::describe),
    ("server", sampler::describe),
    ("supervisor", pharos_supervisor::metrics::describe),
    ("traces", pharos_traces::metrics::describe),
];

/// A family of metrics, as it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its type, as the text format calls it.
    pub kind: &'static str,
    /// The line of help: its meaning and unit.
    pub help: String,
    described_by: &'static str,
}

/// Describes all metrics to whatever records them.
pub fn describe() {
    for (_, describe) in sources() {
        describe();
    }
}

/// All families, by name.
///
/// # Errors
/// Two crates describe one metric, or one does so twice.
pub fn families() -> anyhow::Result<BTreeMap<String, Family>> {
    gather(sources())
}

/// All families as a table for people, in Markdown.
///
/// # Errors
/// The errors of [`families`].
pub fn table() -> anyhow::Result<String> {
    let rows = families()?
        .into_iter()
        .map(|(name, Family { kind, help, .. })| format!("| `{name}` | {kind} | {help} |\n"));
    Ok(["| family | type | |\n| --- | --- | --- |\n".to_owned()]
        .into_iter()
        .chain(rows)
        .collect())
}

fn sources() -> impl Iterator<Item = (&'static str, fn())> {
    let groups = GROUPS
        .iter()
        .map(|group| (group.postgres.schema.group, group.metrics));
    KITS.into_iter().chain(groups)
}

fn gather(sources: impl Iterator<Item = (&'static str, fn())>) -> anyhow::Result<BTreeMap<String, Family>> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for (described_by, describe) in sources {
        let described = Described::default();
        with_local_recorder(&described, describe);
        for (name, kind, help) in described.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let family = Family {
                kind,
                help,
                described_by,
            };
            if let Some(other) = families.insert(name.clone(), family) {
                let first = other.described_by;
                bail!(
                    "the metric {name} is described by {first} and by {described_by}; one of them needs another name"
                );
            }
        }
    }
    Ok(families)
}

/// Records what is described, and records nothing.
#[derive(Default)]
struct Described(Mutex<Vec<(String, &'static str, String)>>);

impl Described {
    fn take(&self, name: &KeyName, kind: &'static str, help: &SharedString) {
        let mut described = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        described.push((name.as_str().to_owned(), kind, help.to_string()));
    }
}

impl Recorder for Described {
    fn describe_counter(&self, name: KeyName, _: Option<Unit>, help: SharedString) {
        self.take(&name, "counter", &help);
    }

    fn describe_gauge(&self, name: KeyName, _: Option<Unit>, help: SharedString) {
        self.take(&name, "gauge", &help);
    }

    fn describe_histogram(&self, name: KeyName, _: Option<Unit>, help: SharedString) {
        self.take(&name, "histogram", &help);
    }

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[cfg(test)]
mod tests {
    use metrics::{describe_counter, describe_gauge};

    use super::*;

    const OPERATIONS: &str = include_str!("../../../../docs/operations.md");

    fn checks() {
        describe_counter!("pharos_checks_total", "Checks");
    }

    fn other_checks() {
        describe_gauge!("pharos_checks_total", "Other checks");
    }

    #[test]
    fn two_crates_that_describe_one_metric_are_refused_by_name() {
        let sources: [(&'static str, fn()); 2] = [("uptime", checks), ("crawl", other_checks)];
        let refusal = gather(sources.into_iter()).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "the metric pharos_checks_total is described by uptime and by crawl; one of them needs another name"
        );
        assert_eq!(gather(sources.into_iter().take(1)).unwrap().len(), 1);
    }

    #[test]
    fn operators_are_told_of_every_family_and_of_no_other() {
        let table = table().unwrap();
        assert!(
            OPERATIONS.contains(&table),
            "docs/operations.md should have:\n{table}"
        );
        let rows = |text: &str| {
            text.lines()
                .filter(|line| line.starts_with("| `pharos_") || line.starts_with("| `process_"))
                .count()
        };
        assert_eq!(
            rows(OPERATIONS),
            rows(&table),
            "a row of docs/operations.md is about no family"
        );
    }

    /// Prometheus' conventions: a prefix, base units, `_total` for counters alone.
    #[test]
    fn names_follow_the_conventions() {
        for (name, family) in families().unwrap() {
            let is_ours = name.starts_with("pharos_") || name.starts_with("process_");
            let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            assert!(is_ours && is_plain, "{name}");
            assert_eq!(name.ends_with("_total"), family.kind == "counter", "{name}");
            let has_unit = name.ends_with("_seconds") || name.ends_with("_size");
            assert!(family.kind != "histogram" || has_unit, "{name} has no buckets");
            for reserved in ["_count", "_sum", "_bucket", "_milliseconds", "_ms"] {
                assert!(!name.ends_with(reserved), "{name}");
            }
            assert!(!family.help.is_empty() && !family.help.contains('|'), "{name}");
        }
    }
}

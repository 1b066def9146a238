//! The dashboard and the alert rules that operators are given: they name series that there are, and Prometheus understands them.

use std::{collections::BTreeSet, fs, path::PathBuf, process::Command};

use pharos_server::metrics::families::families;
use serde_json::{Value, json};

use super::LABELS;

/// The labels that Prometheus gives to what it scrapes.
const OF_SCRAPES: [&str; 2] = ["instance", "job"];
/// The series that Prometheus makes of a histogram.
const OF_HISTOGRAMS: [&str; 3] = ["_bucket", "_count", "_sum"];

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../docs/monitoring"]
        .iter()
        .collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

fn dashboard() -> Value {
    serde_json::from_str(&read("dashboard.json")).unwrap()
}

/// The queries of the dashboard, as Grafana sends them once its variables have values.
fn queries() -> Vec<String> {
    let dashboard = dashboard();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array())
        .flatten();
    targets
        .map(|target| {
            let query = target["expr"].as_str().unwrap();
            ["$job", "$instance"]
                .iter()
                .fold(query.replace("$__rate_interval", "5m"), |query, name| {
                    query.replace(name, ".*")
                })
        })
        .collect()
}

/// The rules whose expressions a file of rules has: each with the lines that follow it.
fn rules(text: &str) -> Vec<(&str, &str)> {
    text.split("- alert: ")
        .skip(1)
        .map(|rule| {
            let (name, rest) = rule.split_once('\n').unwrap();
            let expression = rest.split_once("expr:").unwrap().1;
            (name.trim(), expression.split_once("labels:").unwrap().0)
        })
        .collect()
}

fn words(expression: &str) -> impl Iterator<Item = &str> {
    expression.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// The labels that an expression selects or groups by.
fn labels(expression: &str) -> BTreeSet<&str> {
    let selected = ["=\"", "=~\"", "!=\"", "!~\""].iter().flat_map(|operator| {
        let parts: Vec<&str> = expression.split(operator).collect();
        let before = parts.len() - 1;
        parts
            .into_iter()
            .take(before)
            .filter_map(|part| words(part).last())
    });
    let grouped = expression
        .split("by (")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .flat_map(|(names, _)| names.split(',').map(str::trim));
    selected
        .chain(grouped)
        .filter(|label| !label.is_empty())
        .collect()
}

#[test]
fn every_series_that_operators_are_shown_is_one_of_ours() {
    let families = families().unwrap();
    let alerts = read("alerts.yml");
    let queries = queries();
    let rules = rules(&alerts);
    assert!(
        queries.len() > 40 && rules.len() > 15,
        "{} {}",
        queries.len(),
        rules.len()
    );
    let expressions = rules
        .iter()
        .map(|(name, expression)| (*name, *expression))
        .chain(queries.iter().map(|query| ("the dashboard", query.as_str())));
    for (place, expression) in expressions {
        let named: Vec<&str> = words(expression)
            .filter(|word| word.starts_with("pharos_") || word.starts_with("process_"))
            .collect();
        assert!(
            !named.is_empty() || expression.contains("up{"),
            "{place}: {expression}"
        );
        for series in named {
            let is_plain = families
                .get(series)
                .is_some_and(|family| family.kind != "histogram");
            let of_histogram = OF_HISTOGRAMS.iter().any(|suffix| {
                let family = series.strip_suffix(suffix).and_then(|name| families.get(name));
                family.is_some_and(|family| family.kind == "histogram")
            });
            assert!(
                is_plain || of_histogram,
                "{place} names {series}, which no node serves"
            );
        }
        for label in labels(expression) {
            assert!(
                LABELS.contains(&label) || OF_SCRAPES.contains(&label),
                "{place} names the label {label}: {expression}"
            );
        }
    }
}

/// A panel without a title, or one that lies upon another, is a fault that Grafana does not tell.
#[test]
fn the_dashboard_is_laid_out_in_full() {
    let dashboard = dashboard();
    let panels = dashboard["panels"].as_array().unwrap();
    let (mut ids, mut cells) = (BTreeSet::new(), BTreeSet::new());
    for panel in panels {
        let title = panel["title"].as_str().unwrap();
        assert!(
            !title.is_empty() && ids.insert(panel["id"].as_u64().unwrap()),
            "{title}"
        );
        let place = |name: &str| panel["gridPos"][name].as_u64().unwrap();
        assert!(place("x") + place("w") <= 24, "{title}");
        for x in place("x")..place("x") + place("w") {
            for y in place("y")..place("y") + place("h") {
                assert!(cells.insert((x, y)), "{title} lies upon another");
            }
        }
        if panel["type"] != "row" {
            assert!(!panel["targets"].as_array().unwrap().is_empty(), "{title}");
            assert_eq!(panel["datasource"]["uid"], "${datasource}", "{title}");
        }
    }
}

#[test]
fn every_rule_is_explained_and_tested() {
    let (alerts, tests) = (read("alerts.yml"), read("alerts_test.yml"));
    let guide = fs::read_to_string(folder().join("../guides/monitoring.md")).unwrap();
    let rules = rules(&alerts);
    for (name, _) in &rules {
        assert!(
            tests.contains(&format!("alertname=\"{name}\"")),
            "{name} has no test"
        );
        assert!(
            guide.contains(&format!("| `{name}` |")),
            "the guide does not say what {name} is"
        );
    }
    assert_eq!(
        guide.matches("| `Pharos").count(),
        rules.len(),
        "the guide tells of a rule that there is not"
    );
}

fn promtool(arguments: &[&str], file: &std::path::Path) -> String {
    let program = std::env::var("PHAROS_TEST_PROMTOOL").unwrap_or_else(|_| "promtool".to_owned());
    let output = Command::new(&program)
        .args(arguments)
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask test` brings it"));
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "promtool {arguments:?}: {said}");
    said
}

#[test]
fn prometheus_takes_the_rules_and_they_fire_when_they_should() {
    let said = promtool(&["check", "rules"], &folder().join("alerts.yml"));
    let count = rules(&read("alerts.yml")).len();
    assert!(said.contains(&format!("{count} rules found")), "{said}");
    promtool(&["test", "rules"], &folder().join("alerts_test.yml"));
}

/// Each query of the dashboard as a rule, which promtool reads. JSON is YAML.
#[test]
fn prometheus_understands_the_queries_of_the_dashboard() {
    let queries = queries();
    let rules: Vec<Value> = queries
        .iter()
        .enumerate()
        .map(|(number, query)| json!({ "record": format!("query_{number}"), "expr": query }))
        .collect();
    let file = tempfile::Builder::new().suffix(".yml").tempfile().unwrap();
    let group = json!({ "groups": [{ "name": "dashboard", "rules": rules }] });
    fs::write(file.path(), group.to_string()).unwrap();
    let said = promtool(&["check", "rules"], file.path());
    assert!(said.contains(&format!("{} rules found", queries.len())), "{said}");
}

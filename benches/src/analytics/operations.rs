//! The operations that are asked over HTTP, and what has to be in their answers.

use anyhow::Result;
use pharos_domain::window::DateRange;

use super::requested::Requested;
use crate::{asked::Operation, world::World};

/// Each with its path below `analytics`, and a pointer to what it may not be without. `{window}` are closed days,
/// `{experiment}` and `{run}` the ids of those that there are.
const OPERATIONS: [(&str, &str, &str); 29] = [
    ("config", "config", "/enabled"),
    ("experiments", "experiments", "/items/0"),
    ("experiment", "experiments/{experiment}", "/latest_evaluation_id"),
    (
        "evaluation",
        "experiments/{experiment}/evaluations/latest",
        "/effect_absolute",
    ),
    ("reports", "reports", "/items/0"),
    ("report-runs", "reports/runs", "/items/0"),
    ("report-run", "reports/runs/{run}", "/total_rows"),
    ("report-rows", "reports/runs/{run}/rows", "/items/999"),
    ("realtime", "realtime", "/window_minutes"),
    ("overview", "overview?{window}&compare_previous=true", "/visitors"),
    ("timeseries", "timeseries?{window}", "/series/0"),
    ("pages", "pages?{window}", "/items/49"),
    ("entry-pages", "pages?{window}&type=entry", "/items/49"),
    ("sources", "sources?{window}", "/items/0"),
    ("campaigns", "sources?{window}&group_by=campaign", "/items/0"),
    ("countries", "countries?{window}", "/items/0"),
    ("regions", "countries?{window}&level=region", "/items/9"),
    ("devices", "devices?{window}&include_versions=true", "/browsers/0"),
    ("searches", "searches?{window}", "/items/0"),
    ("downloads", "downloads?{window}", "/items/0"),
    ("outbound-links", "outbound-links?{window}", "/items/0"),
    ("events", "events?{window}", "/items/0"),
    (
        "event-properties",
        "events/properties?{window}&event_name=signup",
        "/items/0",
    ),
    ("ecommerce", "ecommerce/overview?{window}", "/orders"),
    ("products", "ecommerce/products?{window}", "/items/0"),
    ("sales-by-channel", "ecommerce/channels?{window}", "/items/0"),
    (
        "funnel",
        "funnel?{window}&step=page:/page-0&step=event:signup",
        "/steps/0",
    ),
    ("retention", "retention?{window}", "/cohorts/0"),
    ("journeys", "journeys", "/items/0"),
];

/// All of them; those that take a window once with each of these.
pub(super) fn all(world: &World, windows: &[DateRange], requested: Requested) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    for (name, path, shown) in OPERATIONS {
        let path = format!("analytics/{}", with_ids(path, requested));
        if !path.contains("{window}") {
            operations.push(Operation::new(world, name.to_owned(), &path, shown)?);
            continue;
        }
        for window in windows {
            let path = within(&path, *window);
            let name = format!("{name}-{}", window.days());
            operations.push(Operation::new(world, name, &path, shown)?);
        }
    }
    Ok(operations)
}

fn with_ids(path: &str, Requested { experiment, run }: Requested) -> String {
    path.replace("{experiment}", &experiment.to_string())
        .replace("{run}", &run.to_string())
}

fn within(path: &str, window: DateRange) -> String {
    let dates = format!("start_date={}&end_date={}", window.first(), window.last());
    path.replace("{window}", &dates)
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::RunId;
    use serde_json::Value;
    use time::macros::date;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn all_that_stands_in_braces_is_filled_in() {
        let requested = Requested {
            experiment: Uuid::nil(),
            run: RunId(Uuid::nil()),
        };
        for (name, path, _) in OPERATIONS {
            let path = with_ids(path, requested);
            let path = within(&path, DateRange::ending(date!(2026 - 03 - 29), 30));
            assert!(!path.contains(['{', '}', ' ']), "{name}: {path}");
        }
    }

    /// The document has what is served.
    #[test]
    fn every_read_is_asked() {
        let asked = OPERATIONS.map(|(_, path, _)| {
            let path = path.split('?').next().unwrap_or_default();
            path.replace("{experiment}", "{experiment_id}")
                .replace("{run}", "{run_id}")
        });
        let document: Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
        let mut reads = 0;
        for (path, methods) in document["paths"].as_object().unwrap() {
            let read = path.split_once("/analytics/").map(|(_, read)| read);
            if let Some(read) = read.filter(|_| !methods["get"].is_null()) {
                assert!(asked.iter().any(|asked| asked == read), "{path}");
                reads += 1;
            }
        }
        assert!(reads > 20, "{reads}");
    }
}

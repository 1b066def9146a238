//! The operations that are asked over HTTP, and what has to be in their answers.

use anyhow::Result;

use super::data::Made;
use crate::{asked::Operation, world::World};

/// Each with its path below `synthetic`, and a pointer to what it may not be without.
const OPERATIONS: [(&str, &str, &str); 20] = [
    ("overview", "overview", "/items/19/score_change"),
    ("profiles", "profiles", "/items/3"),
    ("urls", "urls", "/items/9/last_run"),
    ("url", "urls/{url_id}", "/last_run"),
    (
        "timeseries-28",
        "timeseries?period_days=28",
        "/series/79/points/20/median",
    ),
    (
        "timeseries-90-tests",
        "timeseries?period_days=90&granularity=run&metrics=lcp_ms&profile_id=mobile",
        "/series/9/points/80/median",
    ),
    (
        "timeseries-365-weeks",
        "timeseries?period_days=365&granularity=week&metrics=performance_score",
        "/series/19/points/50/median",
    ),
    (
        "timeseries-365-url",
        "timeseries?period_days=365&url_id={url_id}",
        "/engine_changes/0/engine_major",
    ),
    ("runs", "runs?limit=100", "/items/99/engine_version"),
    ("runs-url", "runs?url_id={url_id}&limit=100", "/items/99/run_id"),
    (
        "runs-failed",
        "runs?profile_id=mobile&status=failed&limit=50",
        "/items/49/error_code",
    ),
    (
        "runs-url-asked",
        "runs?url_id={url_id}&trigger=api&limit=50",
        "/items/49/run_id",
    ),
    ("run", "runs/{run_id}", "/screenshot_url"),
    ("audits", "runs/{run_id}/audits", "/items/99/outcome"),
    (
        "audits-failed",
        "runs/{run_id}/audits?category=performance&outcome=failed",
        "/items/0/score",
    ),
    (
        "opportunities",
        "runs/{run_id}/opportunities",
        "/items/0/insight_id",
    ),
    ("resources", "runs/{run_id}/resources", "/items/199/url"),
    ("third-parties", "runs/{run_id}/third-parties", "/items/1/entity"),
    ("filmstrip", "runs/{run_id}/filmstrip", "/items/7/image_url"),
    ("budgets", "budgets", "/items/19/last_value"),
];

/// All of them.
pub(super) fn all(world: &World, made: &Made) -> Result<Vec<Operation>> {
    OPERATIONS
        .into_iter()
        .map(|(name, path, shown)| {
            let path = format!("synthetic/{}", with_ids(path, made));
            Operation::new(world, name.to_owned(), &path, shown)
        })
        .collect()
}

fn with_ids(path: &str, made: &Made) -> String {
    path.replace("{url_id}", &made.url.to_string())
        .replace("{run_id}", &made.run.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pharos_domain::module::Module;

    use super::*;

    #[test]
    fn every_read_of_the_module_is_asked() {
        let asked: BTreeSet<String> = OPERATIONS
            .into_iter()
            .filter_map(|(_, path, _)| path.split('?').next())
            .map(|path| format!("/domains/{{domain_id}}/synthetic/{path}"))
            .collect();
        let operations = pharos_server::groups::operations();
        let of_the_lab = operations
            .iter()
            .map(|operation| operation.spec)
            .filter(|spec| spec.module == Module::Synthetic && !spec.changes_something());
        let reads: BTreeSet<String> = of_the_lab.map(|spec| spec.path.to_owned()).collect();
        assert!(!reads.is_empty() && asked == reads, "{asked:?}, not {reads:?}");
    }
}

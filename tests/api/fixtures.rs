//! The fixtures of the groups, by which every operation finds what it answers about. A group has a line in the list, by its name.

use async_trait::async_trait;
use pharos_domain::ports::Ports;
use pharos_server::groups;
use time::OffsetDateTime;

use crate::{
    alerting::fixtures::Alerting, analytics::fixtures::Analytics, crux::fixtures::Crux, harness::TestApp,
    indexing::fixtures::Indexing, reporting::fixtures::Reporting, robots::fixtures::Robots,
    rum::fixtures::Rum, search::fixtures::Search, sitemap::fixtures::Sitemaps,
    synthetic::fixtures::Synthetic, uptime::fixtures::Uptime,
};

const GROUPS: &[(&str, &[&dyn Fixtures])] = &[
    // Its operations answer about what every world has.
    ("account", &[]),
    ("uptime", &[&Uptime]),
    ("alerting", &[&Alerting]),
    ("analytics", &[&Analytics]),
    ("vitals", &[&Rum, &Crux]),
    ("crawl", &[&Robots, &Sitemaps]),
    ("reporting", &[&Reporting]),
    ("search", &[&Search, &Indexing]),
    ("synthetic", &[&Synthetic]),
];

/// The fixtures of a group, or of one of its modules.
#[async_trait]
pub(crate) trait Fixtures: Sync {
    /// Adds what there is in every database of a test, before any request.
    async fn install(&self, _: &Ports, _: OffsetDateTime) {}

    /// Gives the app's world what the group's operations answer about, and an id for each parameter of their paths
    /// (`World::identify`).
    async fn fill(&self, app: &TestApp);
}

/// Adds what every group wants to be in a database.
pub(crate) async fn install(ports: &Ports, now: OffsetDateTime) {
    for fixtures in all() {
        fixtures.install(ports, now).await;
    }
}

/// Gives the app's world what all operations answer about.
pub(crate) async fn fill(app: &TestApp) {
    for fixtures in all() {
        fixtures.fill(app).await;
    }
}

fn all() -> impl Iterator<Item = &'static dyn Fixtures> {
    GROUPS.iter().flat_map(|(_, fixtures)| *fixtures).copied()
}

#[test]
fn each_group_that_has_operations_has_its_line_in_the_list() {
    let answering = groups::GROUPS
        .iter()
        .filter(|group| !(group.operations)().is_empty());
    let names: Vec<&str> = answering.map(|group| group.postgres.schema.group).collect();
    let listed: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, names);
}

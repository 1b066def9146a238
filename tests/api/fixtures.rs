//! The fixtures of the groups, by which every operation finds what it answers about. A group has a line in the list.

use async_trait::async_trait;
use pharos_domain::ports::Ports;
use time::OffsetDateTime;

use crate::{
    alerting::fixtures::Alerting, analytics::fixtures::Analytics, crux::fixtures::Crux, harness::TestApp,
    indexing::fixtures::Indexing, reporting::fixtures::Reporting, robots::fixtures::Robots,
    rum::fixtures::Rum, search::fixtures::Search, sitemap::fixtures::Sitemaps,
    synthetic::fixtures::Synthetic, uptime::fixtures::Uptime,
};

const GROUPS: &[&dyn Fixtures] = &[
    &Uptime, &Alerting, &Analytics, &Rum, &Crux, &Robots, &Sitemaps, &Reporting, &Search, &Indexing,
    &Synthetic,
];

/// The fixtures of a group.
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
    for group in GROUPS {
        group.install(ports, now).await;
    }
}

/// Gives the app's world what all operations answer about.
pub(crate) async fn fill(app: &TestApp) {
    for group in GROUPS {
        group.fill(app).await;
    }
}

//! A region to check from, and a monitor with an incident, a sight of TLS and a registration.

use async_trait::async_trait;
use pharos_domain::ports::Ports;
use pharos_uptime::{history::RegionPlace, schedule::ScheduleStore};
use serde_json::json;
use time::OffsetDateTime;

use super::{certificates, incidents, path, registration};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Uptime;

#[async_trait]
impl Fixtures for Uptime {
    async fn install(&self, ports: &Ports, now: OffsetDateTime) {
        let schedule = ports.get::<dyn ScheduleStore>().unwrap();
        let region = RegionPlace::unnamed("local");
        schedule.register_region(&region, now).await.unwrap();
    }

    async fn fill(&self, app: &TestApp) {
        let configured = app.put(&path(app, "config"), &app.world.key, &json!({}));
        configured.send().await.ok();
        incidents::meet(app).await;
        certificates::see_plain(app).await;
        registration::learn(app).await;
    }
}

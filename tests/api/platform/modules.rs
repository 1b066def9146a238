//! Modules with something to report, and one that can't.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use async_trait::async_trait;
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::UserId,
    settings::{ChangeError, SettingsChange},
    store::StoreError,
};
use pharos_uptime::{
    knowledge::MonitorKnowledge,
    monitor::{Monitor, settings::MonitorSettings},
    store::MonitorStore,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::{
    harness::TestApp,
    uptime::{check, store},
};

/// Checks every two hours at an interval of one: the state of each holds until the next. One of 50 checks fails, and
/// counts at once: 98 hours up, 2 down, the last of them over now. 98 ÷ 100 is 98 %.
pub(super) async fn monitor_for_100_hours(app: &TestApp) {
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let settings = json!({ "interval_seconds": 3600, "confirmation_checks": 1 });
    app.put(&config, &app.world.key, &settings).send().await.ok();
    for at in 0..50 {
        let status = if at == 20 { 500 } else { 200 };
        store(app, vec![check(app.world.domain, app.now(), status)]).await;
        app.clock.advance(Duration::hours(2));
    }
}

/// Leaves behind what a check over TLS would have.
pub(super) async fn see_certificate_end_in(app: &TestApp, days: Duration) {
    let end = app.now() + days;
    let end = end
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    let statement = format!(
        "UPDATE uptime_region_states SET state = jsonb_set(state, '{{certificate_valid_until}}', '\"{end}\"')"
    );
    app.sql(&statement).await;
}

/// How the store behaves.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    Works,
    Fails,
    Hangs,
}

/// Turns the store of an app's monitors into one that fails or hangs on command, as one on a database in trouble does.
#[derive(Clone, Default)]
pub(super) struct FaultyMonitors(Arc<AtomicU8>);

impl FaultyMonitors {
    pub(super) fn set(&self, fault: Fault) {
        self.0.store(fault as u8, Ordering::SeqCst);
    }

    pub(super) fn wrapper(
        &self,
    ) -> impl FnOnce(Arc<dyn MonitorStore>) -> Arc<dyn MonitorStore> + Send + use<> {
        let fault = Arc::clone(&self.0);
        |inner| Arc::new(FaultyStore { inner, fault })
    }
}

struct FaultyStore {
    inner: Arc<dyn MonitorStore>,
    fault: Arc<AtomicU8>,
}

#[async_trait]
impl MonitorStore for FaultyStore {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<Monitor>, StoreError> {
        self.inner.view(domain).await
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, MonitorSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<Monitor, ChangeError> {
        self.inner.update(domain, change, by, now).await
    }

    async fn status(
        &self,
        domain: &DomainAccess,
        spans_since: OffsetDateTime,
    ) -> Result<Option<MonitorKnowledge>, StoreError> {
        let fault = self.fault.load(Ordering::SeqCst);
        if fault == Fault::Fails as u8 {
            return Err(StoreError::Corrupt("a state that nobody knows".to_owned()));
        }
        if fault == Fault::Hangs as u8 {
            std::future::pending::<()>().await;
        }
        self.inner.status(domain, spans_since).await
    }

    async fn regions(&self) -> Result<Vec<String>, StoreError> {
        self.inner.regions().await
    }
}

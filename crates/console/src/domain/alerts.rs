//! The alerts of a domain that are in force.

use maud::{Markup, html};
use pharos_alerting::{alert::Alert, store::Reach};
use pharos_domain::{
    page::{ListKey, PageRequest},
    severity::Severity,
    store::StoreError,
};

use crate::{
    console::Console,
    enter::AtDomain,
    page::moment,
    parts::mark::{self, Tone},
    shown::shown,
};

/// Among how many of the newest alerts those in force are looked for.
const LOOKED_THROUGH: usize = 100;

/// Those in force, the newest first.
pub(super) async fn open(console: &Console, here: &AtDomain) -> Result<Vec<Alert>, StoreError> {
    let newest = PageRequest {
        limit: LOOKED_THROUGH,
        after: None,
        list: ListKey::new("console", here.id().0),
    };
    let page = console
        .parts
        .alerts
        .list(Reach::Domain(&here.access), &newest)
        .await?;
    let mut alerts = page.items;
    alerts.retain(|alert| alert.resolved_at.is_none());
    Ok(alerts)
}

pub(super) fn list(alerts: &[Alert]) -> Markup {
    html! {
        section.card aria-labelledby="alerts-head" {
            h2 id="alerts-head" { "Alerts in force" }
            ul.rows {
                @for alert in alerts {
                    li {
                        (severity(alert.told.severity)) " " bdi { (shown(&alert.told.title)) }
                        span.note { " since " (moment(alert.told.fired_at)) }
                    }
                }
            }
        }
    }
}

pub(super) fn severity(severity: Severity) -> Markup {
    match severity {
        Severity::Info => mark::state(Tone::Calm, "Info"),
        Severity::Warning => mark::state(Tone::Warn, "Warning"),
        Severity::Critical => mark::state(Tone::Bad, "Critical"),
    }
}

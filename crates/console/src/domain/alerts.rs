//! The alerts of a domain that are in force.

use maud::{Markup, html};
use pharos_alerting::alert::Alert;
use pharos_domain::{
    ids::{DomainId, IncidentId},
    page::{ListKey, PageRequest},
    severity::Severity,
    store::StoreError,
};

use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::mark::{self, Tone},
    shown::shown,
};

/// How many of them are shown.
const SHOWN: usize = 100;

/// Those in force, the newest first.
pub(super) async fn open(console: &Console, here: &AtDomain) -> Result<Vec<Alert>, StoreError> {
    let newest = PageRequest::first(ListKey::new("console", here.id().0), SHOWN);
    let page = console.parts.alerts.in_force(&here.access, &newest).await?;
    Ok(page.items)
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

/// The page about an alert: its incident, or what fired at its domain.
pub(crate) fn path(domain: DomainId, incident: Option<IncidentId>) -> String {
    match incident {
        Some(id) => format!("{}/{id}", domain_path(domain, "incidents")),
        None => domain_path(domain, "alerts"),
    }
}

pub(crate) fn severity(severity: Severity) -> Markup {
    match severity {
        Severity::Info => mark::state(Tone::Calm, "Info"),
        Severity::Warning => mark::state(Tone::Warn, "Warning"),
        Severity::Critical => mark::state(Tone::Bad, "Critical"),
    }
}

//! Incidents: the list, and one with its course.

pub(super) mod detail;
pub(super) mod list;

use pharos_domain::{
    ids::{AlertId, IncidentId},
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use pharos_uptime::{
    availability::lasted,
    incident::{Incident, IncidentClass, IncidentStatus, Severity},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// An incident of a site.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeIncident)]
pub(super) struct UptimeIncidentPublic {
    /// The id of the incident, for paths of the API.
    incident_id: IncidentId,
    /// The class of its first failing check.
    class: IncidentClass,
    /// How bad it is. `degraded` is no downtime: the site refuses the prober alone.
    severity: Severity,
    /// Whether it is over.
    status: IncidentStatus,
    /// Its first failing check.
    started_at: Timestamp,
    /// The check that met the confirmation rule; never null, since an incident begins with its confirmation.
    #[schema(required)]
    confirmed_at: Option<Timestamp>,
    /// Its first passing check; null while it goes on.
    #[schema(required)]
    resolved_at: Option<Timestamp>,
    /// How long it lasted; null while it goes on.
    #[schema(required, minimum = 0)]
    duration_seconds: Option<i64>,
    /// The regions that saw it, in that order.
    regions_affected: Vec<String>,
    /// The status of its first failing check; null where that got no answer.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// The error of its first failing check in words; null where that is not known.
    #[schema(required)]
    error_message: Option<String>,
    /// How many checks failed in its course, those before its confirmation included.
    #[schema(minimum = 0)]
    checks_failed: u32,
    /// Whether a check failed within a maintenance window meanwhile.
    during_maintenance: bool,
    /// The alerts that fired about it.
    alert_ids: Vec<AlertId>,
}

impl UptimeIncidentPublic {
    /// The incident with the alerts that fired about it.
    fn new(incident: Incident, alert_ids: Vec<AlertId>) -> Self {
        let status = incident.status();
        let Incident {
            id,
            domain_id: _,
            class,
            severity,
            started_at,
            confirmed_at,
            resolved_at,
            regions_affected,
            status_code,
            error_message,
            checks_failed,
            during_maintenance,
        } = incident;
        Self {
            incident_id: id,
            class,
            severity,
            status,
            started_at: started_at.into(),
            confirmed_at: Some(confirmed_at.into()),
            resolved_at: resolved_at.map(Timestamp::from),
            duration_seconds: resolved_at.map(|resolved_at| lasted(started_at, resolved_at).whole_seconds()),
            regions_affected,
            status_code,
            error_message,
            checks_failed,
            during_maintenance,
            alert_ids,
        }
    }
}

impl Example for UptimeIncidentPublic {
    fn example() -> Self {
        Self {
            incident_id: IncidentId(uuid!("0190f3c2-b0aa-7c11-9d0e-4a1fb7a0c3d2")),
            class: IncidentClass::Http5xx,
            severity: Severity::Outage,
            status: IncidentStatus::Resolved,
            started_at: datetime!(2026-03-12 02:38:00 UTC).into(),
            confirmed_at: Some(datetime!(2026-03-12 02:39:00 UTC).into()),
            resolved_at: Some(datetime!(2026-03-12 02:41:00 UTC).into()),
            duration_seconds: Some(180),
            regions_affected: vec!["eu-central".to_owned()],
            status_code: Some(503),
            error_message: Some("The status 503 is not among those expected: 2xx, 3xx.".to_owned()),
            checks_failed: 3,
            during_maintenance: false,
            alert_ids: vec![AlertId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e21"))],
        }
    }
}

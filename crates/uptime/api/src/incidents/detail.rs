//! GET /domains/{domain_id}/uptime/incidents/{incident_id}

use std::{collections::BTreeMap, net::IpAddr};

use pharos_domain::{
    identity::DomainAccess,
    ids::{AlertId, IncidentId},
    incident_alerts::IncidentAlerts,
    module::Module,
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::out_of_reach,
    spec::{Credits, OperationSpec},
};
use pharos_uptime::{
    incident::{IncidentDetail, IncidentEvent, TimelineEntry},
    store::IncidentStore,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::UptimeIncidentPublic;
use crate::checks::UptimeCheckPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getUptimeIncident",
    path: "/domains/{domain_id}/uptime/incidents/{incident_id}",
    module: Module::Uptime,
    summary: "One incident with its course and its first failing checks",
    description: "`checks` holds the first 50 failing checks. `response_headers` are those of the first failing answer \
                  that tell who answered: `server`, `via`, `cf-ray`, `retry-after`.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    problems: &[Suffix::IncidentNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<IncidentId>,
    incidents: Port<dyn IncidentStore>,
    alerts: Port<dyn IncidentAlerts>,
) -> ApiResult<UptimeIncidentDetailPublic> {
    let found = incidents.detail(&access, id).await?;
    let missing = || out_of_reach(Suffix::IncidentNotFound, "incident", id);
    let found = found.ok_or_else(missing)?;
    let mut fired = alerts.about(&access, &[id]).await?;
    let fired = fired.remove(&id).unwrap_or_default();
    Ok(UptimeIncidentDetailPublic::new(found, fired))
}

/// A moment in the course of an incident.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeIncidentMoment)]
pub(crate) struct MomentPublic {
    /// When it happened.
    at: Timestamp,
    /// The turn that the incident took.
    event: IncidentEvent,
    /// Where it was seen; null where no region in particular saw it.
    #[schema(required)]
    region: Option<String>,
    /// More about it, in words, such as the error of the check; null where there is no more to say.
    #[schema(required)]
    detail: Option<String>,
}

/// An incident of a site with its course.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeIncidentDetail)]
pub(crate) struct UptimeIncidentDetailPublic {
    #[serde(flatten)]
    incident: UptimeIncidentPublic,
    /// Its course, in order.
    timeline: Vec<MomentPublic>,
    /// Its first failing checks, the oldest first.
    #[schema(max_items = 50)]
    checks: Vec<UptimeCheckPublic>,
    /// Headers of the first failing answer; null where there was none, or it had none of these.
    #[schema(required)]
    response_headers: Option<BTreeMap<String, String>>,
    /// The address that the first failing check connected to, or tried to; null where there was none.
    #[schema(required, value_type = Option<String>)]
    resolved_ip: Option<IpAddr>,
}

impl UptimeIncidentDetailPublic {
    fn new(detail: IncidentDetail, alert_ids: Vec<AlertId>) -> Self {
        let IncidentDetail {
            incident,
            timeline,
            checks,
            response_headers,
            resolved_ip,
        } = detail;
        let moment = |entry: TimelineEntry| MomentPublic {
            at: entry.at.into(),
            event: entry.event,
            region: entry.region,
            detail: entry.detail,
        };
        Self {
            incident: UptimeIncidentPublic::new(incident, alert_ids),
            timeline: timeline.into_iter().map(moment).collect(),
            checks: checks.into_iter().map(UptimeCheckPublic::from).collect(),
            response_headers: Some(response_headers).filter(|headers| !headers.is_empty()),
            resolved_ip,
        }
    }
}

impl Example for UptimeIncidentDetailPublic {
    fn example() -> Self {
        let moment = |at: time::OffsetDateTime, event| MomentPublic {
            at: at.into(),
            event,
            region: Some("eu-central".to_owned()),
            detail: None,
        };
        Self {
            incident: UptimeIncidentPublic::example(),
            timeline: vec![
                moment(datetime!(2026-03-12 02:38:00 UTC), IncidentEvent::FirstFailure),
                moment(datetime!(2026-03-12 02:39:00 UTC), IncidentEvent::Confirmed),
                moment(datetime!(2026-03-12 02:41:00 UTC), IncidentEvent::Recovered),
            ],
            checks: Vec::new(),
            response_headers: Some(BTreeMap::from([("server".to_owned(), "nginx".to_owned())])),
            resolved_ip: Some(IpAddr::from([203, 0, 113, 7])),
        }
    }
}

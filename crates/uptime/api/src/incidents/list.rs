//! GET /domains/{domain_id}/uptime/incidents

use std::collections::BTreeMap;

use pharos_domain::{
    identity::DomainAccess,
    ids::IncidentId,
    incident_alerts::IncidentAlerts,
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
    window::{DataThrough, Meta},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging, Window},
};
use pharos_uptime::{
    incident::{IncidentClass, IncidentStatus},
    store::{IncidentFilter, IncidentList, IncidentStore, MonitorStore},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::UptimeIncidentPublic;
use crate::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listUptimeIncidents",
    path: "/domains/{domain_id}/uptime/incidents",
    module: Module::Uptime,
    summary: "The incidents of a site, the newest first",
    description: "Those that reach into the window, also where they began before it. At most the 2,000 newest are \
                  read that class and status let through. `class_counts` leaves the class filter aside: it counts \
                  the 2,000 newest of all classes, and the class that is asked for as `scanned` does. Classes \
                  without an incident stand in it only where `window_truncated` is false. The list of a class that \
                  is asked for is whole while `scanned` is below 2,000.",
    scope: Some(Scope::ReadUptime),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 60,
    paging: Paging::cursor(1_000),
    window: Window::Dates,
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct IncidentsQuery {
    /// Only incidents of this class.
    #[param(inline)]
    class: Option<IncidentClass>,
    /// Only incidents that are open, or over.
    #[param(inline)]
    status: Option<IncidentStatus>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Dates(window): Dates,
    Query(query): Query<IncidentsQuery>,
    page: PageRequest,
    incidents: Port<dyn IncidentStore>,
    monitors: Port<dyn MonitorStore>,
    alerts: Port<dyn IncidentAlerts>,
) -> ApiResult<Page<UptimeIncidentPublic, IncidentCounts>> {
    let IncidentsQuery { class, status } = query;
    let filter = IncidentFilter {
        range: window.window.time_range(),
        class,
        status,
    };
    // First: what comes in between is in the list, and data_through does not promise it.
    let known = monitors.status(&access, window.horizon.now).await?;
    let known = known.ok_or_else(missing)?;
    let found = incidents.list(&access, &filter, &page).await?;
    let through = known.data_through(None, window.window, window.horizon.now);
    let IncidentList {
        page,
        class_counts,
        scanned,
        is_truncated,
    } = found;
    let ids: Vec<IncidentId> = page.items.iter().map(|incident| incident.id).collect();
    let mut fired = alerts.about(&access, &ids).await?;
    let page = page.map(|incident| {
        let fired = fired.remove(&incident.id).unwrap_or_default();
        UptimeIncidentPublic::new(incident, fired)
    });
    Ok(page.with(IncidentCounts {
        class_counts,
        window_truncated: is_truncated,
        scanned,
        meta: window.meta(None, through.map(DataThrough::from)),
    }))
}

/// The members of the list beside its page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentCounts {
    /// How many incidents of each class there are in the window, whatever class was asked for.
    class_counts: BTreeMap<IncidentClass, u32>,
    /// Whether the window has more incidents than are counted, whatever class was asked for. A class that
    /// `class_counts` does not name may then have some all the same.
    window_truncated: bool,
    /// How many incidents were read.
    #[schema(minimum = 0, maximum = 2000)]
    scanned: u32,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for IncidentCounts {
    fn example() -> Self {
        let counts = |class: &IncidentClass| (*class, u32::from(*class == IncidentClass::Http5xx));
        Self {
            class_counts: IncidentClass::ALL.iter().map(counts).collect(),
            window_truncated: false,
            scanned: 1,
            meta: Meta::example(),
        }
    }
}

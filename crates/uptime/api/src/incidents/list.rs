//! GET /domains/{domain_id}/uptime/incidents

use std::collections::BTreeMap;

use pharos_domain::{
    identity::DomainAccess, module::Module, page::PageRequest, problem::Suffix, scope::Scope, window::Meta,
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
use crate::{data_through, missing};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listUptimeIncidents",
    path: "/domains/{domain_id}/uptime/incidents",
    module: Module::Uptime,
    summary: "The incidents of a site, the newest first",
    description: "Those that reach into the window, also where they began before it. At most the 2,000 newest are \
                  read that class and status let through. `class_counts` leaves the class filter aside: it counts \
                  the 2,000 newest of all classes, and the class that is asked for as `scanned` does. Classes \
                  without an incident stand in it only where `window_truncated` is false. Of a class that is asked \
                  for the list is whole while `scanned` is below 2,000.",
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
) -> ApiResult<UptimeIncidentPage> {
    let IncidentsQuery { class, status } = query;
    let filter = IncidentFilter {
        from: window.window.start(),
        until: window.window.end(),
        class,
        status,
    };
    // First: what comes in between is in the list, and data_through does not promise it.
    let known = monitors.status(&access, window.horizon.now).await?;
    let known = known.ok_or_else(missing)?;
    let found = incidents.list(&access, &filter, &page).await?;
    let through = data_through(&known, None, window.window, window.horizon.now);
    Ok(UptimeIncidentPage::new(found, window.meta(None, through)))
}

/// Incidents, page by page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeIncidentPage)]
pub(crate) struct UptimeIncidentPage {
    /// The page.
    items: Vec<UptimeIncidentPublic>,
    /// Opaque. Pass it back verbatim as `cursor` for the next page; null on the last.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Whether there is a next page. Keep paging while true.
    has_more: bool,
    /// How many incidents of each class there are in the window, whatever class was asked for.
    class_counts: BTreeMap<IncidentClass, u32>,
    /// Whether the window has more incidents than are counted, whatever class was asked for. A class that
    /// `class_counts` does not name may then have some all the same.
    window_truncated: bool,
    /// How many incidents were read.
    #[schema(minimum = 0, maximum = 2000)]
    scanned: u32,
    /// The window.
    meta: Meta,
}

impl UptimeIncidentPage {
    fn new(found: IncidentList, meta: Meta) -> Self {
        let IncidentList {
            page,
            mut class_counts,
            scanned,
            is_truncated,
        } = found;
        if !is_truncated {
            for class in IncidentClass::ALL {
                class_counts.entry(*class).or_insert(0);
            }
        }
        Self {
            items: page.items.into_iter().map(UptimeIncidentPublic::from).collect(),
            next_cursor: page.next_cursor,
            has_more: page.has_more,
            class_counts,
            window_truncated: is_truncated,
            scanned,
            meta,
        }
    }
}

impl Example for UptimeIncidentPage {
    fn example() -> Self {
        let counts = |class: &IncidentClass| (*class, u32::from(*class == IncidentClass::Http5xx));
        Self {
            items: vec![UptimeIncidentPublic::example()],
            next_cursor: None,
            has_more: false,
            class_counts: IncidentClass::ALL.iter().map(counts).collect(),
            window_truncated: false,
            scanned: 1,
            meta: Meta::example(),
        }
    }
}

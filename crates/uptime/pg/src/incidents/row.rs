//! The row of an incident.

use diesel::{
    QueryableByName,
    prelude::Insertable,
    sql_types::{Array, Nullable, Text},
};
use ipnet::IpNet;
use pharos_domain::{
    ids::{DomainId, IncidentId},
    store::StoreError,
};
use pharos_persistence::{json::written, names};
use pharos_uptime::{
    complete::Opened,
    incident::{Incident, each_once},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_incidents;

/// The columns of an incident that lists show; read and written alike.
#[derive(Insertable, QueryableByName)]
#[diesel(table_name = uptime_incidents)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(crate) struct IncidentRow {
    pub(super) id: Uuid,
    domain_id: Uuid,
    class: String,
    severity: String,
    pub(super) started_at: OffsetDateTime,
    confirmed_at: OffsetDateTime,
    resolved_at: Option<OffsetDateTime>,
    status_code: Option<i32>,
    error_message: Option<String>,
    checks_failed: i32,
    during_maintenance: bool,
}

/// An incident with the regions that its events name.
#[derive(QueryableByName)]
pub(super) struct FoundIncidentRow {
    #[diesel(embed)]
    pub(super) incident: IncidentRow,
    #[diesel(sql_type = Array<Nullable<Text>>)]
    regions: Vec<Option<String>>,
}

/// An incident on its way into the table.
#[derive(Insertable)]
#[diesel(table_name = uptime_incidents)]
pub(crate) struct NewIncidentRow {
    #[diesel(embed)]
    incident: IncidentRow,
    resolved_ip: Option<IpNet>,
    response_headers: Value,
}

impl TryFrom<FoundIncidentRow> for Incident {
    type Error = StoreError;

    fn try_from(row: FoundIncidentRow) -> Result<Self, StoreError> {
        let FoundIncidentRow { incident, regions } = row;
        Ok(Self {
            id: IncidentId(incident.id),
            domain_id: DomainId(incident.domain_id),
            class: incident.class.parse()?,
            severity: incident.severity.parse()?,
            started_at: incident.started_at,
            confirmed_at: incident.confirmed_at,
            resolved_at: incident.resolved_at,
            regions_affected: each_once(regions.into_iter().flatten()),
            status_code: incident.status_code.map(names::count).transpose()?,
            error_message: incident.error_message,
            checks_failed: names::count(incident.checks_failed)?,
            during_maintenance: incident.during_maintenance,
        })
    }
}

impl TryFrom<Opened> for NewIncidentRow {
    type Error = StoreError;

    /// It begins without failed checks: its growth is added by a statement of its own.
    fn try_from(opened: Opened) -> Result<Self, StoreError> {
        let failure = opened.failure;
        let headers = failure.as_ref().map(|failure| &failure.response_headers);
        Ok(Self {
            response_headers: written(&headers)?,
            resolved_ip: failure
                .as_ref()
                .and_then(|failure| failure.ip_address.map(IpNet::from)),
            incident: IncidentRow {
                id: opened.id.0,
                domain_id: opened.domain.0,
                class: opened.class.to_string(),
                severity: opened.severity.to_string(),
                started_at: opened.started_at,
                confirmed_at: opened.confirmed_at,
                resolved_at: opened.resolved_at,
                status_code: failure
                    .as_ref()
                    .and_then(|failure| failure.status_code.map(i32::from)),
                error_message: failure.and_then(|failure| failure.error_message),
                checks_failed: 0,
                during_maintenance: false,
            },
        })
    }
}

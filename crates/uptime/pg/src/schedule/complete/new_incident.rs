//! An incident on its way into the table.

use diesel::Insertable;
use ipnet::IpNet;
use pharos_domain::store::StoreError;
use pharos_persistence::json::written;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::fold::Opened;
use crate::schema::uptime_incidents;

/// What it grew by comes after.
#[derive(Insertable)]
#[diesel(table_name = uptime_incidents)]
pub(super) struct NewIncidentRow {
    id: Uuid,
    domain_id: Uuid,
    class: &'static str,
    severity: &'static str,
    started_at: OffsetDateTime,
    confirmed_at: OffsetDateTime,
    resolved_at: Option<OffsetDateTime>,
    status_code: Option<i32>,
    error_message: Option<String>,
    resolved_ip: Option<IpNet>,
    response_headers: Value,
    checks_failed: i32,
    during_maintenance: bool,
}

impl TryFrom<Opened> for NewIncidentRow {
    type Error = StoreError;

    fn try_from(opened: Opened) -> Result<Self, Self::Error> {
        let Opened {
            id,
            domain,
            severity,
            class,
            started_at,
            confirmed_at,
            resolved_at,
            failure,
        } = opened;
        let headers = failure.as_ref().map(|failure| &failure.response_headers);
        let response_headers = written(&headers)?;
        Ok(Self {
            id,
            domain_id: domain,
            class: class.as_str(),
            severity: severity.as_str(),
            started_at,
            confirmed_at,
            resolved_at,
            status_code: failure
                .as_ref()
                .and_then(|failure| failure.status_code.map(i32::from)),
            resolved_ip: failure
                .as_ref()
                .and_then(|failure| failure.ip_address.map(IpNet::from)),
            error_message: failure.and_then(|failure| failure.error_message),
            response_headers,
            checks_failed: 0,
            during_maintenance: false,
        })
    }
}

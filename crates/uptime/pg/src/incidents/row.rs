//! The row of an incident.

use diesel::{
    QueryableByName,
    sql_types::{Array, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_domain::{
    ids::{DomainId, IncidentId},
    store::StoreError,
};
use pharos_persistence::names;
use pharos_uptime::incident::Incident;
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(QueryableByName)]
pub(super) struct IncidentRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    class: String,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Timestamptz)]
    started_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    confirmed_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    error_message: Option<String>,
    #[diesel(sql_type = Integer)]
    checks_failed: i32,
    #[diesel(sql_type = Bool)]
    during_maintenance: bool,
    #[diesel(sql_type = Array<Nullable<Text>>)]
    regions: Vec<Option<String>>,
}

impl TryFrom<IncidentRow> for Incident {
    type Error = StoreError;

    fn try_from(row: IncidentRow) -> Result<Self, StoreError> {
        let IncidentRow {
            id,
            domain_id,
            class,
            severity,
            started_at,
            confirmed_at,
            resolved_at,
            status_code,
            error_message,
            checks_failed,
            during_maintenance,
            regions,
        } = row;
        let mut regions_affected: Vec<String> = Vec::with_capacity(regions.len());
        for region in regions.into_iter().flatten() {
            // One that recovered and failed again came twice.
            if !regions_affected.contains(&region) {
                regions_affected.push(region);
            }
        }
        Ok(Self {
            id: IncidentId(id),
            domain_id: DomainId(domain_id),
            class: class.parse()?,
            severity: severity.parse()?,
            started_at,
            confirmed_at,
            resolved_at,
            regions_affected,
            status_code: status_code.map(names::count).transpose()?,
            error_message,
            checks_failed: names::count(checks_failed)?,
            during_maintenance,
        })
    }
}

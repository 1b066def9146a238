//! The row of a moment in the course of an incident.

use diesel::prelude::{Insertable, Queryable, Selectable};
use pharos_domain::{ids::IncidentId, store::StoreError};
use pharos_uptime::incident::TimelineEntry;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_incident_events;

/// Read and written alike; the database numbers the rows.
#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = uptime_incident_events)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(crate) struct EventRow {
    incident_id: Uuid,
    at: OffsetDateTime,
    event: String,
    region: Option<String>,
    detail: Option<String>,
}

impl From<(IncidentId, TimelineEntry)> for EventRow {
    fn from((incident, entry): (IncidentId, TimelineEntry)) -> Self {
        Self {
            incident_id: incident.0,
            at: entry.at,
            event: entry.event.to_string(),
            region: entry.region,
            detail: entry.detail,
        }
    }
}

impl TryFrom<EventRow> for TimelineEntry {
    type Error = StoreError;

    fn try_from(row: EventRow) -> Result<Self, StoreError> {
        Ok(Self {
            at: row.at,
            event: row.event.parse()?,
            region: row.region,
            detail: row.detail,
        })
    }
}

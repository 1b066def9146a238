//! The row of a monitor.

use diesel::prelude::{AsChangeset, Insertable, Queryable, QueryableByName, Selectable};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::json::Json;
use pharos_uptime::monitor::{Monitor, settings::MonitorSettings};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_monitors;

#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = uptime_monitors)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct MonitorRow {
    settings: Json<MonitorSettings>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    updated_by: Option<Uuid>,
}

#[derive(Insertable)]
#[diesel(table_name = uptime_monitors)]
pub(super) struct NewMonitorRow {
    pub(super) domain_id: Uuid,
    pub(super) created_at: OffsetDateTime,
    #[diesel(embed)]
    pub(super) change: MonitorChange,
}

#[derive(Clone, Insertable, AsChangeset)]
#[diesel(table_name = uptime_monitors)]
pub(super) struct MonitorChange {
    pub(super) settings: Value,
    pub(super) updated_at: OffsetDateTime,
    pub(super) updated_by: Option<Uuid>,
}

/// Settings as they are stored. The values of headers never reach a message.
pub(crate) fn read_settings(stored: Json<MonitorSettings>) -> Result<MonitorSettings, StoreError> {
    stored.read("the settings of a monitor")
}

impl TryFrom<MonitorRow> for Monitor {
    type Error = StoreError;

    fn try_from(row: MonitorRow) -> Result<Self, StoreError> {
        let MonitorRow {
            settings,
            created_at,
            updated_at,
            updated_by,
        } = row;
        Ok(Self {
            settings: read_settings(settings)?,
            created_at,
            updated_at,
            updated_by: updated_by.map(UserId),
        })
    }
}

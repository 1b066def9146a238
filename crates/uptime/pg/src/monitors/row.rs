//! The row of a monitor.

use diesel::prelude::{AsChangeset, Insertable, Queryable, QueryableByName, Selectable};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::json::Json;
use pharos_uptime::monitor::{Monitor, settings::MonitorSettings};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{schema::uptime_monitors, stored::read_settings};

#[derive(Insertable, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = uptime_monitors)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct MonitorRow {
    pub(super) created_at: OffsetDateTime,
    #[diesel(embed)]
    pub(super) change: MonitorChange,
}

/// The columns that a change of the settings writes.
#[derive(AsChangeset, Insertable, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = uptime_monitors)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct MonitorChange {
    pub(super) settings: Json<MonitorSettings>,
    pub(super) updated_at: OffsetDateTime,
    pub(super) updated_by: Option<Uuid>,
}

impl TryFrom<MonitorRow> for Monitor {
    type Error = StoreError;

    fn try_from(row: MonitorRow) -> Result<Self, StoreError> {
        Ok(Self {
            settings: read_settings(row.change.settings)?,
            created_at: row.created_at,
            updated_at: row.change.updated_at,
            updated_by: row.change.updated_by.map(UserId),
        })
    }
}

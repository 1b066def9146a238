//! The row of a channel that people are not told by.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_alerting::delivery::channel::ChannelTrouble;
use pharos_domain::{ids::ChannelId, store::StoreError};
use pharos_persistence::names;
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(QueryableByName)]
pub(super) struct TroubleRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    failing_since: Option<OffsetDateTime>,
    #[diesel(sql_type = BigInt)]
    given_up: i64,
    #[diesel(sql_type = Nullable<Text>)]
    last_error: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    off_reason: Option<String>,
}

impl TryFrom<TroubleRow> for ChannelTrouble {
    type Error = StoreError;

    fn try_from(row: TroubleRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: ChannelId(row.id),
            name: row.name,
            workspace_name: row.workspace_name,
            failing_since: row.failing_since,
            given_up: names::count(row.given_up)?,
            last_error: row.last_error,
            off_reason: row.off_reason,
        })
    }
}

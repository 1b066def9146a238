//! The row of a span.

use diesel::{
    QueryableByName,
    sql_types::{Text, Timestamptz},
};
use pharos_domain::store::StoreError;
use pharos_uptime::state::StateSpan;
use time::OffsetDateTime;

#[derive(QueryableByName)]
pub(crate) struct SpanRow {
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Timestamptz)]
    started_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    ended_at: OffsetDateTime,
}

impl TryFrom<SpanRow> for StateSpan {
    type Error = StoreError;

    fn try_from(row: SpanRow) -> Result<Self, StoreError> {
        Ok(Self {
            region: row.region,
            state: row.state.parse()?,
            started_at: row.started_at,
            ended_at: row.ended_at,
        })
    }
}

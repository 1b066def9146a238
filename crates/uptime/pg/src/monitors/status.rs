//! The knowledge of a site, for its status.

use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    QueryDsl, QueryableByName, SelectableHelper,
    prelude::{Queryable, Selectable},
    sql_types::{Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, IncidentId},
    store::StoreError,
};
use pharos_persistence::{failure::Abort, json::Json, pool::Database, sql};
use pharos_uptime::{
    knowledge::{IncidentSpan, MonitorKnowledge, RegionKnowledge},
    monitor::Monitor,
    registration::Registration,
    state::{RegionState, Span},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::row::MonitorRow;
use crate::{
    registrations::read_answer,
    schema::{domain_registrations, uptime_incidents, uptime_monitors},
    span_row::SpanRow,
    stored::read_state,
};

#[derive(QueryableByName)]
struct RegionRow {
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    state: Option<Json<RegionState>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_check_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    present: OffsetDateTime,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = uptime_incidents)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct IncidentSpanRow {
    id: Uuid,
    severity: String,
    started_at: OffsetDateTime,
    resolved_at: Option<OffsetDateTime>,
}

impl TryFrom<RegionRow> for RegionKnowledge {
    type Error = StoreError;

    fn try_from(row: RegionRow) -> Result<Self, StoreError> {
        let state = row.state.map(read_state).transpose()?;
        Ok(Self {
            region: row.region,
            state: state.filter(|state| !state.is_ahead_of(row.present)),
            next_check_at: row.next_check_at,
        })
    }
}

impl TryFrom<IncidentSpanRow> for IncidentSpan {
    type Error = StoreError;

    fn try_from(row: IncidentSpanRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: IncidentId(row.id),
            severity: row.severity.parse()?,
            started_at: row.started_at,
            resolved_at: row.resolved_at,
        })
    }
}

/// Reads all of it as of one moment: between two statements a check could come in that one saw and the other did not.
pub(super) async fn status(
    database: &Database,
    domain: DomainId,
    spans_since: OffsetDateTime,
) -> Result<Option<MonitorKnowledge>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .build_transaction()
        .read_only()
        .repeatable_read()
        .run::<_, Abort<StoreError>, _>(async |connection| read(connection, domain, spans_since).await)
        .await
        .map_err(Abort::answer)
}

async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    spans_since: OffsetDateTime,
) -> Result<Option<MonitorKnowledge>, Abort<StoreError>> {
    let monitor = uptime_monitors::table
        .find(domain.0)
        .select(MonitorRow::as_select());
    let regions = sql!("regions.sql").bind::<SqlUuid, _>(domain.0);
    let spans = sql!("spans.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(spans_since);
    // Incidents of a domain follow each other: all that reach in end after the beginning.
    let incidents = uptime_incidents::table
        .filter(uptime_incidents::domain_id.eq(domain.0))
        .filter(
            uptime_incidents::resolved_at
                .is_null()
                .or(uptime_incidents::resolved_at.gt(spans_since)),
        )
        .select(IncidentSpanRow::as_select());
    let registration = uptime_monitors::table
        .inner_join(
            domain_registrations::table
                .on(uptime_monitors::registrable_domain.eq(domain_registrations::name.nullable())),
        )
        .filter(uptime_monitors::domain_id.eq(domain.0))
        .select(domain_registrations::answer);
    // Pipelined.
    let (monitor, regions, spans, incidents, registration) = tokio::try_join!(
        async { monitor.first::<MonitorRow>(&mut &*connection).await.optional() },
        regions.load::<RegionRow>(&mut &*connection),
        spans.load::<SpanRow>(&mut &*connection),
        incidents.load::<IncidentSpanRow>(&mut &*connection),
        async {
            let answer = registration.first::<Option<Json<Registration>>>(&mut &*connection);
            answer.await.optional()
        },
    )?;
    let Some(monitor) = monitor else {
        return Ok(None);
    };
    let knowledge = || {
        let registration = registration.flatten().map(read_answer).transpose()?;
        Ok(MonitorKnowledge {
            monitor: Monitor::try_from(monitor)?,
            regions: regions
                .into_iter()
                .map(RegionKnowledge::try_from)
                .collect::<Result<_, _>>()?,
            spans: spans.into_iter().map(Span::try_from).collect::<Result<_, _>>()?,
            incidents: incidents
                .into_iter()
                .map(IncidentSpan::try_from)
                .collect::<Result<_, _>>()?,
            registration_ends_at: registration.and_then(|registration| registration.expires_at),
        })
    };
    knowledge().map(Some).map_err(Abort::Port)
}

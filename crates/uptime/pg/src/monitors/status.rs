//! What is known of a site.

use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    QueryDsl, QueryableByName, SelectableHelper, sql_query,
    sql_types::{Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, IncidentId},
    store::StoreError,
};
use pharos_persistence::{failure::Abort, json::Json, pool::Database, statement::statement};
use pharos_uptime::{
    monitor::Monitor,
    registration::Registration,
    state::{RegionState, Span},
    store::{IncidentSpan, MonitorKnowledge, RegionKnowledge},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::row::MonitorRow;
use crate::{
    registrations::read_answer,
    schema::{domain_registrations, uptime_incidents, uptime_monitors},
};

struct ListSpans;
struct ListRegions;

#[derive(QueryableByName)]
struct SpanRow {
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Timestamptz)]
    started_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    ended_at: OffsetDateTime,
}

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

impl TryFrom<SpanRow> for Span {
    type Error = StoreError;

    fn try_from(row: SpanRow) -> Result<Self, StoreError> {
        let SpanRow {
            region,
            state,
            started_at,
            ended_at,
        } = row;
        Ok(Self {
            region,
            state: state.parse()?,
            started_at,
            ended_at,
        })
    }
}

type IncidentRow = (Uuid, String, OffsetDateTime, Option<OffsetDateTime>);

/// The state of a region, as it is stored.
pub(crate) fn read_state(stored: Json<RegionState>) -> Result<RegionState, StoreError> {
    stored.read("the state of a region")
}

impl TryFrom<RegionRow> for RegionKnowledge {
    type Error = StoreError;

    fn try_from(row: RegionRow) -> Result<Self, StoreError> {
        let RegionRow {
            region,
            state,
            next_check_at,
            present,
        } = row;
        let state = state.map(read_state).transpose()?;
        Ok(Self {
            region,
            state: state.filter(|state| !state.is_ahead_of(present)),
            next_check_at,
        })
    }
}

fn incident((id, severity, started_at, resolved_at): IncidentRow) -> Result<IncidentSpan, StoreError> {
    Ok(IncidentSpan {
        id: IncidentId(id),
        severity: severity.parse()?,
        started_at,
        resolved_at,
    })
}

/// Of one moment: between two statements a check could come in that one saw and the other did not.
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
    let regions = sql_query(include_str!("regions.sql")).bind::<SqlUuid, _>(domain.0);
    let spans = sql_query(include_str!("spans.sql"))
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
        .select((
            uptime_incidents::id,
            uptime_incidents::severity,
            uptime_incidents::started_at,
            uptime_incidents::resolved_at,
        ));
    let registration = uptime_monitors::table
        .inner_join(
            domain_registrations::table
                .on(uptime_monitors::registrable_domain.eq(domain_registrations::name.nullable())),
        )
        .filter(uptime_monitors::domain_id.eq(domain.0))
        .select(domain_registrations::answer);
    // One after the other on the way there, and no wait in between.
    let (monitor, regions, spans, incidents, registration) = tokio::try_join!(
        async { monitor.first::<MonitorRow>(&mut &*connection).await.optional() },
        statement::<ListRegions, _>(regions).load::<RegionRow>(&mut &*connection),
        statement::<ListSpans, _>(spans).load::<SpanRow>(&mut &*connection),
        incidents.load::<IncidentRow>(&mut &*connection),
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
            incidents: incidents.into_iter().map(incident).collect::<Result<_, _>>()?,
            registration_ends_at: registration.and_then(|registration| registration.expires_at),
        })
    };
    knowledge().map(Some).map_err(Abort::Port)
}

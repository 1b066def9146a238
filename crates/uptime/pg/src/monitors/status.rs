//! The knowledge of a site, for its status.

use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    QueryDsl, QueryResult, QueryableByName, SelectableHelper,
    prelude::{Queryable, Selectable},
    sql_types::{Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, IncidentId},
    store::StoreError,
};
use pharos_persistence::{failure::Abort, json::Json, pool::Database, set_aside::Kind, sql};
use pharos_uptime::{
    knowledge::{IncidentSpan, MonitorKnowledge, RegionKnowledge},
    monitor::Monitor,
    registration::Registration,
    state::RegionState,
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

/// All that the tables have on a site.
struct Found {
    monitor: MonitorRow,
    regions: Vec<RegionRow>,
    spans: Vec<SpanRow>,
    incidents: Vec<IncidentSpanRow>,
    registration: Option<Json<Registration>>,
}

impl From<RegionRow> for RegionKnowledge {
    /// A state that can't be read says as little as none: the other regions know the site all the same.
    fn from(row: RegionRow) -> Self {
        let state = row.state.map(read_state).transpose();
        let state = state.unwrap_or_else(|error| {
            tracing::error!(region = row.region, %error, "what a region knows of a site can't be read");
            None
        });
        Self {
            region: row.region,
            state: state.filter(|state| !state.is_ahead_of(row.present)),
            next_check_at: row.next_check_at,
        }
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

/// Reads of a site what can be read: nodes are upgraded one by one, and one of a later version may have stored what this one does
/// not know. It hides nothing else.
pub(super) async fn status(
    database: &Database,
    domain: DomainId,
    spans_since: OffsetDateTime,
) -> Result<Option<MonitorKnowledge>, StoreError> {
    let Some(found) = found(database, domain, spans_since).await? else {
        return Ok(None);
    };
    let Found {
        monitor,
        regions,
        spans,
        incidents,
        registration,
    } = found;
    let registration = registration.map(read_answer).transpose();
    let registration = registration.unwrap_or_else(|error| {
        tracing::error!(%domain, %error, "the registration of a name can't be read");
        None
    });
    Ok(Some(MonitorKnowledge {
        monitor: Monitor::try_from(monitor)?,
        regions: regions.into_iter().map(RegionKnowledge::from).collect(),
        // Spans that are left out are time that nobody has observed.
        spans: database
            .readable(Kind::RegionState, spans, |_: &SpanRow| domain)
            .await,
        incidents: database
            .readable(Kind::Incident, incidents, |row: &IncidentSpanRow| row.id)
            .await,
        registration_ends_at: registration.and_then(|registration| registration.expires_at),
    }))
}

/// Reads all of it as of one moment: between two statements a check could come in that one saw and the other did not.
async fn found(
    database: &Database,
    domain: DomainId,
    spans_since: OffsetDateTime,
) -> Result<Option<Found>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .build_transaction()
        .read_only()
        .repeatable_read()
        .run::<_, Abort<StoreError>, _>(async |connection| Ok(read(connection, domain, spans_since).await?))
        .await
        .map_err(Abort::answer)
}

async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    spans_since: OffsetDateTime,
) -> QueryResult<Option<Found>> {
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
    Ok(monitor.map(|monitor| Found {
        monitor,
        regions,
        spans,
        incidents,
        registration: registration.flatten(),
    }))
}

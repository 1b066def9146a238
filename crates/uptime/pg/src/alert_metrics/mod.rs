//! The values of alert metrics, read for many sites at once.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, IncidentId, UserId},
    store::StoreError,
    time_range::TimeRange,
};
use pharos_persistence::{
    failure::{Abort, read_failure},
    json::Json,
    pool::Database,
    sql,
};
use pharos_uptime::{
    alert_metrics::{MeanTimes, MetricStore},
    knowledge::{IncidentSpan, MonitorKnowledge, RegionKnowledge},
    monitor::{Monitor, settings::MonitorSettings},
    registration::Registration,
    state::{RegionState, StateSpan},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    registrations::read_answer,
    stored::{read_settings, read_state},
};

/// Metrics in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgMetricStore {
    database: Database,
}

impl PgMetricStore {
    /// The metrics of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct MonitorRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    updated_by: Option<Uuid>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    answer: Option<Json<Registration>>,
}

#[derive(QueryableByName)]
struct SettingsRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
}

#[derive(QueryableByName)]
struct RegionRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    state: Option<Json<RegionState>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_check_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    present: OffsetDateTime,
}

#[derive(QueryableByName)]
struct SpanRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
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
struct IncidentRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Timestamptz)]
    started_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
}

#[derive(QueryableByName)]
struct TimesRow {
    #[diesel(sql_type = BigInt)]
    checks: i64,
    #[diesel(sql_type = BigInt)]
    responses: i64,
    #[diesel(sql_type = Double)]
    response_us: f64,
    #[diesel(sql_type = BigInt)]
    ttfbs: i64,
    #[diesel(sql_type = Double)]
    ttfb_us: f64,
}

impl MonitorRow {
    fn knowledge(self) -> Result<MonitorKnowledge, StoreError> {
        let registration = self.answer.map(read_answer).transpose()?;
        Ok(MonitorKnowledge {
            monitor: Monitor {
                settings: read_settings(self.settings)?,
                created_at: self.created_at,
                updated_at: self.updated_at,
                updated_by: self.updated_by.map(UserId),
            },
            regions: Vec::new(),
            spans: Vec::new(),
            incidents: Vec::new(),
            registration_ends_at: registration.and_then(|registration| registration.expires_at),
        })
    }
}

impl From<TimesRow> for MeanTimes {
    fn from(row: TimesRow) -> Self {
        // To the microsecond, as the API tells means.
        let mean = |micros: f64, samples: i64| (samples > 0).then(|| (micros / samples as f64).round() / 1e3);
        Self {
            checks: row.checks.unsigned_abs(),
            response_ms: mean(row.response_us, row.responses),
            ttfb_ms: mean(row.ttfb_us, row.ttfbs),
        }
    }
}

#[async_trait]
impl MetricStore for PgMetricStore {
    async fn known(
        &self,
        sites: &HashMap<DomainId, OffsetDateTime>,
    ) -> Result<HashMap<DomainId, MonitorKnowledge>, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .build_transaction()
            .read_only()
            .repeatable_read()
            .run::<_, Abort<StoreError>, _>(async |connection| known(connection, sites).await)
            .await
            .map_err(|abort| match abort {
                Abort::Database(error) => read_failure(error),
                Abort::Port(error) => error,
            })
    }

    async fn settings(&self, sites: &[DomainId]) -> Result<HashMap<DomainId, MonitorSettings>, StoreError> {
        let domains: Vec<Uuid> = sites.iter().map(|site| site.0).collect();
        let mut connection = self.database.connection().await?;
        let query = sql!("settings.sql").bind::<Array<SqlUuid>, _>(domains);
        let rows: Vec<SettingsRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let mut found = HashMap::new();
        for row in rows {
            let domain = DomainId(row.domain_id);
            match read_settings(row.settings) {
                Ok(settings) => {
                    found.insert(domain, settings);
                }
                Err(error) => tracing::warn!(
                    %domain, %error,
                    "the settings of a monitor can't be read; its maintenance windows hold no rule back"
                ),
            }
        }
        Ok(found)
    }

    async fn times(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<MeanTimes>, StoreError> {
        let domains: Vec<Uuid> = asked.iter().map(|(domain, _)| domain.0).collect();
        let (since, until): (Vec<_>, Vec<_>) =
            asked.iter().map(|(_, range)| (range.from, range.until)).unzip();
        let query = sql!("times.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(since)
            .bind::<Array<Timestamptz>, _>(until);
        let mut connection = self.database.connection().await?;
        let rows: Vec<TimesRow> = query.load(&mut connection).await.map_err(read_failure)?;
        Ok(rows.into_iter().map(MeanTimes::from).collect())
    }
}

/// Reads the state of one moment: between two statements a check could come in that one saw and the other did not. A site that
/// can't be read is left out, and stops no other.
async fn known(
    connection: &AsyncPgConnection,
    sites: &HashMap<DomainId, OffsetDateTime>,
) -> Result<HashMap<DomainId, MonitorKnowledge>, Abort<StoreError>> {
    let (domains, since): (Vec<Uuid>, Vec<OffsetDateTime>) =
        sites.iter().map(|(domain, since)| (domain.0, *since)).unzip();
    let monitors = sql!("monitors.sql").bind::<Array<SqlUuid>, _>(&domains);
    let regions = sql!("regions.sql").bind::<Array<SqlUuid>, _>(&domains);
    let spans = sql!("spans.sql")
        .bind::<Array<SqlUuid>, _>(&domains)
        .bind::<Array<Timestamptz>, _>(&since);
    let incidents = sql!("incidents.sql")
        .bind::<Array<SqlUuid>, _>(&domains)
        .bind::<Array<Timestamptz>, _>(&since);
    // Pipelined.
    let (monitors, regions, spans, incidents) = tokio::try_join!(
        monitors.load::<MonitorRow>(&mut &*connection),
        regions.load::<RegionRow>(&mut &*connection),
        spans.load::<SpanRow>(&mut &*connection),
        incidents.load::<IncidentRow>(&mut &*connection),
    )?;
    let mut found = HashMap::new();
    for row in monitors {
        let domain = DomainId(row.domain_id);
        readable(&mut found, domain, row.knowledge(), |found, knowledge| {
            found.insert(domain, knowledge);
        });
    }
    for row in regions {
        let domain = DomainId(row.domain_id);
        readable(
            &mut found,
            domain,
            row.state.map(read_state).transpose(),
            |found, state| {
                let state = state.filter(|state| !state.is_ahead_of(row.present));
                if let Some(known) = found.get_mut(&domain) {
                    known.regions.push(RegionKnowledge {
                        region: row.region,
                        state,
                        next_check_at: row.next_check_at,
                    });
                }
            },
        );
    }
    for row in spans {
        let domain = DomainId(row.domain_id);
        readable(
            &mut found,
            domain,
            row.state.parse().map_err(StoreError::from),
            |found, state| {
                if let Some(known) = found.get_mut(&domain) {
                    known.spans.push(StateSpan {
                        region: row.region,
                        state,
                        started_at: row.started_at,
                        ended_at: row.ended_at,
                    });
                }
            },
        );
    }
    for row in incidents {
        let domain = DomainId(row.domain_id);
        readable(
            &mut found,
            domain,
            row.severity.parse().map_err(StoreError::from),
            |found, severity| {
                if let Some(known) = found.get_mut(&domain) {
                    known.incidents.push(IncidentSpan {
                        id: IncidentId(row.id),
                        severity,
                        started_at: row.started_at,
                        resolved_at: row.resolved_at,
                    });
                }
            },
        );
    }
    Ok(found)
}

/// Adds what could be read of a site; one that can't be read is left out, since half of what is known would be a lie.
fn readable<T>(
    found: &mut HashMap<DomainId, MonitorKnowledge>,
    domain: DomainId,
    read: Result<T, StoreError>,
    add: impl FnOnce(&mut HashMap<DomainId, MonitorKnowledge>, T),
) {
    match read {
        Ok(value) => add(found, value),
        Err(error) => {
            tracing::warn!(%domain, %error, "what is known of a site can't be read; its rules have no data");
            found.remove(&domain);
        }
    }
}

//! The figures that alert metrics are made from, for many sites at once.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, SmallInt, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    alert_metrics::{Sold, VisitMetricStore, Visits},
    channel::Channel,
    overview::Totals,
};
use pharos_domain::{ids::DomainId, store::StoreError, time_range::TimeRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::PgVisitStore;
use crate::collect::channel_number;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    pageviews: i64,
    #[diesel(sql_type = BigInt)]
    bounces: i64,
    #[diesel(sql_type = BigInt)]
    duration_ms: i64,
    #[diesel(sql_type = BigInt)]
    events: i64,
    #[diesel(sql_type = BigInt)]
    ai_assistant_visitors: i64,
    #[diesel(sql_type = Bool)]
    sells: bool,
    #[diesel(sql_type = BigInt)]
    add_to_carts: i64,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    revenue_cents: i64,
}

impl TryFrom<Row> for Visits {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let sold = Sold {
            add_to_carts: count(row.add_to_carts)?,
            orders: count(row.orders)?,
            revenue_cents: row.revenue_cents,
        };
        Ok(Self {
            totals: Totals {
                visitors: count(row.visitors)?,
                sessions: count(row.sessions)?,
                pageviews: count(row.pageviews)?,
                bounces: count(row.bounces)?,
                duration_ms: count(row.duration_ms)?,
                events: count(row.events)?,
            },
            ai_assistant_visitors: count(row.ai_assistant_visitors)?,
            sales: row.sells.then_some(sold),
        })
    }
}

#[derive(QueryableByName)]
struct HeardRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    last_at: OffsetDateTime,
}

#[async_trait]
impl VisitMetricStore for PgVisitStore {
    async fn visits(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<Option<Visits>>, StoreError> {
        let mut answers = vec![None; asked.len()];
        if asked.is_empty() {
            return Ok(answers);
        }
        let domains: Vec<Uuid> = asked.iter().map(|(domain, _)| domain.0).collect();
        let since: Vec<OffsetDateTime> = asked.iter().map(|(_, range)| range.from).collect();
        let until: Vec<OffsetDateTime> = asked.iter().map(|(_, range)| range.until).collect();
        let connection = self.database.long_read().await?;
        let mut connection: &AsyncPgConnection = &connection;
        let rows: Vec<Row> = sql!("alert_metrics.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(since)
            .bind::<Array<Timestamptz>, _>(until)
            .bind::<SmallInt, _>(channel_number(Channel::AiAssistants))
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        for row in rows {
            let place = usize::try_from(row.number - 1).ok();
            if let Some(answer) = place.and_then(|place| answers.get_mut(place)) {
                *answer = Some(row.try_into()?);
            }
        }
        Ok(answers)
    }

    async fn last_heard(
        &self,
        domains: &[DomainId],
    ) -> Result<HashMap<DomainId, OffsetDateTime>, StoreError> {
        if domains.is_empty() {
            return Ok(HashMap::new());
        }
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<HeardRow> = sql!(text "SELECT p.domain_id, p.last_at
            FROM analytics_progress AS p
            JOIN domains AS d ON d.id = p.domain_id AND d.deleted_at IS NULL
            JOIN analytics_sites AS s ON s.domain_id = p.domain_id AND s.enabled
            WHERE p.domain_id = ANY ($1)")
        .bind::<Array<SqlUuid>, _>(ids)
        .load(&mut connection)
        .await
        .map_err(read_failure)?;
        Ok(rows
            .into_iter()
            .map(|row| (DomainId(row.domain_id), row.last_at))
            .collect())
    }
}

//! The values of alert metrics, read for many domains at once.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{alert_metric::FormFactor, ids::RunId, store::StoreError};
use pharos_persistence::{failure::read_failure, names, pool::Database, sql};
use pharos_synthetic::alert_metrics::{Asked, LabMetricStore, Worst, WorstTest};
use uuid::Uuid;

/// Metrics in PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct PgLabMetricStore {
    database: Database,
}

impl PgLabMetricStore {
    /// The metrics of `database`.
    #[must_use]
    pub(crate) fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct WorstRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = Nullable<Double>)]
    value: Option<f64>,
    #[diesel(sql_type = BigInt)]
    runs: i64,
    #[diesel(sql_type = Nullable<Text>)]
    url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    profile_id: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    run_id: Option<Uuid>,
}

#[async_trait]
impl LabMetricStore for PgLabMetricStore {
    async fn worst(&self, asked: &[Asked]) -> Result<Vec<Worst>, StoreError> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let mut columns: (Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>) =
            Default::default();
        for Asked {
            domain,
            metric,
            url,
            form_factor,
            range,
            greatest,
            as_of,
        } in asked
        {
            columns.0.push(domain.0);
            columns.1.push(*metric);
            columns.2.push(url.as_deref());
            columns.3.push(form_factor.map(FormFactor::as_str));
            columns.4.push(range.map(|range| range.from));
            columns.5.push(range.map(|range| range.until));
            columns.6.push(*greatest);
            columns.7.push(*as_of);
        }
        let (domains, metrics, urls, form_factors, froms, tos, greatest, as_of) = columns;
        let query = sql!("sql/worst.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Text>, _>(metrics)
            .bind::<Array<Nullable<Text>>, _>(urls)
            .bind::<Array<Nullable<Text>>, _>(form_factors)
            .bind::<Array<Nullable<Timestamptz>>, _>(froms)
            .bind::<Array<Nullable<Timestamptz>>, _>(tos)
            .bind::<Array<Bool>, _>(greatest)
            .bind::<Array<Nullable<Timestamptz>>, _>(as_of);
        let mut connection = self.database.long_read().await?;
        let rows: Vec<WorstRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let mut answers = vec![Worst::default(); asked.len()];
        for row in rows {
            let place = usize::try_from(row.number - 1).ok();
            if let Some(answer) = place.and_then(|place| answers.get_mut(place)) {
                let test = match (row.url, row.profile_id, row.run_id) {
                    (Some(url), Some(profile_id), Some(run)) => Some(WorstTest {
                        url,
                        profile_id,
                        run: RunId(run),
                    }),
                    _ => None,
                };
                *answer = Worst {
                    value: row.value,
                    runs: names::count(row.runs)?,
                    test,
                };
            }
        }
        Ok(answers)
    }
}

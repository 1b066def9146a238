//! The figures that alert metrics are made from, for many sites at once.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Jsonb, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::read_failure, json::Json, sql};
use pharos_vitals::crux::{
    alert_metrics::{CruxMetricStore, FiguresQuery},
    figures::{Figures, Period},
};
use time::Date;
use uuid::Uuid;

use super::{
    PgCruxStore,
    row::{FIGURES, period},
};

#[derive(QueryableByName)]
struct FoundRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = SqlDate)]
    period_end: Date,
    #[diesel(sql_type = Jsonb)]
    figures: Json<Figures>,
}

#[async_trait]
impl CruxMetricStore for PgCruxStore {
    async fn figures(&self, asked: &[FiguresQuery]) -> Result<Vec<Option<(Period, Figures)>>, StoreError> {
        let mut answers = vec![None; asked.len()];
        if asked.is_empty() {
            return Ok(answers);
        }
        let domains: Vec<Uuid> = asked.iter().map(|question| question.domain.0).collect();
        let urls: Vec<Option<&str>> = asked.iter().map(|question| question.url.as_deref()).collect();
        let form_factors: Vec<&str> = asked
            .iter()
            .map(|question| question.form_factor.as_str())
            .collect();
        let days: Vec<Date> = asked.iter().map(|question| question.by).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<FoundRow> = sql!("alert_metrics.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Nullable<Text>>, _>(urls)
            .bind::<Array<Text>, _>(form_factors)
            .bind::<Array<SqlDate>, _>(days)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        for row in rows {
            let place = usize::try_from(row.number - 1).ok();
            let Some(answer) = place.and_then(|place| answers.get_mut(place)) else {
                continue;
            };
            match row.figures.read(FIGURES) {
                Ok(figures) => *answer = Some((period(row.period_end), figures)),
                // The rules of the others are evaluated.
                Err(error) => tracing::error!(%error, "field data can't be read for alert rules"),
            }
        }
        Ok(answers)
    }
}

//! How pages stand, and their figures over time.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{DomainId, RunId, SyntheticUrlId},
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, json::Json, names, pool::Database, set_aside::Kind, sql};
use pharos_synthetic::{
    budget::BudgetStatus,
    figure::{Figures, LabMetric},
    series::{EngineChange, Grain, MOST_POINTS, Point, SeriesQuery},
    store::{RunCounts, Standing},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::row::StandingRow;

impl TryFrom<StandingRow> for Standing {
    type Error = StoreError;

    fn try_from(row: StandingRow) -> Result<Self, StoreError> {
        let last = match (row.run_id, row.status, row.finished_at) {
            (Some(run), Some(status), Some(at)) => Some((RunId(run), status.parse()?, at)),
            _ => None,
        };
        let figures: Option<Figures> = row
            .figures
            .map(|figures: Json<Figures>| figures.read("the figures of a lab test"))
            .transpose()?;
        Ok(Self {
            url_id: SyntheticUrlId(row.url_id),
            url: row.url,
            label: row.label,
            profile_id: row.profile_id,
            last,
            figures: figures.unwrap_or_default(),
            engine_major: row.engine_major,
            scores_before: row.scores_before,
            budgets: BudgetStatus::of(&row.passed),
            next_run_at: row.next_run_at,
            failures: names::count(row.failures)?,
        })
    }
}

pub(crate) async fn standings(
    database: &Database,
    domain: DomainId,
    at: OffsetDateTime,
) -> Result<Vec<Standing>, StoreError> {
    let rows = {
        let mut connection = database.long_read().await?;
        let query = sql!("sql/standings.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(at);
        query.load(&mut connection).await.map_err(read_failure)?
    };
    Ok(database
        .readable(Kind::LabTest, rows, |row: &StandingRow| row.url_id)
        .await)
}

#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(sql_type = BigInt)]
    runs: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
}

pub(crate) async fn counts(
    database: &Database,
    domain: DomainId,
    since: OffsetDateTime,
) -> Result<RunCounts, StoreError> {
    let mut connection = database.long_read().await?;
    let query = sql!("sql/counts.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(since);
    let row: CountsRow = query.get_result(&mut connection).await.map_err(read_failure)?;
    Ok(RunCounts {
        runs: names::count(row.runs)?,
        failed: names::count(row.failed)?,
    })
}

#[derive(QueryableByName)]
struct PointRow {
    #[diesel(sql_type = SqlUuid)]
    url_id: Uuid,
    #[diesel(sql_type = Text)]
    profile_id: String,
    #[diesel(sql_type = Text)]
    metric: String,
    #[diesel(sql_type = Timestamptz)]
    bucket_start: OffsetDateTime,
    #[diesel(sql_type = Nullable<Double>)]
    median: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    least: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    greatest: Option<f64>,
    #[diesel(sql_type = BigInt)]
    runs: i64,
    #[diesel(sql_type = Timestamptz)]
    newest: OffsetDateTime,
}

impl TryFrom<PointRow> for Point {
    type Error = StoreError;

    fn try_from(row: PointRow) -> Result<Self, StoreError> {
        Ok(Self {
            url_id: SyntheticUrlId(row.url_id),
            profile_id: row.profile_id,
            metric: row.metric.parse()?,
            bucket_start: row.bucket_start,
            median: row.median,
            min: row.least,
            max: row.greatest,
            runs: names::count(row.runs)?,
            newest: row.newest,
        })
    }
}

pub(crate) async fn series(
    database: &Database,
    domain: DomainId,
    query: &SeriesQuery<'_>,
) -> Result<Vec<Point>, StoreError> {
    let metrics: Vec<&str> = query.metrics.iter().copied().map(LabMetric::as_str).collect();
    let unit = match query.grain {
        Grain::Run => None,
        Grain::Day | Grain::Week => Some(query.grain.as_str()),
    };
    let mut connection = database.long_read().await?;
    let statement = sql!("sql/series.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<SqlUuid>, _>(query.url_id.map(|page| page.0))
        .bind::<Nullable<Text>, _>(query.profile_id)
        .bind::<Nullable<Text>, _>(unit)
        .bind::<Array<Text>, _>(metrics)
        .bind::<BigInt, _>(i64::try_from(MOST_POINTS).map_or(i64::MAX, |most| most.saturating_add(1)));
    let rows: Vec<PointRow> = statement.load(&mut connection).await.map_err(read_failure)?;
    rows.into_iter().map(Point::try_from).collect()
}

#[derive(QueryableByName)]
struct EngineChangeRow {
    #[diesel(sql_type = SqlUuid)]
    url_id: Uuid,
    #[diesel(sql_type = Text)]
    profile_id: String,
    #[diesel(sql_type = Timestamptz)]
    finished_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    major: String,
}

impl From<EngineChangeRow> for EngineChange {
    fn from(row: EngineChangeRow) -> Self {
        Self {
            url_id: SyntheticUrlId(row.url_id),
            profile_id: row.profile_id,
            at: row.finished_at,
            major: row.major,
        }
    }
}

pub(crate) async fn engine_changes(
    database: &Database,
    domain: DomainId,
    query: &SeriesQuery<'_>,
) -> Result<Vec<EngineChange>, StoreError> {
    let mut connection = database.long_read().await?;
    let statement = sql!("sql/engine_changes.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<SqlUuid>, _>(query.url_id.map(|page| page.0))
        .bind::<Nullable<Text>, _>(query.profile_id)
        .bind::<BigInt, _>(i64::try_from(MOST_POINTS).unwrap_or(i64::MAX));
    let rows: Vec<EngineChangeRow> = statement.load(&mut connection).await.map_err(read_failure)?;
    Ok(rows.into_iter().map(EngineChange::from).collect())
}

//! What checks of the past come to.

use async_trait::async_trait;
use diesel::{
    QueryDsl, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Bool, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_uptime::{
    availability::Stretch,
    history::{CheckCounts, Figures, HistoryStore, PhaseTiming, Phases, RegionPlace, Timing},
};
use time::OffsetDateTime;

use crate::{failure::failure, names, pool::Database, schema::regions, statement::statement};

/// History in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgHistoryStore {
    database: Database,
}

impl PgHistoryStore {
    /// The history in `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// The figures of stretches, of one region or of all, together or `by_region`.
    async fn read(
        &self,
        domain: &DomainAccess,
        stretches: &[Stretch],
        region: Option<&str>,
        by_region: bool,
    ) -> Result<Vec<FigureRow>, StoreError> {
        let (starts, ends): (Vec<OffsetDateTime>, Vec<OffsetDateTime>) = stretches.iter().copied().unzip();
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("figures.sql"))
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Timestamptz>, _>(starts)
            .bind::<Array<Timestamptz>, _>(ends)
            .bind::<Nullable<Text>, _>(region)
            .bind::<Bool, _>(by_region);
        statement::<ReadFigures, _>(query)
            .load(&mut connection)
            .await
            .map_err(failure)
    }
}

struct ReadCounts;
struct ReadFigures;

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
}

#[derive(QueryableByName)]
struct FigureRow {
    /// Where figures are told by region.
    #[diesel(sql_type = Nullable<Text>)]
    region: Option<String>,
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = BigInt)]
    up: i64,
    #[diesel(sql_type = BigInt)]
    down: i64,
    #[diesel(sql_type = BigInt)]
    degraded: i64,
    #[diesel(sql_type = BigInt)]
    samples: i64,
    #[diesel(sql_type = Nullable<Double>)]
    mean: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    least: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    most: Option<f64>,
    /// The 50th, 75th, 90th, 95th and 99th.
    #[diesel(sql_type = Nullable<Array<Nullable<Double>>>)]
    percentiles: Option<Vec<Option<f64>>>,
    /// In the order in which a check goes through them.
    #[diesel(sql_type = Array<Nullable<Double>>)]
    phase_means: Vec<Option<f64>>,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    phase_p95s: Vec<Option<f64>>,
}

/// As checks are measured: what lies below is noise.
fn to_the_microsecond(milliseconds: f64) -> f64 {
    (milliseconds * 1e3).round() / 1e3
}

impl TryFrom<FigureRow> for Figures {
    type Error = StoreError;

    fn try_from(row: FigureRow) -> Result<Self, StoreError> {
        let FigureRow {
            region: _,
            total,
            up,
            down,
            degraded,
            samples,
            mean,
            least,
            most,
            percentiles,
            phase_means,
            phase_p95s,
        } = row;
        let percentiles = percentiles.unwrap_or_default();
        let percentile = |at: usize| percentiles.get(at).copied().flatten().map(to_the_microsecond);
        let phase = |at: usize| PhaseTiming {
            avg: phase_means.get(at).copied().flatten().map(to_the_microsecond),
            p95: phase_p95s.get(at).copied().flatten().map(to_the_microsecond),
        };
        Ok(Self {
            counts: CheckCounts {
                total: names::count(total)?,
                up: names::count(up)?,
                down: names::count(down)?,
                degraded: names::count(degraded)?,
            },
            response: Timing {
                samples: names::count(samples)?,
                avg: mean.map(to_the_microsecond),
                min: least,
                p50: percentile(0),
                p75: percentile(1),
                p90: percentile(2),
                p95: percentile(3),
                p99: percentile(4),
                max: most,
            },
            phases: Phases {
                dns: phase(0),
                connect: phase(1),
                tls: phase(2),
                ttfb: phase(3),
                download: phase(4),
            },
        })
    }
}

#[async_trait]
impl HistoryStore for PgHistoryStore {
    async fn counts(&self, domain: &DomainAccess, stretches: &[Stretch]) -> Result<Vec<u64>, StoreError> {
        let (starts, ends): (Vec<OffsetDateTime>, Vec<OffsetDateTime>) = stretches.iter().copied().unzip();
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("counts.sql"))
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Timestamptz>, _>(starts)
            .bind::<Array<Timestamptz>, _>(ends);
        let rows: Vec<CountRow> = statement::<ReadCounts, _>(query)
            .load(&mut connection)
            .await
            .map_err(failure)?;
        rows.into_iter().map(|row| names::count(row.total)).collect()
    }

    async fn figures(
        &self,
        domain: &DomainAccess,
        stretches: &[Stretch],
        region: Option<&str>,
    ) -> Result<Vec<Figures>, StoreError> {
        let rows = self.read(domain, stretches, region, false).await?;
        rows.into_iter().map(Figures::try_from).collect()
    }

    async fn by_region(
        &self,
        domain: &DomainAccess,
        stretch: Stretch,
    ) -> Result<Vec<(String, Figures)>, StoreError> {
        let rows = self.read(domain, &[stretch], None, true).await?;
        // Without a check there is one row, of no region.
        let of_regions = rows
            .into_iter()
            .filter_map(|mut row| Some((row.region.take()?, row)));
        of_regions
            .map(|(region, row)| Ok((region, Figures::try_from(row)?)))
            .collect()
    }

    async fn places(&self) -> Result<Vec<RegionPlace>, StoreError> {
        let reader = self.database.reader().await?;
        type Row = (String, Option<String>, Option<String>, Option<String>);
        let rows: Vec<Row> = regions::table
            .order(regions::key)
            .select((regions::key, regions::name, regions::continent, regions::country))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(rows
            .into_iter()
            .map(|(key, name, continent, country)| RegionPlace {
                key,
                name,
                continent,
                country,
            })
            .collect())
    }
}

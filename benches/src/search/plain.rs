//! The bases: tables as one would have them without Pharos.

use anyhow::{Context, Result, bail, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Date as SqlDate, Double, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, window::DateRange};
use pharos_search::gsc::{figures::Figures, values::Values};

use super::{
    data::{Imported, PROGRESS},
    site::DAYS,
};
use crate::interrupt;

/// The tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    /// Everything that is stored.
    All,
    /// The rows by query.
    Queries,
}

impl Table {
    const fn name(self) -> &'static str {
        match self {
            Self::All => "bench_plain",
            Self::Queries => "bench_plain_queries",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::All => "of a plain table of all rows with an index on (property, date)",
            Self::Queries => "of the same table with the rows by query alone",
        }
    }
}

/// The sums of a query.
#[derive(QueryableByName)]
pub(super) struct TopQuery {
    #[diesel(sql_type = Text)]
    query: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
}

/// The sums of all queries.
#[derive(QueryableByName)]
struct Totals {
    #[diesel(sql_type = BigInt)]
    queries: i64,
    #[diesel(sql_type = BigInt)]
    stored: i64,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = Double)]
    position_sum: f64,
}

impl Totals {
    fn figures(&self) -> Figures {
        Figures {
            clicks: self.clicks.unsigned_abs(),
            impressions: self.impressions.unsigned_abs(),
            position_sum: self.position_sum,
        }
    }
}

/// The tables of a run.
pub(super) struct Plain {
    connection: AsyncPgConnection,
}

impl Plain {
    /// Fills them from what Pharos stored of the domain, day by day, and sees to it that this is what was imported over all days.
    pub(super) async fn fill(
        url: &str,
        domain: DomainId,
        imported: &Imported,
        days: DateRange,
    ) -> Result<Self> {
        let mut connection = AsyncPgConnection::establish(url).await?;
        connection.batch_execute(include_str!("plain.sql")).await?;
        for (number, date) in (1_u32..).zip(days.dates()) {
            if interrupt::came() {
                bail!("interrupted");
            }
            sql_query(include_str!("plain_day.sql"))
                .bind::<SqlUuid, _>(domain.0)
                .bind::<SqlDate, _>(date)
                .execute(&mut connection)
                .await
                .with_context(|| format!("{date} can't be stored plainly"))?;
            if number.is_multiple_of(PROGRESS) {
                eprintln!("  {number} of {DAYS} days");
            }
        }
        eprintln!("indexing the plain tables");
        connection
            .batch_execute(include_str!("plain_indexes.sql"))
            .await?;
        connection
            .batch_execute("VACUUM ANALYZE bench_plain, bench_plain_queries")
            .await?;
        let mut plain = Self { connection };
        let totals = plain.totals(days).await?;
        ensure!(
            totals.figures() == imported.queries,
            "queries come to {:?}, not {:?}",
            totals.figures(),
            imported.queries
        );
        Ok(plain)
    }

    async fn totals(&mut self, window: DateRange) -> Result<Totals> {
        let totals = sql_query(include_str!("totals.sql"))
            .bind::<SqlDate, _>(window.first())
            .bind::<SqlDate, _>(window.last())
            .get_result(&mut self.connection)
            .await;
        totals.context("the plain statement failed")
    }

    /// The queries with the most clicks.
    pub(super) async fn top_queries(&mut self, table: Table, window: DateRange) -> Result<Vec<TopQuery>> {
        let statement = include_str!("top_queries.sql").replace("bench_plain", table.name());
        let rows = sql_query(statement)
            .bind::<SqlDate, _>(window.first())
            .bind::<SqlDate, _>(window.last())
            .load(&mut self.connection)
            .await;
        rows.context("the plain statement failed")
    }

    /// Holds an answer of Pharos against that of a table. All numbers are the same; queries with as many clicks and impressions may
    /// come in another order.
    pub(super) async fn check(&mut self, found: &Values, table: Table, window: DateRange) -> Result<()> {
        let totals = self.totals(window).await?;
        ensure!(
            found.totals == totals.figures() && found.total == totals.queries.unsigned_abs(),
            "{} queries come to {:?}, not {} to {:?} ({} rows)",
            found.total,
            found.totals,
            totals.queries,
            totals.figures(),
            totals.stored,
        );
        let plain = self.top_queries(table, window).await?;
        ensure!(
            found.items.len() == plain.len() && !plain.is_empty(),
            "{} queries, and {} plain ones",
            found.items.len(),
            plain.len()
        );
        for (found_here, here) in found.items.iter().zip(&plain) {
            let figures = found_here.figures;
            ensure!(
                (figures.clicks, figures.impressions)
                    == (here.clicks.unsigned_abs(), here.impressions.unsigned_abs()),
                "{}: {figures:?}, and {} clicks, {} impressions of {}",
                found_here.value,
                here.clicks,
                here.impressions,
                here.query,
            );
            // The last of a page may be another of the same rank.
            let same = found.items.iter().find(|item| item.value == here.query);
            ensure!(
                same.is_none_or(|item| item.figures.position_sum == here.position_sum),
                "{}: {same:?} has other positions than {}",
                here.query,
                here.position_sum,
            );
        }
        Ok(())
    }
}

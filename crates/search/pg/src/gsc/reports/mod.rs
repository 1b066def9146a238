//! The rows of wide pulls: a statement a report. PostgreSQL works them out and stores them, whatever their number.

mod wanted;

use diesel::{
    QueryResult,
    sql_types::{Array, BigInt, Date as SqlDate, Nullable, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::store::StoreError;
use pharos_persistence::{
    failure::Abort,
    pool::Database,
    sql,
    wide_pulls::{PgWidePullStore, Wanted},
};
use pharos_search::gsc::{
    figures::Device,
    reports::{ReportKey, SearchReports, Source},
};

use self::wanted::WantedValues;

/// Runs of reports in PostgreSQL.
pub(crate) const fn store(database: Database) -> PgWidePullStore<SearchReports, WantedValues> {
    PgWidePullStore::prepared(
        database,
        |database, wanted| WantedValues::look_up(database, wanted).boxed(),
        |connection, wanted, values| store_rows(connection, wanted, values).boxed(),
    )
}

async fn store_rows(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<SearchReports>,
    values: &WantedValues,
) -> Result<usize, Abort<StoreError>> {
    let source = Source::of(wanted.report, &wanted.asked.filters).map_err(|unrelated| {
        let dimension = unrelated.dimension;
        Abort::Port(StoreError::Corrupt(format!("a report of looks by {dimension}")))
    })?;
    Ok(insert(connection, wanted, source, values).await?)
}

/// Stores the rows of a report. The statements of all reports have the same parameters; not all need each.
async fn insert(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<SearchReports>,
    source: Source,
    values: &WantedValues,
) -> QueryResult<usize> {
    macro_rules! insert {
        ($file:literal) => {
            sql!($file)
                .bind::<SqlUuid, _>(wanted.domain.0)
                .bind::<SmallInt, _>(wanted.asked.search_type.code())
                .bind::<SqlDate, _>(wanted.window.first())
                .bind::<SqlDate, _>(wanted.window.last())
                .bind::<SmallInt, _>(source.code())
                .bind::<Nullable<Array<BigInt>>, _>(&values.queries)
                .bind::<Nullable<Array<BigInt>>, _>(&values.pages)
                .bind::<Nullable<Array<BigInt>>, _>(&values.appearances)
                .bind::<Nullable<Array<Text>>, _>(&values.countries)
                .bind::<Nullable<Array<SmallInt>>, _>(&values.devices)
                .bind::<SqlUuid, _>(wanted.id.0)
                .bind::<BigInt, _>(wanted.limit())
                .bind::<Array<Text>, _>(devices())
                .execute(connection)
                .await
        };
    }
    match wanted.report {
        ReportKey::QueryPageMatrix => insert!("query_page_matrix.sql"),
        ReportKey::QueryCountryDevice => insert!("query_country_device.sql"),
        ReportKey::PageDaily => insert!("page_daily.sql"),
        ReportKey::QueryDaily => insert!("query_daily.sql"),
        ReportKey::SearchAppearancePages => insert!("search_appearance_pages.sql"),
        ReportKey::TopQueriesFull => insert!("top_queries_full.sql"),
        ReportKey::TopPagesFull => insert!("top_pages_full.sql"),
        ReportKey::YearOverYear => insert!("year_over_year.sql"),
    }
}

/// The names of devices, in the order of their numbers, which begin with 1.
fn devices() -> Vec<&'static str> {
    let mut devices = Device::ALL.to_vec();
    devices.sort_unstable_by_key(|device| device.code());
    devices.iter().map(|device| device.as_str()).collect()
}

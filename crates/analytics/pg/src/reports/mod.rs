//! The rows of wide pulls: a statement a report.

use diesel::{
    OptionalExtension, QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_analytics::{
    channel::Channel,
    filter::Filters,
    reports::{AnalyticsReports, ReportKey},
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::Abort,
    pool::Database,
    sql,
    wide_pulls::{PgWidePullStore, Wanted},
};

use crate::reads::filters::{FilterNumbers, known};

/// Runs of reports in PostgreSQL.
pub(crate) const fn store(database: Database) -> PgWidePullStore<AnalyticsReports> {
    PgWidePullStore::new(database, |connection, wanted, ()| {
        store_rows(connection, wanted).boxed()
    })
}

async fn store_rows(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<AnalyticsReports>,
) -> Result<usize, Abort<StoreError>> {
    let filters = known(connection, wanted.domain, &Filters::from(wanted.asked.clone())).await;
    let numbers = filters.map_err(Abort::Port)?.filters;
    let currency = currency(connection, wanted.domain).await?;
    Ok(insert(connection, wanted, numbers, &currency).await?)
}

#[derive(QueryableByName)]
struct CurrencyRow {
    #[diesel(sql_type = Text)]
    currency: String,
}

/// The currency of the domain's settings; none: an empty text.
async fn currency(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<String> {
    let query = sql!(text "SELECT coalesce(settings ->> 'currency', '') AS currency
        FROM analytics_sites WHERE domain_id = $1")
    .bind::<SqlUuid, _>(domain.0);
    let row: Option<CurrencyRow> = query.get_result(connection).await.optional()?;
    Ok(row.map_or_else(String::new, |row| row.currency))
}

/// Stores the rows of a report. The statements of all reports have the same parameters; not all need each.
async fn insert(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<AnalyticsReports>,
    filters: Option<FilterNumbers>,
    currency: &str,
) -> QueryResult<usize> {
    macro_rules! insert {
        ($file:literal) => {
            sql!($file)
                .bind::<SqlUuid, _>(wanted.domain.0)
                .bind::<Timestamptz, _>(wanted.window.start())
                .bind::<Timestamptz, _>(wanted.window.end())
                .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
                .bind::<SqlUuid, _>(wanted.id.0)
                .bind::<BigInt, _>(wanted.limit())
                .bind::<Array<Text>, _>(channels())
                .bind::<Text, _>(currency)
                .execute(connection)
                .await
        };
    }
    match wanted.report {
        ReportKey::PagesFull => insert!("pages_full.sql"),
        ReportKey::SourcesFull => insert!("sources_full.sql"),
        ReportKey::CampaignsFull => insert!("campaigns_full.sql"),
        ReportKey::EventsFull => insert!("events_full.sql"),
        ReportKey::EventPropertiesFull => insert!("event_properties_full.sql"),
        ReportKey::EcommerceOrdersByProduct => insert!("ecommerce_orders_by_product.sql"),
        ReportKey::PagesBySource => insert!("pages_by_source.sql"),
        ReportKey::CountriesByPage => insert!("countries_by_page.sql"),
        ReportKey::HourlyTraffic => insert!("hourly_traffic.sql"),
    }
}

/// The names of channels, in the order of their numbers.
fn channels() -> Vec<&'static str> {
    Channel::ALL.iter().map(|channel| channel.as_str()).collect()
}

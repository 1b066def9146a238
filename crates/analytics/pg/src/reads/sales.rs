//! Reads of sales.

use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Bool, Date as SqlDate, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    commerce::{ChannelSales, ProductSales, Sales, SalesByChannel, SalesByDay, SalesByProduct},
    filter::Filters,
};
use pharos_domain::{ids::DomainId, page::OffsetRequest, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::OffsetDateTime;

use super::{
    breakdown::channel,
    filters::known,
    overview::{self, Rolled},
};

#[derive(QueryableByName)]
struct SalesRow {
    #[diesel(sql_type = Timestamptz)]
    bucket: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    views: i64,
    #[diesel(sql_type = BigInt)]
    add_to_carts: i64,
    #[diesel(sql_type = BigInt)]
    checkouts: i64,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    valued_orders: i64,
    #[diesel(sql_type = BigInt)]
    unconverted_orders: i64,
    #[diesel(sql_type = BigInt)]
    repeated_orders: i64,
    #[diesel(sql_type = BigInt)]
    ordered_cents: i64,
    #[diesel(sql_type = BigInt)]
    refunds: i64,
    #[diesel(sql_type = BigInt)]
    refunded_cents: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    items_sold: Option<i64>,
}

impl TryFrom<SalesRow> for (OffsetDateTime, Sales) {
    type Error = StoreError;

    fn try_from(row: SalesRow) -> Result<Self, StoreError> {
        let sales = Sales {
            views: count(row.views)?,
            add_to_carts: count(row.add_to_carts)?,
            checkouts: count(row.checkouts)?,
            orders: count(row.orders)?,
            valued_orders: count(row.valued_orders)?,
            unconverted_orders: count(row.unconverted_orders)?,
            repeated_orders: count(row.repeated_orders)?,
            ordered_cents: row.ordered_cents,
            refunds: count(row.refunds)?,
            refunded_cents: row.refunded_cents,
            items_sold: row.items_sold.map(count).transpose()?,
        };
        Ok((row.bucket, sales))
    }
}

#[derive(QueryableByName)]
struct RefundsRow {
    #[diesel(sql_type = Bool)]
    has_refunds: bool,
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    windows: &[DateRange],
    currency: &str,
) -> Result<SalesByDay, StoreError> {
    let first = windows.iter().map(|window| DateRange::first(*window)).min();
    let last = windows.iter().map(|window| DateRange::last(*window)).max();
    let all = first
        .zip(last)
        .and_then(|(first, last)| DateRange::new(first, last));
    let Some(all) = all else {
        return Ok(SalesByDay::default());
    };
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, &Filters::default()).await?;
    let connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::new(all, &known);
    let (sales, sessions, had_refunds) = tokio::try_join!(
        sales(connection, domain, rolled, currency, "day"),
        overview::days(connection, domain, rolled, None),
        had_refunds(connection, domain),
    )?;
    Ok(SalesByDay {
        has_refunds: had_refunds || sales.iter().any(|(_, sales)| sales.refunds > 0),
        days: sales.into_iter().map(|(at, sales)| (at.date(), sales)).collect(),
        sessions,
        last_at: known.last_at,
    })
}

/// Sales by hour or day, as `unit` says; roll-ups have days.
async fn sales(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    rolled: Rolled,
    currency: &str,
    unit: &str,
) -> Result<Vec<(OffsetDateTime, Sales)>, StoreError> {
    let query = sql!("sales.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlDate, _>(rolled.since.date())
        .bind::<SqlDate, _>(rolled.raw_from.date())
        .bind::<Timestamptz, _>(rolled.raw_from)
        .bind::<Timestamptz, _>(rolled.until)
        .bind::<Text, _>(currency)
        .bind::<Text, _>(unit);
    let rows: Vec<SalesRow> = query.load(&mut connection).await.map_err(read_failure)?;
    rows.into_iter().map(SalesRow::try_into).collect()
}

/// Whether anything was refunded on a day that is rolled up.
async fn had_refunds(mut connection: &AsyncPgConnection, domain: DomainId) -> Result<bool, StoreError> {
    let query = sql!(text "SELECT EXISTS (
            SELECT FROM analytics_revenue WHERE domain_id = $1 AND refunds > 0
        ) AS has_refunds")
    .bind::<SqlUuid, _>(domain.0);
    let row: RefundsRow = query.get_result(&mut connection).await.map_err(read_failure)?;
    Ok(row.has_refunds)
}

pub(super) async fn by_hour(
    database: &Database,
    domain: DomainId,
    window: DateRange,
    currency: &str,
) -> Result<Vec<(OffsetDateTime, Sales)>, StoreError> {
    let connection = database.long_read().await?;
    let raw = Rolled {
        since: window.start(),
        raw_from: window.start(),
        until: window.end(),
    };
    sales(&connection, domain, raw, currency, "hour").await
}

#[derive(QueryableByName)]
struct ChannelRow {
    #[diesel(sql_type = Integer)]
    channel: i32,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    valued_orders: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

pub(super) async fn by_channel(
    database: &Database,
    domain: DomainId,
    window: DateRange,
    currency: &str,
) -> Result<SalesByChannel, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, &Filters::default()).await?;
    let mut connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::new(window, &known);
    let query = sql!("channel_sales.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlDate, _>(rolled.since.date())
        .bind::<SqlDate, _>(rolled.raw_from.date())
        .bind::<Timestamptz, _>(rolled.raw_from)
        .bind::<Timestamptz, _>(rolled.until)
        .bind::<Text, _>(currency);
    let rows: Vec<ChannelRow> = query.load(&mut connection).await.map_err(read_failure)?;
    let sold = |row: ChannelRow| {
        Ok::<_, StoreError>(ChannelSales {
            channel: channel(row.channel)?,
            sessions: count(row.sessions)?,
            orders: count(row.orders)?,
            valued_orders: count(row.valued_orders)?,
            revenue_cents: row.cents,
        })
    };
    Ok(SalesByChannel {
        channels: rows.into_iter().map(sold).collect::<Result<_, _>>()?,
        last_at: known.last_at,
    })
}

#[derive(QueryableByName)]
struct ProductRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<Text>)]
    id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    category: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    brand: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    variant: Option<String>,
    #[diesel(sql_type = Array<BigInt>)]
    counts: Vec<i64>,
    #[diesel(sql_type = BigInt)]
    ordered_cents: i64,
    #[diesel(sql_type = BigInt)]
    refunded_cents: i64,
}

impl ProductRow {
    /// `None` where it stands for the total alone.
    fn sales(self) -> Option<Result<ProductSales, StoreError>> {
        let id = self.id?;
        let counts: Result<Vec<u64>, StoreError> = self.counts.into_iter().map(count).collect();
        Some(counts.and_then(|counts| match counts[..] {
            [views, add_to_carts, units, priced_units, orders] => Ok(ProductSales {
                id,
                name: self.name,
                category: self.category,
                brand: self.brand,
                variant: self.variant,
                views,
                add_to_carts,
                units,
                priced_units,
                orders,
                ordered_cents: self.ordered_cents,
                refunded_cents: self.refunded_cents,
            }),
            _ => Err(StoreError::Corrupt(format!(
                "{counts:?} are no figures of a product"
            ))),
        }))
    }
}

pub(super) async fn by_product(
    database: &Database,
    domain: DomainId,
    window: DateRange,
    currency: &str,
    page: OffsetRequest,
) -> Result<SalesByProduct, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, &Filters::default()).await?;
    let mut connection: &AsyncPgConnection = &connection;
    let query = sql!("products.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(window.start())
        .bind::<Timestamptz, _>(window.end())
        .bind::<Text, _>(currency)
        .bind::<BigInt, _>(i64::from(page.limit))
        .bind::<BigInt, _>(page.offset);
    let rows: Vec<ProductRow> = query.load(&mut connection).await.map_err(read_failure)?;
    let total = rows.as_slice().first().map_or(Ok(0), |row| count(row.total))?;
    Ok(SalesByProduct {
        products: rows
            .into_iter()
            .filter_map(ProductRow::sales)
            .collect::<Result<_, _>>()?,
        total,
        last_at: known.last_at,
    })
}

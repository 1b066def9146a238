//! The checks of sales. The numbers in brackets are those of the sessions in the log.

use pharos_domain::{identity::DomainAccess, page::OffsetRequest, store::StoreError, window::DateRange};
use time::macros::{date, datetime};

use super::log::days;
use crate::{
    channel::Channel,
    commerce::{ChannelSales, ProductSales, Sales},
    store::CommerceStore,
};

/// 9: an order of three pieces, which is told twice.
const FIRST_DAY: Sales = Sales {
    views: 1,
    add_to_carts: 1,
    checkouts: 1,
    orders: 1,
    valued_orders: 1,
    unconverted_orders: 0,
    repeated_orders: 1,
    ordered_cents: 10_000,
    refunds: 0,
    refunded_cents: 0,
    items_sold: Some(3),
};

/// 16: a refund of that, an order of a piece in dollars, and two orders that name no products.
const SECOND_DAY: Sales = Sales {
    views: 0,
    add_to_carts: 0,
    checkouts: 0,
    orders: 3,
    valued_orders: 2,
    unconverted_orders: 1,
    repeated_orders: 0,
    ordered_cents: 4_100,
    refunds: 1,
    refunded_cents: 10_000,
    items_sold: Some(1),
};

/// Holds what is said of sales against what it must be, however much is rolled up.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check(commerce: &dyn CommerceStore, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let found = commerce.sales(domain, &[window], "EUR").await?;
    let days = [
        (date!(2026 - 03 - 31), FIRST_DAY),
        (date!(2026 - 04 - 01), SECOND_DAY),
    ];
    assert_eq!(found.days, days);
    assert_eq!(found.totals(window).sessions, 19);
    assert!(found.has_refunds);
    // In dollars: the order that says so, and those that say nothing.
    let dollars = commerce.sales(domain, &[window], "USD").await?.sales(window);
    assert_eq!((dollars.valued_orders, dollars.unconverted_orders), (4, 0));
    assert_eq!((dollars.ordered_cents, dollars.refunded_cents), (19_100, 10_000));
    let hours = commerce.sales_by_hour(domain, window, "EUR").await?;
    assert_eq!(
        hours,
        [
            (datetime!(2026-03-31 11:00 UTC), FIRST_DAY),
            (datetime!(2026-04-01 12:00 UTC), SECOND_DAY),
        ]
    );
    check_channels(commerce, domain, window).await?;
    check_products(commerce, domain, window).await
}

/// Both buyers came without a trace.
async fn check_channels(
    commerce: &dyn CommerceStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let found = commerce.sales_by_channel(domain, window, "EUR").await?;
    let sold = |channel, sessions, orders, valued_orders, revenue_cents| ChannelSales {
        channel,
        sessions,
        orders,
        valued_orders,
        revenue_cents,
    };
    assert_eq!(
        found.channels,
        [
            sold(Channel::Direct, 11, 4, 3, 4_100),
            sold(Channel::OrganicSearch, 4, 0, 0, 0),
            sold(Channel::OrganicSocial, 2, 0, 0, 0),
            sold(Channel::PaidSearch, 1, 0, 0, 0),
            sold(Channel::Email, 1, 0, 0, 0),
        ]
    );
    Ok(())
}

/// The order that is told twice counts once, and the price in dollars not at all.
async fn check_products(
    commerce: &dyn CommerceStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let page = |limit, offset| OffsetRequest { limit, offset };
    let product = |id: &str, name: &str, counts: [u64; 5], ordered_cents| {
        let [views, add_to_carts, units, priced_units, orders] = counts;
        ProductSales {
            id: id.to_owned(),
            name: Some(name.to_owned()),
            category: None,
            brand: None,
            variant: None,
            views,
            add_to_carts,
            units,
            priced_units,
            orders,
            ordered_cents,
            refunded_cents: 0,
        }
    };
    let products = [
        product("P1", "Pot", [1, 1, 3, 2, 2], 8_000),
        product("P2", "Lid", [0, 0, 1, 1, 1], 2_000),
    ];
    let found = commerce
        .sales_by_product(domain, window, "EUR", page(10, 0))
        .await?;
    assert_eq!((found.products.as_slice(), found.total), (products.as_slice(), 2));
    let found = commerce
        .sales_by_product(domain, window, "EUR", page(1, 1))
        .await?;
    assert_eq!((found.products.as_slice(), found.total), (&products[1..], 2));
    let found = commerce
        .sales_by_product(domain, window, "EUR", page(1, 2))
        .await?;
    assert_eq!((found.products.as_slice(), found.total), ([].as_slice(), 2));
    let found = commerce
        .sales_by_product(domain, window, "USD", page(1, 0))
        .await?;
    let dollars = found.products.first().map(|product| product.ordered_cents);
    assert_eq!(dollars, Some(13_000));
    Ok(())
}

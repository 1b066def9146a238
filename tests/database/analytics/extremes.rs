//! Numbers at the ends of what a beacon may tell keep no read from answering, and no day from being rolled up.

use pharos_analytics::{
    breakdown::{BreakdownQuery, Grouping},
    filter::Filters,
    properties::{PropertiesQuery, PropertyType},
    store::{ActionStore, CommerceStore, VisitStore},
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{
        BeaconStore,
        event::{Action, CommerceItem, PropertyValue},
    },
    page::OffsetRequest,
    window::DateRange,
};
use time::Duration;

use super::{
    collect::{beacon, purchase},
    rollups::roll_up,
};
use crate::harness::{Fixture, NOW};

/// Sums of money end here: 2^53.
const MOST_CENTS: i64 = 9_007_199_254_740_992;

#[tokio::test]
async fn orders_that_come_to_more_than_a_column_holds_come_to_the_most_that_is_exact() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let orders = ["A", "B", "C"].map(|order_id| {
        let mut told = purchase(home.domain, 7, 0, order_id);
        if let Action::Custom {
            commerce: Some(commerce),
            ..
        } = &mut told.content.0[0].action
        {
            commerce.value_cents = Some(i64::MAX);
            // The highest price and the largest quantity that a beacon may tell.
            commerce.items.push(CommerceItem {
                id: "P1".to_owned(),
                name: None,
                category: None,
                brand: None,
                variant: None,
                price_cents: Some(1_000_000_000_000_000),
                quantity: 1_000_000,
            });
        }
        told
    });
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&orders).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let window = DateRange::ending(NOW.date(), 1);
    let filters = Filters::default();
    let first = OffsetRequest { limit: 10, offset: 0 };
    for now in [NOW, NOW + Duration::days(2)] {
        roll_up(&fixture.database, now).await;
        let overview = visits
            .overview(&access, &[window], &filters, "EUR")
            .await
            .unwrap();
        assert_eq!(overview.revenue_cents, [(NOW.date(), MOST_CENTS)]);
        let hours = visits.hours(&access, window, &filters, "EUR").await.unwrap();
        assert_eq!(hours.hours[0].1.revenue_cents, MOST_CENTS);
        let query = BreakdownQuery {
            window,
            filters: &filters,
            currency: "EUR",
            limit: 10,
        };
        let found = visits
            .breakdowns(&access, &query, &[Grouping::Channel])
            .await
            .unwrap();
        assert_eq!(found.breakdowns[0].parts[0].revenue_cents, MOST_CENTS);
        let sales = visits.sales(&access, &[window], "EUR").await.unwrap();
        let sales = sales.sales(window);
        assert_eq!((sales.orders, sales.ordered_cents), (3, MOST_CENTS));
        let found = visits.sales_by_channel(&access, window, "EUR").await.unwrap();
        assert_eq!(found.channels[0].revenue_cents, MOST_CENTS);
        let found = visits
            .sales_by_product(&access, window, "EUR", first)
            .await
            .unwrap();
        let product = &found.products[0];
        assert_eq!((product.units, product.ordered_cents), (3_000_000, MOST_CENTS));
    }
    let rolled: i64 = fixture
        .value("SELECT count(*) FROM analytics_revenue WHERE orders = 3", &[])
        .await;
    assert_eq!(rolled, 1, "the day is rolled up");
}

#[tokio::test]
async fn numbers_as_large_as_there_are_have_a_mean_and_a_sum() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let told = [f64::MAX, f64::MAX, -f64::MAX, 2.0].map(|number| {
        let seats = ("seats".to_owned(), PropertyValue::Number(number));
        let action = Action::Custom {
            name: "signup".to_owned(),
            properties: vec![seats],
            commerce: None,
        };
        beacon(home.domain, 7, 0, "/", action)
    });
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&told).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let query = PropertiesQuery {
        window: DateRange::ending(NOW.date(), 1),
        filters: &Filters::default(),
        event: "signup",
        property: None,
    };
    let found = visits.properties(&access, &query).await.unwrap();
    let seats = &found.properties[0];
    assert_eq!((seats.kind, seats.distinct_values), (PropertyType::Number, 3));
    let numbers = seats.numbers.unwrap();
    assert_eq!((numbers.min, numbers.max), (-f64::MAX, f64::MAX));
    // 1e100 once, since what is beyond counts as that; floats do not tell 1e100 from 2 more.
    assert!((numbers.sum / 1e100 - 1.0).abs() < 1e-9, "{numbers:?}");
    assert!((numbers.avg / 1e100 - 0.25).abs() < 1e-9, "{numbers:?}");
}

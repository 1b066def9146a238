//! GET /domains/{domain_id}/analytics/ecommerce/overview

use std::collections::BTreeMap;

use pharos_analytics::{
    commerce::{Sales, abandoned_pct, pct, rounded},
    overview::{as_number, in_units},
    store::{CommerceStore, SiteStore},
    timeseries::MOST_DAYS_BY_HOUR,
};
use pharos_domain::{
    identity::DomainAccess,
    timestamp::Timestamp,
    window::{DateRange, Granularity, Meta, change_pct},
};
use pharos_http::{
    extract::{
        port::Port,
        query::{RuledQuery, Rules},
        window::FullWindow,
    },
    operation::{ApiResult, Example},
    problem::Fault,
    spec::OperationSpec,
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getEcommerceOverview",
    path: "/domains/{domain_id}/analytics/ecommerce/overview",
    summary: "Revenue, orders and the way to them",
    description: "An order id counts once, the first time. A refund lowers the revenue of the day on which it comes. Orders in \
                  another currency than the site's are not converted: they are among `orders` and `unconverted_orders`, and not in \
                  `revenue`. Changes are against as many days right before. By the hour a window has at most 14 days.",
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct OverviewParameters {
    /// How long the pieces of `items` are; left out: a day.
    #[param(inline, value_type = Option<Granularity>)]
    granularity: Granularity,
}

impl Default for OverviewParameters {
    fn default() -> Self {
        Self {
            granularity: Granularity::Day,
        }
    }
}

impl Rules for OverviewParameters {
    fn faults(&self, days: Option<DateRange>) -> Vec<Fault> {
        let is_long = days.is_some_and(|days| days.days() > MOST_DAYS_BY_HOUR);
        if self.granularity == Granularity::Hour && is_long {
            let why = format!(
                "by the hour a window has at most {MOST_DAYS_BY_HOUR} days; ask by the day, or for fewer"
            );
            vec![Fault::parameter("granularity", why)]
        } else {
            Vec::new()
        }
    }
}

pub(crate) async fn view(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    RuledQuery(parameters): RuledQuery<OverviewParameters>,
    sites: Port<dyn SiteStore>,
    commerce: Port<dyn CommerceStore>,
) -> ApiResult<EcommerceOverviewPublic> {
    let OverviewParameters { granularity } = parameters;
    let window = asked.window;
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let currency = site.settings.currency;
    let before = asked.preceding();
    let found = commerce
        .sales(&access, &[window, before.window], &currency)
        .await?;
    let pieces = if granularity == Granularity::Hour {
        commerce.sales_by_hour(&access, window, &currency).await?
    } else {
        let days = found.days.iter().filter(|(day, _)| window.contains(*day));
        days.map(|(day, sales)| (day.midnight().assume_utc(), *sales))
            .collect()
    };
    let (sales, totals) = (found.sales(window), found.totals(window));
    // Nothing is known of days that are no longer kept, and days without sales are nothing to compare with.
    let then = before.is_kept.then(|| found.sales(before.window));
    let then = then.filter(|then| *then != Sales::default());
    let revenue_then = then.map(|then| then.revenue());
    let orders_then = then.map(|then| as_number(then.orders));
    let has_refunds = found.has_refunds;
    Ok(EcommerceOverviewPublic {
        revenue: sales.revenue(),
        orders: sales.orders,
        average_order_value: sales.average_order_value(),
        items_sold: sales.items_sold,
        refunds: has_refunds.then_some(sales.refunds),
        refunded_revenue: has_refunds.then(|| in_units(sales.refunded_cents)),
        currency,
        conversion_rate_pct: pct(sales.orders, totals.sessions),
        revenue_per_visitor: (totals.visitors > 0)
            .then(|| rounded(sales.revenue() / as_number(totals.visitors))),
        revenue_change: revenue_then.map(|then| rounded(sales.revenue() - then)),
        orders_change: orders_then.map(|then| as_number(sales.orders) - then),
        revenue_change_pct: change_pct(Some(sales.revenue()), revenue_then),
        orders_change_pct: change_pct(Some(as_number(sales.orders)), orders_then),
        funnel: EcommerceFunnelPublic::new(&sales),
        funnel_rates: EcommerceFunnelRatesPublic {
            view_to_cart_pct: pct(sales.add_to_carts, sales.views),
            cart_to_checkout_pct: pct(sales.checkouts, sales.add_to_carts),
            checkout_to_purchase_pct: pct(sales.orders, sales.checkouts),
            overall_pct: pct(sales.orders, sales.views),
        },
        cart_abandonment_pct: abandoned_pct(sales.add_to_carts, sales.orders),
        checkout_abandonment_pct: abandoned_pct(sales.checkouts, sales.orders),
        unconverted_orders: sales.unconverted_orders,
        duplicate_orders: sales.repeated_orders,
        items: items(&pieces, granularity, window, asked.horizon.now),
        granularity,
        meta: meta(&asked, found.last_at),
    })
}

/// The pieces of a window that have begun, whether anything was sold in them or not.
fn items(
    pieces: &[(OffsetDateTime, Sales)],
    granularity: Granularity,
    window: DateRange,
    now: OffsetDateTime,
) -> Vec<EcommerceItemPublic> {
    let mut known: BTreeMap<OffsetDateTime, Sales> = BTreeMap::new();
    for (at, sales) in pieces {
        let sum = known.entry(granularity.start_of(*at)).or_default();
        *sum = *sum + *sales;
    }
    window
        .buckets(granularity)
        .map(|bucket| bucket.start)
        .take_while(|start| *start <= now)
        .map(|start| {
            let sales = known.get(&start).copied().unwrap_or_default();
            EcommerceItemPublic {
                bucket_start: start.into(),
                revenue: sales.revenue(),
                orders: sales.orders,
                funnel: EcommerceFunnelPublic::new(&sales),
            }
        })
        .collect()
}

/// The sales of a site.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EcommerceOverviewPublic {
    /// Orders less refunds, in `currency`.
    revenue: f64,
    /// Orders, in any currency.
    #[schema(minimum = 0)]
    orders: u64,
    /// Revenue over the orders whose worth is known in `currency`; null without any.
    #[schema(required)]
    average_order_value: Option<f64>,
    /// Pieces that were ordered; null where no order said what it consists of.
    #[schema(required, minimum = 0)]
    items_sold: Option<u64>,
    /// Refunds; null where none was ever told.
    #[schema(required, minimum = 0)]
    refunds: Option<u64>,
    /// The sum of all refunds, in `currency`; null where no refund was ever told.
    #[schema(required, minimum = 0)]
    refunded_revenue: Option<f64>,
    /// The site's currency, ISO 4217.
    currency: String,
    /// Orders over sessions, in percent; null without sessions.
    #[schema(required, minimum = 0)]
    conversion_rate_pct: Option<f64>,
    /// Revenue over visitors; null without visitors.
    #[schema(required)]
    revenue_per_visitor: Option<f64>,
    /// Revenue less that of the days before; null with nothing to compare.
    #[schema(required)]
    revenue_change: Option<f64>,
    /// Orders less those of the days before; null with nothing to compare.
    #[schema(required)]
    orders_change: Option<f64>,
    /// The change of revenue in percent; null with nothing to compare.
    #[schema(required)]
    revenue_change_pct: Option<f64>,
    /// The change of orders in percent; null with nothing to compare.
    #[schema(required)]
    orders_change_pct: Option<f64>,
    /// How often each step to an order was taken.
    funnel: EcommerceFunnelPublic,
    /// Each step over the one before it.
    funnel_rates: EcommerceFunnelRatesPublic,
    /// The share of carts that did not become an order, in percent; null without carts.
    #[schema(required, minimum = 0, maximum = 100)]
    cart_abandonment_pct: Option<f64>,
    /// The share of checkouts that did not become an order, in percent; null without checkouts.
    #[schema(required, minimum = 0, maximum = 100)]
    checkout_abandonment_pct: Option<f64>,
    /// Orders in another currency: they are not in `revenue`.
    #[schema(minimum = 0)]
    unconverted_orders: u64,
    /// Purchases whose order id was there before: they are not in `orders`.
    #[schema(minimum = 0)]
    duplicate_orders: u64,
    /// How long the pieces of `items` are.
    granularity: Granularity,
    /// The pieces of the window that have begun, in order.
    items: Vec<EcommerceItemPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// How often each step to an order was taken.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = EcommerceFunnel)]
pub(crate) struct EcommerceFunnelPublic {
    /// Events of a product being viewed.
    #[schema(minimum = 0)]
    views: u64,
    /// Events of something being put into a cart.
    #[schema(minimum = 0)]
    add_to_carts: u64,
    /// Events of a checkout being begun.
    #[schema(minimum = 0)]
    checkouts: u64,
    /// Orders.
    #[schema(minimum = 0)]
    purchases: u64,
}

impl EcommerceFunnelPublic {
    const fn new(sales: &Sales) -> Self {
        Self {
            views: sales.views,
            add_to_carts: sales.add_to_carts,
            checkouts: sales.checkouts,
            purchases: sales.orders,
        }
    }
}

/// Each step over the one before it, in percent; null where that was never taken.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EcommerceFunnelRates)]
pub(crate) struct EcommerceFunnelRatesPublic {
    /// Carts over views.
    #[schema(required, minimum = 0)]
    view_to_cart_pct: Option<f64>,
    /// Checkouts over carts.
    #[schema(required, minimum = 0)]
    cart_to_checkout_pct: Option<f64>,
    /// Orders over checkouts.
    #[schema(required, minimum = 0)]
    checkout_to_purchase_pct: Option<f64>,
    /// Orders over views.
    #[schema(required, minimum = 0)]
    overall_pct: Option<f64>,
}

/// The sales in a piece of time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EcommerceItem)]
pub(crate) struct EcommerceItemPublic {
    /// When the piece begins; a first week may begin before the window.
    bucket_start: Timestamp,
    /// Orders less refunds.
    revenue: f64,
    /// Orders.
    #[schema(minimum = 0)]
    orders: u64,
    #[serde(flatten)]
    funnel: EcommerceFunnelPublic,
}

impl Example for EcommerceOverviewPublic {
    fn example() -> Self {
        let funnel = EcommerceFunnelPublic {
            views: 1_200,
            add_to_carts: 240,
            checkouts: 120,
            purchases: 90,
        };
        Self {
            revenue: 7_120.4,
            orders: 90,
            average_order_value: Some(80.0),
            items_sold: Some(141),
            refunds: Some(2),
            refunded_revenue: Some(79.6),
            currency: "EUR".to_owned(),
            conversion_rate_pct: Some(1.8),
            revenue_per_visitor: Some(1.7),
            revenue_change: Some(310.5),
            orders_change: Some(4.0),
            revenue_change_pct: Some(4.56),
            orders_change_pct: Some(4.65),
            funnel,
            funnel_rates: EcommerceFunnelRatesPublic {
                view_to_cart_pct: Some(20.0),
                cart_to_checkout_pct: Some(50.0),
                checkout_to_purchase_pct: Some(75.0),
                overall_pct: Some(7.5),
            },
            cart_abandonment_pct: Some(62.5),
            checkout_abandonment_pct: Some(25.0),
            unconverted_orders: 1,
            duplicate_orders: 3,
            granularity: Granularity::Day,
            items: vec![EcommerceItemPublic {
                bucket_start: datetime!(2026-03-12 00:00 UTC).into(),
                revenue: 240.5,
                orders: 3,
                funnel,
            }],
            meta: Meta::example(),
        }
    }
}

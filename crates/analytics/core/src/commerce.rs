//! Sales: orders, refunds and the steps that lead to an order.

use pharos_domain::window::DateRange;
use time::{Date, OffsetDateTime};

use crate::{
    channel::Channel,
    overview::{DayTotals, Totals, as_number, in_units, ratio},
};

/// The figures of the ecommerce events of some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sales {
    /// Views of products.
    pub views: u64,
    /// Events of something being put into a cart.
    pub add_to_carts: u64,
    /// Checkouts that were begun.
    pub checkouts: u64,
    /// Orders, in any currency.
    pub orders: u64,
    /// Those of the orders whose worth is known in the site's currency.
    pub valued_orders: u64,
    /// Orders in another currency.
    pub unconverted_orders: u64,
    /// Purchases whose order id was there before. They count as no orders.
    pub repeated_orders: u64,
    /// Orders before refunds, in hundredths of the site's currency.
    pub ordered_cents: i64,
    /// Refunds.
    pub refunds: u64,
    /// The sum of refunds, in hundredths of the site's currency.
    pub refunded_cents: i64,
    /// Pieces that were ordered; `None`: no order said what it consists of.
    pub items_sold: Option<u64>,
}

impl std::ops::Add for Sales {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            views: self.views + other.views,
            add_to_carts: self.add_to_carts + other.add_to_carts,
            checkouts: self.checkouts + other.checkouts,
            orders: self.orders + other.orders,
            valued_orders: self.valued_orders + other.valued_orders,
            unconverted_orders: self.unconverted_orders + other.unconverted_orders,
            repeated_orders: self.repeated_orders + other.repeated_orders,
            ordered_cents: self.ordered_cents.saturating_add(other.ordered_cents),
            refunds: self.refunds + other.refunds,
            refunded_cents: self.refunded_cents.saturating_add(other.refunded_cents),
            items_sold: match (self.items_sold, other.items_sold) {
                (None, None) => None,
                (one, another) => Some(one.unwrap_or(0) + another.unwrap_or(0)),
            },
        }
    }
}

impl Sales {
    /// Orders less refunds, in the currency's unit.
    #[must_use]
    pub const fn revenue(&self) -> f64 {
        in_units(self.ordered_cents - self.refunded_cents)
    }

    /// Revenue over the orders whose worth is known, in the currency's unit with two decimals; `None` without any.
    #[must_use]
    pub fn average_order_value(&self) -> Option<f64> {
        average(self.ordered_cents - self.refunded_cents, self.valued_orders)
    }
}

/// Hundredths over a count, in the currency's unit with two decimals; `None` over none.
#[must_use]
pub fn average(cents: i64, over: u64) -> Option<f64> {
    (over > 0).then(|| rounded(in_units(cents) / as_number(over)))
}

/// With two decimals.
#[must_use]
pub fn rounded(money: f64) -> f64 {
    (money * 100.0).round() / 100.0
}

/// One count over another in percent; `None` over none.
#[must_use]
pub fn pct(part: u64, whole: u64) -> Option<f64> {
    ratio(part, whole).map(|share| share * 100.0)
}

/// The share of those who began and did not finish, in percent; `None` where nobody began. If more finished than began, because
/// beginnings were not reported, the share is 0.
#[must_use]
pub fn abandoned_pct(begun: u64, ended: u64) -> Option<f64> {
    pct(begun.saturating_sub(ended), begun)
}

/// The sales of some days, as a store reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SalesByDay {
    /// The days on which anything of ecommerce happened, in order.
    pub days: Vec<(Date, Sales)>,
    /// The sessions of those days.
    pub sessions: Vec<DayTotals>,
    /// Whether anything was ever refunded.
    pub has_refunds: bool,
    /// The newest moment of which anything was received; `None`: nothing was.
    pub last_at: Option<OffsetDateTime>,
}

impl SalesByDay {
    /// The sales of a window.
    #[must_use]
    pub fn sales(&self, window: DateRange) -> Sales {
        let days = self.days.iter().filter(|(day, _)| window.contains(*day));
        days.fold(Sales::default(), |sum, (_, sales)| sum + *sales)
    }

    /// The totals of a window's sessions.
    #[must_use]
    pub fn totals(&self, window: DateRange) -> Totals {
        let days = self.sessions.iter().filter(|day| window.contains(day.day));
        days.fold(Totals::default(), |sum, day| sum + day.totals)
    }
}

/// The sales of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelSales {
    /// The channel that the orders came by.
    pub channel: Channel,
    /// The sessions that came by it.
    pub sessions: u64,
    /// Orders whose last touch that was not direct came from it, in any currency.
    pub orders: u64,
    /// Those of the orders whose worth is known in the site's currency.
    pub valued_orders: u64,
    /// Orders less refunds, in hundredths.
    pub revenue_cents: i64,
}

/// The sales by channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SalesByChannel {
    /// The channels that have sessions or orders, most revenue first.
    pub channels: Vec<ChannelSales>,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

/// The sales of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductSales {
    /// The id, as the site sends it.
    pub id: String,
    /// The name that it had last.
    pub name: Option<String>,
    /// Its category, as it was told last.
    pub category: Option<String>,
    /// The brand, as the site sends it.
    pub brand: Option<String>,
    /// The variant, as the site sends it.
    pub variant: Option<String>,
    /// Events in which it was viewed.
    pub views: u64,
    /// Events in which it was put into a cart.
    pub add_to_carts: u64,
    /// Pieces that were ordered.
    pub units: u64,
    /// Those of the pieces whose price is known in the site's currency.
    pub priced_units: u64,
    /// Orders that it is in.
    pub orders: u64,
    /// The sum that was paid for it, in hundredths of the site's currency.
    pub ordered_cents: i64,
    /// The part of that sum that was refunded.
    pub refunded_cents: i64,
}

/// The sales by product.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SalesByProduct {
    /// The products that were requested, most revenue first.
    pub products: Vec<ProductSales>,
    /// How many there are in all.
    pub total: u64,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

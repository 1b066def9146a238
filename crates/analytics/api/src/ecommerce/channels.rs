//! GET /domains/{domain_id}/analytics/ecommerce/channels

use pharos_analytics::{
    channel::Channel,
    commerce::{average, pct},
    overview::in_units,
    store::{CommerceStore, SiteStore},
};
use pharos_domain::documented_wire_enum;
use pharos_domain::{identity::DomainAccess, page::Page, window::Meta};
use pharos_http::{
    extract::{port::Port, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{READ, meta, missing};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listEcommerceChannels",
    path: "/domains/{domain_id}/analytics/ecommerce/channels",
    summary: "The sales of the channels that visitors came by",
    description: "An order counts for the channel of the visitor's last session of its UTC day, up to the order, that was not \
                  direct; for direct where all were. `sessions` are those that came by the channel. Most revenue first.",
    paging: Paging::Single,
    ..READ
};

pub(crate) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    sites: Port<dyn SiteStore>,
    commerce: Port<dyn CommerceStore>,
) -> ApiResult<Page<EcommerceChannelPublic, ChannelsRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let currency = site.settings.currency;
    let found = commerce
        .sales_by_channel(&access, asked.window, &currency)
        .await?;
    let earned = |cents: i64| u64::try_from(cents).unwrap_or(0);
    let all: u64 = found
        .channels
        .iter()
        .map(|sales| earned(sales.revenue_cents))
        .fold(0, u64::saturating_add);
    let items = found.channels.iter().map(|sales| EcommerceChannelPublic {
        channel: sales.channel,
        sessions: sales.sessions,
        orders: sales.orders,
        revenue: in_units(sales.revenue_cents),
        average_order_value: average(sales.revenue_cents, sales.valued_orders),
        conversion_rate_pct: pct(sales.orders, sales.sessions),
        share_pct: pct(earned(sales.revenue_cents), all),
    });
    Ok(Page::single(items.collect()).with(ChannelsRoot {
        attribution_model: AttributionModel::LastNonDirect,
        currency,
        meta: meta(&asked, found.last_at),
    }))
}

documented_wire_enum! {
    /// For which channel an order counts.
    AttributionModel {
        /// The visitor's last session of the UTC day, up to the order, that was not direct.
        LastNonDirect = "last_non_direct",
    }
}

/// The sales of a channel.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EcommerceChannel)]
pub(crate) struct EcommerceChannelPublic {
    /// The channel that the orders came by.
    channel: Channel,
    /// The sessions that came by it.
    #[schema(minimum = 0)]
    sessions: u64,
    /// Orders, in any currency.
    #[schema(minimum = 0)]
    orders: u64,
    /// Orders less refunds, in `currency`.
    revenue: f64,
    /// Revenue over the orders whose worth is known in `currency`; null without any.
    #[schema(required)]
    average_order_value: Option<f64>,
    /// Orders over sessions, in percent; null without sessions.
    #[schema(required, minimum = 0)]
    conversion_rate_pct: Option<f64>,
    /// Its share of the revenue of all channels that have any, in percent; null where none has.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
}

/// The members of the answer beside the list of channels.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EcommerceChannelsRoot)]
pub(crate) struct ChannelsRoot {
    /// For which channel an order counts.
    attribution_model: AttributionModel,
    /// The currency, ISO 4217.
    currency: String,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for EcommerceChannelPublic {
    fn example() -> Self {
        Self {
            channel: Channel::OrganicSearch,
            sessions: 1_388,
            orders: 31,
            revenue: 2_480.5,
            average_order_value: Some(80.02),
            conversion_rate_pct: Some(2.23),
            share_pct: Some(19.3),
        }
    }
}

impl Example for ChannelsRoot {
    fn example() -> Self {
        Self {
            attribution_model: AttributionModel::LastNonDirect,
            currency: "EUR".to_owned(),
            meta: Meta::example(),
        }
    }
}

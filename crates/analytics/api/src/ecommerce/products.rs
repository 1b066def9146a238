//! GET /domains/{domain_id}/analytics/ecommerce/products

use pharos_analytics::{
    commerce::{ProductSales, average, pct},
    overview::in_units,
    store::{CommerceStore, SiteStore},
};
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetPage, OffsetRequest, TotalName},
    window::Meta,
};
use pharos_http::{
    extract::{port::Port, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{READ, meta, missing};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listEcommerceProducts",
    path: "/domains/{domain_id}/analytics/ecommerce/products",
    summary: "The sales of each product",
    description: "The items that events of ecommerce name, most revenue first. `revenue` is price times quantity of \
                  what was ordered less what was refunded, in the site's currency; prices in another currency are not \
                  converted, and not in it. Names, categories, brands and variants are those that were told last.",
    paging: Paging::Offset {
        max: 50_000,
        default: 10_000,
    },
    ..READ
};

pub(crate) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    page: OffsetRequest,
    sites: Port<dyn SiteStore>,
    commerce: Port<dyn CommerceStore>,
) -> ApiResult<OffsetPage<EcommerceProductPublic, TotalProducts, ProductsRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let currency = site.settings.currency;
    let found = commerce
        .sales_by_product(&access, asked.window, &currency, page)
        .await?;
    let items = found
        .products
        .into_iter()
        .map(EcommerceProductPublic::from)
        .collect();
    Ok(OffsetPage::new(items, found.total, page).with(ProductsRoot {
        currency,
        meta: meta(&asked, found.last_at),
    }))
}

/// The name of the total.
#[derive(Debug)]
pub(crate) struct TotalProducts;

impl TotalName for TotalProducts {
    const NAME: &'static str = "total_products";
}

/// The members of the answer beside the list of products.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EcommerceProductsRoot)]
pub(crate) struct ProductsRoot {
    /// The currency, ISO 4217.
    currency: String,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// The sales of a product.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EcommerceProductsPublic)]
pub(crate) struct EcommerceProductPublic {
    /// The id of the product, as the site sends it.
    product_id: String,
    /// Its name; its id where none was told.
    name: String,
    /// Its category; null where none was told.
    #[schema(required)]
    category: Option<String>,
    /// Its brand; null where none was told.
    #[schema(required)]
    brand: Option<String>,
    /// Its variant; null where none was told.
    #[schema(required)]
    variant: Option<String>,
    /// Events in which it was viewed.
    #[schema(minimum = 0)]
    views: u64,
    /// Events in which it was put into a cart.
    #[schema(minimum = 0)]
    add_to_carts: u64,
    /// Pieces that were ordered.
    #[schema(minimum = 0)]
    purchases: u64,
    /// Orders that it is in.
    #[schema(minimum = 0)]
    orders: u64,
    /// The sum that was paid for it less the sum that was refunded, in `currency`.
    revenue: f64,
    /// Orders over views, in percent; null without views.
    #[schema(required, minimum = 0)]
    conversion_rate_pct: Option<f64>,
    /// Events in which it was put into a cart over views, in percent; null without views.
    #[schema(required, minimum = 0)]
    cart_rate_pct: Option<f64>,
    /// The mean price of a piece, of those whose price is known in `currency`; null without any.
    #[schema(required)]
    average_price: Option<f64>,
}

impl From<ProductSales> for EcommerceProductPublic {
    fn from(sales: ProductSales) -> Self {
        let ProductSales {
            id,
            name,
            category,
            brand,
            variant,
            views,
            add_to_carts,
            units,
            priced_units,
            orders,
            ordered_cents,
            refunded_cents,
        } = sales;
        Self {
            name: name.unwrap_or_else(|| id.clone()),
            product_id: id,
            category,
            brand,
            variant,
            views,
            add_to_carts,
            purchases: units,
            orders,
            revenue: in_units(ordered_cents - refunded_cents),
            conversion_rate_pct: pct(orders, views),
            cart_rate_pct: pct(add_to_carts, views),
            average_price: average(ordered_cents, priced_units),
        }
    }
}

impl Example for EcommerceProductPublic {
    fn example() -> Self {
        Self {
            product_id: "T-100".to_owned(),
            name: "Teapot".to_owned(),
            category: Some("Kitchen".to_owned()),
            brand: None,
            variant: Some("blue".to_owned()),
            views: 310,
            add_to_carts: 42,
            purchases: 19,
            orders: 17,
            revenue: 569.05,
            conversion_rate_pct: Some(5.48),
            cart_rate_pct: Some(13.55),
            average_price: Some(29.95),
        }
    }
}

impl Example for ProductsRoot {
    fn example() -> Self {
        Self {
            currency: "EUR".to_owned(),
            meta: Meta::example(),
        }
    }
}

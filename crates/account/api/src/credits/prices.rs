//! GET /credits/prices

use pharos_domain::{module::Module, page::Page, scope::Scope, wire_enum};
use pharos_http::{
    catalogue::Catalogue,
    extract::port::Port,
    operation::{ApiResult, Caller, Example},
    spec::{Bucket, Credits, OperationSpec, Paging},
};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listCreditPrices",
    path: "/credits/prices",
    module: Module::Credits,
    summary: "The price of each operation",
    description: "All operations in one page. It changes with the version of the API alone.",
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(_caller: Caller, catalogue: Port<Catalogue>) -> ApiResult<Page<CreditPricePublic>> {
    let specs = catalogue.specs().iter();
    Ok(Page::single(
        specs.map(|spec| CreditPricePublic::from(*spec)).collect(),
    ))
}

wire_enum! {
    /// The kind of work that a price stands for.
    PriceClass {
        /// Discovery: 0 credits.
        Free = "free",
        /// A cheap read or a write: 1 credit.
        Cheap = "cheap",
        /// A heavy read of an analytics store: 5 credits.
        Heavy = "heavy",
        /// A dispatched job or a very wide pull: 25 credits.
        Dispatch = "dispatch",
    }
}

impl From<Credits> for PriceClass {
    fn from(credits: Credits) -> Self {
        match credits {
            Credits::Free => Self::Free,
            Credits::Cheap => Self::Cheap,
            Credits::Heavy => Self::Heavy,
            Credits::Dispatch => Self::Dispatch,
        }
    }
}

wire_enum! {
    /// A bucket of the rate limits.
    PriceBucket as "RateLimitBucket" {
        /// 600 requests a minute of a credential.
        General = "general",
        /// 120 analytical reads a minute of a credential, 5 at once.
        HeavyQuery = "heavy-query",
        /// 20 runs a minute of a credential.
        Run = "run",
    }
}

impl From<Bucket> for PriceBucket {
    fn from(bucket: Bucket) -> Self {
        match bucket {
            Bucket::General => Self::General,
            Bucket::HeavyQuery => Self::HeavyQuery,
            Bucket::Run => Self::Run,
        }
    }
}

/// The price of an operation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreditPrice)]
pub(crate) struct CreditPricePublic {
    /// The HTTP method.
    #[schema(example = "GET")]
    method: &'static str,
    /// The template of the path below `/api/public/v1`.
    #[schema(example = "/domains/{domain_id}/uptime/status")]
    route: &'static str,
    /// The credits that a success costs. One that is served from the cache or replayed costs nothing, nor does a
    /// refusal.
    #[schema(minimum = 0)]
    cost: u32,
    /// The kind of work that the price stands for.
    price_class: PriceClass,
    /// The scope that the operation needs; null: any valid credential will do.
    #[schema(required)]
    required_scope: Option<Scope>,
    /// The bucket of the rate limits that the operation takes from; every operation takes from `general` too.
    bucket: PriceBucket,
}

impl From<&OperationSpec> for CreditPricePublic {
    fn from(spec: &OperationSpec) -> Self {
        Self {
            method: spec.method.as_str(),
            route: spec.path,
            cost: spec.credits.price(),
            price_class: spec.credits.into(),
            required_scope: spec.scope,
            bucket: spec.bucket.into(),
        }
    }
}

impl Example for CreditPricePublic {
    fn example() -> Self {
        Self {
            method: "GET",
            route: "/domains/{domain_id}/uptime/status",
            cost: Credits::Cheap.price(),
            price_class: PriceClass::Cheap,
            required_scope: Some(Scope::ReadUptime),
            bucket: PriceBucket::General,
        }
    }
}

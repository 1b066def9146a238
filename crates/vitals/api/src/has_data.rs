//! GET /domains/{domain_id}/rum/has-data

use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec},
};
use pharos_vitals::store::{VitalsReads, VitalsSites};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRumHasData",
    path: "/domains/{domain_id}/rum/has-data",
    module: Module::Rum,
    summary: "Whether any beacon was received",
    description: "`has_data` is false, and not 404, for a domain of which none ever was.",
    scope: Some(Scope::ReadRum),
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    reads: Port<dyn VitalsReads>,
    sites: Port<dyn VitalsSites>,
    clock: Port<dyn Clock>,
) -> ApiResult<RumHasDataPublic> {
    let site = sites.view(&access).await?;
    let received = reads.received(&access, clock.now()).await?;
    let last = received
        .as_ref()
        .map(|received| Timestamp::from(received.last_at));
    Ok(RumHasDataPublic {
        has_data: received.is_some(),
        first_seen_at: received.as_ref().map(|received| received.first_at.into()),
        last_seen_at: last,
        pageviews_24h: received.as_ref().map_or(0, |received| received.views_of_a_day),
        beacon_version: received.and_then(|received| received.beacon_version),
        attribution_enabled: site
            .is_some_and(|site| site.settings.enabled && site.settings.collect_attribution),
        data_through: last,
    })
}

/// Whether any beacon of real-user monitoring was received.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumHasData)]
pub(super) struct RumHasDataPublic {
    /// Whether any was.
    has_data: bool,
    /// When the first view began; null without any.
    #[schema(required)]
    first_seen_at: Option<Timestamp>,
    /// When the last did, to within a minute; null without any.
    #[schema(required)]
    last_seen_at: Option<Timestamp>,
    /// How many views began within the last 24 hours.
    #[schema(minimum = 0)]
    pageviews_24h: u64,
    /// The version of the script that measured the last view, to within a minute; null where beacons do not say.
    #[schema(required)]
    beacon_version: Option<String>,
    /// Whether pages say what caused a value.
    attribution_enabled: bool,
    /// Up to when data is complete; null without any.
    #[schema(required)]
    data_through: Option<Timestamp>,
}

impl Example for RumHasDataPublic {
    fn example() -> Self {
        let last = datetime!(2026-03-31 09:14:30 UTC);
        Self {
            has_data: true,
            first_seen_at: Some(datetime!(2026-01-02 10:00:00 UTC).into()),
            last_seen_at: Some(last.into()),
            pageviews_24h: 4_812,
            beacon_version: Some("1.0.0".to_owned()),
            attribution_enabled: true,
            data_through: Some(last.into()),
        }
    }
}

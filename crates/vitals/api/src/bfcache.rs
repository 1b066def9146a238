//! GET /domains/{domain_id}/rum/bfcache

use pharos_domain::{collect::view::ReasonType, identity::DomainAccess};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    behaviour::{BehaviourReads, Bfcache, BfcacheReason},
    metric::share_pct,
    overview::{PercentileMethod, ViewFilter},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    chosen::{READ, meta},
    filters::ViewFilters,
    meta::RumMeta,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRumBfcache",
    path: "/domains/{domain_id}/rum/bfcache",
    summary: "How often going back or forward restores a page, and why not",
    description: "A page may have several reasons for which it was not restored, so that their shares may add up to more than 100. \
                  Reasons are named as the browser names them: the set is open.",
    ..READ
};

pub(super) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(filters): Query<ViewFilters>,
    behaviour: Port<dyn BehaviourReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumBfcachePublic> {
    let filter = ViewFilter::from(filters);
    let meta = meta(&access, &asked, &*reads).await?;
    let found = behaviour.bfcache(&access, asked.window, &filter).await?;
    Ok(RumBfcachePublic::new(found, meta))
}

/// How often views by going back or forward were restored.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumBfcache)]
pub(super) struct RumBfcachePublic {
    /// Views by going back or forward.
    #[schema(minimum = 0)]
    back_forward_navigations: u64,
    /// Those of them that were restored as they were left.
    #[schema(minimum = 0)]
    hits: u64,
    /// Their share; null without any such view.
    #[schema(required, minimum = 0, maximum = 100)]
    hit_rate_pct: Option<f64>,
    /// The share of those that were not restored of which the browser says why: only Chromium does. Null where each was
    /// restored.
    #[schema(required, minimum = 0, maximum = 100)]
    supported_views_pct: Option<f64>,
    /// Why; the most frequent first.
    reasons: Vec<BfcacheReasonPublic>,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// Why pages were not restored.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumBfcacheReason)]
struct BfcacheReasonPublic {
    /// As the browser names it, such as `unload-listener`.
    reason: String,
    /// The same for people.
    reason_label: String,
    /// Whose it is: the page's, or that of a frame of another site.
    #[serde(rename = "type")]
    kind: ReasonType,
    /// How many times.
    #[schema(minimum = 0)]
    navigations: u64,
    /// Their share of the views of which the browser says why they were not restored, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
    /// On how many pages.
    #[schema(minimum = 0)]
    urls_count: u64,
}

impl RumBfcachePublic {
    fn new(found: Bfcache, meta: RumMeta) -> Self {
        let misses = found.misses();
        let Bfcache {
            navigations,
            hits,
            told,
            reasons,
        } = found;
        let reasons = reasons.into_iter().map(|reason| BfcacheReasonPublic {
            reason_label: label(&reason.reason),
            reason: reason.reason,
            kind: reason.kind,
            navigations: reason.navigations,
            share_pct: share_pct(reason.navigations, told).unwrap_or(0.0),
            urls_count: reason.pages,
        });
        Self {
            back_forward_navigations: navigations,
            hits,
            hit_rate_pct: share_pct(hits, navigations),
            supported_views_pct: share_pct(told, misses),
            reasons: reasons.collect(),
            meta,
        }
    }
}

/// The reasons that most pages can do something about, in words; any other as it is, with spaces.
fn label(reason: &str) -> String {
    let known = match reason {
        "unload-listener" => "A listener for unload",
        "response-cache-control-no-store" => "The document was sent with Cache-Control: no-store",
        "websocket" => "An open WebSocket",
        "webrtc" => "An open WebRTC connection",
        "webtransport" => "An open WebTransport connection",
        "broadcastchannel" | "broadcastchannel-message" => "An open BroadcastChannel",
        "fetch" => "A request that was under way",
        "lock" | "weblocks" => "A lock that was held",
        "idbversionchangeevent" => "A change of an IndexedDB's version",
        "masked" => "Something that the browser does not tell",
        "navigating" => "It was left while it was being loaded",
        other => return other.replace(['-', '_'], " "),
    };
    known.to_owned()
}

impl Example for RumBfcachePublic {
    fn example() -> Self {
        let found = Bfcache {
            navigations: 410,
            hits: 325,
            told: 80,
            reasons: vec![BfcacheReason {
                reason: "unload-listener".to_owned(),
                kind: ReasonType::Page,
                navigations: 62,
                pages: 9,
            }],
        };
        Self::new(found, RumMeta::example_of(PercentileMethod::Exact))
    }
}

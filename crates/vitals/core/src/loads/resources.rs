//! Resources.

use pharos_domain::{collect::view::ResourceType, wire_enum};
use serde::{Deserialize, Serialize};

wire_enum! {
    /// The property that resources of one row share.
    ResourceGrouping as "RumResourceGrouping" {
        /// Their type.
        Type = "type",
        /// Their host.
        Host = "host",
        /// Their address.
        Url = "url",
    }
}

/// Resources of one type, host or address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumResourceFigures))]
pub struct ResourceFigures {
    /// The type, host or address, without a query.
    pub key: String,
    /// Their type; where they differ, the most common.
    pub resource_type: ResourceType,
    /// How many were loaded.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub requests: u64,
    /// On how many pages.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pages_count: u64,
    /// Whether there are fewer than 50 requests.
    pub low_sample: bool,
    /// The mean of how long one took, in milliseconds; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_duration_ms: Option<f64>,
    /// The 75th percentile of the same; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p75_duration_ms: Option<f64>,
    /// The mean of bytes on the network, among those whose server lets the page know, 0 out of a cache; null without
    /// any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_transfer_bytes: Option<f64>,
    /// The mean of bytes of the decoded body, among the same; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_decoded_bytes: Option<f64>,
    /// The bytes on the network in all, of the same; null where no server lets the page know.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub total_transfer_bytes: Option<u64>,
    /// The share that came out of a cache, among those of which it is known; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub cache_hit_pct: Option<f64>,
    /// The share that the page waited for before it was shown, among those of which it is known: only Chromium tells.
    /// Null where it is known of none.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub render_blocking_pct: Option<f64>,
    /// By protocol, the most common first.
    pub protocol_split: Vec<ProtocolShare>,
    /// Means of the parts.
    pub phases: PhaseMeans,
    /// Whether all of them are of other sites.
    pub is_third_party: bool,
    /// The share whose server does not let the page know parts and sizes (`Timing-Allow-Origin`); null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub timing_restricted_pct: Option<f64>,
}

/// Requests over one protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumProtocolShare))]
pub struct ProtocolShare {
    /// The protocol, such as `h2`; null where it is not known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub protocol: Option<String>,
    /// How many there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub requests: u64,
    /// Their share, in percent; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub share_pct: Option<f64>,
}

/// Means of the parts of loading, in milliseconds, among resources whose server lets the page know; null where none does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumResourcePhases))]
pub struct PhaseMeans {
    /// Looking the name up.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub dns_ms: Option<f64>,
    /// Connecting, TLS included.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub connect_ms: Option<f64>,
    /// TLS.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub tls_ms: Option<f64>,
    /// From the request to the first byte.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub ttfb_ms: Option<f64>,
    /// From there to the last.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub download_ms: Option<f64>,
}

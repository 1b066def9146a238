//! Times to first byte: their parts.

use pharos_domain::day::Day;
use serde::{Deserialize, Serialize};

use crate::chosen::day;

/// 75th percentiles of the parts of Time to First Byte. They do not add up: each is of its own distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumTtfbParts))]
pub struct TtfbParts {
    /// Time to First Byte in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub ttfb_ms: Option<f64>,
    /// Redirects, queueing, the start of a service worker, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub waiting_ms: Option<f64>,
    /// Looking into the HTTP cache, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub cache_ms: Option<f64>,
    /// Looking the name up, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub dns_ms: Option<f64>,
    /// Connecting, TCP and TLS, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub connection_ms: Option<f64>,
    /// Network and server, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub request_ms: Option<f64>,
}

/// Times to first byte of views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumTtfbReport))]
pub struct TtfbReport {
    /// How many views had a value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub sample_count: u64,
    /// Whether there are fewer than 50.
    pub low_sample: bool,
    /// Percentiles of the parts.
    #[serde(flatten)]
    pub parts: TtfbParts,
    /// The entries of `Server-Timing` that the site's server sends: the 100 names of most views.
    #[cfg_attr(feature = "openapi", schema(max_items = 100))]
    pub server_timing: Vec<ServerTimingFigures>,
    /// The share of views that were redirected, among those that told; null where none did.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub redirected_pct: Option<f64>,
    /// By country, ISO 3166-1 alpha-2, the most common first.
    pub by_country: Vec<TtfbPiece>,
    /// By protocol, such as `h2`, the most common first.
    pub by_protocol: Vec<TtfbPiece>,
    /// The days of the window, in order.
    pub items: Vec<TtfbDay>,
}

/// A name of `Server-Timing`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumServerTiming))]
pub struct ServerTimingFigures {
    /// The name that the server gave.
    pub name: String,
    /// The mean in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_ms: Option<f64>,
    /// The 75th percentile in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p75_ms: Option<f64>,
    /// How many views had it.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
}

/// Views that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumTtfbPiece))]
pub struct TtfbPiece {
    /// The value that they have in common; null where it is not known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub key: Option<String>,
    /// How many views there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// The 75th percentile in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub ttfb_ms: Option<f64>,
}

/// Views of one day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumTtfbDay))]
pub struct TtfbDay {
    /// The UTC day.
    #[serde(deserialize_with = "day")]
    pub date: Day,
    /// How many views had a value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Percentiles of the parts.
    #[serde(flatten)]
    pub parts: TtfbParts,
}

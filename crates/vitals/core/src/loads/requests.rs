//! Requests of scripts.

use serde::{Deserialize, Serialize};

/// Requests by `fetch` and `XMLHttpRequest` of one method, host and path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumRequestFigures))]
pub struct RequestFigures {
    /// The method; null where the page does not tell it, as browsers do not.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub method: Option<String>,
    /// The path, in which numbers, ids and what was redacted are `:id`.
    pub path_template: String,
    /// The host that was asked.
    pub host: String,
    /// How many there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub requests: u64,
    /// Whether there are fewer than 50.
    pub low_sample: bool,
    /// The median of how long one took, in milliseconds; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p50_ms: Option<f64>,
    /// The 75th percentile; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p75_ms: Option<f64>,
    /// The 95th percentile; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p95_ms: Option<f64>,
    /// How many were answered with a status of 200 to 299.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub status_2xx: u64,
    /// How many with one of 300 to 399.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub status_3xx: u64,
    /// How many with one of 400 to 499.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub status_4xx: u64,
    /// How many with one of 500 to 599.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub status_5xx: u64,
    /// How many had no answer, as the page told.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub failed: u64,
    /// The share of failed ones and of statuses from 400 on, among those of which it is known; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub failure_rate_pct: Option<f64>,
    /// The mean of bytes of the decoded body, among those whose server lets the page know; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_response_bytes: Option<f64>,
    /// On how many pages they are made.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pages_count: u64,
}

//! Elements that moved.

use pharos_domain::collect::view::LoadState;
use serde::{Deserialize, Serialize};

/// An element that was moved by the largest shift of views. Only Chromium tells of shifts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumClsElementFigures))]
pub struct ClsElement {
    /// A CSS selector, redacted; null where the element had left the page.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element: Option<String>,
    /// Its `id`, redacted; null where it has none. Where elements of one selector differ, the most common.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element_id: Option<String>,
    /// Its `class`, redacted; null where it has none. Where elements of one selector differ, the most common.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element_class: Option<String>,
    /// In how many views it was what the largest shift moved.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Whether there are fewer than 50.
    pub low_sample: bool,
    /// The sum of these shifts.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub shift_sum: f64,
    /// Their mean; null where none was told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub shift_avg: Option<f64>,
    /// The 75th percentile of Cumulative Layout Shift over all views of the pages that it moved on; null without one.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub cls_p75_pages: Option<f64>,
    /// The mean time of these shifts from the start of the load, in milliseconds; null where none was told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_shift_time_ms: Option<f64>,
    /// The state that the page was most often in; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub load_state: Option<LoadState>,
    /// On which devices these views were.
    pub devices: DeviceShares,
    /// On how many pages it was.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pages_count: u64,
    /// The page that it was on most often, without the query.
    pub sample_url: String,
}

/// Shares of classes of devices, in percent; null without a view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumDeviceShares))]
pub struct DeviceShares {
    /// The share of phones.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub mobile_pct: Option<f64>,
    /// The share of computers.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub desktop_pct: Option<f64>,
    /// The share of tablets.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub tablet_pct: Option<f64>,
    /// The share of others.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub other_pct: Option<f64>,
}

//! Long tasks and long animation frames.

use pharos_domain::{
    collect::view::{FrameKind, InvokerType},
    wire_enum,
};
use serde::{Deserialize, Serialize};

use crate::chosen::Ranked;

wire_enum! {
    /// The property that long tasks of one row share.
    LongTaskGrouping as "RumLongTaskGrouping" {
        /// The page.
        Page = "page",
        /// The script.
        Script = "script",
    }
}

/// Long tasks of views.
#[derive(Clone, Debug, PartialEq)]
pub struct LongTasks {
    /// All of them together.
    pub totals: LongTaskTotals,
    /// By page or script.
    pub rows: Ranked<LongTaskFigures>,
}

/// Long tasks in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LongTaskTotals {
    /// For how long an interaction would have had to wait in a view, on the mean; null where no browser tells.
    pub avg_blocking_ms_per_view: Option<f64>,
    /// The share of views with a long task, among those whose browser tells.
    pub views_with_any_pct: Option<f64>,
    /// The share of views whose browser tells; null without a view.
    pub supported_views_pct: Option<f64>,
}

/// Long tasks of one page or script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLongTaskFigures))]
pub struct LongTaskFigures {
    /// The address of the page or script, without the query; null for scripts whose address was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub key: Option<String>,
    /// By which of the browser's records they are known.
    pub entry_type: FrameKind,
    /// How many there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub count: u64,
    /// How many views had one.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub views_affected: u64,
    /// Whether there are fewer than 50 such views.
    pub low_sample: bool,
    /// How long they took in all, in milliseconds; of a script, how long it ran within them. Null where no
    /// duration was told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub total_duration_ms: Option<f64>,
    /// For how long an interaction would have had to wait in all; of a script, its part of that by how long it ran.
    /// Null where it is not told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub total_blocking_ms: Option<f64>,
    /// The 75th percentile of how long one took; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p75_duration_ms: Option<f64>,
    /// The mean of style and layout of one; null for long tasks.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_style_layout_ms: Option<f64>,
    /// The mean of layout that scripts forced in one; null where no script was told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_forced_layout_ms: Option<f64>,
    /// The most frequent kind of caller of the scripts; null where no script was told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub top_invoker_type: Option<InvokerType>,
    /// Whether the script is of another site; false for pages.
    pub is_third_party: bool,
}

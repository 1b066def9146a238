//! Slowest interactions: their parts, the elements that were interacted with, and the scripts that took longest.

use pharos_domain::{
    collect::view::{Interaction, InvokerType, LoadState, Subpart},
    day::Day,
};
use serde::{Deserialize, Serialize};

use crate::{
    chosen::day,
    providers::{host_of, is_third_party, provider_of},
};

/// 75th percentiles of the phases of Interaction to Next Paint. They do not add up: each is of its own distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpPhases))]
pub struct InpPhases {
    /// Interaction to Next Paint in milliseconds; null where nobody interacted.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub inp_ms: Option<f64>,
    /// Until listeners ran, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub input_delay_ms: Option<f64>,
    /// While they ran, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub processing_duration_ms: Option<f64>,
    /// From there to the next frame, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub presentation_delay_ms: Option<f64>,
}

/// Each phase's share in the sum of the means of the three, in percent; null where no view told its phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpShares))]
pub struct InpShares {
    /// That of the input delay.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub input_delay_share_pct: Option<f64>,
    /// That of the processing.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub processing_duration_share_pct: Option<f64>,
    /// That of the presentation delay.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub presentation_delay_share_pct: Option<f64>,
}

/// 75th percentiles of what the browser did within the interaction. Only Chromium tells; null elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpWork))]
pub struct InpWork {
    /// Scripts, in milliseconds; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub script_duration_ms: Option<f64>,
    /// Style and layout, in milliseconds; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub style_layout_duration_ms: Option<f64>,
    /// Paint, in milliseconds; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub paint_duration_ms: Option<f64>,
    /// The rest, in milliseconds; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub unattributed_duration_ms: Option<f64>,
}

/// Slowest interactions of views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpReport))]
pub struct InpReport {
    /// How many views had a value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub sample_count: u64,
    /// Whether there are fewer than 50.
    pub low_sample: bool,
    /// Percentiles of the phases.
    #[serde(flatten)]
    pub phases: InpPhases,
    /// Shares of the phases.
    #[serde(flatten)]
    pub shares: InpShares,
    /// Percentiles of the work.
    #[serde(flatten)]
    pub work: InpWork,
    /// The share of views with an interaction, in all views; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub interacted_views_pct: Option<f64>,
    /// By what the interaction was, the most common first. Those that did not tell are left out.
    pub by_interaction_type: Vec<InpType>,
    /// By how far the page was loaded, the most common first. Those that did not tell are left out.
    pub by_load_state: Vec<InpLoadState>,
    /// The days of the window, in order.
    pub items: Vec<InpDay>,
}

/// Interactions of one type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpType))]
pub struct InpType {
    /// The type.
    pub interaction_type: Interaction,
    /// How many views had it as their slowest interaction.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub interactions: u64,
    /// Their share in all that had an interaction, in percent; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub share_pct: Option<f64>,
    /// The 75th percentile in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub inp_ms: Option<f64>,
}

/// Interactions while the page was in one state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpLoadState))]
pub struct InpLoadState {
    /// The state.
    pub load_state: LoadState,
    /// How many views had their slowest interaction in it.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub interactions: u64,
    /// The 75th percentile in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub inp_ms: Option<f64>,
}

/// Interactions of one day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpDay))]
pub struct InpDay {
    /// The UTC day.
    #[serde(deserialize_with = "day")]
    pub date: Day,
    /// How many views had a value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub interactions: u64,
    /// Percentiles of the phases.
    #[serde(flatten)]
    pub phases: InpPhases,
}

/// An element that was the target of slowest interactions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpElementFigures))]
pub struct InpElement {
    /// A CSS selector, redacted; null where the element had left the page.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element: Option<String>,
    /// Its `id`, redacted; null where it has none. Where elements of one selector differ, the most common.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element_id: Option<String>,
    /// Its `class`, redacted; null where it has none. Where elements of one selector differ, the most common.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element_class: Option<String>,
    /// The kind of the interaction; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub interaction_type: Option<Interaction>,
    /// How many views had their slowest interaction with it.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub interactions: u64,
    /// Those that took more than 200 ms.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub slow_interactions: u64,
    /// Those that took more than 500 ms.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub poor_interactions: u64,
    /// Whether there are fewer than 50 interactions.
    pub low_sample: bool,
    /// Percentiles of the phases.
    #[serde(flatten)]
    pub phases: InpPhases,
    /// The state that the page was most often in; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub load_state_top: Option<LoadState>,
    /// On how many pages it was.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pages_count: u64,
    /// The page that it was on most often, without the query.
    pub sample_url: String,
}

/// A script that took longest within slow interactions. Only Chromium tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumInpScriptFigures))]
pub struct InpScript {
    /// Its address, without the query; null where the browser did not tell.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub script_url: Option<String>,
    /// The function; null where it has no name.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub function_name: Option<String>,
    /// The caller of it, such as `BUTTON#buy.onclick`; null where the browser did not tell.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub invoker: Option<String>,
    /// The kind of that caller; null where the browser did not tell.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub invoker_type: Option<InvokerType>,
    /// Who provides the script, where it is somebody known; else null.
    #[cfg_attr(feature = "openapi", schema(required))]
    #[serde(default)]
    pub provider: Option<String>,
    /// Whether the script is of another site than the page on which it took longest most often.
    #[serde(default)]
    pub is_third_party: bool,
    /// In how many slow interactions it took longest.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub interactions: u64,
    /// How long it ran within them in all, in milliseconds; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub total_duration_ms: Option<f64>,
    /// How long it ran within one, on the mean; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_duration_ms: Option<f64>,
    /// The part of it that was layout which the script forced, in milliseconds, in all; null where no browser told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub forced_style_layout_ms: Option<f64>,
    /// The phase that it fell into most often; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub subpart: Option<Subpart>,
}

/// A script as it was told, with the page on which it took longest most often.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ToldScript {
    #[serde(flatten)]
    script: InpScript,
    page: String,
}

impl From<ToldScript> for InpScript {
    fn from(ToldScript { script, page }: ToldScript) -> Self {
        let url = script.script_url.as_deref();
        let provider = url.and_then(|url| provider_of(host_of(url)));
        Self {
            provider: provider.map(|provider| provider.name.to_owned()),
            is_third_party: url.is_some_and(|url| is_third_party(url, host_of(&page))),
            ..script
        }
    }
}

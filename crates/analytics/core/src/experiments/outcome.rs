//! The outcome of an evaluation, as it is stored and shown.

use pharos_domain::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// The verdict on an experiment.
    Verdict as "ExperimentVerdict" {
        /// The metric got better, and not by chance.
        Improved = "improved",
        /// It got worse, and not by chance.
        Worsened = "worsened",
        /// Nothing was found that chance does not do.
        NoEffect = "no_effect",
        /// Too little is known.
        Inconclusive = "inconclusive",
    }
}

wire_enum! {
    /// The reasons to doubt a verdict.
    Warning as "ExperimentWarning" {
        /// Too few days before the change.
        ShortPrePeriod = "short_pre_period",
        /// Too few days after it.
        ShortPostPeriod = "short_post_period",
        /// The control has fewer sessions than the variant, for a metric of search fewer impressions; or nobody saw the pages of a side,
        /// or all days are alike, so that nothing is concluded.
        LowVolume = "low_volume",
        /// Both sides went different ways before the change.
        ParallelTrendsDoubtful = "parallel_trends_doubtful",
        /// Many sessions of the control viewed the variant, too.
        ControlContaminated = "control_contaminated",
        /// Before and after are not whole weeks.
        SeasonalityMismatch = "seasonality_mismatch",
        /// A search engine changed its ranking meanwhile.
        SearchUpdateInWindow = "search_update_in_window",
        /// Days of the windows have no data, or none that is final.
        DataIncomplete = "data_incomplete",
    }
}

wire_enum! {
    /// The unit within which the errors of a panel may go together.
    ClusteredBy as "ExperimentClusters" {
        /// The pages of a day.
        Day = "day",
        /// The days of a page.
        Url = "url",
    }
}

/// The findings of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ExperimentOutcome))]
pub struct Outcome {
    /// Days before the change that have a value; null while the evaluation is pending.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub pre_days: Option<u32>,
    /// Days after it that have one; null while the evaluation is pending.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub post_days: Option<u32>,
    /// Days from the first to the last that have none, or lie between both windows; null while the evaluation is
    /// pending.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub excluded_days: Option<u32>,
    /// The variant's daily mean before the change; null while pending, and where no day has a value.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub pre_mean_variant: Option<f64>,
    /// The variant's daily mean after it; null while pending, and where no day has a value.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub post_mean_variant: Option<f64>,
    /// The control's daily mean before the change; null while pending, and without a control.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub pre_mean_control: Option<f64>,
    /// The control's daily mean after it; null while pending, and without a control.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub post_mean_control: Option<f64>,
    /// The effect a day, in the metric's unit; null where too little is known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub effect_absolute: Option<f64>,
    /// The effect in percent of what would have been without the change; null where that is 0, and where too little is
    /// known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub effect_relative_pct: Option<f64>,
    /// The lower end of the effect's interval; null where too little is known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ci_low: Option<f64>,
    /// Its upper end; null where too little is known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ci_high: Option<f64>,
    /// How likely an effect at least as large is without a change; of bsts the posterior tail area, of both tails. Null
    /// where too little is known.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 1))]
    pub p_value: Option<f64>,
    /// Whether `p_value` is below 0.05; null while pending, and where too little is known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub is_significant: Option<bool>,
    /// The conclusion; null while pending.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub verdict: Option<Verdict>,
    /// The reasons for which that should not be taken at its word.
    pub warnings: Vec<Warning>,
    /// Further findings, which differ from method to method; null where too little is known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub details: Option<Details>,
}

/// Further findings of an evaluation, which differ from method to method.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ExperimentDetails))]
#[serde(untagged)]
pub enum Details {
    /// The findings of the Mann-Whitney test.
    MannWhitney(MannWhitneyDetails),
    /// The findings of difference-in-differences.
    Did(DidDetails),
    /// The findings of a structural time series.
    Bsts(Box<BstsDetails>),
}

/// The Mann-Whitney test of the days after the change against those before.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MannWhitneyDetails {
    /// Pairs of days in which the later one has the greater value, equal ones by half.
    pub u_statistic: f64,
    /// How many deviations that lies from its mean.
    pub z_score: f64,
    /// Days before the change.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub n_pre: u32,
    /// Days after it.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub n_post: u32,
    /// The median before the change.
    pub median_pre: f64,
    /// The median after it.
    pub median_post: f64,
    /// The median of all differences: the effect.
    pub hodges_lehmann_shift: f64,
    /// −1 to 1: pairs whose later day has the greater value, less the others, over all.
    #[cfg_attr(feature = "openapi", schema(minimum = -1, maximum = 1))]
    pub rank_biserial: f64,
    /// 0 to 1: how often the later day of a pair has the greater value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub common_language_effect: f64,
    /// Whether there were equal values, which the test corrects for.
    pub ties_corrected: bool,
    /// Whether the distribution is the exact one: at most 20 days on both sides, and no equal values.
    pub exact: bool,
}

/// Difference-in-differences on the panel of pages and days.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DidDetails {
    /// By how much more a page of the variant changed than one of the control, a day. The effect of counts is this times the
    /// variant's pages.
    pub did_estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The estimate over its error.
    pub t_statistic: f64,
    /// Clusters less one.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub degrees_of_freedom: u32,
    /// The clusters within which errors may go together: pages from 10 a side, else days.
    pub clustered_by: ClusteredBy,
    /// How likely trends before the change are that differ no less, if both sides went alike; null where that can't be
    /// told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 1))]
    pub parallel_trends_p_value: Option<f64>,
    /// By how much a page of the variant changed.
    pub variant_change: f64,
    /// By how much a page of the control changed.
    pub control_change: f64,
    /// Values of the panel: a page on a day each.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub n_observations: u32,
}

/// The structural time series.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BstsDetails {
    /// How likely there is an effect: 1 less the tail area on the side of the effect.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub posterior_prob_effect: f64,
    /// The mean of the days after the change.
    pub average_actual: f64,
    /// The mean that was expected of them.
    pub average_predicted: f64,
    /// The lower end of its interval.
    pub average_predicted_low: f64,
    /// Its upper end.
    pub average_predicted_high: f64,
    /// The sum of the days after the change.
    pub cumulative_actual: f64,
    /// The sum that was expected of them.
    pub cumulative_predicted: f64,
    /// The lower end of its interval.
    pub cumulative_predicted_low: f64,
    /// Its upper end.
    pub cumulative_predicted_high: f64,
    /// The sum less what was expected.
    pub cumulative_effect: f64,
    /// The lower end of its interval.
    pub cumulative_effect_low: f64,
    /// Its upper end.
    pub cumulative_effect_high: f64,
    /// The lower end of the relative effect's interval; null where what was expected may be 0.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub relative_effect_pct_low: Option<f64>,
    /// Its upper end; null where what was expected may be 0.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub relative_effect_pct_high: Option<f64>,
    /// How many samples were drawn.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub samples: u32,
    /// The days of a season.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub seasonal_period: u32,
    /// The series that the expectation is told from: `control`, or none where that never changed.
    pub covariates: Vec<String>,
    /// By how much the expectation was off before the change, in percent of what was observed; null where that was 0.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub pre_fit_mape_pct: Option<f64>,
    /// All days, from the first before the change.
    pub series: Vec<BstsDay>,
}

/// A day of the series.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ExperimentDay))]
#[serde(deny_unknown_fields)]
pub struct BstsDay {
    /// The day: UTC, for a metric of search Pacific time.
    #[cfg_attr(feature = "openapi", schema(format = Date))]
    pub date: String,
    /// The variant's value; null: it has none.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub observed: Option<f64>,
    /// The value that was expected.
    pub expected: f64,
    /// The lower end of its interval.
    pub expected_low: f64,
    /// Its upper end.
    pub expected_high: f64,
    /// The observed value less the expected one; null where the variant has no value.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub effect: Option<f64>,
    /// The sum of that since the change; null before it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cumulative_effect: Option<f64>,
}

//! Views by what they have in common: what the lists of countries, devices, browsers, connections and ways have alike.

use pharos_domain::{identity::DomainAccess, window::ResolvedWindow};
use pharos_http::{extract::port::Port, operation::Example, problem::Problem, spec::OperationSpec};
use pharos_vitals::{
    block::HEADLINE_PERCENT,
    chosen::LOW_SAMPLE,
    metric::{Metric, RatingSplit},
    overview::{PercentileMethod, ViewFigures, ViewFilter},
    slices::{Dimension, Slice, SliceReads, Slices},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    chosen::{LIST, meta},
    meta::RumMeta,
    vitals::VitalsPublic,
};

/// The base of the specs of these lists.
pub(super) const BASE: OperationSpec = OperationSpec {
    description: "Percentiles are the 75th, and exact. Shares are of all views that fit the filters. Most views first.",
    ..LIST
};

/// Reads the slices of a window by each of `N` dimensions, and what stands at the root beside the first.
pub(super) async fn read<const N: usize>(
    access: &DomainAccess,
    asked: &ResolvedWindow,
    filter: &ViewFilter,
    (dimensions, most): ([Dimension; N], usize),
    slices: &Port<dyn SliceReads>,
    reads: &Port<dyn VitalsReads>,
) -> Result<([Slices; N], SlicesRoot), Problem> {
    let root = SlicesRoot::read(access, asked, reads).await?;
    let found = slices
        .slices(access, asked.window, filter, &dimensions, most, HEADLINE_PERCENT)
        .await?;
    let mut found = found.into_iter();
    let found: [Slices; N] = std::array::from_fn(|_| found.next().unwrap_or_default());
    Ok((found, root))
}

/// The members of the answer beside the rows of such a list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumSlicesRoot)]
pub(super) struct SlicesRoot {
    /// Which percentile vitals are.
    #[schema(value_type = String)]
    pub(super) percentile: &'static str,
    /// How many rows there are; left out where there are more than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false)]
    pub(super) total: Option<u64>,
    /// Whether rows were left out.
    pub(super) truncated: bool,
    /// The window in force, which the figures are of.
    pub(super) meta: RumMeta,
}

impl SlicesRoot {
    /// The root of a list of a window, before its rows are known.
    pub(super) async fn read(
        access: &DomainAccess,
        asked: &ResolvedWindow,
        reads: &Port<dyn VitalsReads>,
    ) -> Result<Self, Problem> {
        Ok(Self {
            percentile: "p75",
            total: None,
            truncated: false,
            meta: meta(access, asked, &**reads).await?,
        })
    }

    /// The root of a list of these slices.
    pub(super) fn of(self, slices: &Slices) -> Self {
        self.of_rows(slices.slices.len(), slices.is_truncated)
    }

    /// The root of a list of so many rows.
    pub(super) fn of_rows(self, rows: usize, is_truncated: bool) -> Self {
        Self {
            total: (!is_truncated).then_some(rows as u64),
            truncated: is_truncated,
            ..self
        }
    }
}

/// The figures of the views of a row.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RumSlice)]
pub(super) struct SlicePublic {
    /// The value that the views have in common, for programs; `unknown` where that is not known of them.
    key: String,
    /// The same for people.
    label: String,
    /// How many views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Their share of all views that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
    #[serde(flatten)]
    vitals: VitalsPublic,
    /// How many of the values are good, by metric.
    ratings: CoreRatingsPublic,
    /// Whether there are fewer than 50 views.
    low_sample: bool,
}

/// Which share of each core metric's values is good, and which is poor.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = RumCoreRatings)]
pub(super) struct CoreRatingsPublic {
    /// Good up to 2,500 ms, poor above 4,000 ms.
    lcp: RatingSplit,
    /// Good up to 200 ms, poor above 500 ms.
    inp: RatingSplit,
    /// Good up to 0.1, poor above 0.25.
    cls: RatingSplit,
}

impl From<&ViewFigures> for CoreRatingsPublic {
    fn from(figures: &ViewFigures) -> Self {
        let of = |metric: Metric| figures.rated[metric as usize].split();
        Self {
            lcp: of(Metric::Lcp),
            inp: of(Metric::Inp),
            cls: of(Metric::Cls),
        }
    }
}

impl SlicePublic {
    /// The row of a slice with a key and a label; `None`: what its views have in common is not known.
    pub(super) fn new(slices: &Slices, slice: &Slice, named: Option<(String, String)>) -> Self {
        let (key, label) = named.unwrap_or_else(|| ("unknown".to_owned(), "Unknown".to_owned()));
        Self {
            key,
            label,
            pageviews: slice.figures.views,
            share_pct: slices.share_pct(slice),
            vitals: (&slice.figures).into(),
            ratings: (&slice.figures).into(),
            low_sample: slice.figures.views < LOW_SAMPLE,
        }
    }

    /// An example with this key and label.
    pub(super) fn example(key: &str, label: &str) -> Self {
        let mut figures = ViewFigures {
            views: 1_604,
            ..ViewFigures::default()
        };
        for rated in &mut figures.rated {
            (rated.good, rated.needs_improvement, rated.poor) = (1_200, 300, 104);
        }
        Self {
            key: key.to_owned(),
            label: label.to_owned(),
            pageviews: figures.views,
            share_pct: 33.33,
            vitals: VitalsPublic::EXAMPLE,
            ratings: (&figures).into(),
            low_sample: false,
        }
    }
}

impl Example for SlicesRoot {
    fn example() -> Self {
        Self {
            percentile: "p75",
            total: Some(1),
            truncated: false,
            meta: RumMeta::example_of(PercentileMethod::Exact),
        }
    }
}

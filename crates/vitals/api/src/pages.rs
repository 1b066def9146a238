//! GET /domains/{domain_id}/rum/pages

use pharos_domain::{
    identity::DomainAccess,
    page::{Page, PageRequest, Position, SortOrder},
    window::{DataThrough, change_pct},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedDates},
    operation::{ApiResult, Example},
    spec::{Compare, OperationSpec, Paging},
};
use pharos_vitals::{
    block::HEADLINE_PERCENT,
    chosen::LOW_SAMPLE,
    metric::{Metric, Rating, share_pct},
    overview::{PercentileMethod, ViewFigures, ViewFilter},
    pages::{PageFigures, PageReads, PageSort, PagesQuery},
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    chosen::READ,
    filters::ViewFilters,
    meta::{RumMeta, data_through},
    vitals::VitalsPublic,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumPages",
    path: "/domains/{domain_id}/rum/pages",
    summary: "The pages that were viewed, with their vitals",
    description: "Percentiles are the 75th, and exact. A page is its whole address without the query, and those of a group of the \
                  settings are one. Pages in which a metric was not measured come last, whatever the order. `…_previous` and \
                  `…_change_pct` are there with compare_previous.",
    paging: Paging::cursor(500),
    compare: Compare::Previous,
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct PagesParameters {
    /// A part of the address, in whatever case.
    search: Option<String>,
    /// By what pages are ordered; left out: views.
    #[param(inline, value_type = Option<PageSort>)]
    sort: PageSort,
    /// In which direction; left out: the greatest first.
    #[param(inline, value_type = Option<SortOrder>)]
    order: SortOrder,
}

impl Default for PagesParameters {
    fn default() -> Self {
        Self {
            search: None,
            sort: PageSort::Pageviews,
            order: SortOrder::Descending,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    ComparedDates(asked): ComparedDates,
    Query(parameters): Query<PagesParameters>,
    Query(filters): Query<ViewFilters>,
    page: PageRequest<Option<f64>, String>,
    pages: Port<dyn PageReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumPagePublic, PagesRoot>> {
    let filter = ViewFilter::from(filters);
    let query = PagesQuery {
        window: asked.window.window,
        filter: &filter,
        search: parameters.search.as_deref().filter(|search| !search.is_empty()),
        sort: parameters.sort,
        order: parameters.order,
        percent: HEADLINE_PERCENT,
        page: &page,
    };
    let through = data_through(&access, &asked.window, &*reads).await?;
    let found = pages.pages(&access, &query).await?;
    let views = found.views;
    let listed = Page::cut(found.items, &page, |item| Position {
        key: item.key,
        id: item.url.clone(),
    });
    let before = match asked.shown {
        None => None,
        // Nothing is known of days that are no longer kept.
        Some(shown) if !shown.is_kept => Some(std::collections::BTreeMap::new()),
        Some(shown) => {
            let urls: Vec<&str> = listed.items.iter().map(|item| item.url.as_str()).collect();
            let before = pages
                .pages_before(&access, shown.window, &filter, &urls, HEADLINE_PERCENT)
                .await?;
            Some(before)
        }
    };
    let is_kept = asked.shown.is_some_and(|shown| shown.is_kept);
    let meta = RumMeta::new(
        asked.meta(through.map(DataThrough::from)),
        asked.window.window,
        PercentileMethod::Exact,
    );
    let listed = listed.map(|item| {
        let nothing = ViewFigures::default();
        let before = before
            .as_ref()
            .map(|before| is_kept.then(|| before.get(&item.url).unwrap_or(&nothing)));
        RumPagePublic::new(item, views, parameters.sort, before)
    });
    Ok(listed.with(PagesRoot {
        percentile: "p75",
        meta,
    }))
}

/// The members of the answer beside the list of pages.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPagesRoot)]
pub(super) struct PagesRoot {
    /// Which percentile vitals are.
    #[schema(value_type = String)]
    percentile: &'static str,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// A page that was viewed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPage)]
pub(super) struct RumPagePublic {
    /// Its address, without the query.
    url: String,
    /// Views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Its share of the views of the window that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
    #[serde(flatten)]
    vitals: VitalsPublic,
    /// The band of its LCP; null where that is.
    #[schema(required)]
    lcp_rating: Option<Rating>,
    /// The band of its INP; null where that is.
    #[schema(required)]
    inp_rating: Option<Rating>,
    /// The band of its CLS; null where that is.
    #[schema(required)]
    cls_rating: Option<Rating>,
    /// The share of views whose core metrics are all good, among those with one or more; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    good_views_pct: Option<f64>,
    /// Errors.
    #[schema(minimum = 0)]
    error_count: u64,
    /// Whether fewer than 50 views have the metric that pages are ordered by, or with another order whether there are fewer than
    /// 50 views.
    low_sample: bool,
    #[serde(flatten)]
    #[schema(value_type = PageBeforePublic)]
    before: Option<PageBeforePublic>,
}

/// The page beside what it was on the days before; all of it is left out without compare_previous.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPageBefore)]
struct PageBeforePublic {
    /// The views of the days before; null where there were none.
    #[schema(minimum = 0)]
    pageviews_previous: Option<f64>,
    /// The change of views against them in percent; null where there is nothing to compare with.
    pageviews_change_pct: Option<f64>,
    /// The LCP of the days before; null where there were none.
    #[schema(minimum = 0)]
    lcp_ms_previous: Option<f64>,
    /// The change of LCP against them in percent; null where there is nothing to compare with.
    lcp_ms_change_pct: Option<f64>,
    /// The INP of the days before; null where there were none.
    #[schema(minimum = 0)]
    inp_ms_previous: Option<f64>,
    /// The change of INP against them in percent; null where there is nothing to compare with.
    inp_ms_change_pct: Option<f64>,
    /// The CLS of the days before; null where there were none.
    #[schema(minimum = 0)]
    cls_previous: Option<f64>,
    /// The change of CLS against them in percent; null where there is nothing to compare with.
    cls_change_pct: Option<f64>,
    /// The FCP of the days before; null where there were none.
    #[schema(minimum = 0)]
    fcp_ms_previous: Option<f64>,
    /// The change of FCP against them in percent; null where there is nothing to compare with.
    fcp_ms_change_pct: Option<f64>,
    /// The TTFB of the days before; null where there were none.
    #[schema(minimum = 0)]
    ttfb_ms_previous: Option<f64>,
    /// The change of TTFB against them in percent; null where there is nothing to compare with.
    ttfb_ms_change_pct: Option<f64>,
    /// The errors of the days before; null where there were none.
    #[schema(minimum = 0)]
    error_count_previous: Option<f64>,
    /// The change of errors against them in percent; null where there is nothing to compare with.
    error_count_change_pct: Option<f64>,
}

impl RumPagePublic {
    /// `before`: what it was on the days before, if that is asked for; `Some(None)` where they are no longer kept.
    fn new(page: PageFigures, views: u64, sort: PageSort, before: Option<Option<&ViewFigures>>) -> Self {
        let PageFigures { url, key: _, figures } = page;
        let rating = |metric: Metric| figures.percentiles.of(metric).map(|value| metric.rating(value));
        let samples = sort
            .metric()
            .map_or(figures.views, |metric| figures.samples(metric));
        Self {
            url,
            pageviews: figures.views,
            share_pct: share_pct(figures.views, views).unwrap_or(0.0),
            vitals: (&figures).into(),
            lcp_rating: rating(Metric::Lcp),
            inp_rating: rating(Metric::Inp),
            cls_rating: rating(Metric::Cls),
            good_views_pct: figures.good_views_pct(),
            error_count: figures.errors,
            low_sample: samples < LOW_SAMPLE,
            before: before.map(|before| PageBeforePublic::new(&figures, before)),
        }
    }
}

impl PageBeforePublic {
    fn new(figures: &ViewFigures, before: Option<&ViewFigures>) -> Self {
        let counts = |figures: &ViewFigures| [figures.views as f64, figures.errors as f64];
        let ([views, errors], was) = (counts(figures), before.map(counts));
        let (views_were, errors_were) = (was.map(|was| was[0]), was.map(|was| was[1]));
        let value = |metric| figures.percentiles.of(metric);
        let was = |metric| before.and_then(|before| before.percentiles.of(metric));
        let pct = |metric| change_pct(value(metric), was(metric));
        Self {
            pageviews_previous: views_were,
            pageviews_change_pct: change_pct(Some(views), views_were),
            lcp_ms_previous: was(Metric::Lcp),
            lcp_ms_change_pct: pct(Metric::Lcp),
            inp_ms_previous: was(Metric::Inp),
            inp_ms_change_pct: pct(Metric::Inp),
            cls_previous: was(Metric::Cls),
            cls_change_pct: pct(Metric::Cls),
            fcp_ms_previous: was(Metric::Fcp),
            fcp_ms_change_pct: pct(Metric::Fcp),
            ttfb_ms_previous: was(Metric::Ttfb),
            ttfb_ms_change_pct: pct(Metric::Ttfb),
            error_count_previous: errors_were,
            error_count_change_pct: change_pct(Some(errors), errors_were),
        }
    }
}

impl Example for RumPagePublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/cart".to_owned(),
            pageviews: 1_604,
            share_pct: 33.33,
            vitals: VitalsPublic::EXAMPLE,
            lcp_rating: Some(Rating::Good),
            inp_rating: Some(Rating::Good),
            cls_rating: Some(Rating::Good),
            good_views_pct: Some(84.0),
            error_count: 31,
            low_sample: false,
            before: None,
        }
    }
}

impl Example for PagesRoot {
    fn example() -> Self {
        Self {
            percentile: "p75",
            meta: RumMeta::example_of(PercentileMethod::Exact),
        }
    }
}

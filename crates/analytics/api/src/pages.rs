//! GET /domains/{domain_id}/analytics/pages

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    overview::{Totals, ratio},
    page_path::part_of_path,
    pages::{PageFigures, PagePart, PageSort, PagesQuery},
    store::{SiteStore, VisitStore},
};
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetPage, OffsetRequest, SortOrder, TotalName},
    window::Meta,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{DEFAULT_PAGE_SIZE, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsPages",
    path: "/domains/{domain_id}/analytics/pages",
    summary: "The pages that were viewed",
    description: "With `type` entry or exit: of the sessions that entered or left at the page. Figures that do not go \
                  with that are null: exits and bounces of entries, entries of exits. `totals` are of all sessions of \
                  the window that fit the filters, whatever `type`, `search` and the page of the list: rows of entries and exits \
                  count the views of that page alone, so that they add up to fewer views; visitors and sessions of several pages \
                  are in the row of each, so that all rows may add up to more.",
    paging: Paging::Offset {
        max: 1_000,
        default: DEFAULT_PAGE_SIZE,
    },
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct PagesParameters {
    /// The sessions whose pages are listed; left out: all.
    #[serde(rename = "type")]
    #[param(inline, value_type = Option<PagePart>)]
    part: PagePart,
    /// A part of the path. Capital letters from A to Z find small ones and the other way round; other letters only themselves.
    search: Option<String>,
    /// By what pages are ordered; left out: visitors.
    #[param(inline, value_type = Option<PageSort>)]
    sort: PageSort,
    /// In which direction; left out: the greatest first.
    #[param(inline, value_type = Option<SortOrder>)]
    order: SortOrder,
}

impl Default for PagesParameters {
    fn default() -> Self {
        Self {
            part: PagePart::All,
            search: None,
            sort: PageSort::Visitors,
            order: SortOrder::Descending,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<PagesParameters>,
    Query(filters): Query<FilterTexts>,
    page: OffsetRequest,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
) -> ApiResult<OffsetPage<AnalyticsPagePublic, TotalPages, PagesRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let search = parameters.search.as_deref().filter(|search| !search.is_empty());
    let search = search.map(part_of_path);
    let query = PagesQuery {
        window: asked.window,
        filters: &filters,
        part: parameters.part,
        search: search.as_deref(),
        sort: parameters.sort,
        order: parameters.order,
        page,
    };
    let found = visits.pages(&access, &query).await?;
    let (part, totals) = (parameters.part, found.totals);
    let items = found
        .items
        .into_iter()
        .map(|figures| {
            AnalyticsPagePublic::new(figures, part, totals.visitors, site.settings.store_page_titles)
        })
        .collect();
    let root = PagesRoot {
        part,
        totals: totals.into(),
        meta: meta(&asked, found.last_at),
    };
    Ok(OffsetPage::new(items, found.total, page).with(root))
}

/// The name of the total.
#[derive(Debug)]
pub(super) struct TotalPages;

impl TotalName for TotalPages {
    const NAME: &'static str = "total_pages";
}

/// The members of the answer beside the list of pages.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPagesRoot)]
pub(super) struct PagesRoot {
    /// The sessions whose pages are listed.
    #[serde(rename = "type")]
    part: PagePart,
    /// The figures of all sessions of the window that fit the filters, whatever `type` and `search`.
    totals: PagesTotals,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// The figures of sessions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPagesTotals)]
pub(super) struct PagesTotals {
    /// The distinct visitors of each UTC day, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Page views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Sessions.
    #[schema(minimum = 0)]
    sessions: u64,
}

impl From<Totals> for PagesTotals {
    fn from(totals: Totals) -> Self {
        Self {
            visitors: totals.visitors,
            pageviews: totals.pageviews,
            sessions: totals.sessions,
        }
    }
}

/// A page that was viewed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPage)]
pub(super) struct AnalyticsPagePublic {
    /// Its path, with what the settings leave of the query.
    page: String,
    /// Its newest title; null where titles are not stored.
    #[schema(required)]
    title: Option<String>,
    /// The distinct visitors of each UTC day, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Sessions that viewed it; with `type` entry or exit, those that entered or left there.
    #[schema(minimum = 0)]
    sessions: u64,
    /// Sessions that entered there; null with `type` exit.
    #[schema(required, minimum = 0)]
    entries: Option<u64>,
    /// Sessions that left there; null with `type` entry.
    #[schema(required, minimum = 0)]
    exits: Option<u64>,
    /// The share of the sessions that entered there which bounced, in percent; null without any, and with `type` entry or
    /// exit.
    #[schema(required, minimum = 0, maximum = 100)]
    bounce_rate_pct: Option<f64>,
    /// Exits over views, in percent; null with `type` entry.
    #[schema(required, minimum = 0, maximum = 100)]
    exit_rate_pct: Option<f64>,
    /// How long a view that was measured was visible and in use; null where none was.
    #[schema(required, minimum = 0)]
    avg_time_seconds: Option<f64>,
    /// The mean of the deepest scrolls of the views that were measured, in percent of the page's height; null where none was.
    #[schema(required, minimum = 0, maximum = 100)]
    scroll_depth_pct: Option<f64>,
    /// Its share of the visitors of the window that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
}

impl AnalyticsPagePublic {
    fn new(figures: PageFigures, part: PagePart, visitors: u64, shows_title: bool) -> Self {
        let is = |of: PagePart| part == of;
        Self {
            visitors: figures.visitors,
            pageviews: figures.pageviews,
            sessions: figures.sessions,
            entries: (!is(PagePart::Exit)).then_some(figures.entries),
            exits: (!is(PagePart::Entry)).then_some(figures.exits),
            bounce_rate_pct: figures.bounce_rate_pct().filter(|_| is(PagePart::All)),
            exit_rate_pct: figures.exit_rate_pct().filter(|_| !is(PagePart::Entry)),
            avg_time_seconds: figures.avg_time_seconds(),
            scroll_depth_pct: figures.scroll_depth_pct(),
            share_pct: ratio(figures.visitors, visitors).unwrap_or(0.0) * 100.0,
            title: figures.title.filter(|_| shows_title),
            page: figures.path,
        }
    }
}

impl Example for AnalyticsPagePublic {
    fn example() -> Self {
        Self {
            page: "/products/teapot".to_owned(),
            title: Some("Teapot".to_owned()),
            visitors: 812,
            pageviews: 1_204,
            sessions: 840,
            entries: Some(310),
            exits: Some(201),
            bounce_rate_pct: Some(38.1),
            exit_rate_pct: Some(16.7),
            avg_time_seconds: Some(48.2),
            scroll_depth_pct: Some(61.0),
            share_pct: 19.4,
        }
    }
}

impl Example for PagesRoot {
    fn example() -> Self {
        Self {
            part: PagePart::All,
            totals: PagesTotals {
                visitors: 4_182,
                pageviews: 15_911,
                sessions: 5_004,
            },
            meta: Meta::example(),
        }
    }
}

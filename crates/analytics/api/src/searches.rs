//! GET /domains/{domain_id}/analytics/searches

use pharos_analytics::{
    actions::{ActionFigures, ActionKind, ActionsQuery, MOST_ACTIONS},
    filter::Filters,
    filter_texts::FilterTexts,
    overview::ratio,
    store::{ActionStore, SiteStore},
};
use pharos_domain::{identity::DomainAccess, page::Page, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{READ, meta, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsSearches",
    path: "/domains/{domain_id}/analytics/searches",
    summary: "The terms that visitors searched the site for",
    description: "Needs `store_search_terms` of the settings: while it is off, `storage_enabled` is false and the list empty, \
                  whatever was stored before. Each view of results counts as a search. The 1,000 terms that were searched for most \
                  often, those first; `total_terms` says how many there are.",
    paging: Paging::Single,
    ..READ
};

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    actions: Port<dyn ActionStore>,
) -> ApiResult<Page<AnalyticsSearchPublic, SearchesRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let storage_enabled = site.settings.store_search_terms;
    let filters = Filters::from(filters);
    let query = ActionsQuery {
        window: asked.window,
        filters: &filters,
        kind: ActionKind::Search,
        name: None,
        rows: i64::try_from(MOST_ACTIONS).unwrap_or(i64::MAX),
        after: None,
        currency: &site.settings.currency,
    };
    let mut found = actions.actions(&access, &query).await?;
    if !storage_enabled {
        found.rows.clear();
        found.total = 0;
    }
    let visitors = found.totals.visitors;
    let items = found.rows.into_iter();
    let items = items
        .map(|row| AnalyticsSearchPublic::new(row, visitors))
        .collect();
    Ok(Page::single(items).with(SearchesRoot {
        storage_enabled,
        total_terms: found.total,
        meta: meta(&asked, found.last_at),
    }))
}

/// A term that visitors searched for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsSearch)]
pub(super) struct AnalyticsSearchPublic {
    /// The term, as it was typed, without spaces around it.
    term: String,
    /// How often results for it were viewed.
    #[schema(minimum = 0)]
    searches: u64,
    /// The distinct visitors of each UTC day who searched for it, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// How many results the last search had whose page said so; null where none did.
    #[schema(required, minimum = 0)]
    results_count: Option<u32>,
    /// The share of searches after which no page was viewed in the session, in percent; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    exit_rate_pct: Option<f64>,
    /// The share of the visitors of the window that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
    /// Whether the last search whose page said so had no result; null where none did.
    #[schema(required)]
    is_zero_result: Option<bool>,
}

impl AnalyticsSearchPublic {
    fn new(row: ActionFigures, visitors: u64) -> Self {
        Self {
            searches: row.count,
            visitors: row.visitors,
            results_count: row.results,
            exit_rate_pct: row.exit_rate_pct(),
            share_pct: ratio(row.visitors, visitors).unwrap_or(0.0) * 100.0,
            is_zero_result: row.results.map(|results| results == 0),
            term: row.name,
        }
    }
}

/// The members of the answer beside the list of searches.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsSearchesRoot)]
pub(super) struct SearchesRoot {
    /// Whether the site stores terms.
    storage_enabled: bool,
    /// How many terms there are.
    #[schema(minimum = 0)]
    total_terms: u64,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for AnalyticsSearchPublic {
    fn example() -> Self {
        Self {
            term: "teapot".to_owned(),
            searches: 31,
            visitors: 27,
            results_count: Some(12),
            exit_rate_pct: Some(16.1),
            share_pct: 0.65,
            is_zero_result: Some(false),
        }
    }
}

impl Example for SearchesRoot {
    fn example() -> Self {
        Self {
            storage_enabled: true,
            total_terms: 1,
            meta: Meta::example(),
        }
    }
}

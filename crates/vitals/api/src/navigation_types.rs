//! GET /domains/{domain_id}/rum/navigation-types

use pharos_domain::{collect::view::Navigation, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    chosen::MOST_ROWS,
    slices::{Dimension, Slice, SliceReads, Slices},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    filters::ViewFilters,
    slices::{BASE, SlicePublic, SlicesRoot, read},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumNavigationTypes",
    path: "/domains/{domain_id}/rum/navigation-types",
    summary: "Vitals by how the browser came to the page",
    description: "Percentiles are the 75th, and exact. Shares are of all views that fit the filters. Most views first. Pages that were \
                  restored from the back/forward cache take next to no time, and hide how slow the others are: filter by \
                  `navigation_type` wherever that matters.",
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(filters): Query<ViewFilters>,
    slices: Port<dyn SliceReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumNavigationTypePublic, SlicesRoot>> {
    let wanted = ([Dimension::Navigation], MOST_ROWS);
    let ([found], root) = read(&access, &asked, &filters.into(), wanted, &slices, &reads).await?;
    let items = found
        .slices
        .iter()
        .map(|slice| RumNavigationTypePublic::new(&found, slice));
    Ok(Page::single(items.collect()).with(root.of(&found)))
}

/// The views to which browsers came in one way.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumNavigationType)]
pub(super) struct RumNavigationTypePublic {
    /// How the browser came to the page.
    navigation_type: Navigation,
    #[serde(flatten)]
    slice: SlicePublic,
}

impl RumNavigationTypePublic {
    pub(super) fn new(slices: &Slices, slice: &Slice) -> Self {
        let navigation = slice.key.kind(Navigation::ALL).unwrap_or(Navigation::Navigate);
        let label = match navigation {
            Navigation::Navigate => "Load",
            Navigation::NavigateCache => "Load out of the HTTP cache",
            Navigation::Reload => "Reload",
            Navigation::BackForward => "Back or forward, loaded anew",
            Navigation::BackForwardCache => "Back or forward, restored",
            Navigation::Prerender => "Loaded ahead",
            Navigation::Restore => "Restored tab",
            Navigation::Soft => "Route change within the page",
        };
        let named = Some((navigation.as_str().to_owned(), label.to_owned()));
        Self {
            navigation_type: navigation,
            slice: SlicePublic::new(slices, slice, named),
        }
    }
}

impl Example for RumNavigationTypePublic {
    fn example() -> Self {
        Self {
            navigation_type: Navigation::Navigate,
            slice: SlicePublic::example("navigate", "Load"),
        }
    }
}

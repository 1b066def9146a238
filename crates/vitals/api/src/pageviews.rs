//! GET /domains/{domain_id}/rum/pageviews

use pharos_domain::{
    collect::view::{Connection, Navigation},
    identity::DomainAccess,
    page::{Page, PageRequest, Position},
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use pharos_vitals::{
    metric::Metric,
    overview::PercentileMethod,
    pages::{PageReads, SingleView},
    store::VitalsReads,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    chosen::{READ, meta},
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
    vitals::VitalsPublic,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumPageviews",
    path: "/domains/{domain_id}/rum/pageviews",
    summary: "Single views, the last one first",
    description: "Nothing tells whose a view was, nor which views belong together: its id is random, and its time is that of the \
                  minute.",
    rum_read: Some(30),
    paging: Paging::cursor(500),
    ..READ
};

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(of_page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    page: PageRequest,
    pages: Port<dyn PageReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumPageviewPublic, PageviewsRoot>> {
    let filter = of_page.and(filters);
    let meta = meta(&access, &asked, &*reads).await?;
    let found = pages.views(&access, asked.window, &filter, &page).await?;
    let listed = Page::cut(found, &page, |view| Position {
        key: view.at,
        id: Uuid::from_u64_pair(0, view.load.cast_unsigned()),
    });
    Ok(listed.map(RumPageviewPublic::from).with(PageviewsRoot { meta }))
}

/// The members of the answer beside the list of views.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPageviewsRoot)]
pub(super) struct PageviewsRoot {
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// A single view. Figures that were not measured are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPageview)]
pub(super) struct RumPageviewPublic {
    /// A random number of the view.
    pageview_id: String,
    /// The minute in which it began.
    viewed_at: Timestamp,
    /// The address, without the query.
    url: String,
    /// Where the browser came from, without the query; null for nowhere.
    #[schema(required)]
    referrer: Option<String>,
    /// The class of device: mobile, tablet, desktop, tv, console or other.
    #[schema(required, value_type = Option<String>)]
    device: Option<&'static str>,
    /// The browser.
    #[schema(required)]
    browser: Option<String>,
    /// Its major version.
    #[schema(required)]
    browser_version: Option<String>,
    /// The operating system.
    #[schema(required)]
    os: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    #[schema(required)]
    country: Option<String>,
    /// The effective type of the connection; null where the browser does not say.
    #[schema(required)]
    connection: Option<Connection>,
    /// How the browser came to the page.
    navigation_type: Navigation,
    #[serde(flatten)]
    vitals: VitalsPublic,
    /// When the document was parsed, in milliseconds from the start of the load.
    #[schema(required, minimum = 0)]
    dom_content_loaded_ms: Option<f64>,
    /// When the page was loaded with all that belongs to it, in milliseconds from the start of the load.
    #[schema(required, minimum = 0)]
    load_ms: Option<f64>,
    /// The width of the window in CSS pixels.
    #[schema(required, minimum = 0)]
    viewport_width: Option<u32>,
    /// The height of the window in CSS pixels.
    #[schema(required, minimum = 0)]
    viewport_height: Option<u32>,
    /// How many errors of any source it told of.
    #[schema(minimum = 0)]
    error_count: u32,
    /// Clicks, taps and keys; null where they were not counted.
    #[schema(required, minimum = 0)]
    interaction_count: Option<u32>,
    /// Whether the page was out of sight when it began. Then paints are null.
    was_hidden: bool,
}

impl From<SingleView> for RumPageviewPublic {
    fn from(view: SingleView) -> Self {
        let SingleView {
            load,
            at,
            url,
            referrer,
            device,
            browser,
            browser_version,
            os,
            country,
            connection,
            navigation,
            values,
            dom_content_loaded_ms,
            load_ms,
            viewport: (viewport_width, viewport_height),
            errors,
            interactions,
            was_hidden,
        } = view;
        Self {
            pageview_id: format!("{load:016x}"),
            viewed_at: at.into(),
            url,
            referrer,
            device: Some(device.name()),
            browser,
            browser_version,
            os,
            country,
            connection,
            navigation_type: navigation,
            vitals: VitalsPublic {
                lcp_ms: values.of(Metric::Lcp),
                inp_ms: values.of(Metric::Inp),
                cls: values.of(Metric::Cls),
                fcp_ms: values.of(Metric::Fcp),
                ttfb_ms: values.of(Metric::Ttfb),
            },
            dom_content_loaded_ms,
            load_ms,
            viewport_width,
            viewport_height,
            error_count: errors,
            interaction_count: interactions,
            was_hidden,
        }
    }
}

impl Example for RumPageviewPublic {
    fn example() -> Self {
        Self {
            pageview_id: "5d1f0c3a9b7e2468".to_owned(),
            viewed_at: datetime!(2026-03-31 09:14 UTC).into(),
            url: "https://shop.example/cart".to_owned(),
            referrer: Some("https://shop.example/".to_owned()),
            device: Some("mobile"),
            browser: Some("Chrome".to_owned()),
            browser_version: Some("140".to_owned()),
            os: Some("Android".to_owned()),
            country: Some("DE".to_owned()),
            connection: Some(Connection::FourG),
            navigation_type: Navigation::Navigate,
            vitals: VitalsPublic::EXAMPLE,
            dom_content_loaded_ms: Some(1_320.5),
            load_ms: Some(2_860.1),
            viewport_width: Some(390),
            viewport_height: Some(844),
            error_count: 0,
            interaction_count: Some(4),
            was_hidden: false,
        }
    }
}

impl Example for PageviewsRoot {
    fn example() -> Self {
        Self {
            meta: RumMeta::example_of(PercentileMethod::Exact),
        }
    }
}

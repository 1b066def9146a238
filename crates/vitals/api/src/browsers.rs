//! GET /domains/{domain_id}/rum/browsers

use pharos_domain::{identity::DomainAccess, page::Page, wire_enum};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    chosen::MOST_ROWS,
    slices::{Dimension, Slice, SliceKey, SliceReads, Slices, Supported},
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    filters::ViewFilters,
    slices::{BASE, SlicePublic, SlicesRoot, read},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumBrowsers",
    path: "/domains/{domain_id}/rum/browsers",
    summary: "Vitals by browser or operating system",
    description: "Percentiles are the 75th, and exact. Shares are of all views that fit the filters. Most views first. A metric that \
                  `supports_…` says a browser does not measure is null, which is not 0.",
    ..BASE
};

wire_enum! {
    /// The property that the views of a row share.
    BrowserGrouping as "RumBrowserGrouping" {
        /// Families of browsers.
        Browser = "browser",
        /// Major versions of browsers.
        BrowserVersion = "browser_version",
        /// Versions of operating systems.
        Os = "os",
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct BrowserParameters {
    /// Whether a row is a family of browsers, a version or a system; left out: a family of browsers.
    #[param(inline, value_type = Option<BrowserGrouping>)]
    group_by: BrowserGrouping,
}

impl Default for BrowserParameters {
    fn default() -> Self {
        Self {
            group_by: BrowserGrouping::Browser,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<BrowserParameters>,
    Query(filters): Query<ViewFilters>,
    slices: Port<dyn SliceReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumBrowserPublic, SlicesRoot>> {
    let grouping = parameters.group_by;
    let dimension = match grouping {
        BrowserGrouping::Browser => Dimension::Browser,
        BrowserGrouping::BrowserVersion => Dimension::BrowserVersion,
        BrowserGrouping::Os => Dimension::Os,
    };
    let wanted = ([dimension], MOST_ROWS);
    let ([found], root) = read(&access, &asked, &filters.into(), wanted, &slices, &reads).await?;
    let items = found
        .slices
        .iter()
        .map(|slice| RumBrowserPublic::new(&found, slice, grouping));
    Ok(Page::single(items.collect()).with(root.of(&found)))
}

/// The views of a browser, or of an operating system.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumBrowser)]
pub(super) struct RumBrowserPublic {
    /// The family of browsers; null where it is not known, and with `group_by=os`.
    #[schema(required)]
    browser: Option<String>,
    /// The major version; null where it is not known, and without `group_by=browser_version`.
    #[schema(required)]
    browser_version: Option<String>,
    /// The operating system; null where it is not known, and without `group_by=os`.
    #[schema(required)]
    os: Option<String>,
    /// Its version; null where it is not known, and without `group_by=os`.
    #[schema(required)]
    os_version: Option<String>,
    /// Whether the browser measures INP: Firefox does since 144, Safari since 26.
    supports_inp: bool,
    /// Whether it measures LCP: Firefox does since 122, Safari since 26.
    supports_lcp: bool,
    /// Whether it measures CLS: only browsers made of Chromium do.
    supports_cls: bool,
    #[serde(flatten)]
    slice: SlicePublic,
}

impl RumBrowserPublic {
    fn new(slices: &Slices, slice: &Slice, grouping: BrowserGrouping) -> Self {
        let (name, version) = match &slice.key {
            SliceKey::Text(name, version) => (Some(name.clone()), version.clone()),
            SliceKey::Kind(_) | SliceKey::Unknown => (None, None),
        };
        let named = name.clone().map(|name| {
            let label = match &version {
                Some(version) => format!("{name} {version}"),
                None => name,
            };
            (label.clone(), label)
        });
        let (browser, browser_version, os, os_version) = match grouping {
            BrowserGrouping::Browser | BrowserGrouping::BrowserVersion => (name, version, None, None),
            BrowserGrouping::Os => (None, None, name, version),
        };
        let supported = Supported::of(browser.as_deref(), browser_version.as_deref(), os.as_deref());
        let slice = Slice {
            key: slice.key.clone(),
            figures: slice.figures.of_supported(supported),
        };
        let slice = SlicePublic::new(slices, &slice, named);
        Self {
            browser,
            browser_version,
            os,
            os_version,
            supports_inp: supported.inp,
            supports_lcp: supported.lcp,
            supports_cls: supported.cls,
            slice,
        }
    }
}

impl Example for RumBrowserPublic {
    fn example() -> Self {
        Self {
            browser: Some("Chrome".to_owned()),
            browser_version: None,
            os: None,
            os_version: None,
            supports_inp: true,
            supports_lcp: true,
            supports_cls: true,
            slice: SlicePublic::example("Chrome", "Chrome"),
        }
    }
}

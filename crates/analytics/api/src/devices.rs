//! GET /domains/{domain_id}/analytics/devices

use pharos_analytics::{
    breakdown::{Breakdown, BreakdownQuery, Breakdowns, Grouping, PartKey},
    filter::Filters,
    filter_texts::FilterTexts,
    store::{SiteStore, VisitStore},
};
use pharos_domain::{identity::DomainAccess, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing, parts};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsDevices",
    path: "/domains/{domain_id}/analytics/devices",
    summary: "With which devices, browsers and systems visitors come",
    description: "With `include_versions` also by the versions of browsers and systems and by the screen's size; else those lists \
                  are left out. Each has the 100 with the most visitors, those first. Laptops are desktops.",
    ..READ
};

/// How long each list is at most.
const ROWS: u32 = 100;

const LISTS: [Grouping; 6] = [
    Grouping::Device,
    Grouping::Browser,
    Grouping::Os,
    Grouping::BrowserVersion,
    Grouping::OsVersion,
    Grouping::Screen,
];

#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct DevicesParameters {
    /// Whether versions and screens are listed too.
    #[param(inline, value_type = Option<bool>)]
    include_versions: bool,
}

pub(super) async fn view(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<DevicesParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
) -> ApiResult<AnalyticsDevicesPublic> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let query = BreakdownQuery {
        limit: ROWS,
        ..parts::query(asked.window, &filters, &site)
    };
    let lists = if parameters.include_versions { 6 } else { 3 };
    let found = visits.breakdowns(&access, &query, &LISTS[..lists]).await?;
    let list = |place: usize| {
        let breakdown = found.breakdowns.get(place);
        breakdown.map(|breakdown| rows(breakdown, &found))
    };
    Ok(AnalyticsDevicesPublic {
        device_types: list(0).unwrap_or_default(),
        browsers: list(1).unwrap_or_default(),
        operating_systems: list(2).unwrap_or_default(),
        browser_versions: list(3),
        os_versions: list(4),
        screen_sizes: list(5),
        meta: meta(&asked, found.last_at),
    })
}

fn rows(breakdown: &Breakdown, all: &Breakdowns) -> Vec<AnalyticsDevicePublic> {
    let row = |part: &pharos_analytics::breakdown::Part| AnalyticsDevicePublic {
        name: name(part.key.clone()),
        visitors: part.totals.visitors,
        sessions: part.totals.sessions,
        share_pct: all.share_pct(part.totals.visitors),
    };
    breakdown.parts.iter().map(row).collect()
}

/// A version is called as what it is one of, and by its number: `Chrome 140`.
fn name(key: PartKey) -> Option<String> {
    match key {
        PartKey::Device(device) => Some(device.name().to_owned()),
        PartKey::Pair(Some(version), Some(of)) => Some(format!("{of} {version}")),
        PartKey::Pair(version, of) => version.or(of),
        PartKey::Text(text) => text,
        PartKey::Channel(_) | PartKey::Place { .. } => None,
    }
}

/// With what visitors come.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DevicesPublic)]
pub(super) struct AnalyticsDevicesPublic {
    /// By device class: `desktop`, `mobile`, `tablet`, `tv`, `console`, `other`.
    device_types: Vec<AnalyticsDevicePublic>,
    /// By browser; mobile variants are folded into their families.
    browsers: Vec<AnalyticsDevicePublic>,
    /// By operating system.
    operating_systems: Vec<AnalyticsDevicePublic>,
    /// By browser with its version; left out without include_versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    browser_versions: Option<Vec<AnalyticsDevicePublic>>,
    /// By operating system with its version; left out without include_versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    os_versions: Option<Vec<AnalyticsDevicePublic>>,
    /// By the screen's size, such as `1920x1080`; left out without include_versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    screen_sizes: Option<Vec<AnalyticsDevicePublic>>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// Sessions with one kind of device, browser or system.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsDevice)]
pub(super) struct AnalyticsDevicePublic {
    /// The name of the device, browser or system; null where it is not known.
    #[schema(required)]
    name: Option<String>,
    /// The distinct visitors of each UTC day, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Sessions.
    #[schema(minimum = 0)]
    sessions: u64,
    /// The share of the visitors of the window that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
}

impl Example for AnalyticsDevicesPublic {
    fn example() -> Self {
        let row = |name: &str| AnalyticsDevicePublic {
            name: Some(name.to_owned()),
            visitors: 2_410,
            sessions: 2_902,
            share_pct: 57.6,
        };
        Self {
            device_types: vec![row("desktop")],
            browsers: vec![row("Chrome")],
            operating_systems: vec![row("Windows")],
            browser_versions: None,
            os_versions: None,
            screen_sizes: None,
            meta: Meta::example(),
        }
    }
}

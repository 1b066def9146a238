//! GET /domains/{domain_id}/rum/devices

use pharos_domain::{collect::client::Device, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    chosen::MOST_ROWS,
    slices::{Dimension, MemoryClass, Slice, SliceReads, Slices, ViewportClass},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    filters::ViewFilters,
    meta::RumMeta,
    slices::{BASE, SlicePublic, SlicesRoot, read},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumDevices",
    path: "/domains/{domain_id}/rum/devices",
    summary: "Vitals by class of device, memory and width of the window",
    description: "Percentiles are the 75th, and exact. Shares are of all views that fit the filters. Most views first. Browsers say \
                  how much memory a device has only where they are made of Chromium, and only over https: elsewhere memory_class is \
                  null.",
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(filters): Query<ViewFilters>,
    slices: Port<dyn SliceReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumDevicePublic, DevicesRoot>> {
    let wanted = [Dimension::Device, Dimension::Memory, Dimension::Viewport];
    let (found, root) = read(
        &access,
        &asked,
        &filters.into(),
        (wanted, MOST_ROWS),
        &slices,
        &reads,
    )
    .await?;
    let [devices, memory, viewports] = &found;
    let items = devices
        .slices
        .iter()
        .map(|slice| RumDevicePublic::new(devices, slice));
    let by_memory = memory
        .slices
        .iter()
        .map(|slice| RumMemoryPublic::new(memory, slice));
    let by_viewport = viewports
        .slices
        .iter()
        .map(|slice| RumViewportPublic::new(viewports, slice));
    Ok(Page::single(items.collect()).with(DevicesRoot::new(
        by_memory.collect(),
        by_viewport.collect(),
        root.of(devices),
    )))
}

/// The members of the answer beside the list of classes of devices.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumDevicesRoot)]
pub(super) struct DevicesRoot {
    /// The same views by how much memory the device has.
    by_memory: Vec<RumMemoryPublic>,
    /// The same views by how wide the window is.
    by_viewport: Vec<RumViewportPublic>,
    /// Which percentile vitals are.
    #[schema(value_type = String)]
    percentile: &'static str,
    /// How many rows there are; left out where there are more than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false)]
    total: Option<u64>,
    /// Whether rows were left out.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl DevicesRoot {
    fn new(by_memory: Vec<RumMemoryPublic>, by_viewport: Vec<RumViewportPublic>, root: SlicesRoot) -> Self {
        let SlicesRoot {
            percentile,
            total,
            truncated,
            meta,
        } = root;
        Self {
            by_memory,
            by_viewport,
            percentile,
            total,
            truncated,
            meta,
        }
    }
}

/// The views of a class of device.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumDeviceRow)]
pub(super) struct RumDevicePublic {
    /// The class: mobile, tablet, desktop, tv, console or other.
    #[schema(value_type = String)]
    device: &'static str,
    #[serde(flatten)]
    slice: SlicePublic,
}

/// The views of devices with so much memory.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumMemory)]
pub(super) struct RumMemoryPublic {
    /// low up to 2 GiB, mid up to 4, high above; null where the browser does not say.
    #[schema(required)]
    memory_class: Option<MemoryClass>,
    #[serde(flatten)]
    slice: SlicePublic,
}

/// The views in windows of such a width.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumViewport)]
pub(super) struct RumViewportPublic {
    /// small below 768 px, medium below 1,280, large from there on; null where it is not known.
    #[schema(required)]
    viewport_class: Option<ViewportClass>,
    #[serde(flatten)]
    slice: SlicePublic,
}

impl RumDevicePublic {
    fn new(slices: &Slices, slice: &Slice) -> Self {
        let device = slice.key.kind(&Device::ALL).unwrap_or(Device::Other).name();
        let label = match device {
            "mobile" => "Mobile",
            "tablet" => "Tablet",
            "desktop" => "Desktop",
            "tv" => "TV",
            "console" => "Games console",
            _ => "Other",
        };
        let named = Some((device.to_owned(), label.to_owned()));
        Self {
            device,
            slice: SlicePublic::new(slices, slice, named),
        }
    }
}

impl RumMemoryPublic {
    fn new(slices: &Slices, slice: &Slice) -> Self {
        let class = slice.key.kind(MemoryClass::ALL);
        let label = |class| match class {
            MemoryClass::Low => "Up to 2 GiB",
            MemoryClass::Mid => "Up to 4 GiB",
            MemoryClass::High => "More than 4 GiB",
        };
        let named = class.map(|class| (class.as_str().to_owned(), label(class).to_owned()));
        Self {
            memory_class: class,
            slice: SlicePublic::new(slices, slice, named),
        }
    }
}

impl RumViewportPublic {
    fn new(slices: &Slices, slice: &Slice) -> Self {
        let class = slice.key.kind(ViewportClass::ALL);
        let label = |class| match class {
            ViewportClass::Small => "Less than 768 px",
            ViewportClass::Medium => "Less than 1,280 px",
            ViewportClass::Large => "1,280 px or more",
        };
        let named = class.map(|class| (class.as_str().to_owned(), label(class).to_owned()));
        Self {
            viewport_class: class,
            slice: SlicePublic::new(slices, slice, named),
        }
    }
}

impl Example for RumDevicePublic {
    fn example() -> Self {
        Self {
            device: "mobile",
            slice: SlicePublic::example("mobile", "Mobile"),
        }
    }
}

impl Example for DevicesRoot {
    fn example() -> Self {
        Self::new(
            vec![RumMemoryPublic {
                memory_class: Some(MemoryClass::Mid),
                slice: SlicePublic::example("mid", "Up to 4 GiB"),
            }],
            vec![RumViewportPublic {
                viewport_class: Some(ViewportClass::Small),
                slice: SlicePublic::example("small", "Less than 768 px"),
            }],
            SlicesRoot::example(),
        )
    }
}

//! GET /domains/{domain_id}/synthetic/runs/{run_id}/resources

use pharos_domain::{
    identity::DomainAccess, ids::RunId, module::Module, page::Page, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::{result::Resource, store::LabStore};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ResourceTotalPublic, examples::example_run, found};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticResources",
    path: "/domains/{domain_id}/synthetic/runs/{run_id}/resources",
    module: Module::Synthetic,
    summary: "The requests of a page in a lab test, in order",
    description: "2,000 at most. URLs are without their queries, which may hold secrets. Times are observed, whatever the profile's \
                  throttling is.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SyntheticRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    store: Port<dyn LabStore>,
) -> ApiResult<Page<ResourcePublic, ResourcesRoot>> {
    let run = found(&*store, &access, id).await?;
    let resources = store.resources(&run).await?;
    let summary = run
        .summary
        .as_ref()
        .map(|summary| summary.resource_summary.as_slice());
    let root = ResourcesRoot {
        summary: summary
            .unwrap_or_default()
            .iter()
            .map(ResourceTotalPublic::from)
            .collect(),
    };
    Ok(Page::single(resources.into_iter().map(ResourcePublic::from).collect()).with(root))
}

/// The resources of a page by type.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabResourcesRoot)]
pub(crate) struct ResourcesRoot {
    /// The same sums that the run has. The icon of the site is not counted.
    summary: Vec<ResourceTotalPublic>,
}

impl Example for ResourcesRoot {
    fn example() -> Self {
        let summary = example_run().summary;
        let totals = summary
            .map(|summary| summary.resource_summary)
            .unwrap_or_default();
        Self {
            summary: totals.iter().map(ResourceTotalPublic::from).collect(),
        }
    }
}

/// A request of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabResource)]
pub(crate) struct ResourcePublic {
    /// The URL without its query.
    url: String,
    /// The version of HTTP, such as `h2`.
    protocol: String,
    /// The type, such as `script`.
    resource_type: String,
    /// The media type.
    mime_type: String,
    /// The status; null without an answer.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// How urgent it was to the browser, such as `very_high`; null where that is not told.
    #[schema(required)]
    priority: Option<String>,
    /// When it was asked for, in milliseconds from the beginning; null where that is not told.
    #[schema(required)]
    start_ms: Option<f64>,
    /// When it was there; null where that is not told.
    #[schema(required)]
    end_ms: Option<f64>,
    /// How long that took; null where that is not told.
    #[schema(required)]
    duration_ms: Option<f64>,
    /// Bytes over the network.
    #[schema(minimum = 0)]
    transfer_bytes: u64,
    /// Bytes, unpacked.
    #[schema(minimum = 0)]
    resource_bytes: u64,
    /// Whether it came from a cache; null where that is not told.
    #[schema(required)]
    from_cache: Option<bool>,
    /// Whether the page waited for it before it painted.
    render_blocking: bool,
    /// Whether somebody else serves it.
    is_third_party: bool,
    /// Who serves it; null where nobody knows.
    #[schema(required)]
    entity: Option<String>,
}

impl From<Resource> for ResourcePublic {
    fn from(resource: Resource) -> Self {
        let Resource {
            url,
            protocol,
            resource_type,
            mime_type,
            status_code,
            priority,
            start_ms,
            end_ms,
            duration_ms,
            transfer_bytes,
            resource_bytes,
            from_cache,
            render_blocking,
            is_third_party,
            entity,
        } = resource;
        Self {
            url,
            protocol,
            resource_type,
            mime_type,
            status_code,
            priority,
            start_ms,
            end_ms,
            duration_ms,
            transfer_bytes,
            resource_bytes,
            from_cache,
            render_blocking,
            is_third_party,
            entity,
        }
    }
}

impl Example for ResourcePublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/style.css".to_owned(),
            protocol: "h2".to_owned(),
            resource_type: "stylesheet".to_owned(),
            mime_type: "text/css".to_owned(),
            status_code: Some(200),
            priority: Some("very_high".to_owned()),
            start_ms: Some(50.1),
            end_ms: Some(379.9),
            duration_ms: Some(329.8),
            transfer_bytes: 108_997,
            resource_bytes: 410_230,
            from_cache: Some(false),
            render_blocking: true,
            is_third_party: false,
            entity: Some("shop.example".to_owned()),
        }
    }
}

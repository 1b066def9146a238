//! POST /domains/{domain_id}/sitemap/files

use pharos_crawl::sitemap::monitor::{address::watched, store::SitemapStore};
use pharos_domain::{
    clock::Clock, credits::Charged, hostname::Hostname, identity::DomainAccess, module::Module, role::Role,
    scope::Scope, site_address::SiteAddresses,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::SitemapFilePublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createSitemapFile",
    method: Verb::Post,
    path: "/domains/{domain_id}/sitemap/files",
    module: Module::Sitemap,
    summary: "Watch another sitemap file",
    description: "It lies on the domain, below it, or on the host that is checked for uptime. It is fetched at once, and \
                  `status` is `pending` until then; of an index the files that it names follow. A file that is watched \
                  already is answered as it is; one that was stopped is watched again, as if it was new.",
    scope: Some(Scope::WriteSitemap),
    min_role: Role::Member,
    credits: Credits::Cheap,
    success: 201,
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<SitemapFileRequest>,
    store: Port<dyn SitemapStore>,
    addresses: Port<dyn SiteAddresses>,
    clock: Port<dyn Clock>,
) -> ApiResult<SitemapFilePublic> {
    let address = addresses.of(&[access.id()]).await?.remove(&access.id());
    let hostname = &access.domain().hostname;
    let url = body
        .judged(|wanted| wanted.parse(hostname, address.as_deref()))
        .map_err(Problem::invalid)?;
    let added = store.add(&access, &url, clock.now()).await?;
    let full = || {
        let why = "1,000 files of this domain are watched, which is as many as can be: stop one first";
        Problem::invalid(vec![Fault::pointer("/url", why.to_owned())])
    };
    added.map(SitemapFilePublic::from).ok_or_else(full)
}

/// A sitemap file to watch.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewSitemapFile)]
pub(crate) struct SitemapFileRequest {
    /// Its URL, http or https. A fragment is cut off.
    #[schema(min_length = 1, max_length = 2_048)]
    url: String,
}

impl SitemapFileRequest {
    fn parse(&self, hostname: &Hostname, address: Option<&str>) -> Result<Url, Vec<Fault>> {
        watched(&self.url, hostname, address).map_err(|why| vec![Fault::pointer("/url", why)])
    }
}

impl Example for SitemapFileRequest {
    fn example() -> Self {
        Self {
            url: "https://shop.example/sitemap-products.xml.gz".to_owned(),
        }
    }
}

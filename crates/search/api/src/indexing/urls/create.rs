//! POST /domains/{domain_id}/indexing/urls

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    scope::Scope,
    settings::{ChangeError, Faults},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_search::indexing::{
    store::urls::{Added, IndexingUrls},
    target,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::indexing::{linked, schemas::IndexingUrlNames, url::UrlPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createIndexingUrl",
    method: Verb::Post,
    path: "/domains/{domain_id}/indexing/urls",
    module: Module::Indexing,
    summary: "Monitor URLs",
    description: "They are inspected at once, as far as the day's inspections last, and from then on in rotation. They count in \
                  the quota `monitored_urls_indexing`; where it has not room for all, none is added. A domain may monitor 50,000 \
                  URLs. Those that are monitored already go on, and are `already_present`. One that was gathered is yours from now \
                  on: its `source` is `manual`, and it stays though nothing lists it any more.",
    scope: Some(Scope::WriteIndexing),
    min_role: Role::Member,
    credits: Credits::Cheap,
    success: 201,
    problems: &[Suffix::GscPropertyNotLinked, Suffix::QuotaExhausted],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<IndexingUrlsCreate>,
    urls: Port<dyn IndexingUrls>,
    clock: Port<dyn Clock>,
) -> ApiResult<IndexingUrlsAdded> {
    let site_url = linked(&*urls, &access).await?;
    let named = body
        .judged(|wanted| {
            let mut faults = Faults::default();
            let named = target::urls("urls", &wanted.urls, &site_url, &mut faults);
            faults.or(|| named)
        })
        .map_err(ChangeError::Faults)?;
    Ok(urls.add(&access, &named, clock.now()).await?.into())
}

/// URLs to monitor.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexingUrlsCreate {
    /// URLs below the linked property, exactly with its scheme and host where it is a URL prefix.
    #[schema(value_type = IndexingUrlNames)]
    urls: Vec<String>,
}

impl Example for IndexingUrlsCreate {
    fn example() -> Self {
        Self {
            urls: vec![
                "https://shop.example/shoes".to_owned(),
                "https://shop.example/hats".to_owned(),
            ],
        }
    }
}

/// The result of adding URLs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IndexingUrlsAdded {
    /// The URLs that were named, each once, in the order of the request.
    items: Vec<UrlPublic>,
    /// How many of them are monitored from now on.
    #[schema(minimum = 0, maximum = 200)]
    added: u32,
    /// How many were monitored before.
    #[schema(minimum = 0, maximum = 200)]
    already_present: u32,
}

impl From<Added> for IndexingUrlsAdded {
    fn from(added: Added) -> Self {
        Self {
            items: added.urls.iter().map(UrlPublic::from).collect(),
            added: added.added,
            already_present: added.already_present,
        }
    }
}

impl Example for IndexingUrlsAdded {
    fn example() -> Self {
        Self {
            items: vec![UrlPublic::example()],
            added: 1,
            already_present: 0,
        }
    }
}

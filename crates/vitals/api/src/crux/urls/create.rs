//! POST /domains/{domain_id}/crux/urls

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    hostname::Hostname,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    scope::Scope,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_vitals::crux::{
    store::CruxStore,
    target::{self, NewTarget},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::CruxUrlPublic;
use crate::crux::origin;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createCruxUrl",
    method: Verb::Post,
    path: "/domains/{domain_id}/crux/urls",
    module: Module::Crux,
    summary: "Follow a page",
    description: "The report is asked for it at once, then once a day, with up to 40 weeks of history the first time. It \
                  counts in the quota `tracked_urls_crux`. A domain may follow 500 pages. A page that is followed already is \
                  answered as it is.",
    scope: Some(Scope::WriteCrux),
    min_role: Role::Member,
    credits: Credits::Cheap,
    success: 201,
    problems: &[Suffix::CruxNotFound, Suffix::QuotaExhausted],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<CruxUrlCreatePublic>,
    store: Port<dyn CruxStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<CruxUrlPublic> {
    let hostname = &access.domain().hostname;
    let page = body
        .judged(|wanted| wanted.page(hostname))
        .map_err(ChangeError::Faults)?;
    let _ = origin(&*store, &access).await?;
    Ok((&store.follow(&access, &page, clock.now()).await?).into())
}

/// A page to follow.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = CruxUrlCreate)]
#[serde(deny_unknown_fields)]
pub(crate) struct CruxUrlCreatePublic {
    /// Its URL, http or https, on the domain or below it. A fragment is cut off.
    #[schema(max_length = 2_000)]
    url: String,
    /// A name for people; null or left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 100)]
    label: Option<String>,
}

impl CruxUrlCreatePublic {
    fn page(&self, hostname: &Hostname) -> Result<NewTarget, Vec<SettingFault>> {
        let mut faults = Faults::default();
        let url = target::page("url", &self.url, hostname, &mut faults);
        let label = target::label(self.label.as_deref(), &mut faults);
        faults.or(|| NewTarget {
            url: url.unwrap_or_default(),
            label,
        })
    }
}

impl Example for CruxUrlCreatePublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/shoes".to_owned(),
            label: Some("Shoes".to_owned()),
        }
    }
}

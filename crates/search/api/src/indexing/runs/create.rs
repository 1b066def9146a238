//! POST /domains/{domain_id}/indexing/inspector/runs

use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{Run, RunKind},
    scope::Scope,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example, stored_answer},
    spec::{Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use pharos_search::indexing::{
    run::requested,
    store::{
        runs::{InspectorRuns, RequestedRun},
        urls::IndexingUrls,
    },
    target,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::InspectorRunPublic;
use crate::indexing::{
    linked,
    schemas::{IndexingUrlNames, InspectorRunLabel, LONGEST_LABEL},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createInspectorRun",
    method: Verb::Post,
    path: "/domains/{domain_id}/indexing/inspector/runs",
    module: Module::Indexing,
    summary: "Inspect URLs now",
    description: "Each URL takes one inspection of the property, of which Google grants 2,000 a day, and one of the plan's quota \
                  `inspector_urls`. Where either has not room for all, none is inspected: 402. A URL that is named twice is \
                  inspected once. Poll `poll_path` until the status is final, then read the results, which are kept for 30 days. \
                  URLs that nobody monitors stay so.",
    scope: Some(Scope::RunIndexing),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::GscPropertyNotLinked, Suffix::QuotaExhausted],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Keyed<DomainAccess>,
    body: Body<InspectorRunRequest>,
    urls: Port<dyn IndexingUrls>,
    runs: Port<dyn InspectorRuns>,
    clock: Port<dyn Clock>,
) -> ApiResult<InspectorRunPublic> {
    let site_url = linked(&*urls, &access).await?;
    let (named, label) = body
        .judged(|wanted| wanted.judge(&site_url))
        .map_err(ChangeError::Faults)?;
    let now = clock.now();
    let run = Run::requested(RunKind::Inspector, &access, now);
    let new = requested(run, access.workspace().workspace().id, &site_url, named, label);
    let answer = |(run, quota): &RequestedRun| {
        stored_answer(&SPEC, &InspectorRunPublic::new(run.clone(), Some(*quota)))
    };
    let (run, quota) = runs.request(&access, &new, &answer, now).await?;
    Ok(InspectorRunPublic::new(run, Some(quota)))
}

/// URLs to inspect.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InspectorRunRequest {
    /// URLs below the linked property, exactly with its scheme and host where it is a URL prefix.
    #[schema(value_type = IndexingUrlNames)]
    urls: Vec<String>,
    /// A name for people; null or left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<InspectorRunLabel>)]
    label: Option<String>,
}

impl InspectorRunRequest {
    fn judge(&self, site_url: &str) -> Result<(Vec<String>, Option<String>), Vec<SettingFault>> {
        let mut faults = Faults::default();
        let named = target::urls("urls", &self.urls, site_url, &mut faults);
        let label = self.label.as_deref().map(str::trim);
        if label.is_some_and(|label| label.is_empty() || label.chars().any(char::is_control)) {
            faults.add(
                "label",
                format!("1 to {LONGEST_LABEL} characters on one line; null for none"),
            );
        }
        faults.or(|| (named, label.map(str::to_owned)))
    }
}

impl Example for InspectorRunRequest {
    fn example() -> Self {
        Self {
            urls: vec!["https://shop.example/shoes".to_owned()],
            label: Some("After the relaunch".to_owned()),
        }
    }
}

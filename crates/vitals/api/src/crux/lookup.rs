//! POST /domains/{domain_id}/crux/lookup

use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    hostname::Hostname,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{Run, RunKind, RunStore},
    scope::Scope,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example, stored_answer},
    run::RunPublic,
    spec::{BASE_PATH, Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use pharos_vitals::crux::{
    FormFactor,
    lookup::lookup,
    record::{Record, Subject},
    store::CruxStore,
    target,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{origin, record::CruxRecordPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "runCruxLookup",
    method: Verb::Post,
    path: "/domains/{domain_id}/crux/lookup",
    module: Module::Crux,
    summary: "Look a page or an origin up now, without following it",
    description: "The run becomes `last_run` of `GET /domains/{domain_id}/crux/record`, with its `result` once it has \
                  succeeded: a record, or null where the report has none. Results are kept for 30 days. The record of a page is read by its \
                  URL as well, after later lookups: `GET /domains/{domain_id}/crux/record?scope=url&url=…`.",
    scope: Some(Scope::RunCrux),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::CruxNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn run(
    access: Keyed<DomainAccess>,
    body: Body<CruxLookupRequest>,
    store: Port<dyn CruxStore>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<LookupRunPublic> {
    let hostname = &access.domain().hostname;
    let (subject, form_factor) = body
        .judged(|wanted| wanted.subject(hostname))
        .map_err(ChangeError::Faults)?;
    let _ = origin(&*store, &access).await?;
    let run = Run::requested(RunKind::CruxLookup, &access, clock.now());
    let new = lookup(run, access.workspace().workspace().id, &subject, form_factor);
    let answer = |run: &Run| stored_answer(&SPEC, &LookupRunPublic::new(run.clone(), None));
    let run = runs.request(&access, &new, &answer).await?;
    Ok(LookupRunPublic::new(run, None))
}

/// The page or origin to look up.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = CruxLookupRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct CruxLookupRequest {
    /// A page, on the domain or below it. Either this or `origin`: the other is null or left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2_000)]
    url: Option<String>,
    /// An origin, on the domain or below it, such as `https://www.shop.example`; null or left out with `url`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2_000)]
    origin: Option<String>,
    /// The devices; null or left out: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    form_factor: Option<FormFactor>,
}

impl CruxLookupRequest {
    fn subject(&self, hostname: &Hostname) -> Result<(Subject, FormFactor), Vec<SettingFault>> {
        let mut faults = Faults::default();
        let subject = match (&self.url, &self.origin) {
            (Some(url), None) => target::page("url", url, hostname, &mut faults).map(Subject::Url),
            (None, Some(origin)) => {
                target::origin("origin", origin, hostname, &mut faults).map(Subject::Origin)
            }
            (Some(_), Some(_)) => {
                faults.contradiction("origin", &["url"], "either a page or an origin, not both");
                None
            }
            (None, None) => {
                faults.add("url", "a page as `url`, or an origin as `origin`, is needed");
                None
            }
        };
        let form_factor = self.form_factor.unwrap_or(FormFactor::All);
        // Without a subject there is a fault.
        faults
            .or(|| subject)?
            .map(|subject| (subject, form_factor))
            .ok_or_else(Vec::new)
    }
}

impl Example for CruxLookupRequest {
    fn example() -> Self {
        Self {
            url: Some("https://shop.example/shoes".to_owned()),
            origin: None,
            form_factor: Some(FormFactor::Mobile),
        }
    }
}

/// A lookup, and what it found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxLookupRun)]
pub(crate) struct LookupRunPublic {
    #[serde(flatten)]
    run: RunPublic,
    /// The record; null while the run is not done, and where the report has none.
    #[schema(required)]
    result: Option<CruxRecordPublic>,
}

impl LookupRunPublic {
    pub(super) fn new(run: Run, result: Option<Record>) -> Self {
        let poll_path = format!("{BASE_PATH}/domains/{}/crux/record", run.domain_id);
        Self {
            run: RunPublic::new(run, poll_path),
            result: result.map(CruxRecordPublic::from),
        }
    }
}

impl Example for LookupRunPublic {
    fn example() -> Self {
        Self {
            run: RunPublic::example(),
            result: None,
        }
    }
}

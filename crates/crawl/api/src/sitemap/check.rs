//! POST /domains/{domain_id}/sitemap/check

use pharos_crawl::sitemap::monitor::run::check_run;
use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    identity::DomainAccess,
    module::Module,
    role::Role,
    runs::{Run, RunKind, RunStore},
    scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, stored_answer},
    run::RunPublic,
    spec::{BASE_PATH, Bucket, Credits, Idempotency, OperationSpec, Verb},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "runSitemapCheck",
    method: Verb::Post,
    path: "/domains/{domain_id}/sitemap/check",
    module: Module::Sitemap,
    summary: "Fetch all sitemap files now",
    description: "Beside the schedule: every file that is watched, and those that robots.txt or an index names since. \
                  `poll_path` lists the files that the run has fetched so far. A file that can't be fetched does not fail the \
                  run: its `status` says so. It counts as a fetch like any other, so a page that two runs in a row miss is \
                  removed.",
    scope: Some(Scope::RunSitemap),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    ..OperationSpec::GET
};

pub(super) async fn run(
    access: Keyed<DomainAccess>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<RunPublic> {
    let run = Run::requested(RunKind::SitemapCheck, &access, clock.now());
    let new = check_run(run, access.workspace().workspace().id);
    let answer = |run: &Run| stored_answer(&SPEC, &public(run.clone()));
    Ok(public(runs.request(&access, &new, &answer).await?))
}

pub(super) fn public(run: Run) -> RunPublic {
    let Run { id, domain_id, .. } = run;
    let poll_path = format!("{BASE_PATH}/domains/{domain_id}/sitemap/files?run_id={id}");
    RunPublic::new(run, poll_path)
}

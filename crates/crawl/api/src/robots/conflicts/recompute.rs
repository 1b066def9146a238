//! POST /domains/{domain_id}/robots/sitemap-conflicts/recompute

use pharos_crawl::sitemap::monitor::run::conflicts_run;
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
    spec::{BASE_PATH, Credits, Idempotency, OperationSpec, Verb},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "recomputeRobotsSitemapConflicts",
    method: Verb::Post,
    path: "/domains/{domain_id}/robots/sitemap-conflicts/recompute",
    module: Module::Robots,
    summary: "Hold the pages of the sitemaps against the robots.txt anew",
    description: "As both are known: nothing is fetched. `poll_path` lists the conflicts; once the run is done, their \
                  `computed_at` lies after its `requested_at`.",
    scope: Some(Scope::WriteRobots),
    min_role: Role::Member,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    ..OperationSpec::GET
};

pub(crate) async fn recompute(
    access: Keyed<DomainAccess>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<RunPublic> {
    let run = Run::requested(RunKind::RobotsCheck, &access, clock.now());
    let new = conflicts_run(run, access.workspace().workspace().id);
    let answer = |run: &Run| stored_answer(&SPEC, &public(run.clone()));
    Ok(public(runs.request(&access, &new, &answer).await?))
}

fn public(run: Run) -> RunPublic {
    let poll_path = format!("{BASE_PATH}/domains/{}/robots/sitemap-conflicts", run.domain_id);
    RunPublic::new(run, poll_path)
}

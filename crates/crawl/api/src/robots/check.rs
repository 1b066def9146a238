//! POST /domains/{domain_id}/robots/check

use pharos_crawl::robots::monitor::run::check_run;
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
    id: "runRobotsCheck",
    method: Verb::Post,
    path: "/domains/{domain_id}/robots/check",
    module: Module::Robots,
    summary: "Fetch the robots.txt now",
    description: "One fetch, beside the schedule. `poll_path` lists the check of the run once it is done. A site that is \
                  down does not fail the run: its check says so.",
    scope: Some(Scope::RunRobots),
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
    let run = Run::requested(RunKind::RobotsCheck, &access, clock.now());
    let new = check_run(run, access.workspace().workspace().id);
    let answer = |run: &Run| stored_answer(&SPEC, &public(run.clone()));
    Ok(public(runs.request(&access, &new, &answer).await?))
}

fn public(run: Run) -> RunPublic {
    let Run { id, domain_id, .. } = run;
    let poll_path = format!("{BASE_PATH}/domains/{domain_id}/robots/checks?run_id={id}");
    RunPublic::new(run, poll_path)
}

//! POST /domains/{domain_id}/uptime/check

use pharos_domain::{
    clock::Clock,
    credits::Keyed,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{Run, RunKind, RunStore},
    scope::Scope,
};
use pharos_http::{
    extract::{body::OptionalBody, port::Port},
    operation::{ApiResult, Example, stored_answer},
    problem::{Fault, Problem},
    run::RunPublic,
    spec::{BASE_PATH, Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use pharos_uptime::{run::from_regions, store::MonitorStore};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{config::schemas::RegionKeys, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "runUptimeCheck",
    method: Verb::Post,
    path: "/domains/{domain_id}/uptime/check",
    module: Module::Uptime,
    summary: "Check the site now, from all or some of its regions",
    description: "One check from each region, beside the schedule. `poll_path` lists the checks of the run: it is done \
                  when there are `total_items`, one from each region. A region that no worker runs in at the moment does its check \
                  once one does. The checks count as any others do: they may confirm or end an outage, and a failure \
                  is checked again after 10 seconds. A paused monitor can be checked too: the status shows what its \
                  last check found, and nothing else changes. Without a body: from all regions.",
    scope: Some(Scope::RunUptime),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

pub(super) async fn run(
    access: Keyed<DomainAccess>,
    OptionalBody(body): OptionalBody<UptimeCheckRequest>,
    monitors: Port<dyn MonitorStore>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<RunPublic> {
    let monitor = monitors.view(&access).await?.ok_or_else(missing)?;
    let regions = body
        .judged(|request| request.regions(&monitor.settings.regions))
        .map_err(Problem::invalid)?;
    let run = Run::requested(RunKind::UptimeCheck, &access, clock.now());
    let new = from_regions(run, access.workspace().workspace().id, &regions);
    let answer = |run: &Run| stored_answer(&SPEC, &public(run.clone()));
    Ok(public(runs.request(&access, &new, &answer).await?))
}

fn public(run: Run) -> RunPublic {
    let Run { id, domain_id, .. } = run;
    let poll_path = format!("{BASE_PATH}/domains/{domain_id}/uptime/checks?run_id={id}");
    RunPublic::new(run, poll_path)
}

/// Where to check from.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct UptimeCheckRequest {
    /// Some of the monitor's regions, each once; null or left out for all of them.
    #[schema(value_type = Option<RegionKeys>)]
    regions: Option<Vec<String>>,
}

impl UptimeCheckRequest {
    /// The regions to check from, of those that the monitor has.
    fn regions(&self, all: &[String]) -> Result<Vec<String>, Vec<Fault>> {
        let Some(regions) = &self.regions else {
            return Ok(all.to_vec());
        };
        let fault = |(at, region): (usize, &String)| {
            let why = || format!("not one of the monitor's regions, which are {}", all.join(", "));
            (!all.contains(region)).then(|| Fault::pointer(format!("/regions/{at}"), why()))
        };
        let faults: Vec<Fault> = regions.iter().enumerate().filter_map(fault).collect();
        if faults.is_empty() {
            Ok(regions.clone())
        } else {
            Err(faults)
        }
    }
}

impl Example for UptimeCheckRequest {
    fn example() -> Self {
        Self {
            regions: Some(vec!["local".to_owned()]),
        }
    }
}

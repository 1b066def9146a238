//! The background work of uptime: the checks of the schedule, registrations, and the checks of runs.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_egress::address_policy::AddressPolicy;
use pharos_supervisor::Task;
use pharos_uptime::{
    checker::Checker,
    metrics,
    probe::{ProbeLimits, Prober},
    registration::rdap::RdapClient,
    registration::watch::RegistrationWatch,
    run::CheckRuns,
    scheduler::Scheduler,
};

use super::{
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{config::Config, role::Role};

const SCHEDULER: Task = Task::aside("scheduler");
const REGISTRATIONS: Task = Task::aside("registrations");

/// The work of a node for uptime, as its roles say.
///
/// # Errors
/// Checks or registrations need what can't be had: name servers, certificate authorities, a missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        policy,
        clock,
        schedule_bells,
        ..
    } = *context;
    metrics::checks_of(&config.region);
    let checker = Checker {
        prober: Arc::new(prober(config, policy.clone())?),
        clock: Arc::clone(clock),
        region: config.region.clone(),
    };
    let mut work = Work::default();
    if config.roles.contains(&Role::Scheduler) {
        let scheduler = Scheduler {
            store: ports.get()?,
            checker: checker.clone(),
            bell: schedule_bells.add(),
            concurrency: config.check_concurrency,
            place: config.place(),
        };
        work.tasks.push(BackgroundTask {
            task: SCHEDULER,
            run: Box::new(move |stop, abandon| scheduler.clone().run(stop, abandon).boxed()),
        });
        let registrations = RegistrationWatch {
            store: ports.get()?,
            client: Arc::new(rdap(config, policy.clone())?),
            clock: Arc::clone(clock),
        };
        work.tasks.push(BackgroundTask {
            task: REGISTRATIONS,
            run: Box::new(move |stop, abandon| registrations.clone().run(stop, abandon).boxed()),
        });
    }
    work.handlers.push(Arc::new(CheckRuns {
        store: ports.get()?,
        runs: ports.get()?,
        checker,
    }));
    Ok(work)
}

fn prober(config: &Config, policy: AddressPolicy) -> anyhow::Result<Prober> {
    let (resolver, trust) = (resolver()?, trust(config)?);
    Ok(Prober::new(resolver, policy, &trust, ProbeLimits::default())?)
}

fn rdap(config: &Config, policy: AddressPolicy) -> anyhow::Result<RdapClient> {
    let (resolver, trust) = (resolver()?, trust(config)?);
    Ok(RdapClient::new(
        resolver,
        policy,
        &trust,
        config.rdap_bootstrap()?,
    )?)
}

//! The background work of uptime: the checks of the schedule, registrations, and the checks of runs.

use std::sync::Arc;

use anyhow::Context;
use futures_util::FutureExt;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
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

use super::work::{BackgroundTask, Work, WorkContext};
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

fn resolver() -> anyhow::Result<NameResolver> {
    NameResolver::system().context("the system's name servers can't be read")
}

fn trust(config: &Config) -> anyhow::Result<TrustAnchors> {
    let mut trust = TrustAnchors::web();
    if let Some(file) = &config.probe_roots {
        let pem = std::fs::read(file).with_context(|| format!("probe_roots {}", file.display()))?;
        trust = trust
            .with_extra(&pem)
            .with_context(|| format!("probe_roots {}", file.display()))?;
    }
    Ok(trust)
}

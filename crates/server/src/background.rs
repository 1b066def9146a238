//! What a node does beside answering: the checks of its schedule, registrations, and jobs, as its roles say.

use std::sync::Arc;

use anyhow::Context;
use pharos_domain::clock::Clock;
use pharos_http::metering::ResponseCache;
use pharos_persistence::{jobs::bell::JobBell, stores::Stores};
use pharos_uptime::{
    address_policy::AddressPolicy,
    checker::Checker,
    probe::{NameResolver, ProbeLimits, Prober, TrustAnchors},
    registration::{rdap::RdapClient, watch::RegistrationWatch},
    run::CheckRuns,
    scheduler::Scheduler,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    config::{Config, Role},
    worker::{Pace, Worker},
};

/// What the work of a node is made from.
pub(crate) struct Background<'a> {
    pub(crate) config: &'a Config,
    pub(crate) stores: &'a Stores,
    pub(crate) bell: Arc<JobBell>,
    pub(crate) cache: Arc<dyn ResponseCache>,
    pub(crate) policy: AddressPolicy,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Background<'_> {
    /// Begins, and works until `stop`; then what runs may end until `abandon`.
    pub(crate) fn start(
        self,
        stop: &CancellationToken,
        abandon: &CancellationToken,
    ) -> anyhow::Result<Vec<JoinHandle<()>>> {
        let Self {
            config,
            stores,
            bell,
            cache,
            policy,
            clock,
        } = self;
        let [schedules, does_jobs] = [Role::Scheduler, Role::Worker].map(|role| config.roles.contains(&role));
        let mut tasks = Vec::new();
        if !schedules && !does_jobs {
            return Ok(tasks);
        }
        let checker = Checker {
            prober: Arc::new(prober(config, policy.clone())?),
            clock: Arc::clone(&clock),
            region: config.region.clone(),
        };
        if schedules {
            let scheduler = Scheduler {
                store: stores.schedule.clone(),
                checker: checker.clone(),
                concurrency: config.check_concurrency,
                place: config.place(),
            };
            tasks.push(tokio::spawn(scheduler.run(stop.clone(), abandon.clone())));
            let registrations = RegistrationWatch {
                store: stores.registrations.clone(),
                client: Arc::new(rdap(config, policy)?),
                clock: Arc::clone(&clock),
            };
            tasks.push(tokio::spawn(registrations.run(stop.clone())));
        }
        if does_jobs {
            let checks = CheckRuns {
                store: stores.schedule.clone(),
                checker,
            };
            let worker = Worker {
                queue: stores.jobs.clone(),
                handlers: vec![Arc::new(checks)],
                bell,
                cache,
                clock,
                region: config.region.clone(),
                concurrency: config.job_concurrency,
                pace: Pace::default(),
            };
            tasks.push(tokio::spawn(worker.run(stop.clone(), abandon.clone())));
        }
        Ok(tasks)
    }
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

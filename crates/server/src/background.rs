//! What a node does beside answering: upkeep, the checks of its schedule, registrations, and jobs, as its roles say.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use pharos_auth::{last_used::LastUsed, store::CredentialStore};
use pharos_domain::clock::Clock;
use pharos_http::metering::ResponseCache;
use pharos_persistence::{jobs::bell::JobBell, pool::Database};
use pharos_supervisor::{Supervisor, Task};
use pharos_uptime::{
    address_policy::AddressPolicy,
    checker::Checker,
    probe::{NameResolver, ProbeLimits, Prober, TrustAnchors},
    registration::{rdap::RdapClient, watch::RegistrationWatch},
    run::CheckRuns,
    scheduler::Scheduler,
};
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    config::{Config, Role},
    stores::Stores,
    upkeep::Upkeep,
    worker::{Pace, Worker},
};

/// How often the use of credentials is written.
const FLUSH: Duration = Duration::from_secs(5);

const UPKEEP: Task = Task::aside("upkeep");
const LAST_USED: Task = Task::aside("last use of credentials");
const SCHEDULER: Task = Task::aside("scheduler");
const REGISTRATIONS: Task = Task::aside("registrations");
const WORKER: Task = Task::aside("worker");

/// What the work of a node is made from.
pub struct Background<'a> {
    /// The node's roles, and what they need to know.
    pub config: &'a Config,
    /// What upkeep sees to.
    pub database: Database,
    /// The ports that it implements.
    pub stores: &'a Stores,
    /// Rings when a job was enqueued.
    pub bell: Arc<JobBell>,
    /// Keeps answers, which jobs outdate.
    pub cache: Arc<dyn ResponseCache>,
    /// Where checks may go.
    pub policy: AddressPolicy,
    /// When credentials were last used, still to be written.
    pub last_used: Arc<LastUsed>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Background<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Background")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

impl Background<'_> {
    /// Begins, and works until `stop`; then what runs may end until `abandon`.
    ///
    /// # Errors
    /// What checks or registrations need can't be had: name servers, certificate authorities.
    pub fn start(
        self,
        supervisor: &Supervisor,
        stop: &CancellationToken,
        abandon: &CancellationToken,
    ) -> anyhow::Result<Vec<JoinHandle<()>>> {
        let Self {
            config,
            database,
            stores,
            bell,
            cache,
            policy,
            last_used,
            clock,
        } = self;
        let [schedules, does_jobs] = [Role::Scheduler, Role::Worker].map(|role| config.roles.contains(&role));
        let upkeep = Upkeep::new(database, Arc::clone(&stores.jobs), Arc::clone(&clock));
        let (credentials, stopping, ending) = (Arc::clone(&stores.credentials), stop.clone(), stop.clone());
        let mut tasks = vec![
            supervisor.spawn(UPKEEP, stop, move || upkeep.clone().run(stopping.clone())),
            supervisor.spawn(LAST_USED, stop, move || {
                flush(Arc::clone(&last_used), Arc::clone(&credentials), ending.clone())
            }),
        ];
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
            let (stopping, abandoned) = (stop.clone(), abandon.clone());
            tasks.push(supervisor.spawn(SCHEDULER, stop, move || {
                scheduler.clone().run(stopping.clone(), abandoned.clone())
            }));
            let registrations = RegistrationWatch {
                store: stores.registrations.clone(),
                client: Arc::new(rdap(config, policy)?),
                clock: Arc::clone(&clock),
            };
            let stopping = stop.clone();
            tasks.push(supervisor.spawn(REGISTRATIONS, stop, move || {
                registrations.clone().run(stopping.clone())
            }));
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
            let (stopping, abandoned) = (stop.clone(), abandon.clone());
            tasks.push(supervisor.spawn(WORKER, stop, move || {
                worker.clone().run(stopping.clone(), abandoned.clone())
            }));
        }
        Ok(tasks)
    }
}

/// Writes when credentials were last used, now and then and at the end.
async fn flush(last_used: Arc<LastUsed>, credentials: Arc<dyn CredentialStore>, stop: CancellationToken) {
    loop {
        let stopping = timeout(FLUSH, stop.cancelled()).await.is_ok();
        if let Err(error) = last_used.flush(&*credentials).await {
            tracing::warn!(%error, "the use of credentials can't be written at the moment");
        }
        if stopping {
            return;
        }
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

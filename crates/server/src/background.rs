//! The work of a node beside answering: upkeep, the work of the groups, and jobs, as its roles say.

use std::{collections::HashMap, sync::Arc, time::Duration};

use anyhow::bail;
use pharos_auth::{last_used::LastUsed, store::CredentialStore};
use pharos_domain::{
    clock::Clock, jobs::JobKind, kept_answers::KeptAnswers, log_pace::LogPace, ports::Ports,
    refusals::RefusalWriter,
};
use pharos_due::bell::{Bell, Bells};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::metering::{CachedAnswers, ResponseCache};
use pharos_metering::refusals::Refusals;
use pharos_persistence::pool::Database;
use pharos_supervisor::{Supervisor, Task};
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    groups::{
        GROUPS,
        work::{BackgroundTask, Work, WorkContext},
    },
    role::Role,
    upkeep::Upkeep,
    worker::{Worker, WorkerPace},
};

/// How often the use of credentials is written.
const FLUSH: Duration = Duration::from_secs(5);
/// How often refused requests are written. Only the last of each workspace wait, so that a key that floods costs few rows.
const WRITE_REFUSALS: Duration = Duration::from_secs(10);

const UPKEEP: Task = Task::aside("upkeep");
const LAST_USED: Task = Task::aside("last use of credentials");
const REFUSALS: Task = Task::aside("refused requests");
const WORKER: Task = Task::aside("worker");
const LAB_WORKER: Task = Task::aside("worker of lab tests");
/// All of them together: what they run on.
const RUNTIME: Task = Task::aside("background work");

/// The parts that the work of a node is made from.
pub struct Background<'a> {
    /// The node's roles, and what they need to know.
    pub config: &'a Config,
    /// The database that upkeep maintains.
    pub database: Database,
    /// The ports on it.
    pub ports: Ports,
    /// Rings when a job was enqueued.
    pub bell: Arc<Bell>,
    /// The same for the worker of lab tests.
    pub lab_bell: Arc<Bell>,
    /// Ring when what is due has changed.
    pub schedule_bells: Arc<Bells>,
    /// Keeps answers, which jobs outdate.
    pub cache: Arc<dyn ResponseCache>,
    /// Where checks may go.
    pub policy: AddressPolicy,
    /// When credentials were last used, still to be written.
    pub last_used: Arc<LastUsed>,
    /// Refused requests, still to be written.
    pub refusals: Arc<Refusals>,
    /// The clock of all of this work.
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
    /// Something that the work of a group needs can't be had: name servers, certificate authorities, a port; or two groups
    /// have jobs of one kind, or add one port.
    pub fn start(
        self,
        supervisor: &Supervisor,
        stop: &CancellationToken,
        abandon: &CancellationToken,
    ) -> anyhow::Result<Vec<JoinHandle<()>>> {
        let Self {
            config,
            database,
            ports,
            bell,
            lab_bell,
            schedule_bells,
            cache,
            policy,
            last_used,
            refusals,
            clock,
        } = self;
        ports.added_once()?;
        let does_jobs = config.roles.contains(&Role::Worker);
        let works = [Role::Worker, Role::Lab, Role::Scheduler]
            .iter()
            .any(|role| config.roles.contains(role));
        let upkeep = Upkeep::new(database, ports.get()?, Arc::clone(&clock));
        let (credentials, stopping, ending) = (ports.get()?, stop.clone(), stop.clone());
        let (writer, last) = (ports.get::<dyn RefusalWriter>()?, stop.clone());
        let mut tasks = vec![
            supervisor.feel_pulse(RUNTIME, stop),
            supervisor.spawn(UPKEEP, stop, move || upkeep.clone().run(stopping.clone())),
            supervisor.spawn(LAST_USED, stop, move || {
                flush(Arc::clone(&last_used), Arc::clone(&credentials), ending.clone())
            }),
            supervisor.spawn(REFUSALS, stop, move || {
                write_refusals(Arc::clone(&refusals), Arc::clone(&writer), last.clone())
            }),
        ];
        if !works {
            return Ok(tasks);
        }
        let answers: Arc<dyn KeptAnswers> = Arc::new(CachedAnswers(Arc::clone(&cache)));
        let context = WorkContext {
            config,
            ports: &ports,
            policy: &policy,
            clock: &clock,
            schedule_bells: &schedule_bells,
            answers: &answers,
        };
        let (mut handlers, mut measuring) = (Vec::new(), Vec::new());
        let mut kinds = HashMap::new();
        for group in GROUPS {
            let Some(make) = group.work else { continue };
            let work = make(&context)?;
            one_handler_a_kind(&mut kinds, group.postgres.schema.group, &work)?;
            handlers.extend(work.handlers);
            measuring.extend(work.measuring);
            for BackgroundTask { task, run } in work.tasks {
                let (stopping, abandoned) = (stop.clone(), abandon.clone());
                tasks.push(supervisor.spawn(task, stop, move || run(stopping.clone(), abandoned.clone())));
            }
        }
        let mut workers = Vec::new();
        if does_jobs {
            workers.push((WORKER, handlers, bell));
        }
        if !measuring.is_empty() {
            workers.push((LAB_WORKER, measuring, lab_bell));
        }
        for (task, handlers, bell) in workers {
            let worker = Worker {
                queue: ports.get()?,
                handlers,
                bell,
                cache: Arc::clone(&cache),
                region: config.region.clone(),
                concurrency: config.job_concurrency,
                pace: WorkerPace::default(),
            };
            let (stopping, abandoned) = (stop.clone(), abandon.clone());
            tasks.push(supervisor.spawn(task, stop, move || {
                worker.clone().run(stopping.clone(), abandoned.clone())
            }));
        }
        Ok(tasks)
    }
}

/// Notes the kinds of jobs that a group does. No other handler does one of them, whichever worker has it: a worker claims jobs by
/// their kinds, and would leave it to chance which of the two does them.
fn one_handler_a_kind(
    kinds: &mut HashMap<JobKind, &'static str>,
    group: &'static str,
    work: &Work,
) -> anyhow::Result<()> {
    for handler in work.handlers.iter().chain(&work.measuring) {
        let kind = handler.kind();
        if let Some(other) = kinds.insert(kind, group) {
            bail!(
                "two handlers do jobs of the kind {kind}, of the groups {other} and {group}; give one of them another name"
            );
        }
    }
    Ok(())
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

/// Writes refused requests, now and then and at the end.
async fn write_refusals(refusals: Arc<Refusals>, writer: Arc<dyn RefusalWriter>, stop: CancellationToken) {
    loop {
        let stopping = timeout(WRITE_REFUSALS, stop.cancelled()).await.is_ok();
        if let Err(error) = refusals.flush(&*writer).await {
            static PACE: LogPace = LogPace::new();
            if let Some(held_back) = PACE.turn() {
                tracing::warn!(%error, held_back, "refused requests can't be written at the moment");
            }
        }
        if stopping {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use pharos_domain::jobs::{Changed, ClaimedJob, JobFailure, JobHandler};

    use super::*;

    struct Handler(&'static str);

    #[async_trait]
    impl JobHandler for Handler {
        fn kind(&self) -> JobKind {
            JobKind::new(self.0)
        }

        async fn run(&self, _: &ClaimedJob) -> Result<Changed, JobFailure> {
            Ok(Changed::new())
        }
    }

    /// The work of a group that does jobs of these kinds, and measures by jobs of those.
    fn work(handlers: &[&'static str], measuring: &[&'static str]) -> Work {
        let of = |kinds: &[&'static str]| -> Vec<Arc<dyn JobHandler>> {
            let handlers = kinds
                .iter()
                .map(|&kind| -> Arc<dyn JobHandler> { Arc::new(Handler(kind)) });
            handlers.collect()
        };
        Work {
            handlers: of(handlers),
            measuring: of(measuring),
            ..Work::default()
        }
    }

    #[test]
    fn two_handlers_of_one_kind_are_refused_by_name_in_whichever_groups_and_workers_they_are() {
        let together = |first: &Work, second: &Work| {
            let mut kinds = HashMap::new();
            one_handler_a_kind(&mut kinds, "search", first)?;
            one_handler_a_kind(&mut kinds, "synthetic", second)
        };
        together(&work(&["import"], &["crawl"]), &work(&["test"], &["picture"])).unwrap();
        for second in [work(&["crawl"], &[]), work(&[], &["crawl"])] {
            let refusal = together(&work(&["import", "crawl"], &[]), &second).unwrap_err();
            assert_eq!(
                refusal.to_string(),
                "two handlers do jobs of the kind crawl, of the groups search and synthetic; give one of them another name"
            );
        }
        let refusal = together(&work(&["crawl"], &["crawl"]), &work(&[], &[])).unwrap_err();
        assert!(refusal.to_string().contains("search and search"), "{refusal}");
    }
}

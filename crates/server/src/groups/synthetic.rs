//! The background work of the lab: the planning of tests, the tests themselves, and the end of their pictures. And what a
//! machine lacks for tests.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use pharos_artefacts::store::Artefacts;
use pharos_domain::clock::Clock;
use pharos_egress::address_policy::AddressPolicy;
use pharos_supervisor::Task;
use pharos_synthetic::{
    conditions::SLOW_BELOW,
    erasure::{FileErasure, erase_old},
    lab::{LOAD_WITHIN, Lab, LabSettings, NoLab, Versions, engine::Engine, handler::LabRuns, work_folder},
    metrics,
    pagespeed::PageSpeed,
    schedule::LabPlanner,
    store::LabSchedule,
};
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

use super::{
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{config::Config, finding::Finding, role::Role, sentence::sentence};

const PLANS: Task = Task::aside("plans of lab tests");
const PICTURES: Task = Task::aside("pictures of lab tests");

/// How often old pictures are looked for.
const FORGETS_EVERY: Duration = Duration::from_secs(3_600);

/// The work of a node for the lab, by its roles. A node that has neither Lighthouse and Chromium nor a key of PageSpeed Insights
/// leaves tests to others.
///
/// # Errors
/// Requests need what can't be had: name servers, certificate authorities, a missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        policy,
        clock,
        schedule_bells,
        answers,
        ..
    } = *context;
    let mut work = Work::default();
    if config.roles.contains(&Role::Scheduler) {
        let planner = LabPlanner {
            store: ports.get()?,
            clock: Arc::clone(clock),
            bell: schedule_bells.add(),
            answers: Arc::clone(answers),
        };
        work.tasks.push(BackgroundTask {
            task: PLANS,
            run: Box::new(move |stop, abandon| planner.clone().run(stop, abandon).boxed()),
        });
    }
    if config.roles.contains(&Role::Worker) {
        let (artefacts, clock): (Arc<Artefacts>, _) = (ports.get()?, Arc::clone(clock));
        let store: Arc<dyn LabSchedule> = ports.get()?;
        work.handlers.push(Arc::new(FileErasure {
            artefacts: Arc::clone(&artefacts),
        }));
        work.tasks.push(BackgroundTask {
            task: PICTURES,
            run: Box::new(move |stop, _| {
                forget(
                    Arc::clone(&store),
                    Arc::clone(&artefacts),
                    Arc::clone(&clock),
                    stop,
                )
                .boxed()
            }),
        });
    }
    if config.roles.contains(&Role::Lab)
        && let Some(engine) = engine(config, policy)?
    {
        metrics::begin();
        work.measuring.push(Arc::new(LabRuns {
            store: ports.get()?,
            engine,
            sealing: ports.get()?,
            artefacts: ports.get()?,
            clock: Arc::clone(clock),
        }));
    }
    Ok(work)
}

/// The engine that measures pages on a node: a browser where it has one, else Google where it has a key.
fn engine(config: &Config, policy: &AddressPolicy) -> anyhow::Result<Option<Engine>> {
    match lab(config, policy.clone())? {
        Some(Ok(lab)) => return Ok(Some(Engine::Browser(Arc::new(lab)))),
        Some(Err(reason)) => tracing::warn!(%reason, "this node has no browser for lab tests"),
        None => {}
    }
    let Some(key) = config.pagespeed_api_key.clone() else {
        if config.lab_folder.is_none() {
            tracing::info!(
                "this node has the role lab, and measures no pages: neither lab_folder nor pagespeed_api_key is set"
            );
        }
        return Ok(None);
    };
    let service = config.pagespeed_service()?;
    let client = PageSpeed::new(resolver()?, policy.clone(), &trust(config)?, service, key)?;
    Ok(Some(Engine::PageSpeed(Arc::new(client))))
}

/// The lab of a node, or why it has none; `None`: it is to have none.
///
/// # Errors
/// The system's name servers can't be read.
fn lab(config: &Config, policy: AddressPolicy) -> anyhow::Result<Option<Result<Lab, NoLab>>> {
    let Some(folder) = config.lab_folder.clone() else {
        return Ok(None);
    };
    let settings = LabSettings {
        folder,
        chromium: config.chromium(),
        sandbox: config.lab_sandbox,
        work: work_folder(),
        load_within: LOAD_WITHIN,
    };
    Ok(Some(Lab::open(settings, resolver()?, policy)))
}

/// The programs of the lab, which are asked for their versions, and how fast a browser is here.
pub(super) async fn lab_tests(config: &Config) -> Finding {
    const WHAT: &str = "lab tests";
    if !config.roles.contains(&Role::Lab) {
        return Finding::well(WHAT, "this node runs none, since it has not the role lab");
    }
    let by_google = config.pagespeed_api_key.is_some();
    let lab = match lab(config, AddressPolicy::public()) {
        Ok(Some(Ok(lab))) => lab,
        Ok(None) if by_google => {
            return Finding::well(WHAT, "by PageSpeed Insights, since lab_folder is not set");
        }
        Ok(None) => {
            return Finding::well(
                WHAT,
                "this node runs none, since neither lab_folder nor pagespeed_api_key is set: for some, install Chromium, run `npm ci` in \
                 crates/synthetic/core/lab, and set lab_folder to it",
            );
        }
        Ok(Some(Err(reason))) => return Finding::wrong(WHAT, &reason),
        Err(error) => return Finding::wrong(WHAT, &sentence(&error)),
    };
    let Versions {
        lighthouse,
        chromium,
        node,
    } = lab.versions();
    let versions = format!("Lighthouse {lighthouse}, Chromium {chromium}, Node.js {node}");
    match lab.benchmark_index().await {
        Ok(index) => Finding::well(
            WHAT,
            format!("{versions}; the benchmark index is {}", speed(index)),
        ),
        Err(error) => Finding::wrong(WHAT, &format!("{versions}; the browser does not work: {error}")),
    }
}

/// A benchmark index, and what to do about one that is too low. A machine that is busy at the moment has one, too, so it is no fault.
fn speed(index: f64) -> String {
    if index < SLOW_BELOW {
        format!(
            "{index:.0}: below {SLOW_BELOW:.0} scores of performance are too low to be trusted; give the lab a faster machine, or one \
             that does nothing else (`roles = [\"lab\"]`)"
        )
    } else {
        format!("{index:.0}")
    }
}

async fn forget(
    store: Arc<dyn LabSchedule>,
    artefacts: Arc<Artefacts>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let mut ticks = interval(FORGETS_EVERY);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match erase_old(&*store, &artefacts, clock.now()).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "the pictures of old lab tests are gone"),
            Err(error) => tracing::warn!(%error, "old pictures of lab tests can't be removed at the moment"),
        }
    }
}

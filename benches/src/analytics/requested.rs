//! An experiment with its evaluation, and a run of a report with its rows, which are read by their ids.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use pharos_analytics::{
    experiments::{
        Design, Evaluation, ExperimentDraft, ExperimentMethod, ExperimentMetric, ExperimentStore,
        NewEvaluation,
    },
    filter_texts::FilterTexts,
    reports::{AnalyticsReports, ReportKey},
};
use pharos_domain::{
    audit::Actor,
    credits::{Charged, Keyed, Note, Slip, StoredAnswer},
    identity::DomainAccess,
    ids::{RunId, WorkerId},
    jobs::{Attempt, Claim, JobOutcome, JobQueue},
    ports::Ports,
    ranking_updates::RankingUpdates,
    runs::{Run, RunKind},
    wide_pull::{Family, Filled, NewWidePull, WidePull, WidePullStore},
    window::DateRange,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How many of the last days are after the change of the experiment.
const AFTER: Duration = Duration::days(28);
/// How many pages did not change.
const CONTROLS: u32 = 9;
/// The report: a row a page.
const REPORT: ReportKey = ReportKey::PagesFull;

/// The ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requested {
    pub(super) experiment: Uuid,
    pub(super) run: RunId,
}

/// Requests both of a site, over its closed days.
pub(super) async fn request(ports: &Ports, site: &DomainAccess, closed: DateRange) -> Result<Requested> {
    let now = OffsetDateTime::now_utc();
    Ok(Requested {
        experiment: experiment(ports, site, closed, now).await?,
        run: run(ports, site, closed, now).await?,
    })
}

/// Makes an experiment on the page with the most visitors against the ones that come next, and evaluates it.
async fn experiment(
    ports: &Ports,
    site: &DomainAccess,
    closed: DateRange,
    now: OffsetDateTime,
) -> Result<Uuid> {
    let page = |number: u32| format!("/page-{number}");
    let changed = closed.last() - AFTER + Duration::DAY;
    let draft = ExperimentDraft {
        name: "Bench".to_owned(),
        hypothesis: None,
        design: Design {
            method: ExperimentMethod::Did,
            metric: ExperimentMetric::Visitors,
            control_urls: (1..=CONTROLS).map(page).collect(),
            variant_urls: vec![page(0)],
            pre_start: Some(closed.first()),
            pre_end: changed - Duration::DAY,
            post_start: changed,
            post_end: Some(closed.last()),
        },
    };
    let settings = match draft.settings(&site.domain().hostname) {
        Ok(settings) => settings,
        Err(faults) => bail!("the experiment can't be: {faults:?}"),
    };
    let experiments = ports.get::<dyn ExperimentStore>()?;
    let noted = Charged::new(site.clone(), slip(site, now));
    let made = experiments.create(&noted, &settings, now).await?;
    let design = &made.settings.design;
    let panel = experiments.panel(site, design).await?;
    let updates = ports.get::<dyn RankingUpdates>()?;
    let NewEvaluation { evaluation, job } = NewEvaluation::completed(&made, &panel, &*updates, now);
    let noted = Keyed::new(site.clone(), slip(site, now));
    let evaluated = experiments
        .evaluate(
            &noted,
            &evaluation,
            design,
            job.as_ref(),
            &unanswered::<Evaluation>,
        )
        .await?;
    evaluated.context("the experiment is gone")?;
    Ok(made.id)
}

/// Requests a run of the report, and does its job as a worker does.
async fn run(ports: &Ports, site: &DomainAccess, closed: DateRange, now: OffsetDateTime) -> Result<RunId> {
    let pulls = ports.get::<dyn WidePullStore<AnalyticsReports>>()?;
    let queue = ports.get::<dyn JobQueue>()?;
    let noted = Keyed::new(site.clone(), slip(site, now));
    let run = Run::requested(RunKind::AnalyticsReport, &noted, now);
    let workspace = site.workspace().workspace().id;
    let new = NewWidePull::requested(run, workspace, REPORT, closed, FilterTexts::default());
    let requested = pulls
        .request(&noted, &new, &unanswered::<WidePull<AnalyticsReports>>)
        .await?;
    let id = requested.run.id;
    let worker = WorkerId::generate();
    let claim = Claim {
        worker,
        kinds: &[AnalyticsReports::JOBS],
        lane: "local",
        lease: Duration::HOUR,
        limit: 1,
    };
    let claimed = queue.claim(&claim).await?;
    let job = claimed.first().context("the report has no job")?;
    let filled = pulls.fill(id).await?;
    ensure!(filled == Filled::Done, "the report has no rows: {filled:?}");
    let done = Attempt {
        job: job.id,
        number: job.attempt,
        outcome: JobOutcome::Succeeded,
    };
    queue.settle(worker, &[done]).await?;
    Ok(id)
}

/// Nobody pays for what a bench makes.
fn slip(site: &DomainAccess, now: OffsetDateTime) -> Arc<Slip> {
    Arc::new(Slip::noting(Note {
        actor: Actor::command_line("bench"),
        at: now,
        action: "domain.configure",
        subject: site.id().to_string(),
        details: json!({ "workspace_id": site.workspace().workspace().id }),
    }))
}

/// Nobody asks for the answer again.
fn unanswered<T>(_: &T) -> StoredAnswer {
    StoredAnswer {
        status: 200,
        body: b"{}".as_slice().into(),
    }
}

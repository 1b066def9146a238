//! Inspector runs: URLs that a caller wants inspected now.

use std::{collections::HashSet, sync::Arc};

use async_trait::async_trait;
use futures_util::future::join_all;
use pharos_domain::{
    clock::Clock,
    ids::{DomainId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    problem::Suffix,
    runs::{NewRun, Run, RunItems, RunStore},
    store::StoreError,
};
use serde::Deserialize;
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::{
    inspection::Inspection,
    inspector::{InspectError, Inspecting, Inspector},
    metrics,
    quota::QuotaDay,
    rotation::failure_of,
    store::{
        runs::{InspectorWork, NewInspectorRun, ResultStatus, RunOrder, RunOutcome, Taken},
        schedule::Attempt,
    },
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("inspector");
/// How often a run is tried while the upstream is away.
const MAX_ATTEMPTS: u16 = 8;
/// The last attempt: what it can't inspect has failed.
const LAST_ATTEMPT: u32 = MAX_ATTEMPTS as u32;
/// How long results are kept.
const KEPT: Duration = Duration::days(30);
/// How many URLs are inspected before that is noted.
const CHUNK: usize = 8;
/// How many of them at once.
const AT_ONCE: usize = 4;

/// The payload of a job.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
}

/// The run of URLs with its job, which a workspace asked for.
#[must_use]
pub fn requested(
    run: Run,
    workspace: WorkspaceId,
    site_url: &str,
    urls: Vec<String>,
    label: Option<String>,
) -> NewInspectorRun {
    let job = NewJob::of(
        workspace,
        KIND,
        json!({ "run_id": run.id, "domain_id": run.domain_id }),
        MAX_ATTEMPTS,
    );
    let total = u32::try_from(urls.len()).unwrap_or(u32::MAX);
    NewInspectorRun {
        run: NewRun {
            run: Run {
                items: Some(RunItems::of(total)),
                ..run
            },
            jobs: vec![job],
            result_kept: Some(KEPT),
        },
        label,
        site_url: site_url.to_owned(),
        urls,
    }
}

/// Does inspector runs.
#[derive(Clone)]
pub struct InspectorJobs {
    /// Where orders come from, and outcomes go.
    pub store: Arc<dyn InspectorWork>,
    /// Where it is noted how far runs are.
    pub runs: Arc<dyn RunStore>,
    /// Asks the upstream.
    pub inspector: Arc<dyn Inspector>,
    /// Stamps inspections.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for InspectorJobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InspectorJobs").finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for InspectorJobs {
    fn kind(&self) -> JobKind {
        KIND
    }

    /// Half of the places: runs wait for the upstream, and other kinds wait for nothing but a place.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(2)
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Indexing)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let asked: Order = job.read()?;
        let run_id = asked.run_id;
        let Some(order) = self.store.order(run_id).await? else {
            tracing::info!(%run_id, "the domain of an inspector run was deleted before it");
            self.store.release(run_id).await?;
            return Ok(Changed::new());
        };
        // An attempt before may have found all, and ended before that was counted.
        let is_found = order.waiting.is_empty() && order.completed > 0;
        let mut newest = is_found.then(|| self.clock.now());
        let ended = self.work(job, &asked, &order, &mut newest).await;
        // Once for all that it found, however it ended: that reads all URLs of the domain.
        if let Some(newest) = newest {
            self.store.stand(asked.domain_id, newest).await?;
        }
        ended
    }
}

/// The outcome of URLs that were to be inspected.
#[derive(Default)]
struct Asked {
    /// Those that there was an answer for.
    outcomes: Vec<RunOutcome>,
    /// The failure, not of one URL alone, after which no other was asked for.
    stopped: Option<InspectError>,
    /// How many were not asked for.
    unasked: u32,
}

impl InspectorJobs {
    /// Inspects what waits of a run, and notes the newest inspection.
    async fn work(
        &self,
        job: &ClaimedJob,
        &Order { run_id, domain_id }: &Order,
        order: &RunOrder,
        newest: &mut Option<OffsetDateTime>,
    ) -> Result<Changed, JobFailure> {
        let mut items = RunItems {
            total: order.total,
            completed: order.completed,
            failed: order.failed,
        };
        let mut last_failure = None;
        let mut are_answered = false;
        let mut waiting = order.waiting.as_slice();
        while !waiting.is_empty() {
            if !self.runs.progress(job, items).await? {
                tracing::info!(%run_id, "nobody waits for an inspector run any more");
                self.store.release(run_id).await?;
                return Ok(vec![(domain_id, Module::Indexing)]);
            }
            let day = QuotaDay::of(self.clock.now());
            let wanted = u32::try_from(waiting.len().min(CHUNK)).unwrap_or(u32::MAX);
            let granted = match self.store.take(run_id, day, wanted).await? {
                Taken::Some(granted) => granted,
                Taken::DayUsed => 0,
                Taken::MinuteUsed => {
                    return Err(JobFailure::put_off(
                        Duration::MINUTE,
                        "the inspections of the minute are used up",
                    ));
                }
            };
            let (now, later) = waiting.split_at(waiting.len().min(granted as usize));
            let Asked {
                mut outcomes,
                stopped,
                unasked,
            } = self.inspect(domain_id, order, now, &mut are_answered).await;
            if unasked > 0 {
                self.store.put_back(run_id, unasked).await?;
            }
            let stopped = stopped.or((granted == 0).then_some(InspectError::DayExhausted));
            let ends = match stopped {
                None => None,
                Some(error) => match ending(&error, job.attempt) {
                    Ending::Later(failure) => {
                        self.keep(run_id, domain_id, &outcomes, newest).await?;
                        return Err(failure);
                    }
                    Ending::Now(status) => Some((status, error)),
                },
            };
            if let Some((status, error)) = &ends {
                let at = self.clock.now();
                let known: HashSet<i64> = outcomes.iter().map(|outcome| outcome.place).collect();
                let rest = now.iter().chain(later);
                let rest = rest.filter(|(place, _)| !known.contains(place));
                outcomes.extend(rest.map(|(place, url)| RunOutcome {
                    place: *place,
                    status: *status,
                    attempt: Attempt {
                        url: url.clone(),
                        at,
                        outcome: Err(failure_of(error, 0)),
                    },
                }));
            }
            for outcome in &outcomes {
                match (outcome.status, &outcome.attempt.outcome) {
                    (ResultStatus::Done | ResultStatus::SkippedDuplicate, _) => items.completed += 1,
                    (ResultStatus::Failed | ResultStatus::SkippedQuota, outcome) => {
                        items.failed += 1;
                        last_failure = outcome
                            .as_ref()
                            .err()
                            .map(|failure| failure.code)
                            .or(last_failure);
                    }
                }
            }
            self.keep(run_id, domain_id, &outcomes, newest).await?;
            waiting = if ends.is_some() { &[] } else { later };
        }
        self.store.release(run_id).await?;
        self.runs.progress(job, items).await?;
        match last_failure {
            Some(code) if items.completed == 0 => Err(nothing_done(code)),
            _ => Ok(vec![(domain_id, Module::Indexing)]),
        }
    }

    async fn keep(
        &self,
        run: RunId,
        domain: DomainId,
        outcomes: &[RunOutcome],
        newest: &mut Option<OffsetDateTime>,
    ) -> Result<(), StoreError> {
        self.store.keep(run, domain, outcomes).await?;
        let found = outcomes.iter().map(|outcome| &outcome.attempt);
        let found = found.filter(|attempt| attempt.outcome.is_ok());
        *newest = found.map(|attempt| attempt.at).max().max(*newest);
        Ok(())
    }

    /// Inspects URLs in their order, some at once. After a failure that is not of one URL alone no other is begun; what was asked
    /// at once with it counts. `are_answered`: whether the account was answered for any URL.
    async fn inspect(
        &self,
        domain: DomainId,
        order: &RunOrder,
        urls: &[(i64, String)],
        are_answered: &mut bool,
    ) -> Asked {
        if urls.is_empty() {
            return Asked::default();
        }
        let count = |urls: usize| u32::try_from(urls).unwrap_or(u32::MAX);
        let session = match self.inspector.session(domain, &order.site_url).await {
            Ok(session) => session,
            Err(error) => {
                return Asked {
                    stopped: Some(error),
                    unasked: count(urls.len()),
                    ..Asked::default()
                };
            }
        };
        let mut outcomes = Vec::with_capacity(urls.len());
        let mut stopped = None;
        let mut asked = 0;
        for some in urls.chunks(AT_ONCE) {
            let found = some.iter().map(|(place, url)| self.ask(&*session, *place, url));
            let found = join_all(found).await;
            asked += found.len();
            *are_answered |= found.iter().any(|(_, _, found, _)| found.is_ok());
            for (place, url, found, at) in found {
                metrics::inspected(metrics::RUN, &found);
                let (status, outcome) = match found.map_err(|error| error.beside_answers(*are_answered)) {
                    Ok(inspection) => (ResultStatus::Done, Ok(Box::new(inspection))),
                    Err(error) if error.is_of_the_url() => (ResultStatus::Failed, Err(failure_of(&error, 0))),
                    Err(error) => {
                        stopped = stopped.or(Some(error));
                        continue;
                    }
                };
                outcomes.push(RunOutcome {
                    place,
                    status,
                    attempt: Attempt {
                        url: url.to_owned(),
                        at,
                        outcome,
                    },
                });
            }
            if stopped.is_some() {
                break;
            }
        }
        Asked {
            outcomes,
            stopped,
            unasked: count(urls.len() - asked),
        }
    }

    async fn ask<'a>(
        &self,
        session: &dyn Inspecting,
        place: i64,
        url: &'a str,
    ) -> (i64, &'a str, Result<Inspection, InspectError>, OffsetDateTime) {
        let found = session.inspect(url).await;
        (place, url, found, self.clock.now())
    }
}

/// How a run ends after a failure that concerns more than one URL.
enum Ending {
    /// The rest is tried later.
    Later(JobFailure),
    /// The rest is left undone.
    Now(ResultStatus),
}

fn ending(error: &InspectError, attempt: u32) -> Ending {
    let why = error.to_string();
    match error {
        InspectError::DayExhausted => Ending::Now(ResultStatus::SkippedQuota),
        InspectError::NoAccess(_) | InspectError::NotPermitted(_) => Ending::Now(ResultStatus::Failed),
        _ if attempt >= LAST_ATTEMPT => Ending::Now(ResultStatus::Failed),
        InspectError::Busy {
            retry_after: Some(pause),
        } => Ending::Later(JobFailure::retry_after((*pause).max(Duration::SECOND), why)),
        _ => Ending::Later(JobFailure::retry(why)),
    }
}

/// Why a run failed of which no URL was inspected.
fn nothing_done(code: Suffix) -> JobFailure {
    let detail = match code {
        Suffix::GscPropertyNotLinked => {
            "Search Console refuses the linked account. Link the property again, or ask its owner for access."
        }
        Suffix::Forbidden => {
            "Search Console does not let the linked account inspect URLs of the property. It needs full permission, or to own it."
        }
        Suffix::QuotaExhausted => {
            "The inspections that Search Console grants the property a day are used up."
        }
        Suffix::InvalidRequest => "Search Console refuses every one of the URLs.",
        Suffix::RateLimited => "Search Console wants fewer requests. Ask again later.",
        Suffix::UpstreamUnavailable => "Search Console did not answer. Ask again later.",
        _ => "Search Console's answers can't be read.",
    };
    JobFailure::permanent(format!("no URL of an inspector run was inspected: {code}"))
        .with_public_error(code, detail)
}

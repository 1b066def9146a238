//! How jobs end, and storing what came of them.

use std::{any::Any, collections::HashMap, time::Duration};

use pharos_domain::{
    ids::JobId,
    jobs::{Attempt, JobFailure, JobOutcome, JobState, LONGEST_PAUSE, Retry, backoff},
};
use pharos_persistence::metrics::{self, JobEnd};
use tokio::{
    task::{self, JoinError},
    time::Instant,
};

use super::{Ended, Held, Shift, answer};

/// When to try again to store what came of jobs.
const SETTLE_AGAIN: Duration = Duration::from_secs(1);
/// The longest reason of a failure that is kept, in characters.
const LONGEST_REASON: usize = 1_000;

impl Shift {
    /// Waits until a job ends, and takes in all that have; `false` where none runs. Nothing is lost if it is dropped.
    pub(in crate::worker) async fn next_end(&mut self) -> bool {
        let Some(ended) = self.running.join_next_with_id().await else {
            return false;
        };
        self.note(ended);
        while let Some(ended) = self.running.try_join_next_with_id() {
            self.note(ended);
        }
        true
    }

    fn note(&mut self, ended: Result<(task::Id, Result<(), JobFailure>), JoinError>) {
        let (task, result) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                let task = error.id();
                // One that was called off has not ended: its lease is lost, or it is given back.
                let Ok(panic) = error.try_into_panic() else {
                    return;
                };
                let why = format!("the handler panicked: {}", words(&*panic));
                (task, Err(JobFailure::internal(why)))
            }
        };
        // One that was called off may have ended all the same.
        let Some(Held {
            job, number, kind, ..
        }) = self.held.remove(&task)
        else {
            return;
        };
        // Where its kind had taken all places that it may, the next one can begin.
        if self.left(kind) == 1 {
            self.look_now();
        }
        let mut is_expected = false;
        let outcome = match result {
            Ok(()) => JobOutcome::Succeeded,
            Err(JobFailure {
                why,
                retry: Retry::PutOff(pause),
                ..
            }) => {
                tracing::debug!(%job, %kind, why, "a job is put off");
                JobOutcome::PutOff { pause }
            }
            Err(failure) if failure.retry == Retry::Unneeded => {
                tracing::debug!(%job, %kind, %failure, "a job ended for a reason of its caller's");
                is_expected = true;
                failed(failure, number)
            }
            Err(failure) => {
                tracing::warn!(%job, %kind, attempt = number, %failure, "a job failed");
                failed(failure, number)
            }
        };
        let attempt = Attempt { job, number, outcome };
        self.ended.push(Ended {
            attempt,
            kind,
            is_expected,
        });
    }

    pub(in crate::worker) fn has_unsettled(&self) -> bool {
        !self.ended.is_empty()
    }

    /// When to try again to store what came of jobs.
    pub(in crate::worker) fn settle_at(&self) -> Instant {
        self.settle_at
    }

    /// Stores what came of jobs. A store that is away is tried again.
    pub(in crate::worker) async fn settle(&mut self) {
        if self.ended.is_empty() {
            return;
        }
        let attempts: Vec<Attempt> = self.ended.iter().map(|ended| ended.attempt.clone()).collect();
        match answer(self.worker.queue.settle(self.id, &attempts)).await {
            Ok(settled) => {
                let settled: HashMap<JobId, JobState> = settled.into_iter().collect();
                for ended in std::mem::take(&mut self.ended) {
                    self.settled(&ended, settled.get(&ended.attempt.job).copied());
                }
            }
            Err(error) => {
                tracing::warn!(%error, jobs = attempts.len(), "what came of jobs can't be stored at the moment");
                self.settle_at = Instant::now() + SETTLE_AGAIN;
            }
        }
    }

    fn settled(&mut self, ended: &Ended, state: Option<JobState>) {
        let Ended {
            attempt,
            kind,
            is_expected,
        } = ended;
        let job = attempt.job;
        metrics::job_ended(*kind, end(&attempt.outcome, state, *is_expected));
        match state {
            None => tracing::warn!(%job, %kind, "a job ended too late: another has it"),
            Some(JobState::Dead) if *is_expected => {}
            Some(JobState::Dead) => {
                tracing::error!(%job, %kind, "a job is dead; `pharos admin job retry` has it tried again");
            }
            Some(_) => {
                if let JobOutcome::PutOff { pause }
                | JobOutcome::Failed {
                    pause: Some(pause), ..
                } = attempt.outcome
                {
                    let pause = Duration::try_from(pause.min(LONGEST_PAUSE)).unwrap_or(Duration::ZERO);
                    self.look_at = self.look_at.min(Instant::now() + pause);
                }
            }
        }
    }
}

fn failed(failure: JobFailure, number: u32) -> JobOutcome {
    let JobFailure {
        why,
        retry,
        mut public_error,
    } = failure;
    let pause = match retry {
        Retry::Backoff => Some(backoff(number, fastrand::f64())),
        Retry::After(pause) | Retry::PutOff(pause) => Some(pause),
        Retry::Never | Retry::Unneeded => None,
    };
    if let Some(error) = &mut public_error {
        error.detail = shortened(&error.detail);
    }
    JobOutcome::Failed {
        why: shortened(&why),
        pause,
        public_error,
    }
}

/// How the attempt ended, when the store says that the job is in this state; `None`: it is another's.
fn end(outcome: &JobOutcome, state: Option<JobState>, is_expected: bool) -> JobEnd {
    match (outcome, state) {
        (_, None) => JobEnd::Lost,
        (_, Some(JobState::Dead)) if is_expected => JobEnd::Succeeded,
        (_, Some(JobState::Dead)) => JobEnd::Dead,
        (JobOutcome::Succeeded, Some(_)) => JobEnd::Succeeded,
        (JobOutcome::PutOff { .. }, Some(_)) => JobEnd::PutOff,
        (JobOutcome::Failed { .. }, Some(_)) => JobEnd::Failed,
    }
}

fn shortened(reason: &str) -> String {
    reason.chars().take(LONGEST_REASON).collect()
}

/// The message of a panic.
fn words(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a word")
}

//! Runs: what they come to is read off their jobs, once.

mod ages;
mod items;
mod jobs;
mod requests;

use std::sync::Arc;

use pharos_domain::{
    credits::{Keyed, RequestKey, SettleError, Slip, StoredAnswer},
    identity::DomainAccess,
    ids::{JobId, WorkerId},
    jobs::{Attempt, Claim, ClaimedJob, JobKind, JobOutcome, NewJob, RunError},
    problem::Suffix,
    runs::{NewRun, Run, RunKind, RunStatus},
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::harness::{Fixture, Home, NOW, entry};

const KIND: JobKind = JobKind::new("test");
const LEASE: Duration = Duration::seconds(60);
const WEEK: Duration = Duration::days(7);

fn keyed(home: &Home, access: &DomainAccess, key: &str) -> Keyed<DomainAccess> {
    let key = RequestKey {
        key: key.to_owned(),
        fingerprint: [7; 32],
    };
    let slip = Slip::new(entry(home, 25, NOW), Some(key));
    Keyed::new(access.clone(), Arc::new(slip))
}

fn new(keyed: &Keyed<DomainAccess>, jobs: usize) -> NewRun {
    let job = |_| NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: None,
        workspace: None,
        payload: json!({}),
        pause: Duration::ZERO,
        max_attempts: 2,
    };
    NewRun {
        run: Run::requested(RunKind::Report, keyed, NOW),
        jobs: (0..jobs).map(job).collect(),
        result_kept: Some(WEEK),
    }
}

async fn request(
    fixture: &Fixture,
    keyed: &Keyed<DomainAccess>,
    jobs: usize,
) -> Result<(Run, Vec<JobId>), SettleError> {
    let new = new(keyed, jobs);
    let answer = |run: &Run| StoredAnswer {
        status: 202,
        body: run.id.to_string().into(),
    };
    let run = fixture.stores.runs.request(keyed, &new, &answer).await?;
    Ok((run, new.jobs.iter().map(|job| job.id).collect()))
}

/// A home with a run of so many jobs.
pub(crate) struct Asked {
    pub(crate) fixture: Fixture,
    pub(crate) home: Home,
    access: DomainAccess,
    pub(crate) run: Run,
    jobs: Vec<JobId>,
}

impl Asked {
    pub(crate) async fn new(jobs: usize) -> Self {
        let fixture = Fixture::with_a_clock().await;
        let home = fixture.home("ada").await;
        let access = fixture.access(&home).await;
        let (run, jobs) = request(&fixture, &keyed(&home, &access, "k"), jobs)
            .await
            .unwrap();
        Self {
            fixture,
            home,
            access,
            run,
            jobs,
        }
    }

    async fn at(&self, now: OffsetDateTime) -> Run {
        let runs = &self.fixture.stores.runs;
        let found = runs.find(&self.access, RunKind::Report, self.run.id, now).await;
        found.unwrap().expect("the run")
    }

    async fn is(&self) -> RunStatus {
        self.at(NOW).await.status
    }

    /// Claims up to so many jobs, in the order in which the run has them.
    pub(crate) async fn claim(&self, worker: WorkerId, now: OffsetDateTime, limit: usize) -> Vec<ClaimedJob> {
        let claim = Claim {
            worker,
            kinds: &[KIND],
            lane: "eu",
            lease: LEASE,
            limit,
        };
        self.fixture.it_is(now).await;
        let mut claimed = self.fixture.stores.jobs.claim(&claim).await.unwrap();
        claimed.sort_by_key(|job| self.jobs.iter().position(|id| *id == job.id));
        claimed
    }

    pub(crate) async fn settle(
        &self,
        worker: WorkerId,
        job: &ClaimedJob,
        outcome: JobOutcome,
        now: OffsetDateTime,
    ) {
        let attempt = Attempt {
            job: job.id,
            number: job.attempt,
            outcome,
        };
        self.fixture.it_is(now).await;
        let jobs = &self.fixture.stores.jobs;
        jobs.settle(worker, &[attempt]).await.unwrap();
    }
}

pub(crate) fn failed(pause: Option<Duration>, public_error: Option<(Suffix, &str)>) -> JobOutcome {
    JobOutcome::Failed {
        why: "no luck, by the operator's log".to_owned(),
        pause,
        public_error: public_error.map(|(code, detail)| RunError {
            code,
            detail: detail.to_owned(),
        }),
    }
}

//! Lookups: a record that a caller asked for, of a page that need not be followed.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    ids::{DomainId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    problem::Suffix,
    runs::{NewRun, Run},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime, UtcOffset};

use super::{
    FormFactor,
    client::{CruxClient, CruxError},
    record::{Record, Subject},
    store::CruxCollection,
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("crux_lookup");
/// How often a lookup is tried: for some four minutes.
const MAX_ATTEMPTS: u16 = 8;
/// How far behind the report is: a record of a period that ended later does not exist yet, so the API has none that is newer.
const LATENESS: Duration = Duration::days(2);
/// How long a result is kept.
const KEPT: Duration = Duration::days(30);

/// The payload of a job.
#[derive(Debug, Deserialize, Serialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
    subject: Subject,
    form_factor: FormFactor,
}

/// The run with its job, which a workspace asked for.
#[must_use]
pub fn lookup(run: Run, workspace: WorkspaceId, subject: &Subject, form_factor: FormFactor) -> NewRun {
    let payload = json!({
        "run_id": run.id, "domain_id": run.domain_id, "subject": subject, "form_factor": form_factor,
    });
    NewRun {
        jobs: vec![NewJob::of(workspace, KIND, payload, MAX_ATTEMPTS)],
        run,
        result_kept: Some(KEPT),
    }
}

/// Does lookups.
#[derive(Clone)]
pub struct Lookups {
    /// Where results go.
    pub store: Arc<dyn CruxCollection>,
    /// Asks the API; `None`: this installation has no key.
    pub client: Option<Arc<CruxClient>>,
    /// Stamps results.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Lookups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookups")
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for Lookups {
    fn kind(&self) -> JobKind {
        KIND
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Crux)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order {
            run_id,
            domain_id,
            subject,
            form_factor,
        } = job.read()?;
        let now = self.clock.now();
        let newest = (now.to_offset(UtcOffset::UTC) - LATENESS).date();
        let known = self.store.known(domain_id, &subject, form_factor, newest).await?;
        let record = match known {
            Some(known) => Some(known),
            None => self.ask(subject.clone(), form_factor, now).await?,
        };
        self.store
            .keep_lookup(run_id, domain_id, (&subject, form_factor), record.as_ref(), now)
            .await?;
        Ok(vec![(domain_id, Module::Crux)])
    }
}

impl Lookups {
    async fn ask(
        &self,
        subject: Subject,
        form_factor: FormFactor,
        now: OffsetDateTime,
    ) -> Result<Option<Record>, JobFailure> {
        let client = self.client.as_ref().ok_or_else(|| {
            JobFailure::permanent("crux_api_key is not set on this node").with_public_error(
                Suffix::UpstreamError,
                "The installation has no key of the CrUX API at the moment.",
            )
        })?;
        let answered = client.record(&subject, form_factor, now).await.map_err(failure)?;
        Ok(answered.and_then(|answered| {
            let (period, figures) = answered.periods.into_iter().next_back()?;
            Some(Record {
                subject,
                url_normalized: answered.url_normalized,
                form_factor,
                period,
                figures,
            })
        }))
    }
}

/// A refusal of a request is final; everything else may pass. A failure of our own store is told to nobody outside.
fn failure(error: CruxError) -> JobFailure {
    let why = error.to_string();
    let (failure, suffix) = match error {
        CruxError::Store(error) => return error.into(),
        CruxError::Egress(error) => (
            match error.retry_after() {
                Some(pause) => {
                    JobFailure::retry_after(Duration::try_from(pause).unwrap_or(Duration::HOUR), &why)
                }
                None => JobFailure::retry(&why),
            },
            Suffix::UpstreamUnavailable,
        ),
        CruxError::Refused { status, .. } if status.is_client_error() => {
            (JobFailure::permanent(&why), Suffix::UpstreamError)
        }
        CruxError::Refused { .. } | CruxError::Malformed(_) => {
            (JobFailure::retry(&why), Suffix::UpstreamError)
        }
    };
    failure.with_public_error(suffix, why)
}

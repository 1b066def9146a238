//! Asks people whether they want reports: the handler of those jobs.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    delivery_pauses::ATTEMPTS,
    ids::{ReportRecipientId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
};
use pharos_mail::mailer::Mailer;
use serde::Deserialize;
use serde_json::json;

use super::{
    attempt::{judged, sent},
    store::ReportMails,
    text::question,
};
use crate::{metrics, recipients::token::new_token};

/// The kind of the jobs.
pub const KIND: JobKind = JobKind::new("report_question");

/// The job that asks a recipient. Its payload has no secret: the link is made when the mail is.
#[must_use]
pub fn asking(workspace: WorkspaceId, recipient: ReportRecipientId) -> NewJob {
    NewJob::of(workspace, KIND, json!({ "recipient_id": recipient }), ATTEMPTS)
}

#[derive(Debug, Deserialize)]
struct Order {
    recipient_id: ReportRecipientId,
}

/// Asks people.
#[derive(Clone)]
pub struct QuestionMailer {
    /// Knows whom to ask.
    pub store: Arc<dyn ReportMails>,
    /// Sends mails; `None`: no mail server is configured.
    pub mailer: Option<Arc<Mailer>>,
    /// The address that readers of mails know Pharos by, without a slash at its end.
    pub base_url: String,
}

impl fmt::Debug for QuestionMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QuestionMailer")
            .field("has_mailer", &self.mailer.is_some())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for QuestionMailer {
    fn kind(&self) -> JobKind {
        KIND
    }

    /// A mail server that hangs takes a place until its time is over.
    fn most_at_once(&self, places: usize) -> usize {
        (places / 4).max(1)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { recipient_id } = job.read()?;
        let (token, digest) = new_token().map_err(|error| JobFailure::retry(error.to_string()))?;
        let Some(asked) = self.store.question(recipient_id, &digest).await? else {
            return Ok(Changed::new());
        };
        let mail = question(&asked, &self.base_url, &token);
        let (end, failure) = judged(sent(self.mailer.as_ref(), &mail).await, job.attempt);
        metrics::mailed("question", &end);
        failure.map_or(Ok(Changed::new()), Err)
    }
}

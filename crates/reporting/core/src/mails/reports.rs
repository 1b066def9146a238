//! Mails reports: the handler of those jobs.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use pharos_artefacts::links::Links;
use pharos_domain::{
    clock::Clock,
    ids::ReportDeliveryId,
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, Retry},
};
use pharos_mail::{
    mail::Attachment,
    mailer::{MailError, Mailer},
};
use serde::Deserialize;
use time::Duration;

use super::{
    attempt::{judged, sent},
    store::{MailEnd, ReportMails, ReportToMail},
    text::{Download, report},
};
use crate::{
    format::ReportFormat,
    metrics,
    results::{Results, file_name, key},
};

/// The kind of the jobs. The SQL function `queue_report_deliveries` asks for them, with as many attempts as
/// [`pharos_domain::delivery_pauses`] has.
pub const KIND: JobKind = JobKind::new("report_delivery");
/// A file is attached up to this size; mail servers refuse what is much larger. Others are downloaded.
pub const MOST_ATTACHED: u64 = 5 * 1024 * 1024;
/// How long the link in a mail is good.
pub const LINK_HOLDS: Duration = Duration::days(14);

#[derive(Debug, Deserialize)]
struct Order {
    delivery_id: ReportDeliveryId,
}

/// Mails reports.
#[derive(Clone)]
pub struct ReportMailer {
    /// Knows what is on its way.
    pub store: Arc<dyn ReportMails>,
    /// Where results lie.
    pub results: Results,
    /// Signs links to them.
    pub links: Arc<Links>,
    /// Sends mails; `None`: no mail server is configured.
    pub mailer: Option<Arc<Mailer>>,
    /// The clock that links are signed by.
    pub clock: Arc<dyn Clock>,
    /// The address that readers of mails know Pharos by, without a slash at its end.
    pub base_url: String,
}

impl fmt::Debug for ReportMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReportMailer")
            .field("has_mailer", &self.mailer.is_some())
            .finish_non_exhaustive()
    }
}

impl ReportMailer {
    /// The file of a report, where it goes along. A page for browsers does not: mail programs take it for an attack.
    async fn attachment(&self, mailed: &ReportToMail) -> Result<Option<Attachment>, MailError> {
        let run = &mailed.run;
        let is_attached = matches!(run.format, ReportFormat::Pdf | ReportFormat::Csv);
        let is_small = run
            .result
            .as_ref()
            .is_some_and(|result| result.size_bytes <= MOST_ATTACHED);
        if !is_attached || !is_small {
            return Ok(None);
        }
        let bytes = self
            .results
            .get(run)
            .await
            .map_err(|error| unread(mailed, &error.to_string()))?;
        let bytes = bytes.ok_or_else(|| unread(mailed, "it is not in its place"))?;
        Ok(Some(Attachment {
            name: file_name(run),
            content_type: run.format.content_type(),
            bytes: bytes.to_vec(),
        }))
    }

    fn download(&self, mailed: &ReportToMail) -> Result<Download, JobFailure> {
        let key = key(&mailed.run).map_err(|error| JobFailure {
            retry: Retry::Never,
            ..JobFailure::internal(error)
        })?;
        let until = self.clock.now() + LINK_HOLDS;
        let kept_until = mailed.run.run.expires_at.unwrap_or(until);
        let (link, until) = self.links.link_until(&key, until.min(kept_until));
        Ok(Download { link, until })
    }
}

/// The place of results may be back later. The cause is the operator's, and people are not told it.
fn unread(mailed: &ReportToMail, why: &str) -> MailError {
    tracing::warn!(run_id = %mailed.run.run.id, why, "a report that is to be mailed can't be read");
    MailError {
        why: "the report can't be read at the moment".to_owned(),
        is_final: false,
    }
}

#[async_trait]
impl JobHandler for ReportMailer {
    fn kind(&self) -> JobKind {
        KIND
    }

    /// A mail server that hangs takes a place until its time is over, and each mail holds its file in memory.
    fn most_at_once(&self, places: usize) -> usize {
        (places / 4).max(1)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { delivery_id } = job.read()?;
        let Some(mailed) = self.store.report(delivery_id).await? else {
            self.store.ended(delivery_id, &MailEnd::Dropped).await?;
            return Ok(Changed::new());
        };
        let download = self.download(&mailed)?;
        let result = match self.attachment(&mailed).await {
            Ok(attachment) => {
                let mail = report(delivery_id, &mailed, attachment, &download, &self.base_url);
                sent(self.mailer.as_ref(), &mail).await
            }
            Err(error) => Err(error),
        };
        let (end, failure) = judged(result, job.attempt);
        self.store.ended(delivery_id, &end).await?;
        metrics::mailed("report", &end);
        failure.map_or(Ok(Changed::new()), Err)
    }
}

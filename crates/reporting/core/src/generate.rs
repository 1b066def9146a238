//! Makes reports: the handler of their jobs.

use std::{
    ops::RangeInclusive,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use pharos_domain::{
    clock::Clock,
    hex::hex,
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, Retry},
    module::Module,
    problem::Suffix,
    report_widget::{ReportWindow, SectionName},
    runs::{RunItems, RunStore},
    store::StoreError,
};
use ring::digest::{SHA256, digest};
use tokio::time::{Instant, sleep};
use tracing::Instrument;

use crate::{
    catalogue::Catalogue,
    config::NOTHING,
    data::{SectionData, WidgetData, data_through},
    document::Document,
    format::{ReportFormat, ReportTrigger},
    key_figures::key_figures,
    logo::LogoClient,
    metrics,
    render::{
        csv, html, json, left_out,
        pdf::{PrintError, Printer},
    },
    results::{Results, name_for},
    run::{JobPayload, KIND, KeyFigure, ReportResult, ReportRun, items},
    store::{ReportWork, WantedReport},
    summary::{self, SummaryText},
};

/// How long a PDF waits for a worker that has Chromium.
pub const WAITS_FOR_BROWSER: Duration = Duration::from_secs(3_600);
/// How long a worker without Chromium leaves a PDF to the others before anybody is offered it again.
const LEFT_TO_OTHERS: time::Duration = time::Duration::seconds(15);
/// How long a PDF is left where its workspace has as many under way as it may: longer the longer it waits, since many wait then.
const LEFT_TO_FEWER: RangeInclusive<time::Duration> =
    time::Duration::seconds(2)..=time::Duration::seconds(30);
/// How long the data of a report may take.
pub const READ_WITHIN: Duration = Duration::from_secs(60);
/// How long a section of it may take. Nobody waits for an answer meanwhile, as callers of the API do.
pub const READ_SECTION_WITHIN: Duration = Duration::from_secs(20);
/// How long a report that its schedule asked for waits for modules that fail: it goes to people before anybody looks at it.
const WAITS_FOR_MODULES: Duration = Duration::from_secs(600);
/// How long it is left before its modules are read anew.
const LEFT_TO_MODULES: time::Duration = time::Duration::MINUTE;
/// How often it is noted how many sections there are, at most: each note changes a job and its run.
const NOTED_EVERY: Duration = Duration::from_secs(1);

/// Makes reports.
#[derive(Clone)]
pub struct ReportMaker {
    /// Where it is written what is to be made, and that it was.
    pub store: Arc<dyn ReportWork>,
    /// Where it is noted how far a report is.
    pub runs: Arc<dyn RunStore>,
    /// The sections and widgets.
    pub catalogue: Arc<Catalogue>,
    /// Where results lie.
    pub results: Results,
    /// Fetches logos.
    pub logos: Arc<LogoClient>,
    /// How long the data of a report may take.
    pub read_within: Duration,
    /// Prints PDF.
    pub printer: Printer,
    /// The clock that tells when a report is made.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for ReportMaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReportMaker").finish_non_exhaustive()
    }
}

/// A report in its format.
struct Made {
    bytes: Vec<u8>,
    pages: Option<u32>,
    told: SummaryText,
    figures: Vec<KeyFigure>,
    without: Option<String>,
}

impl ReportMaker {
    /// `None`: nobody waits for the report any more.
    async fn make(
        &self,
        job: &ClaimedJob,
        wanted: &WantedReport,
        items: RunItems,
    ) -> Result<Option<Made>, JobFailure> {
        let WantedReport { run, order, domain } = wanted;
        let window = ReportWindow {
            days: run.days,
            period: run.period,
            compares: order.compares,
            now: self.clock.now(),
        };
        let Some(sections) = self.read(job, wanted, &window, items).await? else {
            return Ok(None);
        };
        if run.trigger == ReportTrigger::Schedule
            && self.waited(run) < WAITS_FOR_MODULES
            && let Some(section) = failed(&sections)
        {
            return Err(JobFailure::put_off(
                LEFT_TO_MODULES,
                format!("the section {section} can't be read"),
            ));
        }
        let told = summary::told(order.locale, &sections);
        let figures = key_figures(order.locale, window.compares, &sections);
        let logo = match (&order.branding.logo_url, run.format) {
            (Some(url), ReportFormat::Html | ReportFormat::Pdf) => {
                self.logos.fetch(url, window.now).await.map(Some)
            }
            _ => Ok(None),
        };
        let without = logo.as_ref().err().map(|fault| {
            tracing::info!(%fault, "a report is without its logo");
            format!("The report is without its logo: {fault}.")
        });
        let resolved = window.resolved(Module::Reports);
        let document = Document {
            title: run.template_name.clone(),
            domain: domain.domain().hostname.to_string(),
            window,
            compared: window.comparison(&resolved),
            locale: order.locale,
            accent: order.branding.accent_color.clone(),
            logo: logo.ok().flatten(),
            sections,
        };
        let (bytes, pages) = match run.format {
            ReportFormat::Json => {
                let meta = resolved.meta(document.compared.as_ref(), data_through(&document.sections));
                let template = run.template.map(|id| id.0).or(order.template);
                let report = json::report(template, &meta, &document.sections);
                (
                    serde_json::to_vec(&report).map_err(|error| unwritten(&error))?,
                    None,
                )
            }
            ReportFormat::Csv => (csv::report(&document).map_err(|error| unwritten(&error))?, None),
            ReportFormat::Html => (html::report(&document).into_bytes(), None),
            ReportFormat::Pdf => {
                let printed = self
                    .printer
                    .print(&document)
                    .await
                    .map_err(|error| unprinted(&error))?;
                (printed.bytes, printed.pages)
            }
        };
        Ok(Some(Made {
            bytes,
            pages,
            told,
            figures,
            without,
        }))
    }

    /// The data of a report, while it is noted how many of its sections there are. `None`: nobody waits for it any more.
    async fn read(
        &self,
        job: &ClaimedJob,
        wanted: &WantedReport,
        window: &ReportWindow,
        items: RunItems,
    ) -> Result<Option<Vec<SectionData>>, StoreError> {
        let WantedReport { order, domain, .. } = wanted;
        if !self.runs.progress(job, items).await? {
            return Ok(None);
        }
        let done = AtomicU32::new(0);
        let reading = async {
            let mut sections = Vec::new();
            let mut reads =
                self.catalogue
                    .each(domain, window, &order.sections, order.locale, self.read_within);
            while let Some(section) = reads.next().await {
                sections.push(section);
                done.fetch_add(1, Ordering::Relaxed);
            }
            sections
        };
        // Beside the reading, which has connections: it would hold them for as long as a note waits for its own.
        let sections = tokio::select! {
            sections = reading => sections,
            unwanted = note(&*self.runs, job, items, &done) => return unwanted.map(|()| None),
        };
        let read = RunItems {
            completed: items.total.saturating_sub(1),
            ..items
        };
        Ok(self.runs.progress(job, read).await?.then_some(sections))
    }

    /// Notes that the file is there, too. Whether anybody still waits for it makes no difference any more.
    async fn note_all(&self, job: &ClaimedJob, items: RunItems) -> Result<(), StoreError> {
        let all = RunItems {
            completed: items.total,
            ..items
        };
        self.runs.progress(job, all).await.map(|_| ())
    }

    /// How long ago a worker first took the report up.
    fn waited(&self, run: &ReportRun) -> time::Duration {
        let since = run.run.started_at;
        since.map_or(time::Duration::ZERO, |since| self.clock.now() - since)
    }

    async fn keep(&self, wanted: &WantedReport, made: Made) -> Result<(), JobFailure> {
        let WantedReport { run, domain, .. } = wanted;
        let result = ReportResult {
            size_bytes: made.bytes.len() as u64,
            pages: made.pages,
            sha256: hex(digest(&SHA256, &made.bytes).as_ref()),
            summary: made.told.changes,
            days: made.told.days,
            actions: made.told.actions,
            missing: made.told.missing,
            figures: made.figures,
            file: Some(name_for(domain.domain().hostname.as_str(), run)),
            without: made.without,
        };
        let made_run = ReportRun {
            result: Some(result.clone()),
            ..run.clone()
        };
        self.store.storing(run.run.id).await?;
        self.results
            .put(&made_run, Bytes::from(made.bytes))
            .await
            .map_err(|error| {
                let detail = "The report was made and could not be stored.";
                JobFailure::internal(error).with_public_error(Suffix::StorageUnavailable, detail)
            })?;
        Ok(self.store.made(run.run.id, &result, self.clock.now()).await?)
    }
}

/// The items of a report that is made from the beginning once more: as many stay done as an attempt before this one noted.
fn resumed(items: RunItems, noted: Option<RunItems>) -> RunItems {
    let stood = noted.map_or(0, |noted| noted.completed);
    RunItems {
        // The last is the file, which is still to be made.
        completed: stood.min(items.total.saturating_sub(1)),
        ..items
    }
}

/// Notes from time to time how many items are done, never fewer than `items` says. It ends once nobody waits for them any more.
async fn note(
    runs: &dyn RunStore,
    job: &ClaimedJob,
    items: RunItems,
    done: &AtomicU32,
) -> Result<(), StoreError> {
    let mut noted = items;
    loop {
        sleep(NOTED_EVERY).await;
        let now = RunItems {
            completed: done.load(Ordering::Relaxed).max(items.completed),
            ..items
        };
        if now != noted {
            noted = now;
            if !runs.progress(job, now).await? {
                return Ok(());
            }
        }
    }
}

/// The end of a report of which nothing is on: templates of earlier versions may be so, and their schedules ask for them.
fn blank() -> JobFailure {
    let detail = format!("The report would be a blank page: in sections_config {NOTHING}.");
    JobFailure::expected(Suffix::InvalidRequest, detail)
}

/// The end of an attempt at a PDF on a worker that has no Chromium: another may have it.
fn without_browser(waited: time::Duration) -> JobFailure {
    if waited < WAITS_FOR_BROWSER {
        return JobFailure::put_off(LEFT_TO_OTHERS, PrintError::NoBrowser.to_string());
    }
    let detail = "PDF needs Chromium, and no worker of this installation had it for an hour. Ask its operator for it, or for \
                  the report in another format.";
    JobFailure::permanent(PrintError::NoBrowser.to_string()).with_public_error(Suffix::InternalError, detail)
}

/// The end of an attempt at a PDF whose workspace has as many under way as it may. It would hold a place that others need.
fn crowded(waited: time::Duration) -> JobFailure {
    let pause = (waited / 4_i32).clamp(*LEFT_TO_FEWER.start(), *LEFT_TO_FEWER.end());
    JobFailure::put_off(pause, "the workspace has as many PDFs under way as it may")
}

/// The first section that lacks what a module failed to give: another attempt may have it.
fn failed(sections: &[SectionData]) -> Option<SectionName> {
    let failed = |data: &WidgetData| {
        data.answer.has_failed() || data.answer.data.as_ref().and_then(left_out).is_some()
    };
    let section = sections.iter().find(|section| section.widgets.iter().any(failed));
    section.map(|section| section.name)
}

/// The failure of a report that can't be written: a mistake of the program.
fn unwritten(error: &dyn std::error::Error) -> JobFailure {
    JobFailure::permanent(error.to_string())
}

fn unprinted(error: &PrintError) -> JobFailure {
    let why = error.to_string();
    match error {
        PrintError::NoBrowser | PrintError::TooLarge => {
            JobFailure::permanent(&why).with_public_error(Suffix::InternalError, why)
        }
        PrintError::Run(_) | PrintError::Late | PrintError::Nothing(_) | PrintError::NoPdf => {
            JobFailure::retry(why)
                .with_public_error(Suffix::InternalError, "The report could not be printed.")
        }
    }
}

#[async_trait]
impl JobHandler for ReportMaker {
    fn kind(&self) -> JobKind {
        KIND
    }

    /// A quarter of the places: reports read much, and other kinds wait for nothing but a place.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(4)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let JobPayload { run_id } = job.read()?;
        let Some(wanted) = self.store.wanted(run_id, self.clock.now()).await? else {
            tracing::info!(%run_id, "nobody waits for a report any more");
            return Ok(Changed::new());
        };
        let items = resumed(items(&wanted.order.sections), wanted.run.run.items);
        if wanted.run.result.is_some() {
            self.note_all(job, items).await?;
            return Ok(Changed::new());
        }
        let (began, format) = (Instant::now(), wanted.run.format);
        if wanted.order.sections.is_empty() {
            metrics::failed(format);
            return Err(blank());
        }
        if format == ReportFormat::Pdf && !self.printer.can_print() {
            let failure = without_browser(self.waited(&wanted.run));
            if failure.public_error.is_some() {
                metrics::failed(format);
            }
            return Err(failure);
        }
        let workspace = wanted.domain.workspace().workspace().id;
        let _share = if format == ReportFormat::Pdf {
            let share = self.printer.share(workspace);
            Some(share.ok_or_else(|| crowded(self.waited(&wanted.run)))?)
        } else {
            None
        };
        // So that what is noted in the log while it is made says of which report it is.
        let template_id = wanted.run.template.map(tracing::field::display);
        let span = tracing::info_span!("report", %run_id, template_id);
        let made = match self.make(job, &wanted, items).instrument(span).await {
            Ok(Some(made)) => made,
            Ok(None) => {
                tracing::info!(%run_id, "nobody waits for a report any more");
                return Ok(Changed::new());
            }
            Err(failure) => {
                if !matches!(failure.retry, Retry::PutOff(_)) {
                    metrics::failed(format);
                }
                return Err(failure);
            }
        };
        let size = made.bytes.len();
        self.keep(&wanted, made).await?;
        self.note_all(job, items).await?;
        metrics::made(format, began.elapsed().as_secs_f64(), size);
        // No answer about a run is kept.
        Ok(Changed::new())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use pharos_domain::{
        credits::{Answering, Keyed, SettleError},
        identity::DomainAccess,
        ids::{JobId, RunId},
        report_widget::WidgetAnswer,
        runs::{NewRun, Run, RunKind},
    };
    use serde_json::json;

    use super::*;
    use crate::own;

    /// Records what is noted, until so many items are done.
    struct Notes {
        wanted: u32,
        noted: Mutex<Vec<u32>>,
    }

    #[async_trait]
    impl RunStore for Notes {
        async fn request(
            &self,
            _: &Keyed<DomainAccess>,
            _: &NewRun,
            _: &Answering<'_, Run>,
        ) -> Result<Run, SettleError> {
            unreachable!("nobody asks for a run")
        }

        async fn find(
            &self,
            _: &DomainAccess,
            _: RunKind,
            _: RunId,
            _: time::OffsetDateTime,
        ) -> Result<Option<Run>, StoreError> {
            unreachable!("nobody reads a run")
        }

        async fn last(
            &self,
            _: &DomainAccess,
            _: RunKind,
            _: time::OffsetDateTime,
        ) -> Result<Option<Run>, StoreError> {
            unreachable!("nobody reads a run")
        }

        async fn progress(&self, _: &ClaimedJob, items: RunItems) -> Result<bool, StoreError> {
            self.noted.lock().unwrap().push(items.completed);
            Ok(items.completed < self.wanted)
        }
    }

    /// Ten sections, one each 350 ms, and five seconds in which none comes: what is noted of them, and whether they all came.
    async fn noted(wanted: u32, items: RunItems) -> (Vec<u32>, bool) {
        let runs = Notes {
            wanted,
            noted: Mutex::default(),
        };
        let job = ClaimedJob {
            id: JobId::generate(),
            kind: KIND,
            payload: serde_json::Value::Null,
            attempt: 1,
        };
        let done = AtomicU32::new(0);
        let reading = async {
            for _ in 0..10 {
                sleep(Duration::from_millis(350)).await;
                done.fetch_add(1, Ordering::Relaxed);
            }
            sleep(Duration::from_secs(5)).await;
        };
        let is_whole = tokio::select! {
            () = reading => true,
            unwanted = note(&runs, &job, items, &done) => {
                unwanted.unwrap();
                false
            }
        };
        (runs.noted.into_inner().unwrap(), is_whole)
    }

    #[tokio::test(start_paused = true)]
    async fn how_far_a_report_is_is_noted_once_a_second_where_it_changed() {
        let items = RunItems::of(11);
        assert_eq!(noted(u32::MAX, items).await, (vec![2, 5, 8, 10], true));
    }

    #[tokio::test(start_paused = true)]
    async fn how_far_a_report_is_never_goes_back() {
        let stood = |completed| {
            Some(RunItems {
                completed,
                ..RunItems::of(11)
            })
        };
        let again = resumed(RunItems::of(11), stood(6));
        assert_eq!(noted(u32::MAX, again).await, (vec![8, 10], true));
        assert_eq!(resumed(RunItems::of(11), stood(11)).completed, 10);
        assert_eq!(resumed(RunItems::of(11), None).completed, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_report_that_nobody_waits_for_is_left() {
        assert_eq!(noted(5, RunItems::of(11)).await, (vec![2, 5], false));
    }

    #[test]
    fn what_a_module_failed_to_give_is_told_from_what_it_does_not_have() {
        let section = |answer: WidgetAnswer| SectionData {
            name: SectionName::Overview,
            title: String::new(),
            widgets: vec![WidgetData {
                name: "kpi_row".to_owned(),
                widget: &own::ABSENT,
                title: String::new(),
                answer,
            }],
        };
        let without =
            |modules: serde_json::Value| WidgetAnswer::of(json!({ "unavailable_modules": modules }));
        for (answer, is_failed) in [
            (WidgetAnswer::unavailable(Some(Suffix::DatastoreError)), true),
            (without(json!(["uptime"])), true),
            (without(json!([])), false),
            (WidgetAnswer::unavailable(Some(Suffix::PlanRestriction)), false),
            (WidgetAnswer::unavailable(None), false),
            (WidgetAnswer::NO_DATA, false),
        ] {
            let found = failed(&[section(answer.clone())]);
            assert_eq!(found.is_some(), is_failed, "{answer:?}");
        }
    }

    #[test]
    fn a_pdf_of_a_crowd_is_tried_less_often_the_longer_it_waits() {
        for (waited, pause) in [(-3_600, 2), (60, 15), (3_600, 30)] {
            let failure = crowded(time::Duration::seconds(waited));
            let pause = time::Duration::seconds(pause);
            assert_eq!(failure.retry, Retry::PutOff(pause), "{waited} s");
        }
    }

    #[test]
    fn a_pdf_waits_an_hour_for_a_worker_with_a_browser() {
        let waiting = without_browser(time::Duration::minutes(59));
        assert_eq!(
            (waiting.retry, waiting.public_error),
            (Retry::PutOff(LEFT_TO_OTHERS), None)
        );
        let over = without_browser(time::Duration::HOUR);
        assert_eq!(over.retry, Retry::Never);
        assert!(over.public_error.unwrap().detail.contains("needs Chromium"));
    }
}

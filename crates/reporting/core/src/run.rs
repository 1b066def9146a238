//! Runs: reports that were requested, by a caller or by a schedule.

use pharos_domain::{
    ids::{ReportTemplateId, RunId, WorkspaceId},
    jobs::{JobKind, NewJob},
    report_widget::ReportWindow,
    runs::{NewRun, Requester, Run, RunItems, RunKind, RunStatus},
    window::{DateRange, Period},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    config::SectionsConfig,
    format::{ReportFormat, ReportLocale, ReportTrigger},
    stored,
    template::{Branding, Template},
    window::{AskedWindow, UsualWindow},
};

/// How long a result is kept.
pub const RESULT_KEPT: Duration = Duration::days(365);
/// The kind of the jobs.
pub const KIND: JobKind = JobKind::new("report");
/// How often a report is tried while something is away: for some four minutes.
const MAX_ATTEMPTS: u16 = 8;

/// A run of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportRun {
    /// The run with how far it is.
    pub run: Run,
    /// Its template; `None`: it was deleted.
    pub template: Option<ReportTemplateId>,
    /// The name that the template had.
    pub template_name: String,
    /// Who had it made.
    pub trigger: ReportTrigger,
    /// The format of the file.
    pub format: ReportFormat,
    /// The named period that was requested.
    pub period: Option<Period>,
    /// The days that it is about.
    pub days: DateRange,
    /// Its result; `None` until it is there. It stays when the file is no longer kept.
    pub result: Option<ReportResult>,
}

/// A report that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ReportResult {
    /// How large it is.
    pub size_bytes: u64,
    /// How many pages it has; `None` but for PDF of 8 MiB at most.
    pub pages: Option<u32>,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// The sentences of its summary that say what changed, where it has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summary: Vec<String>,
    /// How its file is called. Earlier versions called it by its last day alone, and did not write that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The sentence that says what it is without, such as a logo that could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
    /// The days that its summary is about. An earlier version had them among the sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<String>,
    /// The sentences of its summary that ask readers to do something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
    /// The sentence that names the modules that its summary could not look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Its first figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<KeyFigure>,
}

/// A figure of a report as people read it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct KeyFigure {
    /// Its name, behind that of its section.
    pub label: String,
    /// Its value.
    pub value: String,
    /// How it changed, where its report is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
}

impl ReportRun {
    /// The same, in which the run says what its report is without, where it does not say why it failed.
    #[must_use]
    pub fn saying_what_is_missing(self) -> Self {
        let Self { run, result, .. } = self;
        let without = result.as_ref().and_then(|result| result.without.clone());
        Self {
            run: Run {
                error_detail: run.error_detail.or(without),
                ..run
            },
            result,
            ..self
        }
    }
}

/// All that a report is made from, as it was when it was requested: nobody who changes the template meanwhile changes it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ReportOrder {
    /// Its sections and widgets.
    #[serde(deserialize_with = "stored::sections")]
    pub sections: SectionsConfig,
    /// How numbers and dates are written.
    pub locale: ReportLocale,
    /// How it looks.
    #[serde(deserialize_with = "stored::branding")]
    pub branding: Branding,
    /// Whether the days before are shown beside.
    pub compares: bool,
    /// The template, which may be deleted before the report is made. Orders of earlier versions don't tell it.
    #[serde(default)]
    pub template: Option<Uuid>,
}

/// A run that is requested.
#[derive(Clone, Debug, PartialEq)]
pub struct NewReportRun {
    /// The run with its job.
    pub run: NewRun,
    /// The template that it is made by.
    pub template: ReportTemplateId,
    /// The name that the template has.
    pub template_name: String,
    /// Who has it made.
    pub trigger: ReportTrigger,
    /// The format of the file.
    pub format: ReportFormat,
    /// The named period that was requested.
    pub period: Option<Period>,
    /// The days that it is about.
    pub days: DateRange,
    /// The choices that it is made by.
    pub order: ReportOrder,
    /// Whether it goes to the recipients of its template.
    pub is_mailed: bool,
}

/// The run of a report that somebody in the console asks for: as the template says, and mailed to its recipients. `None`: its
/// period is none any more.
#[must_use]
pub fn of_template(
    template: &Template,
    workspace: WorkspaceId,
    requested_by: Requester,
    trigger: ReportTrigger,
    now: OffsetDateTime,
) -> Option<NewReportRun> {
    let (window, _) = AskedWindow::default().resolve(usual(template), now).ok()?;
    Some(mailed(template, workspace, requested_by, trigger, &window))
}

/// The run of a report that a template asks for by itself, as it is due on this day of its readers: mailed to its recipients.
#[must_use]
pub fn of_schedule(
    template: &Template,
    workspace: WorkspaceId,
    requested_by: Requester,
    day: Date,
    now: OffsetDateTime,
) -> NewReportRun {
    let window = usual(template).on(day, now);
    mailed(
        template,
        workspace,
        requested_by,
        ReportTrigger::Schedule,
        &window,
    )
}

fn usual(template: &Template) -> UsualWindow {
    UsualWindow {
        period: template.settings.default_period,
        compares: template.settings.compare_previous,
    }
}

fn mailed(
    template: &Template,
    workspace: WorkspaceId,
    requested_by: Requester,
    trigger: ReportTrigger,
    window: &ReportWindow,
) -> NewReportRun {
    let run = Run {
        id: RunId::generate(),
        domain_id: template.domain_id,
        kind: RunKind::Report,
        status: RunStatus::Queued,
        requested_at: window.now,
        started_at: None,
        finished_at: None,
        expires_at: None,
        items: None,
        error_code: None,
        error_detail: None,
        requested_by,
        credits_charged: 0,
    };
    let format = template.settings.format;
    NewReportRun {
        is_mailed: true,
        ..requested(run, workspace, template, trigger, window, format, None)
    }
}

/// The run of a report with its job.
#[must_use]
pub fn requested(
    run: Run,
    workspace: WorkspaceId,
    template: &Template,
    trigger: ReportTrigger,
    window: &ReportWindow,
    format: ReportFormat,
    sections: Option<SectionsConfig>,
) -> NewReportRun {
    let settings = &template.settings;
    let job = NewJob::of(workspace, KIND, json!({ "run_id": run.id }), MAX_ATTEMPTS);
    let sections = sections.unwrap_or_else(|| settings.sections.clone());
    NewReportRun {
        run: NewRun {
            run: Run {
                items: Some(items(&sections)),
                ..run
            },
            jobs: vec![job],
            result_kept: Some(RESULT_KEPT),
        },
        template: template.id,
        template_name: settings.name.clone(),
        trigger,
        format,
        period: window.period,
        days: window.days,
        order: ReportOrder {
            sections,
            locale: settings.locale,
            branding: settings.branding.clone(),
            compares: window.compares,
            template: Some(template.id.0),
        },
        is_mailed: false,
    }
}

/// The items of a report, none of which is done: its sections, and the file as the last.
pub(crate) fn items(sections: &SectionsConfig) -> RunItems {
    let shown = u32::try_from(sections.shown().count()).unwrap_or(u32::MAX);
    RunItems::of(shown.saturating_add(1))
}

/// The payload of a job: [`requested`] writes it.
#[derive(Debug, Deserialize)]
pub(crate) struct JobPayload {
    pub(crate) run_id: RunId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_an_earlier_version_is_read() {
        let stored = json!({
            "size_bytes": 4, "pages": 1, "sha256": "", "summary": ["1 Mar 2026 – 31 Mar 2026.", "Visitors fell."]
        });
        let read: ReportResult = serde_json::from_value(stored).unwrap();
        assert_eq!(read.summary.len(), 2);
        assert_eq!(
            (read.days, read.actions, read.figures),
            (None, Vec::new(), Vec::new())
        );
    }
}

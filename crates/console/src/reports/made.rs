//! Reports that were made, and what became of their mails.

use std::collections::HashMap;

use maud::{Markup, html};
use pharos_domain::{
    ids::RunId,
    page::{ListKey, PageRequest},
    runs::RunStatus,
};
use pharos_reporting::{
    format::{ReportFormat, ReportTrigger},
    mails::store::DeliveryCounts,
    run::ReportRun,
    store::RunFilter,
};

use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::{
        mark::{self, Tone},
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// How many are shown.
const SHOWN: usize = 20;

/// The newest reports that fit, below their heading.
pub(super) fn section(table: Option<Markup>) -> Markup {
    html! {
        h2 { "Made last" }
        @match table { Some(table) => (table), None => p { "None was made yet." } }
    }
}

/// The newest reports that fit; `None`: there are none.
pub(super) async fn table(
    console: &Console,
    here: &AtDomain,
    filter: RunFilter,
) -> Result<Option<Markup>, Refusal> {
    let reports = &console.parts.reports;
    let first = PageRequest {
        limit: SHOWN,
        after: None,
        list: ListKey::new("console", here.id().0),
    };
    let now = console.parts.clock.now();
    let runs = reports.runs.list(&here.access, filter, &first, now).await?.items;
    if runs.is_empty() {
        return Ok(None);
    }
    let ids: Vec<RunId> = runs.iter().map(|run| run.run.id).collect();
    let counts: HashMap<RunId, DeliveryCounts> = reports.sending.counts(&ids).await?.into_iter().collect();
    // On a report's own page its name says nothing new.
    let report = Column::text("Report");
    let report = match filter.template {
        Some(_) => report.spare(),
        None => report,
    };
    let table = Table {
        caption: "Reports that were made",
        columns: &[
            Column::text("Asked for"),
            report,
            Column::text("Days").spare(),
            Column::text("State"),
            Column::text("Mails").spare(),
            Column::text("File"),
        ],
        rows: runs
            .iter()
            .map(|run| row(here, run, counts.get(&run.run.id)))
            .collect(),
    };
    Ok(Some(table.show(&html! {})))
}

fn row(here: &AtDomain, run: &ReportRun, counts: Option<&DeliveryCounts>) -> Vec<Markup> {
    let file = domain_path(here.id(), &format!("reports/runs/{}", run.run.id));
    let by = match run.trigger {
        ReportTrigger::Api => "by the API",
        ReportTrigger::Dashboard => "by hand",
        ReportTrigger::Schedule => "by schedule",
    };
    vec![
        html! { (moment(run.run.requested_at)) " " span.note { (by) } },
        html! { bdi { (shown(&run.template_name)) } },
        html! { (run.days.first()) " – " (run.days.last()) },
        html! {
            (state(run.run.status))
            @if let Some(far) = far(run) { p.note { (far) } }
            @if let Some(why) = &run.run.error_detail { p.note { (shown(why)) } }
        },
        html! { @match counts { Some(counts) => (mails(counts)), None => span.none { "–" } } },
        html! {
            @if is_kept(run) { a href=(file) { (run.format.as_str().to_uppercase()) } } @else { span.none { "–" } }
        },
    ]
}

/// How far a report is that is being made. The last of its items is the file.
fn far(run: &ReportRun) -> Option<String> {
    let items = run.run.items.filter(|_| run.run.status == RunStatus::Running)?;
    let sections = items.total.saturating_sub(1);
    Some(match run.format {
        _ if items.completed < sections => format!("{} of {sections} sections", items.completed),
        ReportFormat::Pdf => "Being printed".to_owned(),
        ReportFormat::Html | ReportFormat::Csv | ReportFormat::Json => "Being written".to_owned(),
    })
}

/// Whether the file can be had.
pub(super) fn is_kept(run: &ReportRun) -> bool {
    run.result.is_some() && run.run.status == RunStatus::Succeeded
}

fn state(status: RunStatus) -> Markup {
    let (tone, word) = match status {
        RunStatus::Queued => (Tone::Calm, "Waiting"),
        RunStatus::Running => (Tone::Calm, "Being made"),
        RunStatus::Succeeded => (Tone::Good, "Made"),
        RunStatus::Partial => (Tone::Warn, "Made in part"),
        RunStatus::Failed => (Tone::Bad, "Failed"),
        RunStatus::Canceled => (Tone::Calm, "Canceled"),
        RunStatus::Expired => (Tone::Calm, "No longer kept"),
    };
    mark::state(tone, word)
}

fn mails(counts: &DeliveryCounts) -> Markup {
    let DeliveryCounts {
        queued,
        sent,
        failed,
        dropped,
    } = *counts;
    let told = [
        (sent, "sent"),
        (queued, "on their way"),
        (failed, "given up"),
        (dropped, "dropped"),
    ];
    let told: Vec<String> = told
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    html! { (told.join(", ")) }
}

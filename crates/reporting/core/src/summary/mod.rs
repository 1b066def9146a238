//! The summary: what changed, what caused it as far as the data says, and what needs doing. Every sentence is a rule's, with
//! figures of the widgets; the guide tells the rules.

mod action;
mod cause;
mod change;
mod releases;

use std::collections::BTreeSet;

use pharos_domain::{
    day::Day,
    module::Module,
    report_widget::{
        FieldFormat, LIMIT, ReportWidget, ReportWindow, SectionName, UNAVAILABLE_MODULES, WidgetAnswer,
    },
};
use serde_json::{Value, json};

use self::{
    action::{
        critical_modules, ends_soon, googlebot_kept_out, is_down, little_available, of_alerts, of_end,
        open_alerts, promise_broken, robots_faulty, vitals_failed,
    },
    cause::{longest_outage, tried, updated},
    change::{changed, is_told},
};
use crate::{
    data::{SectionData, all_rows, through, unavailable},
    format::ReportLocale,
    own,
    reading::Reading,
    render::{left_out, summary_days, words},
    verdict::provisional_from,
};

/// The most sentences of a kind.
const MOST: usize = 8;

/// The headings below which the sentences of each kind are told, in their order.
pub(crate) const HEADINGS: [(&str, &str); 3] = [
    (Kind::Change.as_str(), Kind::Change.heading()),
    (Kind::Cause.as_str(), Kind::Cause.heading()),
    (Kind::Action.as_str(), Kind::Action.heading()),
];

/// The kinds of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Change,
    Cause,
    Action,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Cause => "cause",
            Self::Action => "action",
        }
    }

    /// Stands above the sentences of the kind, in reports and in their mails.
    pub(crate) const fn heading(self) -> &'static str {
        match self {
            Self::Change => "What changed",
            Self::Cause => "What caused it",
            Self::Action => "What needs doing",
        }
    }
}

/// How much readers need a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Critical,
    Warning,
    Info,
}

impl Severity {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A sentence.
#[derive(Clone, Debug, PartialEq)]
struct Sentence {
    kind: Kind,
    severity: Severity,
    section: SectionName,
    text: String,
}

/// The widgets that the rules look at.
pub(crate) const LOOKED_AT: [(SectionName, &[&str]); 9] = [
    (
        SectionName::Uptime,
        &["kpi_row", "incident_list", "certificate", "registration"],
    ),
    (SectionName::Analytics, &["kpi_row"]),
    (SectionName::Ecommerce, &["kpi_row"]),
    (SectionName::Gsc, &["kpi_row", "updates"]),
    (SectionName::Rum, &["kpi_row", "timeseries", "releases"]),
    (SectionName::Robots, &["kpi_row"]),
    (SectionName::Alerts, &["alert_list"]),
    (SectionName::Experiments, &["experiment_list"]),
    (SectionName::Overview, &["health"]),
];

pub(crate) async fn answer(
    reading: &Reading<'_>,
    window: &ReportWindow,
    locale: ReportLocale,
) -> WidgetAnswer {
    let compared = ReportWindow {
        compares: true,
        ..*window
    };
    let chosen = all_rows();
    let mut told = Vec::new();
    let mut known_through = Vec::new();
    let mut search_provisional_from = None;
    let mut missing: BTreeSet<String> = BTreeSet::new();
    for asked in LOOKED_AT {
        let answers = reading.some_of(&compared, asked, &chosen).await;
        let failed = answers
            .iter()
            .flat_map(|(_, answer)| unavailable(asked.0, answer));
        missing.extend(failed.map(str::to_owned));
        let known: Vec<(&ReportWidget, Value)> = answers
            .into_iter()
            .filter_map(|(widget, answer)| Some((widget, answer.data?)))
            .collect();
        for (widget, data) in &known {
            told.extend(sentences(locale, asked.0, widget, data));
            known_through.extend(through(data));
            match (asked.0, widget.name) {
                (SectionName::Gsc, "kpi_row") => search_provisional_from = provisional_from(data).map(Day),
                (SectionName::Gsc, "updates") => told.extend(updated(locale, data)),
                (SectionName::Experiments, _) => told.extend(tried(locale, window.days, data)),
                (SectionName::Overview, _) => told.extend(critical_modules(locale, data)),
                _ => {}
            }
        }
        if asked.0 == SectionName::Rum {
            told.extend(
                releases::sentences(locale, &known)
                    .into_iter()
                    .map(|text| Sentence {
                        kind: Kind::Cause,
                        severity: Severity::Warning,
                        section: SectionName::Rum,
                        text,
                    }),
            );
        }
    }
    let items: Vec<Value> = most_severe(told)
        .iter()
        .map(|sentence| {
            json!({
                "kind": sentence.kind.as_str(),
                "severity": sentence.severity.as_str(),
                "section": sentence.section,
                "text": sentence.text,
            })
        })
        .collect();
    let resolved = compared.resolved(Module::Reports);
    let data_through = known_through.into_iter().min_by_key(|(until, _)| *until);
    let data_through = data_through.map(|(_, through)| through);
    let meta = resolved.meta(compared.comparison(&resolved).as_ref(), data_through);
    let mut data = json!({
        "items": items,
        "meta": meta,
        "search_provisional_from": search_provisional_from,
    });
    // A module that was not read may have changed, and may need doing.
    if !missing.is_empty() {
        data[UNAVAILABLE_MODULES] = json!(missing);
    }
    WidgetAnswer::of(data)
}

/// The sentences that are told, kind by kind: the most severe first, and of one severity those of the first widgets.
fn most_severe(mut told: Vec<Sentence>) -> Vec<Sentence> {
    // The sort is stable.
    told.sort_by_key(|sentence| sentence.severity);
    let mut chosen = Vec::new();
    for kind in [Kind::Change, Kind::Cause, Kind::Action] {
        let of_kind = told.iter().filter(|sentence| sentence.kind == kind);
        chosen.extend(of_kind.take(MOST).cloned());
    }
    chosen
}

/// The summary of a report as its mails have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SummaryText {
    /// The days that it is about; `None` where it says nothing.
    pub(crate) days: Option<String>,
    /// The sentences that say what changed, and what caused it.
    pub(crate) changes: Vec<String>,
    /// The sentences that ask readers to do something.
    pub(crate) actions: Vec<String>,
    /// The sentence that names the modules that could not be looked at.
    pub(crate) missing: Option<String>,
}

/// The summary in a report; nothing where it has none.
pub(crate) fn told(locale: ReportLocale, sections: &[SectionData]) -> SummaryText {
    let mut widgets = sections.iter().flat_map(|section| &section.widgets);
    let summary = widgets.find(|widget| widget.name == own::SUMMARY);
    let Some(data) = summary.and_then(|widget| widget.answer.data.as_ref()) else {
        return SummaryText::default();
    };
    let mut told = SummaryText {
        missing: left_out(data),
        ..SummaryText::default()
    };
    let items = data.get("items").and_then(Value::as_array);
    for item in items.into_iter().flatten() {
        let Some(text) = item.get("text").and_then(Value::as_str) else {
            continue;
        };
        let is_action = item.get("kind").and_then(Value::as_str) == Some(Kind::Action.as_str());
        let sentences = if is_action {
            &mut told.actions
        } else {
            &mut told.changes
        };
        sentences.push(text.to_owned());
    }
    if !(told.changes.is_empty() && told.actions.is_empty()) {
        told.days = summary_days(locale, data);
    }
    told
}

/// The sentences of one widget's data.
fn sentences(
    locale: ReportLocale,
    section: SectionName,
    widget: &ReportWidget,
    data: &Value,
) -> Vec<Sentence> {
    let mut told: Vec<Sentence> = widget
        .fields
        .iter()
        .filter(|field| is_told(section, field))
        .filter_map(|field| changed(locale, section, field, data))
        .map(|(severity, text)| Sentence {
            kind: Kind::Change,
            severity,
            section,
            text,
        })
        .collect();
    let mut say = |kind, severity, text: Option<String>| {
        told.extend(text.map(|text| Sentence {
            kind,
            severity,
            section,
            text,
        }));
    };
    let (critical, warning) = (Severity::Critical, Severity::Warning);
    match (section, widget.name) {
        (SectionName::Uptime, "kpi_row") => {
            say(Kind::Action, warning, promise_broken(locale, data));
            say(Kind::Action, warning, little_available(locale, data));
        }
        (SectionName::Uptime, "incident_list") => {
            say(Kind::Cause, warning, longest_outage(locale, data));
            say(Kind::Action, critical, is_down(locale, data));
        }
        (SectionName::Uptime, "certificate") => {
            say(
                Kind::Action,
                of_end(data),
                ends_soon(locale, "The certificate", data),
            );
        }
        (SectionName::Uptime, "registration") => {
            say(
                Kind::Action,
                of_end(data),
                ends_soon(locale, "The registration of the domain", data),
            );
        }
        (SectionName::Rum, "kpi_row") => say(Kind::Action, warning, vitals_failed(data)),
        (SectionName::Robots, "kpi_row") => {
            say(Kind::Action, warning, robots_faulty(locale, data));
            say(Kind::Action, critical, googlebot_kept_out(data));
        }
        (SectionName::Alerts, _) => say(Kind::Action, of_alerts(data), open_alerts(locale, data)),
        _ => {}
    }
    told
}

/// Whether a list has as many rows as lists may have: there may be more.
fn is_cut(rows: &[Value]) -> bool {
    u32::try_from(rows.len()).is_ok_and(|count| Some(count) >= LIMIT.max)
}

fn counted(locale: ReportLocale, count: f64, one: &str, many: &str) -> String {
    if count == 1.0 {
        one.to_owned()
    } else {
        many.replace("{}", &words::measured(locale, FieldFormat::Count, count, None))
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{Better, DataField, Empty, FieldChange, WidgetKind};

    use super::*;

    pub(super) const VISITS: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "",
        description: "",
        kind: WidgetKind::Kpi,
        default_enabled: true,
        config: &[],
        rows: None,
        fields: &[
            DataField::new("visitors", "Visitors", FieldFormat::Count)
                .with(FieldChange::Percent("visitors_change_pct"), Better::Higher),
            DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent)
                .with(FieldChange::Points("bounce_rate_change_pp"), Better::Lower),
        ],
        empty: Empty::NoData,
        measured_by: None,
    };

    pub(super) fn told(section: SectionName, name: &'static str, data: &Value) -> Vec<String> {
        let widget = ReportWidget { name, ..VISITS };
        sentences(ReportLocale::En, section, &widget, data)
            .into_iter()
            .map(|sentence| sentence.text)
            .collect()
    }

    /// The module in critical health comes last of all that is asked.
    #[test]
    fn what_is_critical_is_told_before_what_is_not_however_late_it_comes() {
        let sentence = |kind, severity, text: String| Sentence {
            kind,
            severity,
            section: SectionName::Overview,
            text,
        };
        let mut told: Vec<Sentence> = (0..MOST)
            .map(|at| sentence(Kind::Action, Severity::Warning, format!("warning {at}")))
            .collect();
        told.insert(0, sentence(Kind::Action, Severity::Info, "info".to_owned()));
        told.push(sentence(Kind::Change, Severity::Info, "change".to_owned()));
        let data = json!({ "modules": [
            { "module": "uptime", "status": "critical", "score": 0.0 },
            { "module": "synthetic", "status": "critical", "score": 12.0 },
        ] });
        told.extend(critical_modules(ReportLocale::En, &data));
        let chosen = most_severe(told);
        let texts: Vec<&str> = chosen.iter().map(|sentence| sentence.text.as_str()).collect();
        let (uptime, lab) = (texts[1], texts[2]);
        assert!(
            uptime.contains(" in critical health, with a score of 0.") && lab.contains("a score of 12."),
            "{texts:?}"
        );
        let warnings: Vec<String> = (0..MOST - 2).map(|at| format!("warning {at}")).collect();
        assert_eq!(texts[0], "change", "each kind has sentences of its own");
        assert_eq!(texts[3..], warnings, "those of one severity keep their order");
    }

    #[test]
    fn what_cannot_wait_is_critical() {
        let severity = |section, name: &'static str, data: Value| {
            let widget = ReportWidget { name, ..VISITS };
            let told = sentences(ReportLocale::En, section, &widget, &data);
            let actions = told.iter().filter(|sentence| sentence.kind != Kind::Cause);
            actions.map(|sentence| sentence.severity).collect::<Vec<_>>()
        };
        let (critical, warning) = (Severity::Critical, Severity::Warning);
        let down = json!({ "items": [{ "class": "dns", "started_at": "2026-03-31T09:00:00Z" }] });
        let alerts = |severity: &str, resolved_at: Value| {
            json!({ "items": [
                { "severity": severity, "resolved_at": resolved_at },
                { "severity": "warning", "resolved_at": null },
            ] })
        };
        let resolved = json!("2026-03-30T10:00:00Z");
        for (section, name, data, expected) in [
            (SectionName::Uptime, "incident_list", down, critical),
            (
                SectionName::Uptime,
                "certificate",
                json!({ "days_remaining": -1 }),
                critical,
            ),
            (
                SectionName::Uptime,
                "registration",
                json!({ "days_remaining": 3 }),
                warning,
            ),
            (
                SectionName::Robots,
                "kpi_row",
                json!({ "blocks_googlebot": true }),
                critical,
            ),
            (
                SectionName::Alerts,
                "alert_list",
                alerts("critical", Value::Null),
                critical,
            ),
            (
                SectionName::Alerts,
                "alert_list",
                alerts("critical", resolved),
                warning,
            ),
            (
                SectionName::Analytics,
                "kpi_row",
                json!({ "visitors": 900, "visitors_change_pct": -20.0 }),
                warning,
            ),
            (
                SectionName::Analytics,
                "kpi_row",
                json!({ "visitors": 900, "visitors_change_pct": 20.0 }),
                Severity::Info,
            ),
        ] {
            assert_eq!(
                severity(section, name, data.clone()),
                [expected],
                "{section} {data}"
            );
        }
    }

    /// Lists have 100 rows at most: what is true of these need not be of all.
    #[test]
    fn of_a_list_that_is_cut_no_more_is_said_than_it_shows() {
        let rows = |count: usize, row: Value| json!({ "items": vec![row; count] });
        let open = |count| {
            told(
                SectionName::Alerts,
                "alert_list",
                &rows(count, json!({ "resolved_at": null })),
            )
        };
        assert_eq!(open(99), ["99 alerts are still open."]);
        assert_eq!(open(100), ["At least 100 alerts are still open."]);
        let incident =
            json!({ "class": "dns", "started_at": "2026-03-12T10:00:00Z", "duration_seconds": 180 });
        let longest = |count| {
            told(
                SectionName::Uptime,
                "incident_list",
                &rows(count, incident.clone()),
            )
        };
        assert_eq!(
            longest(99),
            ["The longest incident (DNS) began on 12 Mar 2026 10:00 UTC and lasted 3 min."]
        );
        assert_eq!(
            longest(100),
            ["The longest incident of the last 100 (DNS) began on 12 Mar 2026 10:00 UTC and lasted 3 min."]
        );
    }
}

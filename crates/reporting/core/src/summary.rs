//! The summary: what changed, what caused it as far as the data says, and what needs doing. Every sentence is a rule's, with
//! figures of the widgets; the guide tells the rules.

use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    report_widget::{
        Better, DataField, FieldChange, FieldFormat, LIMIT, ReportWidget, ReportWindow, SectionName,
        WidgetAnswer, at_path,
    },
    window::DateRange,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    catalogue::Catalogue,
    data::{SectionData, all_rows},
    format::ReportLocale,
    own, released,
    render::words,
};

/// From this change in percent on, a figure is told of.
pub(crate) const CHANGED_PCT: f64 = 10.0;
/// From this change in percentage points on.
const CHANGED_PP: f64 = 1.0;
/// From this change in places of a list on.
const CHANGED_PLACES: f64 = 1.0;
/// Availability is told of from a tenth of this.
const AVAILABILITY_PP: f64 = 0.1;
/// A change of a count that was below this before, and is now, says little.
const LEAST: f64 = 50.0;
/// A certificate or registration that ends within so many days needs doing.
const ENDS_WITHIN_DAYS: f64 = 21.0;
/// The most sentences of a kind.
const MOST: usize = 8;

/// The kinds of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
}

/// A sentence.
#[derive(Clone, Debug, PartialEq)]
struct Sentence {
    kind: Kind,
    section: SectionName,
    text: String,
}

/// The widgets that the rules look at.
const LOOKED_AT: [(SectionName, &[&str]); 8] = [
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
];

pub(crate) async fn answer(
    catalogue: &Catalogue,
    domain: &DomainAccess,
    window: &ReportWindow,
    locale: ReportLocale,
    deadline: Instant,
) -> WidgetAnswer {
    let compared = ReportWindow {
        compares: true,
        ..*window
    };
    let chosen = all_rows();
    let mut told = Vec::new();
    for asked in LOOKED_AT {
        let answers = catalogue
            .some_of(domain, &compared, asked, &chosen, deadline)
            .await;
        let known: Vec<(&ReportWidget, Value)> = answers
            .into_iter()
            .filter_map(|(widget, answer)| Some((widget, answer.data?)))
            .collect();
        for (widget, data) in &known {
            told.extend(sentences(locale, asked.0, widget, data));
            match (asked.0, widget.name) {
                (SectionName::Gsc, "updates") => told.extend(updated(locale, data)),
                (SectionName::Experiments, _) => told.extend(tried(locale, window.days, data)),
                _ => {}
            }
        }
        if asked.0 == SectionName::Rum {
            told.extend(
                released::sentences(locale, &known)
                    .into_iter()
                    .map(|text| Sentence {
                        kind: Kind::Cause,
                        section: SectionName::Rum,
                        text,
                    }),
            );
        }
    }
    let mut items = Vec::new();
    for kind in [Kind::Change, Kind::Cause, Kind::Action] {
        let of_kind = told.iter().filter(|sentence| sentence.kind == kind).take(MOST);
        items.extend(of_kind.map(|sentence| {
            json!({ "kind": sentence.kind.as_str(), "section": sentence.section, "text": sentence.text })
        }));
    }
    WidgetAnswer::of(json!({ "items": items }))
}

/// The sentences of the summary in a report; none where it has none.
pub(crate) fn told(sections: &[SectionData]) -> Vec<String> {
    let widgets = sections.iter().flat_map(|section| &section.widgets);
    let items = widgets
        .filter(|widget| widget.name == own::SUMMARY)
        .filter_map(|widget| widget.answer.data.as_ref()?.get("items")?.as_array());
    let texts = items.flatten().filter_map(|item| item.get("text")?.as_str());
    texts.map(str::to_owned).collect()
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
        .map(|text| Sentence {
            kind: Kind::Change,
            section,
            text,
        })
        .collect();
    let mut say = |kind, text: Option<String>| {
        told.extend(text.map(|text| Sentence { kind, section, text }));
    };
    match (section, widget.name) {
        (SectionName::Uptime, "kpi_row") => say(Kind::Action, promise_broken(locale, data)),
        (SectionName::Uptime, "incident_list") => say(Kind::Cause, longest_outage(locale, data)),
        (SectionName::Uptime, "certificate") => say(Kind::Action, ends_soon(locale, "The certificate", data)),
        (SectionName::Uptime, "registration") => say(
            Kind::Action,
            ends_soon(locale, "The registration of the domain", data),
        ),
        (SectionName::Rum, "kpi_row") => {
            let fails = data.get("passes_core_web_vitals") == Some(&Value::Bool(false));
            say(
                Kind::Action,
                fails.then(|| "The site does not pass the Core Web Vitals of its visitors.".to_owned()),
            );
        }
        (SectionName::Robots, "kpi_row") => {
            let errors = at_path(data, "issues.error")
                .and_then(Value::as_f64)
                .filter(|errors| *errors > 0.0);
            say(
                Kind::Action,
                errors.map(|errors| {
                    counted(
                        locale,
                        errors,
                        "robots.txt has one error.",
                        "robots.txt has {} errors.",
                    )
                }),
            );
            let blocked = data.get("blocks_googlebot") == Some(&Value::Bool(true));
            say(
                Kind::Action,
                blocked.then(|| "robots.txt keeps Googlebot out of the site's root.".to_owned()),
            );
        }
        (SectionName::Alerts, _) => say(Kind::Action, open_alerts(locale, data)),
        _ => {}
    }
    told
}

/// Whether changes of a figure are told of. For search these are clicks alone: its other figures change with the queries that
/// the site is shown for, whether or not anybody comes.
fn is_told(section: SectionName, field: &DataField) -> bool {
    section != SectionName::Gsc || field.path == "clicks"
}

/// A figure that changed by as much as its rule says, with both of its values where they are known.
fn changed(locale: ReportLocale, section: SectionName, field: &DataField, data: &Value) -> Option<String> {
    let (change, value) = large_change(field, data)?;
    let now = at_path(data, field.path)?.as_f64()?;
    // Few are worth telling of things that should not happen at all, such as outages.
    let may_be_few = field.format == FieldFormat::Count && field.better != Better::Lower;
    if may_be_few && says_little(change, value, now) {
        return None;
    }
    let way = if value > 0.0 { "rose" } else { "fell" };
    let by = words::change_size(locale, change, value);
    let currency = data.get("currency").and_then(Value::as_str);
    let verdict = match field.better {
        Better::Neither => "",
        Better::Higher if value > 0.0 => ", which is better",
        Better::Lower if value < 0.0 => ", which is better",
        Better::Higher | Better::Lower => ", which is worse",
    };
    let subject = match section {
        SectionName::Gsc => format!("{} in search", field.label),
        _ => field.label.to_owned(),
    };
    Some(format!(
        "{subject} {way} by {by} to {}{verdict}.",
        words::measured(locale, field.format, now, currency)
    ))
}

/// A figure's change that is as large as its rule says.
pub(crate) fn large_change(field: &DataField, data: &Value) -> Option<(FieldChange, f64)> {
    let change = field.change?;
    let value = change.read(at_path(data, change.path())?.as_f64()?);
    let is_large = match change {
        FieldChange::Percent(_) => value.abs() >= CHANGED_PCT,
        FieldChange::Points(_) if field.path == "uptime_pct" => value.abs() >= AVAILABILITY_PP,
        FieldChange::Points(_) | FieldChange::Fraction(_) => value.abs() >= CHANGED_PP,
        FieldChange::Places(_) => value.abs() >= CHANGED_PLACES,
    };
    is_large.then_some((change, value))
}

/// Whether a count is too small for its change to mean something, and was so before. A fall to nothing is always told, since
/// the count before is not known.
fn says_little(change: FieldChange, value: f64, now: f64) -> bool {
    let before = match change {
        FieldChange::Percent(_) if value <= -100.0 => return false,
        FieldChange::Percent(_) => now / (1.0 + value / 100.0),
        FieldChange::Points(_) | FieldChange::Fraction(_) | FieldChange::Places(_) => now - value,
    };
    now.max(before) < LEAST
}

fn promise_broken(locale: ReportLocale, data: &Value) -> Option<String> {
    let is_broken = data.get("sla_met") == Some(&Value::Bool(false));
    let (is, promised) = (
        data.get("uptime_pct")?.as_f64()?,
        data.get("sla_target_pct")?.as_f64()?,
    );
    is_broken.then(|| {
        format!(
            "Availability was {}, below the {} that were promised.",
            words::measured(locale, FieldFormat::Percent, is, None),
            words::measured(locale, FieldFormat::Percent, promised, None)
        )
    })
}

fn longest_outage(locale: ReportLocale, data: &Value) -> Option<String> {
    let seconds = |row: &&Value| row.get("duration_seconds").and_then(Value::as_f64);
    let rows = data.get("items")?.as_array()?;
    let longest = rows
        .iter()
        .filter(|row| seconds(row).is_some())
        .max_by(|one, other| {
            seconds(one)
                .partial_cmp(&seconds(other))
                .unwrap_or(std::cmp::Ordering::Equal)
        })?;
    let lasted = words::measured(locale, FieldFormat::Seconds, seconds(&longest)?, None);
    let class = longest.get("class").and_then(Value::as_str).unwrap_or("unknown");
    let class = words::within_sentence(class);
    let began = longest.get("started_at");
    let began = words::value(locale, FieldFormat::Moment, began, None);
    let of = if is_cut(rows) {
        format!(" of the last {}", rows.len())
    } else {
        String::new()
    };
    Some(format!(
        "The longest incident{of} ({class}) began on {began} and lasted {lasted}."
    ))
}

/// Whether a list has as many rows as lists may have: there may be more.
fn is_cut(rows: &[Value]) -> bool {
    u32::try_from(rows.len()).is_ok_and(|count| Some(count) >= LIMIT.max)
}

/// The updates of its ranking that Google told of.
fn updated(locale: ReportLocale, data: &Value) -> Vec<Sentence> {
    let sentence = |row: &Value| {
        let text = |member: &str| row.get(member).and_then(Value::as_str);
        let began = text("date")?.parse::<Day>().ok()?.0;
        let label = text("label")?;
        let is_told = text("kind") == Some("search_update");
        is_told.then(|| Sentence {
            kind: Kind::Cause,
            section: SectionName::Gsc,
            text: format!(
                "Google began to roll out the {label} on {}.",
                words::day(locale, began)
            ),
        })
    };
    let rows = data.get("annotations").and_then(Value::as_array);
    rows.into_iter().flatten().filter_map(sentence).collect()
}

/// The changes of experiments that came within the days. A draft is none yet.
fn tried(locale: ReportLocale, days: DateRange, data: &Value) -> Vec<Sentence> {
    let sentence = |row: &Value| {
        let text = |member: &str| row.get(member).and_then(Value::as_str);
        let name = text("name")?;
        let since = text("post_start_date")?.parse::<Day>().ok()?.0;
        let is_told = text("status") != Some("draft") && days.contains(since);
        is_told.then(|| Sentence {
            kind: Kind::Cause,
            section: SectionName::Experiments,
            text: format!(
                "The change of the experiment “{name}” was there from {} on.",
                words::day(locale, since)
            ),
        })
    };
    let rows = data.get("items").and_then(Value::as_array);
    rows.into_iter().flatten().filter_map(sentence).collect()
}

fn ends_soon(locale: ReportLocale, what: &str, data: &Value) -> Option<String> {
    let days = data.get("days_remaining")?.as_f64()?;
    if days < 0.0 {
        return Some(format!("{what} is over. Renew it now."));
    }
    (days <= ENDS_WITHIN_DAYS).then(|| {
        counted(
            locale,
            days,
            &format!("{what} ends in one day."),
            &format!("{what} ends in {{}} days."),
        )
    })
}

fn open_alerts(locale: ReportLocale, data: &Value) -> Option<String> {
    let rows = data.get("items")?.as_array()?;
    let open = rows
        .iter()
        .filter(|row| row.get("resolved_at").is_none_or(Value::is_null))
        .count();
    let (one, many) = if is_cut(rows) {
        (
            "At least one alert is still open.",
            "At least {} alerts are still open.",
        )
    } else {
        ("One alert is still open.", "{} alerts are still open.")
    };
    (open > 0).then(|| counted(locale, open as f64, one, many))
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
    use pharos_domain::report_widget::{Empty, WidgetKind};
    use time::macros::date;

    use super::*;

    const VISITS: ReportWidget = ReportWidget {
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
    };

    fn told(section: SectionName, name: &'static str, data: &Value) -> Vec<String> {
        let widget = ReportWidget { name, ..VISITS };
        sentences(ReportLocale::En, section, &widget, data)
            .into_iter()
            .map(|sentence| sentence.text)
            .collect()
    }

    #[test]
    fn a_change_is_told_from_a_tenth_on() {
        let told = |visitors: f64, pct: Option<f64>, pp: f64| {
            let data = json!({
                "visitors": visitors, "visitors_change_pct": pct,
                "bounce_rate_pct": 40.0, "bounce_rate_change_pp": pp
            });
            told(SectionName::Analytics, "kpi_row", &data)
        };
        assert_eq!(told(1_200.0, Some(9.9), 0.9), [""; 0]);
        assert_eq!(
            told(1_200.0, Some(-10.0), 1.5),
            [
                "Visitors fell by 10.0% to 1,200, which is worse.",
                "Bounce rate rose by 1.50\u{a0}percentage points to 40%, which is worse."
            ]
        );
        assert_eq!(told(1_200.0, None, -2.0).len(), 1, "nothing to compare");
        assert_eq!(told(49.0, Some(300.0), 0.0), [""; 0], "few visitors say little");
    }

    #[test]
    fn many_of_whom_few_or_none_are_left_are_told() {
        let told = |visitors: f64, pct: f64| {
            let data = json!({ "visitors": visitors, "visitors_change_pct": pct });
            told(SectionName::Analytics, "kpi_row", &data)
        };
        assert_eq!(
            told(40.0, -96.0),
            ["Visitors fell by 96.0% to 40, which is worse."]
        );
        assert_eq!(
            told(0.0, -100.0),
            ["Visitors fell by 100.0% to 0, which is worse."]
        );
        assert_eq!(told(40.0, -11.1), [""; 0], "there were 45");
    }

    #[test]
    fn of_search_clicks_are_told() {
        const SEARCH: ReportWidget = ReportWidget {
            fields: &[
                DataField::new("clicks", "Clicks", FieldFormat::Count).with(
                    FieldChange::Percent("comparison.clicks.change_pct"),
                    Better::Higher,
                ),
                DataField::new("position", "Mean position", FieldFormat::Number).with(
                    FieldChange::Percent("comparison.position.change_pct"),
                    Better::Lower,
                ),
            ],
            ..VISITS
        };
        let told = |clicks: f64, pct: Option<f64>| {
            let data = json!({
                "clicks": clicks, "position": 9.0,
                "comparison": { "clicks": { "change_pct": pct }, "position": { "change_pct": 50.0 } }
            });
            let told = sentences(ReportLocale::En, SectionName::Gsc, &SEARCH, &data);
            told.into_iter().map(|sentence| sentence.text).collect::<Vec<_>>()
        };
        assert_eq!(
            told(1_200.0, Some(25.0)),
            ["Clicks in search rose by 25.0% to 1,200, which is better."]
        );
        assert_eq!(told(1_200.0, Some(9.0)), [""; 0]);
        assert_eq!(told(49.0, Some(300.0)), [""; 0], "few clicks say little");
        assert_eq!(told(1_200.0, None), [""; 0], "nothing to compare");
    }

    #[test]
    fn what_needs_doing_is_said() {
        let certificate = |days: f64| {
            told(
                SectionName::Uptime,
                "certificate",
                &json!({ "days_remaining": days }),
            )
        };
        assert_eq!(certificate(22.0), [""; 0]);
        assert_eq!(certificate(21.0), ["The certificate ends in 21 days."]);
        assert_eq!(certificate(1.0), ["The certificate ends in one day."]);
        assert_eq!(certificate(-1.0), ["The certificate is over. Renew it now."]);
        let promise = json!({ "uptime_pct": 99.5, "sla_target_pct": 99.9, "sla_met": false });
        assert_eq!(
            told(SectionName::Uptime, "kpi_row", &promise),
            ["Availability was 99.5%, below the 99.9% that were promised."]
        );
    }

    #[test]
    fn the_longest_incident_is_the_cause() {
        let data = json!({ "items": [
            { "class": "http_5xx", "started_at": "2026-03-12T10:00:00Z", "duration_seconds": 180 },
            { "class": "timeout", "started_at": "2026-03-14T22:30:00Z", "duration_seconds": 5400 },
            { "class": "dns", "started_at": "2026-03-31T09:00:00Z", "duration_seconds": null },
        ] });
        assert_eq!(
            told(SectionName::Uptime, "incident_list", &data),
            ["The longest incident (timeout) began on 14 Mar 2026 22:30 UTC and lasted 1 h 30 min."]
        );
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

    #[test]
    fn few_views_say_little_and_few_outages_do() {
        const FEW: ReportWidget = ReportWidget {
            fields: &[
                DataField::new("pageviews", "Views measured", FieldFormat::Count)
                    .with(FieldChange::Percent("pageviews_change_pct"), Better::Neither),
                DataField::new("incident_count", "Outages", FieldFormat::Count)
                    .with(FieldChange::Percent("incident_count_change_pct"), Better::Lower),
            ],
            ..VISITS
        };
        let data = json!({
            "pageviews": 4, "pageviews_change_pct": 33.3, "incident_count": 4, "incident_count_change_pct": 33.3
        });
        let told = sentences(ReportLocale::En, SectionName::Rum, &FEW, &data);
        let told: Vec<String> = told.into_iter().map(|sentence| sentence.text).collect();
        assert_eq!(told, ["Outages rose by 33.3% to 4, which is worse."]);
    }

    #[test]
    fn an_update_of_googles_ranking_is_a_cause() {
        let event = |kind: &str, label: &str| json!({ "date": "2026-03-27", "kind": kind, "label": label });
        let data = json!({ "annotations": [
            event("search_update", "March 2026 core update"),
            event("data_anomaly", "Google counts impressions rightly again"),
        ] });
        let told: Vec<(Kind, String)> = updated(ReportLocale::En, &data)
            .into_iter()
            .map(|sentence| (sentence.kind, sentence.text))
            .collect();
        let text = "Google began to roll out the March 2026 core update on 27 Mar 2026.";
        assert_eq!(told, [(Kind::Cause, text.to_owned())]);
    }

    #[test]
    fn an_experiment_whose_change_came_in_these_days_is_a_cause() {
        let march = DateRange::new(date!(2026 - 03 - 01), date!(2026 - 03 - 31)).unwrap();
        let experiment = |name: &str, status: &str, since: &str| json!({ "name": name, "status": status, "post_start_date": since });
        let data = json!({ "items": [
            experiment("Larger pictures", "running", "2026-03-12"),
            experiment("Shorter titles", "completed", "2026-02-28"),
            experiment("No basket", "draft", "2026-03-20"),
        ] });
        let told: Vec<(Kind, String)> = tried(ReportLocale::En, march, &data)
            .into_iter()
            .map(|sentence| (sentence.kind, sentence.text))
            .collect();
        let text = "The change of the experiment “Larger pictures” was there from 12 Mar 2026 on.";
        assert_eq!(told, [(Kind::Cause, text.to_owned())]);
    }
}

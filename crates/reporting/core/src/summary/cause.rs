//! The sentences that tell a cause, as far as the data says it.

use pharos_domain::{
    day::Day,
    report_widget::{FieldFormat, SectionName},
    window::DateRange,
};
use serde_json::Value;
use time::Date;

use super::{Kind, Sentence, Severity, is_cut};
use crate::{
    format::ReportLocale,
    render::{labels, words},
};

/// Whether an incident goes on: nobody knows yet how long it lasts.
pub(super) fn is_open(row: &Value) -> bool {
    row.get("duration_seconds").is_none_or(Value::is_null)
}

/// The incident that lasted longest. While another goes on, it is the longest of those that are over.
pub(super) fn longest_outage(locale: ReportLocale, data: &Value) -> Option<String> {
    let rows = data.get("items")?.as_array()?;
    let seconds = |row: &Value| row.get("duration_seconds").and_then(Value::as_f64);
    let over: Vec<(f64, &Value)> = rows.iter().filter_map(|row| Some((seconds(row)?, row))).collect();
    let (lasted, longest) = over.iter().max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let lasted = words::measured(locale, FieldFormat::Seconds, *lasted, None);
    let class = longest.get("class").and_then(Value::as_str).unwrap_or("unknown");
    let class = labels::within_sentence(class);
    let began = longest.get("started_at");
    let began = words::value(locale, FieldFormat::Moment, began, None);
    let mut which = match over.len() {
        1 => "An incident",
        _ => "The longest incident",
    }
    .to_owned();
    if is_cut(rows) {
        which.push_str(&format!(" of the last {}", rows.len()));
    }
    if rows.iter().any(is_open) {
        which.push_str(" that is over");
    }
    Some(format!("{which} ({class}) began on {began} and lasted {lasted}."))
}

/// The updates of its ranking that Google told of.
pub(super) fn updated(locale: ReportLocale, data: &Value) -> Vec<Sentence> {
    let sentence = |row: &Value| {
        let text = |member: &str| row.get(member).and_then(Value::as_str);
        let began = text("date")?.parse::<Day>().ok()?.0;
        let label = text("label")?;
        let is_told = text("kind") == Some("search_update");
        is_told.then(|| Sentence {
            kind: Kind::Cause,
            severity: Severity::Info,
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

/// The changes of experiments that came within the days, those of one name and day together. A draft is none yet.
pub(super) fn tried(locale: ReportLocale, days: DateRange, data: &Value) -> Vec<Sentence> {
    let began = |row: &Value| {
        let text = |member: &str| row.get(member).and_then(Value::as_str);
        let name = text("name")?.to_owned();
        let since = text("post_start_date")?.parse::<Day>().ok()?.0;
        let is_told = text("status") != Some("draft") && days.contains(since);
        is_told.then_some((name, since))
    };
    let rows = data.get("items").and_then(Value::as_array);
    let mut all: Vec<((String, Date), u32)> = Vec::new();
    for one in rows.into_iter().flatten().filter_map(began) {
        match all.iter_mut().find(|(other, _)| *other == one) {
            Some((_, count)) => *count += 1,
            None => all.push((one, 1)),
        }
    }
    let sentence = |((name, since), count): ((String, Date), u32)| {
        let day = words::day(locale, since);
        let text = if count == 1 {
            format!("The change of the experiment “{name}” was there from {day} on.")
        } else {
            format!("The changes of {count} experiments “{name}” were there from {day} on.")
        };
        Sentence {
            kind: Kind::Cause,
            severity: Severity::Info,
            section: SectionName::Experiments,
            text,
        }
    };
    all.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::date;

    use super::*;
    use crate::summary::tests::told;

    #[test]
    fn the_longest_incident_is_the_cause() {
        let data = json!({ "items": [
            { "class": "http_5xx", "started_at": "2026-03-12T10:00:00Z", "duration_seconds": 180 },
            { "class": "timeout", "started_at": "2026-03-14T22:30:00Z", "duration_seconds": 5400 },
            { "class": "dns", "started_at": "2026-03-31T09:00:00Z", "duration_seconds": null },
        ] });
        let began = "(timeout) began on 14 Mar 2026 22:30 UTC and lasted 1 h 30 min.";
        assert_eq!(
            told(SectionName::Uptime, "incident_list", &data),
            [
                format!("The longest incident that is over {began}"),
                "The site is down since 31 Mar 2026 09:00 UTC (DNS), and was when this report was made."
                    .to_owned()
            ],
            "one that goes on may become the longest"
        );
        let over = |count: usize| {
            let items = &data["items"].as_array().unwrap()[2 - count..2];
            told(SectionName::Uptime, "incident_list", &json!({ "items": items }))
        };
        assert_eq!(over(2), [format!("The longest incident {began}")]);
        assert_eq!(over(1), [format!("An incident {began}")]);
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
            experiment("Search box", "running", "2026-03-15"),
            experiment("Search box", "running", "2026-03-15"),
        ] });
        let told: Vec<(Kind, String)> = tried(ReportLocale::En, march, &data)
            .into_iter()
            .map(|sentence| (sentence.kind, sentence.text))
            .collect();
        let texts = [
            "The change of the experiment “Larger pictures” was there from 12 Mar 2026 on.",
            "The changes of 2 experiments “Search box” were there from 15 Mar 2026 on.",
        ];
        assert_eq!(told, texts.map(|text| (Kind::Cause, text.to_owned())));
    }
}

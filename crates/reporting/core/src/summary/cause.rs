//! The sentences that tell a cause, as far as the data says it.

use pharos_domain::{
    day::Day,
    report_widget::{FieldFormat, SectionName},
    window::DateRange,
};
use serde_json::Value;

use super::{Kind, Sentence, is_cut};
use crate::{
    format::ReportLocale,
    render::{labels, words},
};

pub(super) fn longest_outage(locale: ReportLocale, data: &Value) -> Option<String> {
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
    let class = labels::within_sentence(class);
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

/// The updates of its ranking that Google told of.
pub(super) fn updated(locale: ReportLocale, data: &Value) -> Vec<Sentence> {
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
pub(super) fn tried(locale: ReportLocale, days: DateRange, data: &Value) -> Vec<Sentence> {
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
        assert_eq!(
            told(SectionName::Uptime, "incident_list", &data),
            ["The longest incident (timeout) began on 14 Mar 2026 22:30 UTC and lasted 1 h 30 min."]
        );
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

//! The sentences that ask readers to do something.

use pharos_domain::report_widget::{FieldFormat, SectionName, at_path};
use serde_json::Value;

use super::{Kind, Sentence, Severity, cause::is_open, counted, is_cut};
use crate::{
    format::ReportLocale,
    render::{labels, words},
};

/// A certificate or registration that ends within so many days needs doing.
const ENDS_WITHIN_DAYS: f64 = 21.0;
/// Less availability than this needs doing where none is promised, whether or not there is anything to compare it with.
const LEAST_AVAILABLE_PCT: f64 = 99.0;

pub(super) fn promise_broken(locale: ReportLocale, data: &Value) -> Option<String> {
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

pub(super) fn little_available(locale: ReportLocale, data: &Value) -> Option<String> {
    let is_promised = data.get("sla_met").is_some_and(|met| !met.is_null());
    let is = data.get("uptime_pct")?.as_f64()?;
    let percent = |value| words::measured(locale, FieldFormat::Percent, value, None);
    (is < LEAST_AVAILABLE_PCT && !is_promised).then(|| {
        format!(
            "Availability was {}, below {}.",
            percent(is),
            percent(LEAST_AVAILABLE_PCT)
        )
    })
}

/// An outage that goes on, of several the one that began first.
pub(super) fn is_down(locale: ReportLocale, data: &Value) -> Option<String> {
    // A list has the newest first.
    let mut oldest_first = data.get("items")?.as_array()?.iter().rev();
    let open = oldest_first.find(|row| is_open(row))?;
    let since = words::value(locale, FieldFormat::Moment, open.get("started_at"), None);
    let class = open.get("class").and_then(Value::as_str).unwrap_or("unknown");
    let class = labels::within_sentence(class);
    Some(format!(
        "The site is down since {since} ({class}), and was when this report was made."
    ))
}

/// The modules whose health is critical, each with its score where it has one.
pub(super) fn critical_modules(locale: ReportLocale, data: &Value) -> Vec<Sentence> {
    let sentence = |row: &Value| {
        let is_critical = row.get("status").and_then(Value::as_str) == Some("critical");
        let module = labels::section(row.get("module")?.as_str()?);
        let score = row.get("score").and_then(Value::as_f64);
        let text = match score.map(|score| words::measured(locale, FieldFormat::Number, score, None)) {
            Some(score) => format!("{module} is in critical health, with a score of {score}."),
            None => format!("{module} is in critical health."),
        };
        is_critical.then_some(Sentence {
            kind: Kind::Action,
            severity: Severity::Critical,
            section: SectionName::Overview,
            text,
        })
    };
    let rows = data.get("modules").and_then(Value::as_array);
    rows.into_iter().flatten().filter_map(sentence).collect()
}

pub(super) fn ends_soon(locale: ReportLocale, what: &str, data: &Value) -> Option<String> {
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

/// The severity of the sentence that [`ends_soon`] says.
pub(super) fn of_end(data: &Value) -> Severity {
    match data.get("days_remaining").and_then(Value::as_f64) {
        Some(days) if days < 0.0 => Severity::Critical,
        _ => Severity::Warning,
    }
}

pub(super) fn vitals_failed(data: &Value) -> Option<String> {
    let fails = data.get("passes_core_web_vitals") == Some(&Value::Bool(false));
    fails.then(|| "The site does not pass the Core Web Vitals of its visitors.".to_owned())
}

pub(super) fn robots_faulty(locale: ReportLocale, data: &Value) -> Option<String> {
    let errors = at_path(data, "issues.error")
        .and_then(Value::as_f64)
        .filter(|errors| *errors > 0.0);
    errors.map(|errors| {
        counted(
            locale,
            errors,
            "robots.txt has one error.",
            "robots.txt has {} errors.",
        )
    })
}

pub(super) fn googlebot_kept_out(data: &Value) -> Option<String> {
    let blocked = data.get("blocks_googlebot") == Some(&Value::Bool(true));
    blocked.then(|| "robots.txt keeps Googlebot out of the site's root.".to_owned())
}

pub(super) fn open_alerts(locale: ReportLocale, data: &Value) -> Option<String> {
    let rows = data.get("items")?.as_array()?;
    let open = rows.iter().filter(|row| is_unresolved(row)).count();
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

/// The severity of the sentence that [`open_alerts`] says: that of the most severe alert.
pub(super) fn of_alerts(data: &Value) -> Severity {
    let rows = data.get("items").and_then(Value::as_array);
    let mut open = rows.into_iter().flatten().filter(|row| is_unresolved(row));
    if open.any(|row| row.get("severity").and_then(Value::as_str) == Some("critical")) {
        Severity::Critical
    } else {
        Severity::Warning
    }
}

fn is_unresolved(alert: &Value) -> bool {
    alert.get("resolved_at").is_none_or(Value::is_null)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::summary::tests::told;

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
    fn little_availability_needs_doing_without_days_before_and_without_a_promise() {
        let told = |data: Value| told(SectionName::Uptime, "kpi_row", &data);
        let alone = json!({ "uptime_pct": 62.0, "sla_target_pct": null, "sla_met": null });
        assert_eq!(told(alone), ["Availability was 62%, below 99%."]);
        assert_eq!(told(json!({ "uptime_pct": 99.0, "sla_met": null })), [""; 0]);
        let kept = json!({ "uptime_pct": 62.0, "sla_target_pct": 60.0, "sla_met": true });
        assert_eq!(told(kept), [""; 0], "it is as its owner promised");
        let broken = json!({ "uptime_pct": 62.0, "sla_target_pct": 99.9, "sla_met": false });
        assert_eq!(told(broken).len(), 1, "it is said once");
    }

    #[test]
    fn a_module_in_critical_health_needs_doing() {
        let data = json!({ "modules": [
            { "module": "uptime", "status": "critical", "score": 0.0 },
            { "module": "indexing", "status": "warning", "score": 71.5 },
            { "module": "crux", "status": "no_data", "score": null },
            { "module": "analytics", "status": "critical", "score": null },
        ] });
        let told: Vec<(Kind, String)> = critical_modules(ReportLocale::En, &data)
            .into_iter()
            .map(|sentence| (sentence.kind, sentence.text))
            .collect();
        let texts = [
            "Uptime is in critical health, with a score of 0.",
            "Web analytics is in critical health.",
        ];
        assert_eq!(told, texts.map(|text| (Kind::Action, text.to_owned())));
    }

    #[test]
    fn an_outage_that_goes_on_needs_doing() {
        let open = json!({
            "class": "http_5xx", "started_at": "2026-03-31T03:15:00Z", "resolved_at": null, "duration_seconds": null
        });
        let told = told(SectionName::Uptime, "incident_list", &json!({ "items": [open] }));
        assert_eq!(
            told,
            ["The site is down since 31 Mar 2026 03:15 UTC (HTTP 5xx), and was when this report was made."]
        );
    }
}

//! The sentences that ask readers to do something.

use pharos_domain::report_widget::{FieldFormat, at_path};
use serde_json::Value;

use super::{counted, is_cut};
use crate::{format::ReportLocale, render::words};

/// A certificate or registration that ends within so many days needs doing.
const ENDS_WITHIN_DAYS: f64 = 21.0;

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

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::SectionName;
    use serde_json::json;

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
}

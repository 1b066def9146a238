//! The sentences that tell which figures changed, and the changes that are large enough for one.

use pharos_domain::report_widget::{Better, DataField, FieldChange, FieldFormat, SectionName, at_path};
use serde_json::Value;

use super::Severity;
use crate::{format::ReportLocale, render::words, verdict::unjudged};

/// From this change in percent on, a figure is told of.
pub(super) const CHANGED_PCT: f64 = 10.0;
/// From this change in percentage points on.
const CHANGED_PP: f64 = 1.0;
/// From this change in places of a list on.
const CHANGED_PLACES: f64 = 1.0;
/// Availability is told of from a tenth of this.
const AVAILABILITY_PP: f64 = 0.1;
/// A change of a count that was below this before, and is now, says little.
const LEAST: f64 = 50.0;

/// Whether changes of a figure are told of. For search these are clicks alone: its other figures change with the queries that
/// the site is shown for, whether or not anybody comes.
pub(super) fn is_told(section: SectionName, field: &DataField) -> bool {
    section != SectionName::Gsc || field.path == "clicks"
}

/// A figure that changed by as much as its rule says, with both of its values where they are known: a warning if it got worse.
pub(super) fn changed(
    locale: ReportLocale,
    section: SectionName,
    field: &DataField,
    data: &Value,
) -> Option<(Severity, String)> {
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
    let (severity, verdict) = match (field.better, unjudged(field, value, data)) {
        (Better::Neither, _) => (Severity::Info, ""),
        (_, Some(why)) => (Severity::Info, why.words()),
        (Better::Higher, None) if value > 0.0 => (Severity::Info, ", which is better"),
        (Better::Lower, None) if value < 0.0 => (Severity::Info, ", which is better"),
        (Better::Higher | Better::Lower, None) => (Severity::Warning, ", which is worse"),
    };
    let subject = match section {
        SectionName::Gsc => format!("{} in search", field.label),
        _ => field.label.to_owned(),
    };
    let now = words::measured(locale, field.format, now, currency);
    Some((severity, format!("{subject} {way} by {by} to {now}{verdict}.")))
}

/// A figure's change that is as large as its rule says.
pub(super) fn large_change(field: &DataField, data: &Value) -> Option<(FieldChange, f64)> {
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

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::ReportWidget;
    use serde_json::json;

    use super::*;
    use crate::summary::{
        sentences,
        tests::{VISITS, told},
    };

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

    /// Each is said without a verdict that the rest of the days may belie.
    #[test]
    fn a_change_of_days_that_are_not_whole_or_final_has_no_verdict() {
        let told = |last: &str, is_partial: bool, state: &str| {
            let data = json!({
                "visitors": 849, "visitors_change_pct": -16.2, "data_state": state,
                "meta": {
                    "range_start": "2026-11-23", "range_end": last, "range_end_partial": is_partial,
                    "data_through": "2026-11-24",
                },
            });
            told(SectionName::Analytics, "kpi_row", &data)
        };
        let fell = "Visitors fell by 16.2% to 849";
        for (last, is_partial, state, end) in [
            ("2026-11-29", false, "final", ", which is worse."),
            ("2026-11-29", true, "final", ", but the last day is not over."),
            ("2026-11-29", true, "all", ", but the last days are provisional."),
            (
                "2026-11-27",
                false,
                "final",
                ", but the days before are other days of the week.",
            ),
        ] {
            assert_eq!(told(last, is_partial, state), [format!("{fell}{end}")]);
        }
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
}

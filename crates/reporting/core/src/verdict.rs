//! Whether a change can be called better or worse yet. Days that are not over, and figures that may still change, are no match for
//! whole days; the same days of the week have to stand on both sides where people are counted.

use pharos_domain::report_widget::{Better, DataField, FieldFormat, at_path};
use serde_json::Value;
use time::Date;

use crate::render::{day_of, days_of};

/// The days of a week.
const WEEK: u32 = 7;
/// In as many days as this, a day of the week more or less makes no difference that counts.
const MANY_DAYS: u32 = 28;

/// Why nobody can tell yet whether a change is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unjudged {
    /// Figures of the last days may still change.
    Provisional,
    /// The last day is not over.
    NotOver,
    /// The days before are other days of the week.
    OtherWeekdays,
}

impl Unjudged {
    /// The end of a sentence in the place of a verdict.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Provisional => ", but the last days are provisional",
            Self::NotOver => ", but the last day is not over",
            Self::OtherWeekdays => ", but the days before are other days of the week",
        }
    }
}

/// Why a change of a figure can't be judged, if it can't. `whole` is the answer with its `meta`; one without says nothing of its days,
/// and is judged.
pub(crate) fn unjudged(field: &DataField, change: f64, whole: &Value) -> Option<Unjudged> {
    if provisional_from(whole).is_some() {
        return Some(Unjudged::Provisional);
    }
    let meta = whole.get("meta")?;
    let days = days_of(meta, "range_start", "range_end")?.days();
    let is_short = days < MANY_DAYS && !days.is_multiple_of(WEEK);
    let is_partial = meta.get("range_end_partial") == Some(&Value::Bool(true));
    if is_sum(field) {
        // The rest of the day can only add: a sum that is higher already stays so.
        if is_partial && change < 0.0 {
            return Some(Unjudged::NotOver);
        }
        let is_of_people = field.better == Better::Higher;
        return (is_of_people && is_short).then_some(Unjudged::OtherWeekdays);
    }
    // The hours that are missing weigh little in a mean or a share of a week.
    (is_partial && days < WEEK).then_some(Unjudged::NotOver)
}

/// The first day whose figures may still change, where a module tells that some may.
pub(crate) fn provisional_from(whole: &Value) -> Option<Date> {
    let state = whole.get("data_state").and_then(Value::as_str)?;
    if state == "final" {
        return None;
    }
    let days = days_of(whole.get("meta")?, "range_start", "range_end")?;
    let through = at_path(whole, "meta.data_through").and_then(Value::as_str);
    match through.and_then(day_of) {
        None => Some(days.first()),
        Some(through) if through < days.last() => Some(through.next_day()?.max(days.first())),
        Some(_) => None,
    }
}

/// Whether a figure grows with the hours that are counted.
fn is_sum(field: &DataField) -> bool {
    matches!(field.format, FieldFormat::Count | FieldFormat::Money) || field.path == "downtime_seconds"
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::FieldChange;
    use serde_json::json;
    use time::macros::date;

    use super::*;

    const VISITORS: DataField = DataField::new("visitors", "Visitors", FieldFormat::Count)
        .with(FieldChange::Percent("change_pct"), Better::Higher);
    const OUTAGES: DataField = DataField::new("incident_count", "Outages", FieldFormat::Count)
        .with(FieldChange::Percent("change_pct"), Better::Lower);
    const LCP: DataField = DataField::new("lcp_ms", "LCP", FieldFormat::Millis)
        .with(FieldChange::Percent("change_pct"), Better::Lower);

    fn days(first: &str, last: &str, is_partial: bool) -> Value {
        json!({ "meta": { "range_start": first, "range_end": last, "range_end_partial": is_partial } })
    }

    #[test]
    fn a_day_that_is_not_over_is_no_match_for_a_whole_one() {
        let month = days("2026-10-29", "2026-11-27", true);
        assert_eq!(unjudged(&VISITORS, -6.8, &month), Some(Unjudged::NotOver));
        assert_eq!(unjudged(&OUTAGES, -50.0, &month), Some(Unjudged::NotOver));
        assert_eq!(unjudged(&VISITORS, 6.8, &month), None, "more can only come");
        assert_eq!(unjudged(&LCP, 12.0, &month), None, "one day of thirty");
        let today = days("2026-11-27", "2026-11-27", true);
        assert_eq!(unjudged(&LCP, 12.0, &today), Some(Unjudged::NotOver));
        let over = days("2026-10-28", "2026-11-26", false);
        assert_eq!(unjudged(&VISITORS, -6.8, &over), None);
        assert_eq!(
            unjudged(&VISITORS, -6.8, &json!({})),
            None,
            "nothing is known of its days"
        );
    }

    #[test]
    fn people_are_counted_on_the_same_days_of_the_week() {
        let five = days("2026-11-23", "2026-11-27", false);
        for change in [22.4, -22.4] {
            assert_eq!(unjudged(&VISITORS, change, &five), Some(Unjudged::OtherWeekdays));
            assert_eq!(unjudged(&OUTAGES, change, &five), None);
            assert_eq!(unjudged(&LCP, change, &five), None);
        }
        let week = days("2026-11-16", "2026-11-22", false);
        assert_eq!(unjudged(&VISITORS, 22.4, &week), None);
    }

    #[test]
    fn figures_that_may_still_change_are_not_judged() {
        let search = |state: &str, through: Option<&str>| {
            json!({
                "data_state": state,
                "meta": { "range_start": "2026-11-23", "range_end": "2026-11-29", "data_through": through },
            })
        };
        let open = search("all", Some("2026-11-24"));
        assert_eq!(provisional_from(&open), Some(date!(2026 - 11 - 25)));
        for change in [16.2, -16.2] {
            for field in [&VISITORS, &LCP] {
                assert_eq!(unjudged(field, change, &open), Some(Unjudged::Provisional));
            }
        }
        for (state, through, from) in [
            ("final", Some("2026-11-29"), None),
            ("all", Some("2026-11-29"), None),
            ("all", Some("2026-01-01"), Some(date!(2026 - 11 - 23))),
            ("all", None, Some(date!(2026 - 11 - 23))),
        ] {
            assert_eq!(
                provisional_from(&search(state, through)),
                from,
                "{state} {through:?}"
            );
        }
        // A module of which no state is told says by `data_through` when something came last.
        assert_eq!(provisional_from(&days("2026-11-23", "2026-11-29", true)), None);
    }
}

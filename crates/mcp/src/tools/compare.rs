//! Two windows of a domain: which figures changed, and on which pages.

use serde_json::{Value, json};
use time::{
    Date, Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description,
};

use super::{
    Findings, ToolContext,
    arguments::Arguments,
    difference::{MOST, MOST_ALONE, VITALS, alone, figures, nulls, pages},
};
use crate::api::{Call, CallError, HEAVY_AT_ONCE};

/// How many pages of each window are compared: those of most views.
const PAGES_READ: &str = "200";
/// The days of a window that nobody chose.
const USUAL: Duration = Duration::days(7);
/// The operations that are asked once for each window, the pages last.
pub(super) const OPERATIONS: &[&str] = &[
    "getRumOverview",
    "getAnalyticsOverview",
    "getUptimeAvailability",
    "getGscOverview",
    "listRumPages",
];
const PAGES: &str = "listRumPages";
/// Its upstream tells of a day two days later, and by default the API ends two days ago too.
const SEARCH: &str = "getGscOverview";
/// Why a change in percent is null.
const NO_CHANGE: &str = "There is no change in percent from 0, nor where one of both is null.";

/// A window of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ComparedDays {
    start: Date,
    end: Date,
}

impl ComparedDays {
    fn days(self) -> i64 {
        (self.end - self.start).whole_days() + 1
    }

    /// As many days, so many earlier.
    fn earlier(self, by: Duration) -> Self {
        Self {
            start: self.start.saturating_sub(by),
            end: self.end.saturating_sub(by),
        }
    }

    /// The window that an answer is of.
    fn in_force(answer: &Value) -> Option<Self> {
        let day = |name: &str| day(answer["meta"][name].as_str()?);
        Some(Self {
            start: day("range_start")?,
            end: day("range_end")?,
        })
    }

    fn told(self) -> Value {
        json!({
            "start_date": self.start.to_string(),
            "end_date": self.end.to_string(),
            "days": self.days(),
        })
    }
}

/// Asks for both windows, and tells what differs.
pub(super) async fn ask(context: &ToolContext<'_>, arguments: &Arguments) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    let asked = Asked::read(arguments)?;
    let last = match asked.end {
        Some(end) => end,
        None => today(context).await? - Duration::DAY,
    };
    let (before, after) = asked.windows(last)?;
    let domain = arguments.domain(context, &mut findings).await?;
    let mut calls = Vec::with_capacity(2 * OPERATIONS.len());
    for id in OPERATIONS {
        let by = if *id == SEARCH && asked.is_usual() {
            Duration::DAY
        } else {
            Duration::ZERO
        };
        calls.push(call(context, id, &domain, &before.earlier(by)));
        calls.push(call(context, id, &domain, &after.earlier(by)));
    }
    let mut answers = context.ask_all(calls, HEAVY_AT_ONCE).await.into_iter();
    // They are no parts: where all that was asked is refused, so is the tool.
    findings.add_own("before", before.told());
    findings.add_own("after", after.told());
    for id in OPERATIONS {
        let (Some(before), Some(after)) = (answers.next(), answers.next()) else {
            break;
        };
        // One window is paid for also where the other is refused.
        for answer in [&before, &after].into_iter().flatten() {
            findings.spent(answer);
        }
        match (before, after) {
            (Ok(before), Ok(after)) => {
                let name = part_of(id);
                let ranges = json!({ "before": in_force(&before.body), "after": in_force(&after.body) });
                let mut told = json!({ "windows_in_force": ranges });
                if let Some(why) = incomparable(&before.body, &after.body) {
                    told["changes"] = json!([]);
                    told["not_compared_because"] = json!(why);
                } else if *id == PAGES {
                    tell_pages(&mut findings, name, &mut told, &before.body, &after.body);
                } else {
                    let (changes, all) = figures(&before.body, &after.body);
                    told["changes"] = changes;
                    findings.left_out(&format!("/{name}/changes"), MOST, all);
                    findings.null_where(&format!("/{name}/changes/*/change_pct"), NO_CHANGE);
                    for (side, answer) in [("before", &before.body), ("after", &after.body)] {
                        if answer["currency"].is_string() {
                            told["currency"][side] = answer["currency"].clone();
                            findings.made_of(&format!("/{name}/currency/{side}"), id, "/currency");
                        }
                        if let Some(nulls) = nulls(answer) {
                            told["without_value"][side] = nulls;
                            findings.made_of(&format!("/{name}/without_value/{side}"), id, "");
                        }
                    }
                }
                for side in ["before", "after"] {
                    let place = format!("/{name}/windows_in_force/{side}");
                    findings.made_of(&place, id, "/meta");
                }
                findings.add_value(name, told);
            }
            (Err(error), _) | (_, Err(error)) => findings.add(part_of(id), id, Err(error)),
        }
    }
    Ok(findings)
}

/// Why figures of both answers are not to be held against each other. Days that are no longer kept are cut off a window, or all
/// of it becomes the first day that is kept.
fn incomparable(before: &Value, after: &Value) -> Option<String> {
    let (before, after) = (ComparedDays::in_force(before)?, ComparedDays::in_force(after)?);
    if before.days() == after.days() && before.end < after.start {
        return None;
    }
    let told = |window: ComparedDays| format!("{} to {}", window.start, window.end);
    Some(format!(
        "Of the days that were asked for, those that are kept are {} and {}: they are not as many, or the same. Ask for two windows \
         of as many days that are kept.",
        told(before),
        told(after)
    ))
}

/// Tells of pages: how they changed, and which of them only one of both windows has.
fn tell_pages(findings: &mut Findings, name: &str, told: &mut Value, before: &Value, after: &Value) {
    let (changes, all) = pages(before, after);
    told["changes"] = changes;
    findings.left_out(&format!("/{name}/changes"), MOST, all);
    explain_pages(findings, name);
    for (member, these, others) in [("only_before", before, after), ("only_after", after, before)] {
        // Where the other list goes on, the page may stand there.
        if others["has_more"] != true {
            let (pages, all) = alone(these, others);
            told[member] = pages;
            findings.left_out(&format!("/{name}/{member}"), MOST_ALONE, all);
        }
    }
    if before["has_more"] == true || after["has_more"] == true {
        told["compared"] = json!(format!("the {PAGES_READ} pages of most views in each window"));
    }
}

/// Says why values of pages are null.
fn explain_pages(findings: &mut Findings, name: &str) {
    for vital in VITALS {
        let place = format!("/{name}/changes/*/{vital}");
        for side in ["before", "after"] {
            findings.made_of(&format!("{place}/{side}"), PAGES, &format!("/items/*/{vital}"));
        }
        findings.null_where(&format!("{place}/change_pct"), NO_CHANGE);
    }
}

fn part_of(operation: &str) -> &'static str {
    match operation {
        "getRumOverview" => "vitals",
        "getAnalyticsOverview" => "traffic",
        "getUptimeAvailability" => "availability",
        "getGscOverview" => "search",
        _ => "pages",
    }
}

/// A call for a window. Only that for pages has a limit; the others pass it over.
fn call<'a>(
    context: &ToolContext<'a>,
    id: &str,
    domain: &str,
    window: &ComparedDays,
) -> Result<Call<'a>, CallError> {
    let call = Call::of(context.operation(id)?);
    Ok(call
        .with("domain_id", domain)
        .with("start_date", window.start.to_string())
        .with("end_date", window.end.to_string())
        .with("limit", PAGES_READ))
}

/// The days that were requested.
struct Asked {
    start: Option<Date>,
    end: Option<Date>,
    before_start: Option<Date>,
    before_end: Option<Date>,
}

/// The day that a text is.
fn day(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

impl Asked {
    /// Whether all days are left out.
    fn is_usual(&self) -> bool {
        [self.start, self.end, self.before_start, self.before_end]
            .iter()
            .all(Option::is_none)
    }

    fn read(arguments: &Arguments) -> Result<Self, CallError> {
        let day = |name: &str| match arguments.text(name) {
            Some(text) => day(text)
                .map(Some)
                .ok_or_else(|| refused(format!("{name} is no day."))),
            None => Ok(None),
        };
        Ok(Self {
            start: day("start_date")?,
            end: day("end_date")?,
            before_start: day("before_start")?,
            before_end: day("before_end")?,
        })
    }

    /// The earlier and the later window. By default the later one is a week that ends with the last day, and the earlier one has
    /// as many days before it. Sums grow with the days, so both have to have as many.
    fn windows(&self, last: Date) -> Result<(ComparedDays, ComparedDays), CallError> {
        let end = self.end.unwrap_or(last);
        let start = self.start.unwrap_or(end.saturating_sub(USUAL - Duration::DAY));
        let after = ComparedDays { start, end };
        let span = end - start;
        let before = match (self.before_start, self.before_end) {
            (Some(start), Some(end)) => ComparedDays { start, end },
            (Some(start), None) => ComparedDays {
                start,
                end: start.saturating_add(span),
            },
            (None, end) => {
                let end = end.unwrap_or(start.saturating_sub(Duration::DAY));
                ComparedDays {
                    start: end.saturating_sub(span),
                    end,
                }
            }
        };
        if after.start > after.end || before.start > before.end {
            return Err(refused("A window ends before it begins."));
        }
        if before.end >= after.start {
            return Err(refused(
                "The earlier window (before_start to before_end) ends before the later one (start_date to end_date) begins: \
                 exchange them, or let them not overlap.",
            ));
        }
        let (earlier, later) = (before.days(), after.days());
        if earlier != later {
            return Err(refused(format!(
                "The earlier window has {earlier} days and the later one {later}. Sums are compared only of as many days: give both \
                 as many, or leave before_start or before_end out."
            )));
        }
        Ok((before, after))
    }
}

fn refused(detail: impl Into<String>) -> CallError {
    CallError::invalid(&[detail.into()])
}

/// The day by the API's clock.
async fn today(context: &ToolContext<'_>) -> Result<Date, CallError> {
    let health = Call::of(context.operation("getHealth")?);
    let health = context.api.call(context.caller, health).await?;
    let time = health.body["time"].as_str();
    time.and_then(|time| OffsetDateTime::parse(time, &Rfc3339).ok())
        .map(OffsetDateTime::date)
        .ok_or(CallError::Away("The API does not tell the time."))
}

/// The days that an answer is of.
fn in_force(answer: &Value) -> Value {
    let meta = &answer["meta"];
    [
        "range_start",
        "range_end",
        "range_end_partial",
        "clamped_from",
        "data_through",
    ]
    .iter()
    .map(|name| ((*name).to_owned(), meta[name].clone()))
    .collect()
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    /// The windows of these days, as days of March 2026; the last day is the 30th.
    fn windows(
        start: Option<u8>,
        end: Option<u8>,
        before_start: Option<u8>,
        before_end: Option<u8>,
    ) -> Option<[u8; 4]> {
        let day = |day: Option<u8>| day.map(|day| date!(2026 - 03 - 01).replace_day(day).unwrap());
        let asked = Asked {
            start: day(start),
            end: day(end),
            before_start: day(before_start),
            before_end: day(before_end),
        };
        let (before, after) = asked.windows(date!(2026 - 03 - 30)).ok()?;
        assert_eq!(before.days(), after.days());
        Some([before.start, before.end, after.start, after.end].map(Date::day))
    }

    #[test]
    fn windows_have_as_many_days_and_follow_each_other() {
        for (asked, found) in [
            ([None, None, None, None], Some([17, 23, 24, 30])),
            ([Some(29), None, None, None], Some([27, 28, 29, 30])),
            ([None, Some(20), None, None], Some([7, 13, 14, 20])),
            ([Some(20), Some(22), Some(1), None], Some([1, 3, 20, 22])),
            ([Some(20), Some(22), None, Some(10)], Some([8, 10, 20, 22])),
            ([Some(20), Some(22), Some(5), Some(7)], Some([5, 7, 20, 22])),
            // The lengths differ.
            ([Some(20), Some(22), Some(1), Some(10)], None),
            // The same, overlapping, and the later one first.
            ([Some(20), Some(22), Some(20), Some(22)], None),
            ([Some(20), Some(22), Some(18), Some(20)], None),
            ([Some(5), Some(7), Some(20), Some(22)], None),
            // That end before they begin.
            ([Some(22), Some(20), None, None], None),
            ([Some(20), Some(22), Some(7), Some(5)], None),
        ] {
            let [start, end, before_start, before_end] = asked;
            assert_eq!(windows(start, end, before_start, before_end), found, "{asked:?}");
        }
    }

    #[test]
    fn a_window_tells_its_days() {
        let window = ComparedDays {
            start: date!(2026 - 03 - 01),
            end: date!(2026 - 03 - 07),
        };
        assert_eq!(window.told()["days"], 7);
    }

    #[test]
    fn windows_that_were_cut_are_not_compared() {
        let of = |start: &str, end: &str| json!({ "meta": { "range_start": start, "range_end": end } });
        let after = of("2026-03-08", "2026-03-14");
        assert_eq!(incomparable(&of("2026-03-01", "2026-03-07"), &after), None);
        // Three days of seven are no longer kept, or none of them is, so that both are the first day that is.
        for (before, after) in [
            (of("2026-03-04", "2026-03-07"), after),
            (of("2026-03-04", "2026-03-04"), of("2026-03-04", "2026-03-04")),
        ] {
            let why = incomparable(&before, &after).unwrap();
            assert!(why.contains("2026-03-04"), "{why}");
        }
    }

    #[test]
    fn a_window_tells_whether_its_last_day_is_over() {
        let meta = json!({ "range_end": "2026-03-31", "range_end_partial": true, "generated_at": "now" });
        let told = in_force(&json!({ "meta": meta }));
        assert_eq!(told["range_end_partial"], true);
        assert_eq!(told.get("generated_at"), None);
    }
}

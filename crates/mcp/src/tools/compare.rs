//! Two windows of a domain: which figures changed, and on which pages.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use serde_json::{Map, Value, json};
use time::{
    Date, Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description,
};

use super::{Findings, ToolContext, arguments::Arguments};
use crate::api::{Call, CallError, HEAVY_AT_ONCE};

/// How many figures and pages are told at most.
const MOST: usize = 20;
/// How many pages are told at most that only one of both windows has.
const MOST_ALONE: usize = 10;
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
const VITALS: [&str; 5] = ["lcp_ms", "inp_ms", "cls", "fcp_ms", "ttfb_ms"];

/// A window of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    start: Date,
    end: Date,
}

impl Window {
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

/// Why figures of both answers are not to be held against each other. What is no longer kept is cut off a window, or all of it
/// becomes the first day that is kept.
fn incomparable(before: &Value, after: &Value) -> Option<String> {
    let (before, after) = (Window::in_force(before)?, Window::in_force(after)?);
    if before.days() == after.days() && before.end < after.start {
        return None;
    }
    let told = |window: Window| format!("{} to {}", window.start, window.end);
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
    window: &Window,
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
    fn windows(&self, last: Date) -> Result<(Window, Window), CallError> {
        let end = self.end.unwrap_or(last);
        let start = self.start.unwrap_or(end.saturating_sub(USUAL - Duration::DAY));
        let after = Window { start, end };
        let span = end - start;
        let before = match (self.before_start, self.before_end) {
            (Some(start), Some(end)) => Window { start, end },
            (Some(start), None) => Window {
                start,
                end: start.saturating_add(span),
            },
            (None, end) => {
                let end = end.unwrap_or(start.saturating_sub(Duration::DAY));
                Window {
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

/// The figures that differ, and how many there are: those of the whole, then those of its parts, each by their relative change.
fn figures(before: &Value, after: &Value) -> (Value, usize) {
    let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
    numbers(before, "", &mut old);
    numbers(after, "", &mut new);
    let mut changes: Vec<(bool, f64, Value)> = new
        .iter()
        .filter_map(|(name, after)| {
            let before = old.get(name)?;
            (before != after).then(|| {
                let change = changed(*before, *after);
                let mut told = json!({ "figure": name, "before": before, "after": after });
                // A percentage that changes is told in points, lest 2 % that become 3 % are read as 50 points more.
                if name.ends_with("_pct") {
                    told["change_pp"] = json!(((after - before) * 1_000.0).round() / 1_000.0);
                } else {
                    told["change_pct"] = json!(change);
                }
                (is_of_a_part(name), change.map_or(f64::INFINITY, f64::abs), told)
            })
        })
        .collect();
    changes.sort_by(|(part, a, _), (other, b, _)| part.cmp(other).then(b.total_cmp(a)));
    let all = changes.len();
    let told = changes.into_iter().take(MOST).map(|(_, _, told)| told).collect();
    (told, all)
}

/// Whether a figure is of a class of devices, a rating or a type of search, of which there are more than are told.
fn is_of_a_part(name: &str) -> bool {
    name.contains('.') && !name.starts_with("vitals.all.")
}

/// Lists, what describes the answer, and changes against windows that nobody asked about here.
fn is_passed_over(member: &str) -> bool {
    matches!(member, "meta" | "items" | "comparison" | "previous")
        || member.ends_with("_change_pct")
        || member.ends_with("_change_pp")
}

/// The figures of an answer that are null, which are none of the changes.
fn nulls(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(Value::Null),
        Value::Object(members) => {
            let nulls: Map<String, Value> = members
                .iter()
                .filter(|(member, _)| !is_passed_over(member))
                .filter_map(|(member, value)| Some((member.clone(), nulls(value)?)))
                .collect();
            (!nulls.is_empty()).then_some(Value::Object(nulls))
        }
        _ => None,
    }
}

/// A change in percent to one decimal; from 0 there is none.
fn changed(before: f64, after: f64) -> Option<f64> {
    (before != 0.0).then(|| ((after - before) / before.abs() * 1_000.0).round() / 10.0)
}

fn numbers(value: &Value, name: &str, found: &mut BTreeMap<String, f64>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                if !is_passed_over(member) {
                    let name = if name.is_empty() {
                        member.clone()
                    } else {
                        format!("{name}.{member}")
                    };
                    numbers(value, &name, found);
                }
            }
        }
        Value::Number(number) => {
            if let Some(number) = number.as_f64() {
                found.insert(name.to_owned(), number);
            }
        }
        _ => {}
    }
}

/// The address of a page in a list.
fn address(page: &Value) -> Option<String> {
    ["url", "page", "path"]
        .iter()
        .find_map(|name| page.get(*name)?.as_str().map(str::to_owned))
}

fn items(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["items"].as_array().into_iter().flatten()
}

/// Pages that the other window does not have, those of most views first, and how many there are.
fn alone(these: &Value, others: &Value) -> (Value, usize) {
    let known: BTreeSet<String> = items(others).filter_map(address).collect();
    let mut pages: Vec<(u64, Value)> = items(these)
        .filter_map(|page| {
            let address = address(page).filter(|address| !known.contains(address))?;
            let told = json!({ "page": address, "pageviews": page["pageviews"] });
            Some((page["pageviews"].as_u64().unwrap_or_default(), told))
        })
        .collect();
    pages.sort_by_key(|(views, _)| Reverse(*views));
    let all = pages.len();
    let told = pages.into_iter().take(MOST_ALONE).map(|(_, told)| told).collect();
    (told, all)
}

/// Pages that were seen in both windows, and how many there are: those whose LCP changed most first, weighed by the square root of
/// their views.
fn pages(before: &Value, after: &Value) -> (Value, usize) {
    let old: BTreeMap<String, &Value> = items(before)
        .filter_map(|page| Some((address(page)?, page)))
        .collect();
    let mut changes: Vec<(f64, Value)> = items(after)
        .filter_map(|page| {
            let url = address(page)?;
            let earlier = old.get(&url)?;
            let moved = page["lcp_ms"].as_f64().zip(earlier["lcp_ms"].as_f64());
            let weight = moved.map_or(0.0, |(now, then)| (now - then).abs())
                * page["pageviews"].as_f64().unwrap_or(1.0).sqrt();
            let mut told = json!({
                "page": url,
                "pageviews_before": earlier["pageviews"],
                "pageviews_after": page["pageviews"],
            });
            for vital in VITALS {
                let (then, now) = (earlier[vital].as_f64(), page[vital].as_f64());
                let change = then.zip(now).and_then(|(then, now)| changed(then, now));
                told[vital] = json!({ "before": then, "after": now, "change_pct": change });
            }
            Some((weight, told))
        })
        .collect();
    changes.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let all = changes.len();
    let told = changes.into_iter().take(MOST).map(|(_, told)| told).collect();
    (told, all)
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
        let window = Window {
            start: date!(2026 - 03 - 01),
            end: date!(2026 - 03 - 07),
        };
        assert_eq!(window.told()["days"], 7);
    }

    #[test]
    fn figures_that_differ_are_told_by_their_change() {
        let before = json!({ "lcp_ms": 2_000.0, "views": 10, "same": 1, "meta": { "x": 1 }, "none": null, "r": { "good": 0 }, "x_change_pct": 1 });
        let after = json!({ "lcp_ms": 3_000.0, "views": 9, "same": 1, "meta": { "x": 2 }, "none": 4, "r": { "good": 2 }, "x_change_pct": 2 });
        let (told, all) = figures(&before, &after);
        assert_eq!(all, 3);
        let names: Vec<&str> = told
            .as_array()
            .unwrap()
            .iter()
            .map(|change| change["figure"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["lcp_ms", "views", "r.good"]);
        assert_eq!(told[0]["change_pct"], 50.0);
        assert_eq!(told[2]["change_pct"], Value::Null);
    }

    #[test]
    fn a_percentage_changes_by_points() {
        let (told, _) = figures(&json!({ "uptime_pct": 99.95 }), &json!({ "uptime_pct": 99.9 }));
        assert_eq!(told[0]["change_pp"], -0.05);
        assert_eq!(told[0].get("change_pct"), None);
    }

    #[test]
    fn figures_without_a_value_are_told() {
        let answer = json!({
            "vitals": { "all": { "lcp_ms": 2_000.0, "inp_ms": null } }, "data_through": null, "pages": 3,
            "meta": { "period": null }, "items": [{ "cls": null }], "comparison": null, "x_change_pct": null,
        });
        let told = json!({ "vitals": { "all": { "inp_ms": null } }, "data_through": null });
        assert_eq!(nulls(&answer), Some(told));
        assert_eq!(nulls(&json!({ "pages": 3, "vitals": {} })), None);
    }

    /// A rating may change many times over where a metric doubles.
    #[test]
    fn the_vitals_of_all_views_are_told_beside_whatever_else_changed() {
        let overview = |lcp: f64, share: f64| {
            let devices = ["desktop", "mobile", "tablet"];
            let mut vitals = json!({ "all": { "lcp_ms": lcp } });
            let mut ratings = json!({});
            for name in VITALS {
                for device in devices {
                    vitals[device][name] = json!(share);
                }
                ratings[name] = json!({ "good_pct": share, "poor_pct": 2.0 * share });
            }
            json!({ "vitals": vitals, "ratings": ratings })
        };
        let (told, all) = figures(&overview(1_000.0, 1.0), &overview(1_900.0, 20.0));
        assert_eq!(told[0]["figure"], "vitals.all.lcp_ms");
        assert_eq!(told.as_array().unwrap().len(), MOST);
        // Each vital of each device and two shares of its ratings, beside the one of all views.
        assert_eq!(all, 1 + VITALS.len() * 5);
    }

    #[test]
    fn the_page_that_slowed_most_comes_first() {
        let page =
            |url: &str, lcp: f64| json!({ "url": url, "lcp_ms": lcp, "pageviews": 100, "inp_ms": null });
        let before = json!({ "items": [page("/a", 1_000.0), page("/b", 1_000.0), page("/gone", 1.0)] });
        let after = json!({ "items": [page("/a", 1_050.0), page("/b", 3_000.0), page("/new", 1.0)] });
        let (told, all) = pages(&before, &after);
        assert_eq!((told.as_array().unwrap().len(), all), (2, 2));
        assert_eq!(told[0]["page"], "/b");
        assert_eq!(told[0]["lcp_ms"]["change_pct"], 200.0);
        assert_eq!(told[0]["inp_ms"]["before"], Value::Null);
        let gone = json!([{ "page": "/gone", "pageviews": 100 }]);
        assert_eq!(alone(&before, &after), (gone, 1));
        let new = json!([{ "page": "/new", "pageviews": 100 }]);
        assert_eq!(alone(&after, &before), (new, 1));
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

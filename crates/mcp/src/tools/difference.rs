//! Two answers of one operation beside each other: which of their figures and pages differ.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use serde_json::{Map, Value, json};

/// How many figures and pages are told at most.
pub(super) const MOST: usize = 20;
/// How many pages are told at most that only one of both answers has.
pub(super) const MOST_ALONE: usize = 10;
/// The vitals of a page, by their names in lists.
pub(super) const VITALS: [&str; 5] = ["lcp_ms", "inp_ms", "cls", "fcp_ms", "ttfb_ms"];

/// The figures that differ, and how many there are: those of the whole, then those of its parts, each by their relative change.
pub(super) fn figures(before: &Value, after: &Value) -> (Value, usize) {
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
pub(super) fn nulls(value: &Value) -> Option<Value> {
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
pub(super) fn alone(these: &Value, others: &Value) -> (Value, usize) {
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
pub(super) fn pages(before: &Value, after: &Value) -> (Value, usize) {
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
    use super::*;

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
}

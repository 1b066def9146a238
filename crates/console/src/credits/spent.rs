//! The cycle as pictures: how much of it is used, by day, by operation.

use std::collections::{BTreeMap, HashMap};

use maud::{Markup, html};
use pharos_account::credits::Spent;
use pharos_domain::credits::Balance;
use pharos_pictures::{
    bar_list::{Bar, bar_list},
    calendar::Tone,
    chart::{Chart, Ground, Series},
    figure::{number, short},
    gauge::{Band, gauge},
};
use time::{Date, OffsetDateTime};

use crate::{
    parts::notice,
    period::{day, short_day},
};

/// How many operations have an ink of their own; the others share the last.
const WITH_INK: usize = 4;
/// How many operations the list has.
const LISTED: usize = 10;
/// From this share of a cycle on, the gauge says that little is left.
const LITTLE_LEFT_FROM: f64 = 0.8;

/// The pictures of a cycle. `spent` is `None` where so much was called that it takes too long to sum up.
pub(super) fn pictures(balance: &Balance, spent: Option<&[Spent]>, now: OffsetDateTime) -> Markup {
    html! {
        (used(balance))
        @match spent {
            None => (notice::hint(&html! { p { "So much was called that the sums by day and by operation take too long at the moment. The figures above are exact." } })),
            Some(spent) if spent.iter().all(|one| one.credits == 0) => (notice::hint(&html! { p { "No call of this cycle has cost anything yet." } })),
            Some(spent) => {
                @let operations = by_operation(spent);
                h2 { "By day" }
                (by_day(balance, spent, &operations, now))
                h2 { "By operation" }
                (list(&operations))
                @if operations.len() > LISTED { p.note { "The " (LISTED) " that cost most, of " (operations.len()) "." } }
            }
        }
    }
}

fn used(balance: &Balance) -> Markup {
    let granted = balance.granted as f64;
    if granted <= 0.0 {
        return html! {};
    }
    let bands = [
        Band {
            until: granted * LITTLE_LEFT_FROM,
            tone: Tone::Good,
            name: "enough left",
        },
        Band {
            until: granted,
            tone: Tone::Part,
            name: "little left",
        },
    ];
    let words = |value| number(value, 0);
    gauge(
        "used",
        "Credits used of this cycle",
        Some(balance.used as f64),
        0.0,
        &bands,
        words,
    )
}

/// The credits that each operation cost, the most expensive first.
fn by_operation(spent: &[Spent]) -> Vec<(&str, u64)> {
    let mut sums: HashMap<&str, u64> = HashMap::new();
    for one in spent.iter().filter(|one| one.credits > 0) {
        *sums.entry(one.operation.as_str()).or_default() += one.credits;
    }
    let mut sums: Vec<(&str, u64)> = sums.into_iter().collect();
    sums.sort_by(|(name, cost), (other, other_cost)| other_cost.cmp(cost).then_with(|| name.cmp(other)));
    sums
}

fn by_day(balance: &Balance, spent: &[Spent], operations: &[(&str, u64)], now: OffsetDateTime) -> Markup {
    let days = days_of(balance, spent, now);
    let places: BTreeMap<Date, usize> = days.iter().zip(0..).map(|(day, at)| (*day, at)).collect();
    let named: Vec<&str> = operations.iter().take(WITH_INK).map(|(name, _)| *name).collect();
    let has_others = operations.len() > WITH_INK;
    let mut values = vec![vec![0.0; days.len()]; named.len() + usize::from(has_others)];
    for one in spent.iter().filter(|one| one.credits > 0) {
        let of = named.iter().position(|name| *name == one.operation);
        let course = values.get_mut(of.unwrap_or(named.len()));
        let value = places.get(&one.day).and_then(|at| course?.get_mut(*at));
        if let Some(value) = value {
            *value += one.credits as f64;
        }
    }
    let names = named.iter().copied().chain(has_others.then_some("Others"));
    let series: Vec<Series<'_>> = names
        .zip(values)
        .map(|(name, values)| Series {
            name,
            values: values.into_iter().map(Some).collect(),
        })
        .collect();
    let labels: Vec<String> = days.iter().map(|day| short_day(*day)).collect();
    let (first, last) = (days.first(), days.last());
    Chart {
        id: "days",
        title: "Credits used by day",
        description: &match first.zip(last) {
            Some((first, last)) => format!(
                "What the calls of each UTC day from {} to {} cost, by operation, on top of each other.",
                day(*first),
                day(*last)
            ),
            None => String::new(),
        },
        places: "Day",
        labels: &labels,
        series: &series,
        words: |value| number(value, 0),
        short,
        threshold: None,
        ground: Ground::default(),
    }
    .bars()
}

/// The days of the cycle until now, and those of calls by a node whose clock is ahead.
fn days_of(balance: &Balance, spent: &[Spent], now: OffsetDateTime) -> Vec<Date> {
    let first = balance.cycle_start.date();
    let present = now.clamp(balance.cycle_start, balance.cycle_end).date();
    let last = spent
        .iter()
        .map(|one| one.day)
        .max()
        .unwrap_or(present)
        .max(present);
    let days = std::iter::successors(Some(first), |day| day.next_day());
    days.take_while(|day| *day <= last).collect()
}

fn list(operations: &[(&str, u64)]) -> Markup {
    let bars: Vec<Bar<'_>> = operations
        .iter()
        .take(LISTED)
        .map(|&(name, cost)| Bar {
            name,
            value: Some(cost as f64),
        })
        .collect();
    bar_list("operations", "Credits used by operation", &bars, |value| {
        number(value, 0)
    })
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::WorkspaceId;
    use time::macros::{date, datetime};

    use super::*;

    fn spent(day: Date, operation: &str, credits: u64) -> Spent {
        Spent {
            day,
            operation: operation.to_owned(),
            calls: 1,
            credits,
        }
    }

    fn balance(used: u64) -> Balance {
        Balance {
            workspace_id: WorkspaceId::generate(),
            granted: 1_000,
            used,
            cycle_start: datetime!(2026-03-15 00:00 UTC),
            cycle_end: datetime!(2026-04-15 00:00 UTC),
            member: None,
        }
    }

    #[test]
    fn days_stack_what_cost_most_and_the_list_is_in_that_order() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let mut all = vec![
            spent(date!(2026 - 03 - 16), "b", 5),
            spent(date!(2026 - 03 - 31), "a", 20),
            spent(date!(2026 - 03 - 31), "free", 0),
        ];
        all.extend(["c", "d", "e", "f"].map(|name| spent(date!(2026 - 03 - 20), name, 1)));
        assert_eq!(by_operation(&all)[..2], [("a", 20), ("b", 5)]);
        assert_eq!(days_of(&balance(29), &all, now).len(), 17);
        let drawn = pictures(&balance(29), Some(&all), now).into_string();
        for words in [
            "16 Mar\na: 0\nb: 5\nc: 0\nd: 0\nOthers: 0",
            "20 Mar\na: 0\nb: 0\nc: 1\nd: 1\nOthers: 2",
            "31 Mar\na: 20\n",
            "29, enough left",
        ] {
            assert!(drawn.contains(words), "{words} is not in {drawn}");
        }
        assert!(!drawn.contains("free"));
    }

    #[test]
    fn a_cycle_without_calls_or_credits_has_no_empty_pictures() {
        let now = datetime!(2026-03-15 00:00 UTC);
        let none = pictures(&balance(0), Some(&[]), now).into_string();
        assert!(none.contains("has cost anything yet") && !none.contains("NaN"));
        let nothing = Balance {
            granted: 0,
            ..balance(0)
        };
        assert!(!pictures(&nothing, None, now).into_string().contains("<svg"));
    }
}

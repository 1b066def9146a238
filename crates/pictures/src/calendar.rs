//! A cell a day, a column a week, Monday first.

use std::fmt::Write as _;

use maud::{Markup, html};
use time::{Date, Duration};

use crate::picture::{Caption, across, beside, trimmed};

const CELL: f64 = 13.0;
const GAP: f64 = 3.0;
const TOP: f64 = 18.0;
const HEIGHT: f64 = TOP + 7.0 * (CELL + GAP);

/// How a day is judged, the better first. Each has a colour and a form of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// Nothing was measured.
    None,
    /// As it should be.
    Good,
    /// Not all of it: a bar in the cell.
    Part,
    /// Bad: a cross in the cell.
    Bad,
}

impl Tone {
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Good => "tone-good",
            Self::Part => "tone-part",
            Self::Bad => "tone-bad",
            Self::None => "tone-none",
        }
    }
}

/// A day.
#[derive(Clone, Debug)]
pub struct Day {
    /// Which it is.
    pub date: Date,
    /// How it is judged.
    pub tone: Tone,
    /// Its figures in words.
    pub told: String,
}

/// Days, ascending and without a gap, with figures by month for the table.
#[derive(Clone, Debug)]
pub struct Calendar<'a> {
    /// The only one of the page, plain letters and digits.
    pub id: &'a str,
    /// The title, in a few words.
    pub title: &'a str,
    /// The same in a sentence, for those who don't see it.
    pub description: &'a str,
    /// The days with their figures, in order.
    pub days: &'a [Day],
    /// The head of the table, and its rows: coarser than the cells, so that somebody can listen to them.
    pub head: &'a [&'a str],
    /// The rows of the table.
    pub rows: &'a [Vec<String>],
}

impl Calendar<'_> {
    /// The calendar.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let caption = Caption {
            id: self.id,
            title: self.title,
            description: self.description,
        };
        let monday = self.days.first().map(|day| monday(day.date));
        let weeks = self
            .days
            .last()
            .zip(monday)
            .map_or(1, |(last, first)| (last.date - first).whole_days() / 7 + 1);
        let wide = 1.0 / weeks as f64;
        let inside = html! {
            @if let Some(first) = monday {
                @for day in self.days {
                    @let week = (day.date - first).whole_days() / 7;
                    @let x = week as f64 * wide;
                    @let y = top(day.date);
                    @if day.date.day() == 1 {
                        text.minor[u8::from(day.date.month()) % 3 != 1] x=(across(x)) y="10" { (short_month(day.date)) }
                    }
                    rect.day.(day.tone.class()) x=(across(x)) y=(y) width=(across(wide * 0.84)) height=(CELL) {
                        title { (day.told) }
                    }
                }
                @let notches = self.notches(first);
                @if !notches.is_empty() {
                    svg x="0" y="0" width="100%" height=(HEIGHT) viewBox={ "0 0 " (weeks) " " (HEIGHT) } preserveAspectRatio="none" {
                        path.notch d=(notches) {}
                    }
                }
            }
        };
        html! {
            div.picture-box {
                (caption.svg(HEIGHT, &inside))
                (beside(self.title, self.head, self.rows))
            }
        }
    }

    /// The bars and crosses of days that are not as they should be, as one path in weeks and pixels: a bad year weighs little more
    /// than a good one.
    fn notches(&self, monday: Date) -> String {
        let mut path = String::new();
        for day in self.days {
            let x = trimmed(((day.date - monday).whole_days() / 7) as f64 + 0.2);
            let y = top(day.date);
            // Writing to a string can't fail.
            let _ = match day.tone {
                Tone::Part => write!(path, "M{x} {}h.44", y + CELL / 2.0),
                Tone::Bad => write!(path, "M{x} {}l.44 7m0-7l-.44 7", y + 3.0),
                Tone::Good | Tone::None => Ok(()),
            };
        }
        path
    }
}

/// Where the cell of a day begins.
fn top(date: Date) -> f64 {
    TOP + f64::from(date.weekday().number_days_from_monday()) * (CELL + GAP)
}

fn monday(date: Date) -> Date {
    date.saturating_sub(Duration::days(date.weekday().number_days_from_monday().into()))
}

fn short_month(date: Date) -> String {
    date.month().to_string().chars().take(3).collect()
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn days(first: Date, tones: &[Tone]) -> Vec<Day> {
        let mut date = first;
        let mut days = Vec::new();
        for tone in tones {
            days.push(Day {
                date,
                tone: *tone,
                told: format!("{date} <&>"),
            });
            date = date.next_day().unwrap();
        }
        days
    }

    fn drawn(days: &[Day]) -> String {
        let calendar = Calendar {
            id: "days",
            title: "Days",
            description: "All days.",
            days,
            head: &["Month", "Availability"],
            rows: &[],
        };
        calendar.draw().into_string()
    }

    /// 2026-03-29 is a Sunday, the seventh row of the first of two weeks; the Monday after begins the second.
    #[test]
    fn days_lie_below_their_weekday() {
        let drawn = drawn(&days(date!(2026 - 03 - 29), &[Tone::Good, Tone::Bad]));
        assert!(
            drawn.contains(r#"tone-good" x="0%" y="114" width="42%""#),
            "{drawn}"
        );
        assert!(
            drawn.contains(r#"tone-bad" x="50%" y="18" width="42%""#),
            "{drawn}"
        );
        assert!(drawn.contains("2026-03-29 &lt;&amp;&gt;"));
        assert!(
            drawn.contains(r#"viewBox="0 0 2 130""#)
                && drawn.contains(r#"<path class="notch" d="M1.2 21l.44 7m0-7l-.44 7">"#),
            "{drawn}"
        );
    }

    #[test]
    fn no_days_and_a_year_of_them_can_be_drawn() {
        assert!(!drawn(&[]).contains("NaN"));
        let year = drawn(&days(date!(2025 - 04 - 01), &[Tone::None; 365]));
        assert_eq!(year.matches("<rect").count(), 365);
        assert!(year.contains(">Apr<") && year.contains(">Mar<"));
        assert!(year.len() < 48 * 1024, "{}", year.len());
        let worst = drawn(&days(date!(2025 - 04 - 01), &[Tone::Bad; 365]));
        assert!(worst.len() < 60 * 1024, "{}", worst.len());
        assert!(!year.contains("notch") && worst.matches("<path").count() == 1);
    }
}

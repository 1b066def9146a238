//! A cell a day, a column a week, Monday first.

use maud::{Markup, html};
use time::{Date, Duration};

use crate::picture::{Caption, across, beside};

const CELL: f64 = 13.0;
const GAP: f64 = 3.0;
const TOP: f64 = 18.0;

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
                    @let y = TOP + f64::from(day.date.weekday().number_days_from_monday()) * (CELL + GAP);
                    @if day.date.day() == 1 {
                        text.minor[u8::from(day.date.month()) % 3 != 1] x=(across(x)) y="10" { (short_month(day.date)) }
                    }
                    rect.day.(day.tone.class()) x=(across(x)) y=(y) width=(across(wide * 0.84)) height=(CELL) {
                        title { (day.told) }
                    }
                    @match day.tone {
                        Tone::Part => line.notch x1=(across(x + wide * 0.2)) x2=(across(x + wide * 0.64)) y1=(y + CELL / 2.0) y2=(y + CELL / 2.0) {},
                        Tone::Bad => {
                            line.notch x1=(across(x + wide * 0.2)) x2=(across(x + wide * 0.64)) y1=(y + 3.0) y2=(y + CELL - 3.0) {}
                            line.notch x1=(across(x + wide * 0.2)) x2=(across(x + wide * 0.64)) y1=(y + CELL - 3.0) y2=(y + 3.0) {}
                        }
                        Tone::Good | Tone::None => {}
                    }
                }
            }
        };
        html! {
            div.picture-box {
                (caption.svg(TOP + 7.0 * (CELL + GAP), &inside))
                (beside(self.title, self.head, self.rows))
            }
        }
    }
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
        assert_eq!(drawn.matches("notch").count(), 2);
    }

    #[test]
    fn no_days_and_a_year_of_them_can_be_drawn() {
        assert!(!drawn(&[]).contains("NaN"));
        let year = drawn(&days(date!(2025 - 04 - 01), &[Tone::None; 365]));
        assert_eq!(year.matches("<rect").count(), 365);
        assert!(year.contains(">Apr<") && year.contains(">Mar<"));
        assert!(year.len() < 48 * 1024, "{}", year.len());
    }
}

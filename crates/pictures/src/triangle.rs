//! A row for each of several cohorts, as many cells long as periods have passed since it began.

use maud::{Markup, html};

use crate::picture::{Caption, across, beside, trimmed};

const ROW: f64 = 26.0;
const TOP: f64 = 18.0;
/// How much of the width names take.
const NAMES: f64 = 0.3;
/// More periods than this have no room for their figures on a narrow screen.
const ROOMY: usize = 6;
/// How dark the cell of nobody is, and how much darker that of everybody.
const LEAST: f64 = 0.06;
const MORE: f64 = 0.44;

/// A cohort.
#[derive(Clone, Debug)]
pub struct Cohort {
    /// Its name.
    pub name: String,
    /// How many it has, in words.
    pub size: String,
    /// The share of it that was there in each period, in percent; `None`: there is none, and no cell.
    pub shares: Vec<Option<f64>>,
}

/// Cohorts below each other, the oldest first.
#[derive(Clone, Debug)]
pub struct Triangle<'a> {
    /// The only one of the page, plain letters and digits.
    pub id: &'a str,
    /// The title.
    pub title: &'a str,
    /// The same in a sentence, for those who don't see it.
    pub description: &'a str,
    /// The name of cohorts, and of their size: the heads of the table's first columns.
    pub head: (&'a str, &'a str),
    /// The name of a period, such as `week`.
    pub period: &'a str,
    /// The cohorts.
    pub cohorts: &'a [Cohort],
    /// Shares in words.
    pub words: fn(f64) -> String,
}

impl Triangle<'_> {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let periods = self.periods();
        let wide = (1.0 - NAMES) / periods.max(1) as f64;
        let is_tight = periods > ROOMY;
        let caption = Caption {
            id: self.id,
            title: self.title,
            description: self.description,
        };
        let inside = html! {
            @for place in 0..periods {
                text.minor[is_tight && place % 2 == 1] x=(across(NAMES + (place as f64 + 0.5) * wide)) y="11" text-anchor="middle" { (place) }
            }
            @for (at, cohort) in self.cohorts.iter().enumerate() {
                @let y = TOP + at as f64 * ROW;
                svg x="0" y=(y) width=(across(NAMES - 0.01)) height=(ROW) { text x="0" y="16" { (cohort.name) ": " (cohort.size) } }
                @for (place, share) in cohort.shares.iter().enumerate() {
                    @if let Some(share) = share {
                        @let x = NAMES + place as f64 * wide;
                        rect.fill.ink-1 x=(across(x)) y=(y + 1.0) width=(across(wide * 0.96)) height=(ROW - 2.0) rx="2"
                            fill-opacity=(trimmed(LEAST + MORE * (share / 100.0).clamp(0.0, 1.0))) {}
                        text.cell.minor[is_tight] x=(across(x + wide * 0.48)) y=(y + 17.0) text-anchor="middle" { ((self.words)(*share)) }
                        rect.hit x=(across(x)) y=(y) width=(across(wide)) height=(ROW) {
                            title { (cohort.name) "\n" (self.period) " " (place) ": " ((self.words)(*share)) }
                        }
                    }
                }
            }
            @if self.cohorts.is_empty() {
                text x="50%" y=(TOP + 12.0) text-anchor="middle" { "Nothing was measured" }
            }
        };
        let places: Vec<String> = (0..periods)
            .map(|place| format!("{} {place}", self.period))
            .collect();
        let head: Vec<&str> = [self.head.0, self.head.1]
            .into_iter()
            .chain(places.iter().map(String::as_str))
            .collect();
        html! {
            div.picture-box {
                (caption.svg(TOP + ROW * self.cohorts.len().max(1) as f64, &inside))
                (beside(self.title, &head, &self.rows(periods)))
            }
        }
    }

    fn periods(&self) -> usize {
        let lengths = self.cohorts.iter().map(|cohort| cohort.shares.len());
        lengths.max().unwrap_or(0)
    }

    /// Periods that have not come have an empty cell, and those without a share a dash.
    fn rows(&self, periods: usize) -> Vec<Vec<String>> {
        let cell = |share: Option<&Option<f64>>| match share {
            None => String::new(),
            Some(None) => "–".to_owned(),
            Some(Some(share)) => (self.words)(*share),
        };
        let row = |cohort: &Cohort| {
            let cells = (0..periods).map(|place| cell(cohort.shares.get(place)));
            [cohort.name.clone(), cohort.size.clone()]
                .into_iter()
                .chain(cells)
                .collect()
        };
        self.cohorts.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::percent;

    fn drawn(cohorts: &[Cohort]) -> String {
        let triangle = Triangle {
            id: "back",
            title: "Back",
            description: "Who came back.",
            head: ("Since", "Visitors"),
            period: "week",
            cohorts,
            words: percent,
        };
        triangle.draw().into_string()
    }

    fn cohort(name: &str, shares: &[Option<f64>]) -> Cohort {
        Cohort {
            name: name.to_owned(),
            size: "8".to_owned(),
            shares: shares.to_vec(),
        }
    }

    /// By hand: two periods share 70 % of the width; half of a cohort is 0.06 + 0.44 / 2 = 0.28 dark.
    #[test]
    fn each_cohort_is_as_long_as_it_has_lasted() {
        let drawn = drawn(&[
            cohort("2 Mar", &[Some(100.0), Some(50.0)]),
            cohort("9 Mar<", &[None]),
        ]);
        assert!(
            drawn.contains(r#"x="65%" y="19" width="33.6%" height="24" rx="2" fill-opacity="0.28""#),
            "{drawn}"
        );
        assert_eq!(drawn.matches("rect class=\"fill ink-1\"").count(), 2, "{drawn}");
        assert!(drawn.contains("2 Mar\nweek 1: 50%"), "{drawn}");
        assert!(
            drawn.contains(r#"<th scope="row">9 Mar&lt;</th><td class="figure">8</td><td class="figure">–</td><td class="figure"></td>"#),
            "{drawn}"
        );
        assert!(!drawn.contains("minor"), "{drawn}");
    }

    #[test]
    fn many_periods_have_no_figures_where_it_is_narrow_and_none_can_be_drawn() {
        let many = drawn(&[cohort("2 Mar", &[Some(1.0); 7])]);
        assert_eq!(many.matches("cell minor").count(), 7, "{many}");
        let none = drawn(&[]);
        assert!(
            none.contains("Nothing was measured") && !none.contains("NaN"),
            "{none}"
        );
    }
}

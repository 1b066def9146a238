//! Days side by side, such as the 90 of a status page.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::{calendar::Tone, picture::across};

const HEIGHT: f64 = 34.0;

/// A bar a day: how it is judged. Those that are not as they should be stand out by their height. The figures of the newest of
/// them, `most_told` at most, stand beside in words; all other days of one kind are one path, so that a page of many strips stays
/// light. `about` says the same in words.
#[must_use]
pub fn strip(about: &str, days: &[(Tone, String)], most_told: usize) -> Markup {
    let wide = 1.0 / days.len().max(1) as f64;
    let told: Vec<usize> = (0..days.len())
        .rev()
        .filter(|at| matches!(days[*at].0, Tone::Part | Tone::Bad))
        .take(most_told)
        .collect();
    html! {
        div.picture-box {
            svg.picture role="img" width="100%" height=(HEIGHT) aria-label=(about) {
                svg viewBox={ "0 0 " (days.len()) " " (HEIGHT) } preserveAspectRatio="none" {
                    @for tone in [Tone::None, Tone::Good, Tone::Part, Tone::Bad] {
                        @let path = path(days.len(), top(tone), |at| days[at].0 == tone && !told.contains(&at));
                        @if !path.is_empty() { path.days.(tone.class()) d=(path) {} }
                    }
                }
                @for at in &told {
                    @let (tone, figures) = &days[*at];
                    @let top = top(*tone);
                    rect.day.(tone.class()) x=(across(*at as f64 * wide)) y=(top) width=(across(wide * 0.72)) height=(HEIGHT - top) {
                        title { (figures) }
                    }
                }
            }
        }
    }
}

fn top(tone: Tone) -> f64 {
    match tone {
        Tone::Bad => 0.0,
        Tone::Part => 3.0,
        Tone::Good | Tone::None => 6.0,
    }
}

/// Lines along the days that are of a kind, which dashes cut into days.
fn path(days: usize, top: f64, is: impl Fn(usize) -> bool) -> String {
    let middle = (top + HEIGHT) / 2.0;
    let mut path = String::new();
    let mut at = 0;
    while at < days {
        let length = (at..days).take_while(|day| is(*day)).count();
        if length > 0 {
            // Writing to a string can't fail.
            let _ = write!(path, "M{at} {middle}h{length}");
        }
        at += length.max(1);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(tones: &[Tone]) -> Vec<(Tone, String)> {
        let told = tones.iter().enumerate();
        told.map(|(at, tone)| (*tone, format!("{at} <"))).collect()
    }

    #[test]
    fn days_stand_side_by_side_and_the_newest_bad_ones_are_told() {
        let days = days(&[Tone::Bad, Tone::Good, Tone::Good, Tone::Bad]);
        let drawn = strip("Two of four.", &days, 1).into_string();
        assert!(drawn.contains("viewBox=\"0 0 4 34\""), "{drawn}");
        assert!(drawn.contains("tone-good\" d=\"M1 20h2\""), "{drawn}");
        assert!(drawn.contains("tone-bad\" d=\"M0 17h1\""), "{drawn}");
        assert!(
            drawn.contains("tone-bad\" x=\"75%\" y=\"0\" width=\"18%\" height=\"34\""),
            "{drawn}"
        );
        assert!(drawn.contains("3 &lt;") && !drawn.contains("0 &lt;"), "{drawn}");
        assert!(!strip("None.", &[], 1).into_string().contains("NaN"));
    }

    #[test]
    fn a_strip_is_small_whatever_its_days() {
        let tones = [Tone::Good, Tone::Part, Tone::Bad, Tone::None];
        let days = days(&tones.repeat(23));
        let drawn = strip("All.", &days, 0).into_string();
        assert!(drawn.len() < 2_000, "{}: {drawn}", drawn.len());
    }
}

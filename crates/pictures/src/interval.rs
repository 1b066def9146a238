//! A value with the interval that it may lie in, against 0.

use maud::{Markup, html};

use crate::{
    picture::{Caption, across, beside},
    scale::{Scale, Ticks},
};

const HEIGHT: f64 = 74.0;
const FOOT: f64 = 18.0;

/// A value, and the ends of its interval.
#[derive(Clone, Copy, Debug)]
pub struct Interval<'a> {
    /// The only one of the page, plain letters and digits.
    pub id: &'a str,
    /// The title.
    pub title: &'a str,
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Values in words.
    pub words: fn(f64) -> String,
}

impl Interval<'_> {
    /// The picture: the interval as a bar, the value as a needle in it, and a line at 0.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let least = self.low.min(self.value).min(0.0);
        let greatest = self.high.max(self.value).max(0.0);
        let ticks = Ticks::around(least, greatest, 4);
        let scale = Scale::new(ticks.ends(), (0.0, 1.0));
        let [value, low, high] = [self.value, self.low, self.high].map(self.words);
        let said = format!("{value}, between {low} and {high}: {}", self.against_nothing());
        let caption = Caption {
            id: self.id,
            title: self.title,
            description: &said,
        };
        let inside = html! {
            @for (at, tick) in ticks.values.iter().enumerate() {
                @let (x, is_last) = (across(scale.at(*tick)), at + 1 == ticks.values.len());
                line.{ @if *tick == 0.0 { "axis" } @else { "grid" } } x1=(x) x2=(x) y1="18" y2=(HEIGHT - FOOT) {}
                text.tick.minor[at % 2 == 1 && !is_last] x=(x) y=(HEIGHT - 5.0)
                    text-anchor=(anchor(scale.at(*tick))) { ((self.words)(*tick)) }
            }
            @let (from, until, x) = (scale.at(self.low), scale.at(self.high), scale.at(self.value));
            rect.fill.wash.ink-1 x=(across(from)) y="26" width=(across((until - from).max(0.0))) height="20" rx="3" {}
            line.needle x1=(across(x)) x2=(across(x)) y1="22" y2="50" {}
            text x=(across(x)) y="11" text-anchor=(anchor(x)) { (value) }
            rect.hit x="0" y="18" width="100%" height=(HEIGHT - FOOT - 18.0) { title { (said) } }
        };
        let rows = [vec![value, low, high]];
        html! {
            div.picture-box {
                (caption.svg(HEIGHT, &inside))
                (beside(self.title, &["Value", "At least", "At most"], &rows))
            }
        }
    }

    fn against_nothing(&self) -> &'static str {
        if self.low > 0.0 {
            "all of it lies above 0"
        } else if self.high < 0.0 {
            "all of it lies below 0"
        } else {
            "0 lies within"
        }
    }
}

/// Texts near an end of the picture stay within it.
fn anchor(share: f64) -> &'static str {
    if share > 0.85 {
        "end"
    } else if share < 0.15 {
        "start"
    } else {
        "middle"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::number;

    fn drawn(value: f64, low: f64, high: f64) -> String {
        let interval = Interval {
            id: "effect",
            title: "Effect",
            value,
            low,
            high,
            words: |value| number(value, 0),
        };
        interval.draw().into_string()
    }

    /// By hand: ticks from −5 to 10, so −2 lies at a fifth of the width, 1 at two fifths and 7 at four fifths.
    #[test]
    fn the_interval_lies_around_its_value_and_says_whether_0_does_within() {
        let around = drawn(1.0, -2.0, 7.0);
        assert!(around.contains(r#"x="20%" y="26" width="60%""#), "{around}");
        assert!(around.contains(r#"x1="40%" x2="40%" y1="22""#), "{around}");
        assert!(around.contains("1, between −2 and 7: 0 lies within"), "{around}");
        assert_eq!(around.matches("class=\"axis\"").count(), 1, "{around}");
        assert!(drawn(5.0, 2.0, 7.0).contains("all of it lies above 0"));
        assert!(drawn(-5.0, -7.0, -2.0).contains("all of it lies below 0"));
        assert!(!drawn(0.0, 0.0, 0.0).contains("NaN"));
    }
}

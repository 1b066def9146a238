//! A value among bands, such as a score.

use maud::{Markup, html};

use crate::{
    calendar::Tone,
    picture::{Caption, across, told},
    scale::Scale,
};

/// A band: from the one before up to `until`.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// Where it ends.
    pub until: f64,
    /// How a value in it is judged.
    pub tone: Tone,
    /// The name of the band for readers.
    pub name: &'a str,
}

/// A value on a scale from `low` to the end of the last band. Without a value there is no needle.
#[must_use]
pub fn gauge(
    id: &str,
    title: &str,
    value: Option<f64>,
    low: f64,
    bands: &[Band<'_>],
    words: fn(f64) -> String,
) -> Markup {
    let high = bands.last().map_or(low, |band| band.until);
    let scale = Scale::new((low, high), (0.0, 1.0));
    let band_of = value.and_then(|value| bands.iter().find(|band| value < band.until).or(bands.last()));
    let said = match band_of {
        Some(band) => format!("{}, {}", told(value, words), band.name),
        None => told(value, words),
    };
    let caption = Caption {
        id,
        title,
        description: &said,
    };
    let begins = std::iter::once(low).chain(bands.iter().map(|band| band.until));
    let inside = html! {
        @for (band, begin) in bands.iter().zip(begins) {
            rect.(band.tone.class()) x=(across(scale.at(begin))) y="20" width=(across(scale.at(band.until) - scale.at(begin))) height="8" {
                title { (band.name) ": " (words(begin)) " to " (words(band.until)) }
            }
        }
        @if let Some(value) = value {
            @let x = across(scale.at(value));
            line.needle x1=(x) x2=(x) y1="15" y2="33" {}
            text x=(x) y="10" text-anchor=(if scale.at(value) > 0.85 { "end" } else if scale.at(value) < 0.15 { "start" } else { "middle" }) { (said) }
        } @else {
            text x="0" y="10" { (said) }
        }
    };
    html! { div.picture-box { (caption.svg(36.0, &inside)) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::short;

    const BANDS: [Band<'_>; 2] = [
        Band {
            until: 50.0,
            tone: Tone::Bad,
            name: "poor",
        },
        Band {
            until: 100.0,
            tone: Tone::Good,
            name: "good",
        },
    ];

    #[test]
    fn the_needle_is_at_the_value() {
        let drawn = gauge("score", "Score", Some(75.0), 0.0, &BANDS, short).into_string();
        assert!(
            drawn.contains(r#"x1="75%" x2="75%""#) && drawn.contains("75, good"),
            "{drawn}"
        );
        let beyond = gauge("score", "Score", Some(1e15), 0.0, &BANDS, short).into_string();
        assert!(beyond.contains(r#"x1="100%""#) && beyond.contains("1P, good"));
        let none = gauge("score", "Score", None, 0.0, &BANDS, short).into_string();
        assert!(!none.contains("needle") && none.contains("not measured"));
    }
}

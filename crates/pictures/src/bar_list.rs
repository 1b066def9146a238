//! Bars below each other, each with its name and its value.

use maud::{Markup, html};

use crate::{
    picture::{Caption, across, told},
    scale::Scale,
};

const ROW: f64 = 30.0;

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar<'a> {
    /// The name of the bar.
    pub name: &'a str,
    /// `None` where nothing was measured: there is no bar then.
    pub value: Option<f64>,
}

/// A list of bars, the longest of which takes all the room. Values below 0 have no bar.
#[must_use]
pub fn bar_list(id: &str, title: &str, bars: &[Bar<'_>], words: fn(f64) -> String) -> Markup {
    let most = bars.iter().filter_map(|bar| bar.value).fold(0.0_f64, f64::max);
    let scale = Scale::new((0.0, most), (0.0, 1.0));
    let said: Vec<String> = bars
        .iter()
        .map(|bar| format!("{}: {}", bar.name, told(bar.value, words)))
        .collect();
    let caption = Caption {
        id,
        title,
        description: &said.join("; "),
    };
    let inside = html! {
        @for (at, bar) in bars.iter().enumerate() {
            @let y = at as f64 * ROW;
            rect.track x="0" y=(y + 2.0) width="100%" height=(ROW - 6.0) rx="3" {}
            @if let Some(value) = bar.value {
                rect.fill.wash.ink-1 x="0" y=(y + 2.0) width=(across(scale.at(value))) height=(ROW - 6.0) rx="3" {}
            }
            text.name x="8" y=(y + 19.0) { (bar.name) }
            text.value x="100%" dx="-8" y=(y + 19.0) text-anchor="end" { (told(bar.value, words)) }
        }
    };
    html! { div.picture-box { (caption.svg(ROW * bars.len().max(1) as f64, &inside)) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::short;

    #[test]
    fn bars_are_as_long_as_their_share_of_the_longest() {
        let bars = [
            Bar {
                name: "a",
                value: Some(50.0),
            },
            Bar {
                name: "b<",
                value: Some(200.0),
            },
            Bar {
                name: "c",
                value: None,
            },
        ];
        let drawn = bar_list("bars", "Bars", &bars, short).into_string();
        assert!(
            drawn.contains(r#"width="25%""#) && drawn.contains("c: not measured"),
            "{drawn}"
        );
        assert_eq!(drawn.matches("ink-1").count(), 2);
        assert!(drawn.contains("b&lt;"));
        assert!(!bar_list("none", "None", &[], short).into_string().contains("NaN"));
    }
}

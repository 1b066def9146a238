//! A line without axes, for a cell of a table.

use maud::{Markup, html};

use crate::{picture::trimmed, scale::Scale};

const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 28.0;

/// The course of some values, from 0 to the highest; `title` says it in words. Values that are `None` are gaps.
#[must_use]
pub fn sparkline(title: &str, values: &[Option<f64>]) -> Markup {
    let most = values
        .iter()
        .flatten()
        .fold(0.0_f64, |most, value| most.max(*value));
    let low = values
        .iter()
        .flatten()
        .fold(0.0_f64, |low, value| low.min(*value));
    let scale = Scale::new((low, most), (HEIGHT - 2.0, 2.0));
    let wide = WIDTH / values.len().max(2).saturating_sub(1) as f64;
    let mut path = String::new();
    let mut before = None;
    for (at, value) in values.iter().enumerate() {
        let next = values.get(at + 1).copied().flatten();
        if let Some(value) = value {
            let command = if before.is_some() { 'L' } else { 'M' };
            path.push(command);
            path.push_str(&format!(
                "{} {}",
                trimmed(at as f64 * wide),
                trimmed(scale.at(*value))
            ));
            if before.is_none() && next.is_none() {
                path.push_str("h0");
            }
        }
        before = *value;
    }
    html! {
        svg.picture.spark role="img" aria-label=(title) width=(WIDTH) height=(HEIGHT) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" {
            @if path.is_empty() {
                line.grid x1="0" x2=(WIDTH) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
            } @else {
                path.line.ink-1 d=(path) {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_from_0_to_the_highest() {
        let drawn = sparkline("Times", &[Some(0.0), Some(10.0), None, Some(5.0)]).into_string();
        assert!(drawn.contains(r#"d="M0 26L40 2M120 14h0""#), "{drawn}");
        assert!(sparkline("None", &[None, None]).into_string().contains("<line"));
        assert!(!sparkline("None", &[]).into_string().contains("NaN"));
        let hostile = sparkline("\"><script>", &[Some(-1e15)]).into_string();
        assert!(!hostile.contains("<script") && !hostile.contains("NaN"));
    }
}

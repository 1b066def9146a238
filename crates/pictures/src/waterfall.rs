//! Spans of time below each other, as requests of a page are.

use maud::{Markup, html};

use crate::{
    picture::{Caption, across, beside, told},
    scale::{Scale, Ticks},
};

const ROW: f64 = 22.0;
const FOOT: f64 = 20.0;
/// How much of the width names take.
const NAMES: f64 = 0.38;
/// The least width of a bar, as a share of the width: what is over at once can still be seen.
const LEAST: f64 = 0.003;

/// A span of time.
#[derive(Clone, Debug)]
pub struct WaterfallBar<'a> {
    /// The thing that takes this time.
    pub name: &'a str,
    /// From when until when; `None`: that is not known.
    pub time: Option<(f64, f64)>,
    /// Which ink it has, 1 to 5.
    pub ink: usize,
    /// A note beside its time.
    pub note: String,
}

/// Spans in their order, on one scale of time from 0. `words` tells a time.
#[must_use]
pub fn waterfall(id: &str, title: &str, spans: &[WaterfallBar<'_>], words: fn(f64) -> String) -> Markup {
    let last = spans
        .iter()
        .filter_map(|span| span.time)
        .map(|(_, end)| end)
        .fold(0.0_f64, f64::max);
    let ticks = Ticks::around(0.0, last, 4);
    let scale = Scale::new(ticks.ends(), (NAMES, 1.0));
    let height = ROW * spans.len().max(1) as f64;
    let caption = Caption {
        id,
        title,
        description: &format!(
            "{} requests, the last of which ended after {}.",
            spans.len(),
            words(last)
        ),
    };
    let inside = html! {
        @for tick in &ticks.values {
            @let x = across(scale.at(*tick));
            line.grid x1=(x) x2=(x) y1="0" y2=(height) {}
        }
        @for (at, tick) in ticks.values.iter().enumerate() {
            @let is_last = at + 1 == ticks.values.len();
            text.tick.minor[at % 2 == 1 && !is_last] x=(across(scale.at(*tick))) y=(height + FOOT - 6.0)
                text-anchor=(if is_last { "end" } else { "middle" }) { (words(*tick)) }
        }
        @for (at, span) in spans.iter().enumerate() {
            @let y = at as f64 * ROW;
            // Long names end where the times begin.
            svg x="0" y=(y) width=(across(NAMES - 0.01)) height=(ROW) { text x="0" y="15" { (span.name) } }
            @if let Some((begin, end)) = span.time {
                @let (from, until) = (scale.at(begin), scale.at(end));
                rect.fill.{ "ink-" (span.ink.clamp(1, 5)) } x=(across(from.min(1.0 - LEAST))) y=(y + 5.0)
                    width=(across((until - from).max(LEAST))) height=(ROW - 10.0) rx="2" {}
            }
            rect.hit x="0" y=(y) width="100%" height=(ROW) { title { (said(span, words)) } }
        }
    };
    let rows: Vec<Vec<String>> = spans
        .iter()
        .map(|span| {
            let [begin, end] = [span.time.map(|(begin, _)| begin), span.time.map(|(_, end)| end)];
            vec![
                span.name.to_owned(),
                told(begin, words),
                told(end, words),
                span.note.clone(),
            ]
        })
        .collect();
    html! {
        div.picture-box {
            (caption.svg(height + FOOT, &inside))
            (beside(title, &["Request", "From", "Until", "What"], &rows))
        }
    }
}

fn said(span: &WaterfallBar<'_>, words: fn(f64) -> String) -> String {
    match span.time {
        Some((begin, end)) => format!("{}\n{} to {}\n{}", span.name, words(begin), words(end), span.note),
        None => format!("{}\nnot measured\n{}", span.name, span.note),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::millis;

    fn span(name: &str, time: Option<(f64, f64)>) -> WaterfallBar<'_> {
        WaterfallBar {
            name,
            time,
            ink: 2,
            note: "script".to_owned(),
        }
    }

    /// By hand: 100 to 200 of 400 ms lie on 0.38 + 0.62 × 0.25 and are 0.62 × 0.25 wide.
    #[test]
    fn spans_lie_where_their_times_do() {
        let spans = [
            span("/", Some((100.0, 200.0))),
            span("/late<", Some((400.0, 400.0))),
            span("/never", None),
        ];
        let drawn = waterfall("requests", "Requests", &spans, millis).into_string();
        assert!(drawn.contains(r#"x="53.5%" y="5" width="15.5%""#), "{drawn}");
        assert!(drawn.contains(r#"x="99.7%" y="27" width="0.3%""#), "{drawn}");
        assert!(
            drawn.contains("/late&lt;") && drawn.contains("/never\nnot measured"),
            "{drawn}"
        );
        let none = waterfall("none", "None", &[], millis).into_string();
        assert!(!none.contains("NaN"), "{none}");
    }
}

//! Marks: a state in a word and a shape, so that nobody needs to tell colours apart.

use maud::{Markup, html};

/// How a mark is meant. Each has its own colour and shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be: a filled circle.
    Good,
    /// To be looked at: a triangle.
    Warn,
    /// Broken: a square on its corner.
    Bad,
    /// Neither, such as paused: a ring.
    Calm,
    /// Meant so, such as maintenance: a bar.
    Planned,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
            Self::Calm => "calm",
            Self::Planned => "planned",
        }
    }
}

/// A state: its shape, then its word.
pub(crate) fn state(tone: Tone, word: &str) -> Markup {
    html! {
        span.state.(tone.class()) {
            svg viewBox="0 0 10 10" aria-hidden="true" focusable="false" {
                @match tone {
                    Tone::Good => { circle cx="5" cy="5" r="4.5"; }
                    Tone::Warn => { path d="M5 .5 9.8 9.3H.2Z"; }
                    Tone::Bad => { path d="M5 0 10 5 5 10 0 5Z"; }
                    Tone::Calm => { circle.ring cx="5" cy="5" r="3.5"; }
                    Tone::Planned => { rect x="0" y="3" width="10" height="4" rx="1"; }
                }
            }
            (word)
        }
    }
}

/// A word in a box, such as a role or a scope.
pub(crate) fn badge(word: &str) -> Markup {
    html! { span.badge { (word) } }
}

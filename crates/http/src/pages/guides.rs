//! The pages of guides, and the list of them.

use actix_web::web::Bytes;
use maud::{Markup, PreEscaped, html};

use super::layout;

/// A guide. Whoever has its text makes it, from HTML that asks nobody else for anything.
#[derive(Debug)]
pub struct Guide {
    /// The last segment of its address.
    pub name: &'static str,
    /// The heading of its page.
    pub title: &'static str,
    /// The heading that it is listed under; guides of one part follow each other.
    pub part: &'static str,
    /// Everything below its heading, as HTML.
    pub html: String,
    /// The text that it is found by.
    pub text: &'static str,
}

/// Where the guide of that name is served.
pub fn address(name: &str) -> String {
    format!("/docs/guides/{name}")
}

/// A guide with its page, as it is kept.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) name: &'static str,
    pub(super) page: Bytes,
    title: &'static str,
    part: &'static str,
    /// Its text in small letters.
    text: String,
}

impl Kept {
    pub(super) fn new(guide: Guide) -> Self {
        let Guide {
            name,
            title,
            part,
            html,
            text,
        } = guide;
        let content = html! { article { (PreEscaped(html)) } };
        Self {
            name,
            page: Bytes::from(layout(title, &content).into_string()),
            title,
            part,
            text: text.to_lowercase(),
        }
    }

    /// Whether it has all of these words, which are in small letters.
    pub(super) fn has(&self, words: &[String]) -> bool {
        words.iter().all(|word| self.text.contains(word))
    }
}

/// The guides by their parts.
pub(super) fn list(guides: &[&Kept]) -> Markup {
    html! {
        @for part in guides.chunk_by(|one, next| one.part == next.part) {
            @if let Some(first) = part.first() { h3 { (first.part) } }
            ul.guides {
                @for guide in part { li { a href=(address(guide.name)) { (guide.title) } } }
            }
        }
    }
}

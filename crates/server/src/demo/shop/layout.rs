//! The layout that all pages of a demo shop share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Frame;

pub(super) const STYLE: &str = include_str!("style.css");
pub(super) const SCRIPT: &str = include_str!("shop.js");
pub(super) const TAG: &str = include_str!("tag.js");

/// Records what a page calls before the tracker is there.
const QUEUE: &str =
    "window.pharos = window.pharos || function () { (pharos.q = pharos.q || []).push(arguments) };";

/// A whole page.
pub(super) fn page(frame: &Frame<'_>, title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · " (frame.name) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/style.css";
                script { (PreEscaped(QUEUE)) }
                @if let Some(tracker) = frame.tracker {
                    script defer src=(tracker) {}
                }
                script defer src="/shop.js" {}
                script async src=(frame.tag) {}
            }
            body {
                header {
                    a.name href="/" { (frame.name) }
                    form.search action="/search" role="search" {
                        input name="q" type="search" aria-label="Search the shop" placeholder="Lamps, lanterns …";
                        button { "Search" }
                    }
                    a href="/cart" { "Cart" }
                }
                main { (content) }
                footer {
                    a #price-list href="/files/price-list.pdf" { "Price list (PDF)" }
                    a #lumens href="https://www.example.com/lumens?from=demo" { "What lumens are" }
                    button #chat type="button" { "Chat with us" }
                    p { "A demo of Pharos. Nothing is sold here." }
                }
            }
        }
    }
}

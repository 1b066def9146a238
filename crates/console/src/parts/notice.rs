//! The notice at the top of a page: something was done, or should be known.

use maud::{Markup, html};

/// Something was done.
pub(crate) fn done(text: &str) -> Markup {
    html! { div.done role="status" { p { (text) } } }
}

/// Something should be known.
pub(crate) fn hint(content: &Markup) -> Markup {
    html! { div.told { (content) } }
}

/// There is nothing yet, and this is the next step.
pub(crate) fn empty(title: &str, content: &Markup) -> Markup {
    html! {
        div.empty {
            p.title { (title) }
            (content)
        }
    }
}

//! The notice at the top of a page: something was done, is wrong, or should be known.

use maud::{Markup, html};

/// Something was done.
pub(crate) fn done(text: &str) -> Markup {
    html! { div.done role="status" { p { (text) } } }
}

/// The faults of an address that are a page's own.
pub(crate) fn faulty(faults: &[String]) -> Markup {
    html! {
        @if !faults.is_empty() {
            div.fault role="alert" { ul { @for fault in faults { li { (fault) } } } }
        }
    }
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

/// The plan of the workspace has not what the page is about.
pub(crate) fn not_in_plan(what: &str) -> Markup {
    empty(
        &format!("The plan of this workspace has no {what}"),
        &html! { p { "Ask whoever runs this Pharos for another plan." } },
    )
}

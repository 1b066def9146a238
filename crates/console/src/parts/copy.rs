//! Something to copy: a secret, an address, a command.

use maud::{Markup, html};

/// A text in a box, with a button that copies it where there is a script. `id` is the only one of the page.
pub(crate) fn copied(id: &str, label: &str, text: &str) -> Markup {
    html! {
        div.copied {
            p.label id={ (id) "-label" } { (label) }
            div {
                code id=(id) tabindex="0" aria-labelledby={ (id) "-label" } role="textbox" aria-readonly="true" { (text) }
                button.quiet type="button" data-copy=(id) hidden { "Copy" }
            }
        }
    }
}

//! Facts: a name and a value each, and the few figures that a page begins with.

use maud::{Markup, html};

/// A list of names and values. A value that is `None` is said to be unknown.
pub(crate) fn facts<'a>(rows: impl IntoIterator<Item = (&'a str, Option<Markup>)>) -> Markup {
    html! {
        dl.facts {
            @for (name, value) in rows {
                div {
                    dt { (name) }
                    dd { @match value { Some(value) => (value), None => span.none { "not known" } } }
                }
            }
        }
    }
}

/// A figure with its name and what it is compared with.
pub(crate) struct Figure<'a> {
    pub(crate) name: &'a str,
    /// `None`: nothing was measured.
    pub(crate) value: Option<String>,
    /// A line below it.
    pub(crate) note: Option<Markup>,
}

/// Figures side by side.
pub(crate) fn figures(figures: &[Figure<'_>]) -> Markup {
    html! {
        dl.figures {
            @for figure in figures {
                div {
                    dt { (figure.name) }
                    dd {
                        @match &figure.value {
                            Some(value) => strong { (value) },
                            None => strong.none { "–" span.aside { "not measured" } },
                        }
                        @if let Some(note) = &figure.note { span.note { (note) } }
                    }
                }
            }
        }
    }
}

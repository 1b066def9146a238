//! Parts that all pictures share: a title and a description for those who hear the page, and a table of the figures.

use maud::{Markup, html};

/// The name of a picture. `id` is the only one of the page, and plain letters.
pub(crate) struct Caption<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
}

impl Caption<'_> {
    /// The picture around its shapes: as wide as there is room, and so many pixels high.
    pub(crate) fn svg(&self, height: f64, shapes: &Markup) -> Markup {
        html! {
            svg.picture role="img" width="100%" height=(height) aria-labelledby={ (self.id) "-title " (self.id) "-desc" }
                xmlns="http://www.w3.org/2000/svg" {
                title id={ (self.id) "-title" } { (self.title) }
                desc id={ (self.id) "-desc" } { (self.description) }
                (shapes)
            }
        }
    }
}

/// The same figures as a table, folded away. Its region is named otherwise than the section around the picture: no two landmarks
/// of a page may have one name.
pub(crate) fn beside(title: &str, head: &[&str], rows: &[Vec<String>]) -> Markup {
    beside_with(title, None, head, rows)
}

/// The same with a note on its rows.
pub(crate) fn beside_with(title: &str, note: Option<&str>, head: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        @if !rows.is_empty() {
            details {
                summary { "As a table" }
                @if let Some(note) = note { p.note { (note) } }
                div.scroll role="region" tabindex="0" aria-label={ "Table: " (title) } {
                    table {
                        caption.aside { (title) }
                        thead { tr { @for (at, name) in head.iter().enumerate() { th.figure[at > 0] scope="col" { (name) } } } }
                        tbody {
                            @for row in rows {
                                tr {
                                    @for (at, cell) in row.iter().enumerate() {
                                        @if at == 0 { th scope="row" { (cell) } } @else { td.figure { (cell) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A share of the width in percent, as attributes have it: as short as it is exact enough.
pub(crate) fn across(share: f64) -> String {
    format!("{}%", trimmed(share * 100.0))
}

/// A coordinate with at most two decimals.
pub(crate) fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A figure in words.
pub(crate) fn told(value: Option<f64>, words: fn(f64) -> String) -> String {
    value.map_or_else(|| "not measured".to_owned(), words)
}

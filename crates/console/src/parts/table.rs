//! Tables: a caption, columns that may be sorted by a link, rows, pages.

use maud::{Markup, html};

/// A column.
pub(crate) struct Column<'a> {
    pub(crate) label: &'a str,
    /// Whether it holds figures, which stand to the right.
    pub(crate) is_figure: bool,
    /// The address of the table sorted by it.
    pub(crate) sort: Option<String>,
    /// Whether the table is sorted by it now: `ascending` or `descending`.
    pub(crate) sorted: Option<&'static str>,
    /// Whether a narrow screen does without it.
    pub(crate) is_spare: bool,
}

impl<'a> Column<'a> {
    /// A column of text.
    pub(crate) fn text(label: &'a str) -> Self {
        Self {
            label,
            is_figure: false,
            sort: None,
            sorted: None,
            is_spare: false,
        }
    }

    /// A column of figures.
    pub(crate) fn figure(label: &'a str) -> Self {
        Self {
            is_figure: true,
            ..Self::text(label)
        }
    }

    /// The same, left out where there is no room.
    pub(crate) fn spare(self) -> Self {
        Self {
            is_spare: true,
            ..self
        }
    }

    /// The same with a link that sorts by it; `sorted` where the table is.
    pub(crate) fn sort(self, address: String, sorted: Option<&'static str>) -> Self {
        Self {
            sort: Some(address),
            sorted,
            ..self
        }
    }

    fn class(&self) -> Option<&'static str> {
        match (self.is_figure, self.is_spare) {
            (false, false) => None,
            (true, false) => Some("figure"),
            (false, true) => Some("spare"),
            (true, true) => Some("figure spare"),
        }
    }
}

/// A table. Each row has a cell a column; the first names the row.
pub(crate) struct Table<'a> {
    pub(crate) caption: &'a str,
    pub(crate) columns: &'a [Column<'a>],
    pub(crate) rows: Vec<Vec<Markup>>,
}

impl Table<'_> {
    /// The table, or `empty` in its place where it has no rows.
    pub(crate) fn show(&self, empty: &Markup) -> Markup {
        if self.rows.is_empty() {
            return empty.clone();
        }
        html! {
            div.scroll role="region" aria-label=(self.caption) tabindex="0" {
                table {
                    caption.aside { (self.caption) }
                    thead {
                        tr {
                            @for column in self.columns {
                                th scope="col" class=[column.class()] aria-sort=[column.sorted] {
                                    @match &column.sort {
                                        Some(address) => a href=(address) { (column.label) },
                                        None => (column.label),
                                    }
                                }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (at, (cell, column)) in row.iter().zip(self.columns).enumerate() {
                                    @if at == 0 {
                                        th scope="row" class=[column.class()] { (cell) }
                                    } @else {
                                        td class=[column.class()] { (cell) }
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

/// A cell with a figure in words; a dash where there is none.
pub(crate) fn figure_cell(value: Option<f64>, words: impl Fn(f64) -> String) -> Markup {
    html! { @match value { Some(value) => (words(value)), None => span.none { "–" } } }
}

/// The pages of a list.
pub(crate) struct Pages<'a> {
    /// Which rows are shown, in words: "1 to 50 of 1,000 domains".
    pub(crate) shown: &'a str,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

impl Pages<'_> {
    /// The line below a list.
    pub(crate) fn show(&self) -> Markup {
        html! {
            nav.pages aria-label="Pages" {
                span { (self.shown) }
                @if let Some(before) = &self.before { a.button.quiet rel="prev" href=(before) { "Previous" } }
                @if let Some(after) = &self.after { a.button.quiet rel="next" href=(after) { "Next" } }
            }
        }
    }
}

//! Tables: a caption, columns that may be sorted by a link, rows, pages.

use maud::{Markup, html};
use pharos_pictures::figure::number;

use crate::query::in_query;

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
    /// The table, or `empty` in its place where it has no rows. It stands in a section of the same name, and no two landmarks may
    /// have one.
    pub(crate) fn show(&self, empty: &Markup) -> Markup {
        if self.rows.is_empty() {
            return empty.clone();
        }
        html! {
            div.scroll role="region" aria-label={ "Table: " (self.caption) } tabindex="0" {
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
        self.named("Pages")
    }

    /// The same below one of several lists of a page, by this name.
    pub(crate) fn named(&self, name: &str) -> Markup {
        html! {
            nav.pages aria-label=(name) {
                span { (self.shown) }
                @if let Some(before) = &self.before { a.button.quiet rel="prev" href=(before) { "Previous" } }
                @if let Some(after) = &self.after { a.button.quiet rel="next" href=(after) { "Next" } }
            }
        }
    }
}

/// How many rows a page has of a list that is read whole.
const ON_A_PAGE: usize = 50;

/// The part that a page shows of a list that is read whole, by the `page` of its address.
pub(crate) struct Part<'a, T> {
    pub(crate) items: &'a [T],
    /// How many come before them.
    before: usize,
    total: usize,
    on_a_page: usize,
}

impl<'a, T> Part<'a, T> {
    /// The part of the page that is requested, or of the last one that there is.
    pub(crate) fn of(all: &'a [T], query: &str) -> Self {
        Self::at_most(ON_A_PAGE, all, query)
    }

    /// The same with so many items on a page.
    pub(crate) fn at_most(on_a_page: usize, all: &'a [T], query: &str) -> Self {
        let asked = in_query(query, "page").and_then(|page| page.parse::<usize>().ok());
        let last = all.len().div_ceil(on_a_page).max(1);
        let before = (asked.unwrap_or(1).clamp(1, last) - 1) * on_a_page;
        let end = (before + on_a_page).min(all.len());
        Self {
            items: &all[before..end],
            before,
            total: all.len(),
            on_a_page,
        }
    }

    /// The ways to the other pages of the list at this path; nothing where all of it is shown.
    pub(crate) fn pages(&self, path: &str) -> Markup {
        self.pages_named("Pages", path)
    }

    /// The same for one of several lists of a page, whose path may have parameters and the place of the list.
    pub(crate) fn pages_named(&self, name: &str, path: &str) -> Markup {
        if self.total <= self.on_a_page {
            return html! {};
        }
        let (page, end) = (self.before / self.on_a_page + 1, self.before + self.items.len());
        let shown = format!(
            "{} to {} of {}",
            number((self.before + 1) as f64, 0),
            number(end as f64, 0),
            number(self.total as f64, 0)
        );
        let (path, place) = path.split_at(path.find('#').unwrap_or(path.len()));
        let next = if path.contains('?') { '&' } else { '?' };
        Pages {
            shown: &shown,
            before: (page > 1).then(|| format!("{path}{next}page={}{place}", page - 1)),
            after: (end < self.total).then(|| format!("{path}{next}page={}{place}", page + 1)),
        }
        .named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(count: usize, query: &str) -> (Option<usize>, Option<usize>, String) {
        let all: Vec<usize> = (1..=count).collect();
        let part = Part::of(&all, query);
        let pages = part.pages("/list").into_string();
        (part.items.first().copied(), part.items.last().copied(), pages)
    }

    #[test]
    fn a_page_has_its_part_of_a_list_and_the_ways_to_the_others() {
        assert_eq!(asked(0, ""), (None, None, String::new()));
        assert_eq!(asked(50, "page=7"), (Some(1), Some(50), String::new()));
        let (first, last, pages) = asked(120, "made&page=2");
        assert_eq!((first, last), (Some(51), Some(100)));
        for told in ["51 to 100 of 120", "/list?page=1", "/list?page=3"] {
            assert!(pages.contains(told), "{told} is not in {pages}");
        }
        let (first, last, pages) = asked(120, "page=9999");
        assert_eq!((first, last), (Some(101), Some(120)));
        assert!(!pages.contains("Next"), "{pages}");
        for none in ["page=0", "page=-1", "page=x", "page=99999999999999999999999"] {
            assert_eq!(asked(120, none).0, Some(1), "{none}");
        }
    }
}

//! The contents of a report: its sections, with the numbers of their pages where it is printed.

use std::collections::HashMap;

use maud::{Markup, html};

use crate::{data::SectionData, document::Document};

/// The pages on which sections begin in print, by the anchors of their headings.
pub(super) type SectionPages = HashMap<String, u32>;

/// The texts of the links in the contents, by the anchors that they go to.
pub(super) fn links(document: &Document) -> HashMap<String, String> {
    shown(document)
        .map(|section| (anchor(section), section.title.clone()))
        .collect()
}

/// A section of which nothing is on has nothing to show.
pub(super) fn shown(document: &Document) -> impl Iterator<Item = &SectionData> {
    document
        .sections
        .iter()
        .filter(|section| !section.widgets.is_empty())
}

/// The anchor of a section's heading: the page that it is on is the one where readers look for the section.
pub(super) fn anchor(section: &SectionData) -> String {
    format!("{}-title", section.name)
}

/// The list of sections. On paper each has a place for the number of its page, as wide without it as with it.
pub(super) fn contents(document: &Document, pages: Option<&SectionPages>) -> Markup {
    let link = |section: &SectionData| html! { a href={ "#" (anchor(section)) } { (section.title) } };
    let Some(pages) = pages else {
        return html! { ol { @for section in shown(document) { li { (link(section)) } } } };
    };
    html! {
        ol class=[(!pages.is_empty()).then_some("numbered")] {
            @for section in shown(document) {
                li {
                    div.entry {
                        (link(section))
                        span.leader aria-hidden="true" {}
                        span.at { @if let Some(page) = pages.get(&anchor(section)) { (page) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{SectionName, WidgetAnswer};

    use super::*;
    use crate::{data::WidgetData, own::ABSENT, render::html};

    fn section(name: SectionName, title: &str) -> SectionData {
        let widget = WidgetData {
            name: "kpi_row".to_owned(),
            widget: &ABSENT,
            title: ABSENT.label.to_owned(),
            answer: WidgetAnswer::NO_DATA,
        };
        SectionData {
            name,
            title: title.to_owned(),
            widgets: vec![widget],
        }
    }

    /// The list of a page.
    fn list(page: &str) -> &str {
        let from = page.find("<ol").unwrap();
        page[from..].split("</ol>").next().unwrap()
    }

    #[test]
    fn numbers_are_told_in_print_alone() {
        let nothing = SectionData {
            widgets: Vec::new(),
            ..section(SectionName::Rum, "Real users")
        };
        let document = Document::of(vec![section(SectionName::Uptime, "Is it up?"), nothing]);
        let link = "<a href=\"#uptime-title\">Is it up?</a>";
        let html = html::report(&document);
        assert_eq!(list(&html), format!("<ol><li>{link}</li>"));
        assert!(html.contains("<h2 id=\"uptime-title\">Is it up?</h2>"), "{html}");

        let entry = |number: &str| {
            let leader = "<span class=\"leader\" aria-hidden=\"true\"></span>";
            format!("<li><div class=\"entry\">{link}{leader}<span class=\"at\">{number}</span></div></li>")
        };
        let unknown = html::printed(&document, &SectionPages::new());
        assert_eq!(list(&unknown), format!("<ol>{}", entry("")));
        let pages = SectionPages::from([("uptime-title".to_owned(), 12)]);
        let known = html::printed(&document, &pages);
        assert_eq!(list(&known), format!("<ol class=\"numbered\">{}", entry("12")));

        let told = HashMap::from([("uptime-title".to_owned(), "Is it up?".to_owned())]);
        assert_eq!(links(&document), told);
    }
}

//! How many pages a print has, and on which of them the anchors are that its links go to.

use std::collections::HashMap;

use lopdf::{Document, Object, ObjectId};

use super::{
    accessible::{Unfit, load},
    contents::SectionPages,
};

/// How a print lies on its pages.
#[derive(Debug)]
pub(super) struct Places {
    /// How many pages it has.
    pub(super) pages: u32,
    /// The number of the page of each anchor that links go to. The count of pages is known without them.
    pub(super) sections: Result<SectionPages, Unfit>,
}

/// How a print lies on its pages, looked through once. `links` has the anchors.
pub(super) fn places(pdf: &[u8], links: &HashMap<String, String>) -> Result<Places, Unfit> {
    let document = load(pdf)?;
    let pages: Vec<(ObjectId, u32)> = document.page_iter().zip(1..).collect();
    Ok(Places {
        pages: pages.last().map_or(0, |(_, number)| *number),
        sections: sections(&document, &pages.into_iter().collect(), links),
    })
}

fn sections(
    document: &Document,
    numbers: &HashMap<ObjectId, u32>,
    links: &HashMap<String, String>,
) -> Result<SectionPages, Unfit> {
    let places = document.catalog()?.get_deref(b"Dests", document)?.as_dict()?;
    let page = |anchor: &str| {
        let place = places
            .get_deref(anchor.as_bytes(), document)
            .and_then(Object::as_array)
            .ok()?;
        let page = place.first()?.as_reference().ok()?;
        numbers.get(&page).copied()
    };
    links
        .keys()
        .map(|anchor| {
            let found = page(anchor).map(|page| (anchor.clone(), page));
            found.ok_or(Unfit::Without("place for a link"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    /// Two pages as Chromium prints them, with an anchor on each, and a title that looks like a page.
    fn printed() -> Vec<u8> {
        let mut document = Document::with_version("1.4");
        let tree = document.new_object_id();
        let page = dictionary! { "Type" => "Page", "Parent" => tree };
        let (first, second) = (document.add_object(page.clone()), document.add_object(page));
        let place = |page: ObjectId| -> Vec<Object> {
            vec![page.into(), "XYZ".into(), 0.into(), 700.into(), 0.into()]
        };
        let anchors = dictionary! { "notes-title" => place(second), "uptime-title" => place(first) };
        let anchors = document.add_object(anchors);
        let kids = vec![Object::Reference(first), Object::Reference(second)];
        let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => 2 };
        document.objects.insert(tree, pages.into());
        let catalog = dictionary! { "Type" => "Catalog", "Pages" => tree, "Dests" => anchors };
        let catalog = document.add_object(catalog);
        document.trailer.set("Root", catalog);
        let title = Object::string_literal("/Type /Page");
        let about = document.add_object(dictionary! { "Title" => title });
        document.trailer.set("Info", about);
        let mut pdf = Vec::new();
        document.save_to(&mut pdf).unwrap();
        pdf
    }

    fn links(anchors: &[&str]) -> HashMap<String, String> {
        let link = |anchor: &&str| ((*anchor).to_owned(), "A title".to_owned());
        anchors.iter().map(link).collect()
    }

    #[test]
    fn pages_are_those_of_the_tree_and_a_title_is_none() {
        let pdf = printed();
        assert!(String::from_utf8_lossy(&pdf).contains("(/Type /Page)"));
        assert_eq!(places(&pdf, &HashMap::new()).unwrap().pages, 2);
        assert!(places(b"/Type /Page", &HashMap::new()).is_err());
    }

    #[test]
    fn each_anchor_has_the_number_of_its_page() {
        let found = places(&printed(), &links(&["notes-title", "uptime-title"])).unwrap();
        let expected = HashMap::from([("notes-title".to_owned(), 2), ("uptime-title".to_owned(), 1)]);
        assert_eq!(found.sections.unwrap(), expected);
    }

    #[test]
    fn an_anchor_that_is_nowhere_is_not_made_up() {
        let found = places(&printed(), &links(&["notes-title", "rum-title"])).unwrap();
        assert_eq!(found.pages, 2);
        let refused = found.sections.unwrap_err();
        assert_eq!(refused.to_string(), "it has no place for a link");
    }
}

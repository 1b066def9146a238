//! The pages of a print on which the anchors are that its links go to.

use std::collections::HashMap;

use lopdf::{Object, ObjectId};

use super::accessible::{Unfit, load};

/// The number of the page of each anchor that `links` has.
pub(super) fn pages(pdf: &[u8], links: &HashMap<String, String>) -> Result<HashMap<String, u32>, Unfit> {
    let document = load(pdf)?;
    let places = document.catalog()?.get_deref(b"Dests", &document)?.as_dict()?;
    let numbers: HashMap<ObjectId, u32> = document.page_iter().zip(1..).collect();
    let page = |anchor: &str| {
        let place = places
            .get_deref(anchor.as_bytes(), &document)
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
    use lopdf::{Document, dictionary};

    use super::*;

    /// Two pages as Chromium prints them, with an anchor on each.
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
        let mut pdf = Vec::new();
        document.save_to(&mut pdf).unwrap();
        pdf
    }

    fn links(anchors: &[&str]) -> HashMap<String, String> {
        let link = |anchor: &&str| ((*anchor).to_owned(), "A title".to_owned());
        anchors.iter().map(link).collect()
    }

    #[test]
    fn each_anchor_has_the_number_of_its_page() {
        let found = pages(&printed(), &links(&["notes-title", "uptime-title"])).unwrap();
        let expected = HashMap::from([("notes-title".to_owned(), 2), ("uptime-title".to_owned(), 1)]);
        assert_eq!(found, expected);
    }

    #[test]
    fn an_anchor_that_is_nowhere_is_not_made_up() {
        let refused = pages(&printed(), &links(&["notes-title", "rum-title"])).unwrap_err();
        assert_eq!(refused.to_string(), "it has no place for a link");
    }
}

//! The descriptions of links, which readers tell when they come to one.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId, text_string};

use super::{Unfit, tree::Tree};

/// Says of each link on a page what it is about, and that tabs follow the order of the elements. `told` has what the links to the
/// page's own anchors say.
pub(super) fn describe(
    document: &mut Document,
    page: ObjectId,
    tree: &Tree,
    told: &HashMap<String, String>,
) -> Result<(), Unfit> {
    let annotations = match document.get_dictionary(page)?.get_deref(b"Annots", document) {
        Ok(annotations) => annotations.as_array()?.clone(),
        Err(_) => return Ok(()),
    };
    for annotation in &annotations {
        let id = annotation.as_reference()?;
        let link = document.get_dictionary(id)?;
        if link.get(b"Subtype").and_then(Object::as_name)? != b"Link" {
            return Err(Unfit::Unknown("an annotation that is no link"));
        }
        if !tree.has_link(id) {
            return Err(Unfit::Without("element for a link"));
        }
        let about = about(document, link, told).ok_or(Unfit::Without("text for a link"))?;
        document.get_dictionary_mut(id)?.set("Contents", about);
    }
    document.get_dictionary_mut(page)?.set("Tabs", "S");
    Ok(())
}

fn about(document: &Document, link: &Dictionary, told: &HashMap<String, String>) -> Option<Object> {
    match link.get_deref(b"Dest", document) {
        Ok(Object::Name(anchor) | Object::String(anchor, _)) => {
            let text = told.get(str::from_utf8(anchor).ok()?)?;
            Some(text_string(text))
        }
        // Where it goes is better than nothing.
        _ => {
            let action = link.get_deref(b"A", document).and_then(Object::as_dict).ok()?;
            let address = action.get_deref(b"URI", document).ok()?;
            address.as_str().is_ok().then(|| address.clone())
        }
    }
}

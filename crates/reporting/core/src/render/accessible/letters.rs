//! The letters of a page: whether each is drawn, or an empty box stands for one that no font of the machine has.

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{
    MOST_OF_A_PAGE, Unfit, load,
    scan::{Operation, operations},
};

/// Whether all letters of each page are drawn, page by page.
pub(in crate::render) fn drawn_by_page(pdf: &[u8]) -> Result<Vec<bool>, Unfit> {
    let document = load(pdf)?;
    let mut drawn = Vec::new();
    for page in document.page_iter() {
        let content = document.get_page_content_with_limit(page, MOST_OF_A_PAGE)?;
        drawn.push(all_drawn(&document, page, &operations(&content)?)?);
    }
    Ok(drawn)
}

/// Whether no box stands for a letter on a page: PDF/UA-1 forbids them (7.21.8), since nobody can read them. In each font that
/// Chromium writes they have the code 0.
pub(super) fn all_drawn(
    document: &Document,
    page: ObjectId,
    operations: &[Operation<'_>],
) -> Result<bool, Unfit> {
    // Bytes of a code. Fonts of outlines have two, those of pictures one.
    let mut wide = true;
    for operation in operations {
        match operation.operator {
            b"Tf" => wide = is_wide(document, page, operation)?,
            b"Tj" | b"TJ" | b"'" | b"\"" if operation.operands()?.iter().any(|text| has_box(text, wide)) => {
                return Ok(false);
            }
            _ => {}
        }
    }
    Ok(true)
}

fn has_box(text: &Object, wide: bool) -> bool {
    match text {
        Object::String(codes, _) if wide => codes.chunks_exact(2).any(|code| code == [0, 0]),
        Object::String(codes, _) => codes.contains(&0),
        Object::Array(parts) => parts.iter().any(|part| has_box(part, wide)),
        _ => false,
    }
}

/// Whether the font that is chosen has codes of two bytes.
fn is_wide(document: &Document, page: ObjectId, operation: &Operation<'_>) -> Result<bool, Unfit> {
    let operands = operation.operands()?;
    let name = operands
        .first()
        .ok_or(Unfit::Unknown("a font without a name"))?
        .as_name()?;
    let (own, inherited) = document.get_page_resources(page)?;
    let mut places = Vec::new();
    places.extend(own);
    for id in inherited {
        places.push(document.get_dictionary(id)?);
    }
    let found = places
        .into_iter()
        .find_map(|resources| font(document, resources, name))
        .ok_or(Unfit::Without("font of a text"))?;
    Ok(found.get(b"Subtype").and_then(Object::as_name)? == b"Type0")
}

fn font<'a>(document: &'a Document, resources: &'a Dictionary, name: &[u8]) -> Option<&'a Dictionary> {
    let fonts = resources
        .get_deref(b"Font", document)
        .and_then(Object::as_dict)
        .ok()?;
    fonts.get_deref(name, document).and_then(Object::as_dict).ok()
}

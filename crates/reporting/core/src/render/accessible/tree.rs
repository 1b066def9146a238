//! The tree of a PDF's elements: who each mark on a page belongs to, and what in it is not as PDF/UA-1 has it.

use std::collections::{BTreeSet, HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{Unfit, metadata::text};

/// The types that PDF 1.7 has. Others have to be mapped to one of them.
const STANDARD: &str = "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI \
    Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP \
    Figure Formula Form";
/// How deep a tree of numbers may be.
const DEEPEST: usize = 8;

/// The elements, as far as the pages and their links need them.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The element of each mark of a page.
    owners: HashMap<(ObjectId, i64), ObjectId>,
    /// The annotations that are in an element for links.
    links: HashSet<ObjectId>,
    /// The elements that draw lines besides what they hold: tables and headings.
    lined: HashSet<ObjectId>,
    /// Items of lists.
    items: Vec<ObjectId>,
    /// Types that PDF 1.7 does not have.
    foreign: BTreeSet<Vec<u8>>,
    /// By their page, the marks of heads of columns that a table has once more where it goes on.
    repeated: HashMap<ObjectId, Vec<i64>>,
}

/// An element that is to be looked at, and the head of a column that it stands in, if any.
type Found = (ObjectId, Option<ObjectId>);

impl Tree {
    /// Walks the tree.
    pub(super) fn of(document: &Document) -> Result<Self, Unfit> {
        let root = document
            .catalog()?
            .get_deref(b"StructTreeRoot", document)?
            .as_dict()?;
        let mut tree = Self::default();
        let mut seen = HashSet::new();
        let mut rest: Vec<Found> = Vec::new();
        // The marks of each head of a column.
        let mut heads: HashMap<ObjectId, Vec<(ObjectId, i64)>> = HashMap::new();
        for kid in kids(document, root) {
            rest.push((kid.as_reference()?, None));
        }
        while let Some((id, above)) = rest.pop() {
            if !seen.insert(id) {
                return Err(Unfit::Unknown("an element that stands twice in its tree"));
            }
            let element = document.get_dictionary(id)?;
            let role = element.get(b"S").and_then(Object::as_name)?;
            if matches!(role, b"Figure" | b"Formula")
                && [&b"Alt"[..], b"ActualText"]
                    .iter()
                    .all(|key| text(document, element, key).is_none())
            {
                return Err(Unfit::Without("text for a picture"));
            }
            tree.note(id, role);
            let head = if role == b"TH" && is_of_column(document, element) {
                Some(id)
            } else {
                above
            };
            let mut owns = |page: ObjectId, mark: i64| {
                tree.owners.insert((page, mark), id);
                if let Some(head) = head {
                    heads.entry(head).or_default().push((page, mark));
                }
            };
            let own = element.get(b"Pg").and_then(Object::as_reference).ok();
            for kid in kids(document, element) {
                match kid {
                    Object::Integer(mark) => {
                        let page = own.ok_or(Unfit::Without("page for a mark"))?;
                        owns(page, mark);
                    }
                    Object::Reference(kid) => rest.push((kid, head)),
                    // A mark in a form, not in the page.
                    Object::Dictionary(kid) if kid.has_type(b"MCR") && kid.has(b"Stm") => {}
                    Object::Dictionary(kid) if kid.has_type(b"MCR") => {
                        let page = kid.get(b"Pg").and_then(Object::as_reference).ok().or(own);
                        let page = page.ok_or(Unfit::Without("page for a mark"))?;
                        owns(page, kid.get(b"MCID").and_then(Object::as_i64)?);
                    }
                    Object::Dictionary(kid) if kid.has_type(b"OBJR") => {
                        if role == b"Link" {
                            tree.links.insert(kid.get(b"Obj").and_then(Object::as_reference)?);
                        }
                    }
                    _ => return Err(Unfit::Unknown("an element with kids of another kind")),
                }
            }
        }
        tree.repeated = repeated(document, &heads);
        Ok(tree)
    }

    fn note(&mut self, id: ObjectId, role: &[u8]) {
        match role {
            b"LI" => self.items.push(id),
            b"Table" | b"H1" | b"H2" | b"H3" | b"H4" | b"H5" | b"H6" => {
                self.lined.insert(id);
            }
            role if STANDARD.split(' ').all(|known| known.as_bytes() != role) => {
                self.foreign.insert(role.to_vec());
            }
            _ => {}
        }
    }

    /// The element of a mark.
    pub(super) fn owner(&self, page: ObjectId, mark: i64) -> Option<ObjectId> {
        self.owners.get(&(page, mark)).copied()
    }

    /// Whether an annotation is in an element for links.
    pub(super) fn has_link(&self, annotation: ObjectId) -> bool {
        self.links.contains(&annotation)
    }

    /// Whether an element draws lines besides what it holds.
    pub(super) fn is_lined(&self, element: ObjectId) -> bool {
        self.lined.contains(&element)
    }

    /// The marks of a page with heads of columns that stand on a page before it, too.
    pub(super) fn repeated(&self, page: ObjectId) -> &[i64] {
        self.repeated.get(&page).map_or(&[], Vec::as_slice)
    }

    /// Gives items their bodies, and foreign types a known one.
    pub(super) fn mend(&self, document: &mut Document) -> Result<(), Unfit> {
        for item in &self.items {
            give_body(document, *item)?;
        }
        if self.foreign.is_empty() {
            return Ok(());
        }
        let root = document
            .catalog()?
            .get_deref(b"StructTreeRoot", document)?
            .as_dict()?;
        let known = root.get_deref(b"RoleMap", document).and_then(Object::as_dict);
        let mut roles = known.cloned().unwrap_or_default();
        for role in &self.foreign {
            if !roles.has(role) {
                roles.set(role.clone(), standard(role));
            }
        }
        let root = document.catalog()?.get(b"StructTreeRoot")?.as_reference()?;
        document.get_dictionary_mut(root)?.set("RoleMap", roles);
        Ok(())
    }

    /// Takes marks of a page out, which are no part of their elements any more.
    pub(super) fn forget(&self, document: &mut Document, page: ObjectId, marks: &[i64]) -> Result<(), Unfit> {
        if marks.is_empty() {
            return Ok(());
        }
        for owner in marks
            .iter()
            .filter_map(|mark| self.owner(page, *mark))
            .collect::<HashSet<_>>()
        {
            let element = document.get_dictionary(owner)?;
            let own = element.get(b"Pg").and_then(Object::as_reference).ok();
            let is_gone = |kid: &Object| match kid {
                Object::Integer(mark) => own == Some(page) && marks.contains(mark),
                Object::Dictionary(kid) => {
                    let on = kid.get(b"Pg").and_then(Object::as_reference).ok().or(own);
                    let mark = kid.get(b"MCID").and_then(Object::as_i64);
                    on == Some(page) && mark.is_ok_and(|mark| marks.contains(&mark))
                }
                _ => false,
            };
            let mut kids = kids(document, element);
            kids.retain(|kid| !is_gone(kid));
            document.get_dictionary_mut(owner)?.set("K", kids);
        }
        let owners = document
            .get_dictionary(page)?
            .get(b"StructParents")
            .and_then(Object::as_i64)?;
        let root = document
            .catalog()?
            .get_deref(b"StructTreeRoot", document)?
            .as_dict()?;
        let parents = root.get_deref(b"ParentTree", document)?.as_dict()?;
        let owners =
            numbered(document, parents, owners, DEEPEST).ok_or(Unfit::Without("owners of its marks"))?;
        let owners = document.get_object_mut(owners)?.as_array_mut()?;
        for mark in marks {
            if let Some(owner) = usize::try_from(*mark).ok().and_then(|mark| owners.get_mut(mark)) {
                *owner = Object::Null;
            }
        }
        Ok(())
    }
}

/// Whether a header is one of a column.
fn is_of_column(document: &Document, header: &Dictionary) -> bool {
    let says_so = |about: &Object| {
        let about = document
            .dereference(about)
            .ok()
            .and_then(|(_, about)| about.as_dict().ok());
        about.is_some_and(|about| {
            about
                .get(b"Scope")
                .and_then(Object::as_name)
                .is_ok_and(|scope| scope == b"Column")
        })
    };
    match header.get_deref(b"A", document) {
        Ok(Object::Array(all)) => all.iter().any(says_so),
        Ok(one) => says_so(one),
        Err(_) => false,
    }
}

/// By their page, the marks that heads of columns have behind the first page that they are on. Chromium draws the head of a table
/// on each of its pages and marks all of them as one element, which is then read as often. No head goes on over pages itself: its
/// row is one that no page breaks.
fn repeated(
    document: &Document,
    heads: &HashMap<ObjectId, Vec<(ObjectId, i64)>>,
) -> HashMap<ObjectId, Vec<i64>> {
    let order: HashMap<ObjectId, usize> = document
        .page_iter()
        .enumerate()
        .map(|(at, page)| (page, at))
        .collect();
    let mut repeated: HashMap<ObjectId, Vec<i64>> = HashMap::new();
    for marks in heads.values() {
        let first = marks.iter().filter_map(|(page, _)| order.get(page)).min();
        for (page, mark) in marks.iter().filter(|(page, _)| order.get(page) > first) {
            repeated.entry(*page).or_default().push(*mark);
        }
    }
    repeated
}

/// The type of PDF 1.7 that says the same as another.
fn standard(role: &[u8]) -> &'static str {
    match role {
        b"Strong" | b"Em" | b"Sub" => "Span",
        b"Title" => "P",
        b"Aside" | b"DocumentFragment" => "Div",
        b"FENote" => "Note",
        _ => "NonStruct",
    }
}

/// The children of an element, in order.
fn kids(document: &Document, element: &Dictionary) -> Vec<Object> {
    match element.get(b"K") {
        Err(_) => Vec::new(),
        Ok(Object::Array(kids)) => kids.clone(),
        Ok(Object::Reference(id)) => match document.get_object(*id) {
            Ok(Object::Array(kids)) => kids.clone(),
            _ => vec![Object::Reference(*id)],
        },
        Ok(kid) => vec![kid.clone()],
    }
}

/// Puts what stands in an item beside its label into a body. One that has marks of its own stays as it is.
fn give_body(document: &mut Document, item: ObjectId) -> Result<(), Unfit> {
    let mut label = Vec::new();
    let mut held = Vec::new();
    for kid in kids(document, document.get_dictionary(item)?) {
        let Object::Reference(id) = kid else { return Ok(()) };
        match document.get_dictionary(id)?.get(b"S").and_then(Object::as_name)? {
            b"LBody" => return Ok(()),
            b"Lbl" => label.push(kid),
            _ => held.push(id),
        }
    }
    if held.is_empty() {
        return Ok(());
    }
    let mut body = Dictionary::new();
    body.set("Type", "StructElem");
    body.set("S", "LBody");
    body.set("P", item);
    body.set(
        "K",
        held.iter().copied().map(Object::Reference).collect::<Vec<_>>(),
    );
    let body = document.try_add_object(body)?;
    for id in held {
        document.get_dictionary_mut(id)?.set("P", body);
    }
    label.push(body.into());
    document.get_dictionary_mut(item)?.set("K", label);
    Ok(())
}

/// The object that a tree of numbers has for one of them.
fn numbered(document: &Document, tree: &Dictionary, number: i64, deepest: usize) -> Option<ObjectId> {
    if let Ok(pairs) = tree.get_deref(b"Nums", document).and_then(Object::as_array) {
        let found = pairs
            .chunks_exact(2)
            .find(|pair| matches!(pair[0], Object::Integer(key) if key == number));
        return found?[1].as_reference().ok();
    }
    let kids = tree
        .get_deref(b"Kids", document)
        .and_then(Object::as_array)
        .ok()?;
    let below = deepest.checked_sub(1)?;
    kids.iter().find_map(|kid| {
        let (_, kid) = document.dereference(kid).ok()?;
        numbered(document, kid.as_dict().ok()?, number, below)
    })
}

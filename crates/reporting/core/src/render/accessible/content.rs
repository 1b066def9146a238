//! Marks the drawings of a page: each belongs to an element, or is an artifact that nobody reads aloud.

use std::{collections::HashSet, ops::Range};

use lopdf::{Document, Object, ObjectId};

use super::{
    MOST_OF_A_PAGE, Unfit, letters,
    scan::{Operation, operations},
    tree::Tree,
};

const ARTIFACT: &[u8] = b"/Artifact BMC";
const FOOT: &[u8] = b"/Artifact <</Type /Pagination /Subtype /Footer>> BDC";
/// The head of a table on a page where it goes on.
const HEAD_AGAIN: &[u8] = b"/Artifact <</Type /Pagination>> BDC";

/// The content of a page, with all that it draws marked.
pub(super) struct Marked {
    pub(super) content: Vec<u8>,
    /// The marks that are artifacts now: those of lines, and of heads of columns that are drawn once more.
    pub(super) artifacts: Vec<i64>,
    /// Whether no empty box stands for a letter.
    pub(super) has_letters: bool,
}

/// Marks what no element has. Texts are those in the margins, which the stylesheet of a report has at the foot of a page alone; the
/// rest are backgrounds and lines.
pub(super) fn mark(
    document: &Document,
    page: ObjectId,
    content: &[u8],
    tree: &Tree,
) -> Result<Marked, Unfit> {
    let operations = operations(content)?;
    let lines = lines(page, &operations, tree)?;
    let repeated = tree.repeated(page);
    let mut changes = Changes::default();
    // Whether each sequence that is open is an element's or an artifact.
    let mut open: Vec<bool> = Vec::new();
    let (mut path, mut text, mut is_text) = (None, None, false);
    for operation in &operations {
        let at = &operation.at;
        let is_loose = !open.contains(&true);
        match operation.operator {
            b"BMC" | b"BDC" => {
                let (mark, is_artifact) = marks(operation)?;
                let is_owned = mark.is_some() || is_artifact;
                if (is_owned && is_text) || path.is_some() {
                    return Err(Unfit::Unknown("marks within what it draws"));
                }
                open.push(is_owned);
                if mark.is_some_and(|mark| repeated.contains(&mark)) {
                    changes.0.push((at.clone(), HEAD_AGAIN.to_vec()));
                } else if mark.is_some_and(|mark| lines.contains(&mark)) {
                    changes.0.push((at.clone(), ARTIFACT.to_vec()));
                }
            }
            b"EMC" => {
                let was_owned = open
                    .pop()
                    .ok_or(Unfit::Unknown("marks that end before they begin"))?;
                if was_owned && is_text {
                    return Err(Unfit::Unknown("marks within what it draws"));
                }
            }
            b"BT" => {
                is_text = true;
                text = is_loose.then_some(at.start);
            }
            b"ET" => {
                is_text = false;
                if let Some(from) = text.take() {
                    changes.wrap(from..at.end, FOOT);
                }
            }
            b"m" | b"re" if is_loose => path = path.or(Some(at.start)),
            b"n" => path = None,
            b"S" | b"s" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                if let Some(from) = path.take() {
                    changes.wrap(from..at.end, ARTIFACT);
                }
            }
            b"Do" if is_marked_form(document, page, operation) => {
                return Err(Unfit::Unknown("a form with marks of its own"));
            }
            b"Do" | b"sh" if is_loose => changes.wrap(at.clone(), ARTIFACT),
            _ => {}
        }
    }
    if !open.is_empty() || is_text {
        return Err(Unfit::Unknown("marks that don't end"));
    }
    Ok(Marked {
        content: changes.of(content),
        has_letters: letters::all_drawn(document, page, &operations)?,
        artifacts: lines.into_iter().chain(repeated.iter().copied()).collect(),
    })
}

/// The ranges of the content that are replaced, with the new bytes.
#[derive(Default)]
struct Changes(Vec<(Range<usize>, Vec<u8>)>);

impl Changes {
    fn wrap(&mut self, drawn: Range<usize>, mark: &[u8]) {
        let before = [mark, b"\n"].concat();
        self.0.push((drawn.start..drawn.start, before));
        self.0.push((drawn.end..drawn.end, b"\nEMC".to_vec()));
    }

    /// The content with the changes, which are in its order.
    fn of(self, content: &[u8]) -> Vec<u8> {
        let mut changed = Vec::with_capacity(content.len() + content.len() / 8);
        let mut done = 0;
        for (place, new) in self.0 {
            changed.extend_from_slice(content.get(done..place.start).unwrap_or_default());
            changed.extend(new);
            done = place.end;
        }
        changed.extend_from_slice(content.get(done..).unwrap_or_default());
        changed
    }
}

/// The marks of tables and headings in which nothing is written: their lines.
fn lines(page: ObjectId, operations: &[Operation<'_>], tree: &Tree) -> Result<HashSet<i64>, Unfit> {
    let mut lines = HashSet::new();
    let mut open: Vec<Option<i64>> = Vec::new();
    for operation in operations {
        match operation.operator {
            b"BMC" | b"BDC" => {
                let (mark, _) = marks(operation)?;
                if let Some(mark) = mark {
                    let owner = tree
                        .owner(page, mark)
                        .ok_or(Unfit::Without("element for a mark"))?;
                    if tree.is_lined(owner) {
                        lines.insert(mark);
                    }
                }
                open.push(mark);
            }
            b"EMC" => {
                open.pop();
            }
            b"Tj" | b"TJ" | b"'" | b"\"" | b"Do" | b"sh" => {
                for mark in open.iter().flatten() {
                    lines.remove(mark);
                }
            }
            _ => {}
        }
    }
    Ok(lines)
}

/// The number that a sequence is known by to its element, and whether it is an artifact.
fn marks(operation: &Operation<'_>) -> Result<(Option<i64>, bool), Unfit> {
    let operands = operation.operands()?;
    let is_artifact = matches!(operands.first(), Some(Object::Name(tag)) if tag == b"Artifact");
    let mark = match operands.get(1) {
        None => None,
        Some(Object::Dictionary(about)) => about.get(b"MCID").and_then(Object::as_i64).ok(),
        Some(_) => return Err(Unfit::Unknown("marks that are told of elsewhere")),
    };
    Ok((mark, is_artifact))
}

/// Whether it draws a form in which elements have marks.
fn is_marked_form(document: &Document, page: ObjectId, operation: &Operation<'_>) -> bool {
    let form = || {
        let operands = operation.operands().ok()?;
        let name = operands.first()?.as_name().ok()?;
        let (resources, _) = document.get_page_resources(page).ok()?;
        let forms = resources?
            .get_deref(b"XObject", document)
            .and_then(Object::as_dict)
            .ok()?;
        let form = forms.get_deref(name, document).and_then(Object::as_stream).ok()?;
        if form.dict.get(b"Subtype").and_then(Object::as_name).ok()? != b"Form" {
            return None;
        }
        let content = form.get_plain_content_with_limit(MOST_OF_A_PAGE).ok()?;
        Some(content.windows(5).any(|word| word == b"/MCID"))
    };
    form().unwrap_or(false)
}

//! For the tests: changing a document, by finding a place that fits, in the fixture and in the real one alike.

use std::collections::BTreeSet;

use serde_json::Value;

use super::document::{Document, elements, members};

pub(super) fn fixture() -> Document {
    Document::parse(include_str!("../../fixtures/openapi.json"), "the fixture").unwrap()
}

/// The project's own committed document, where it is there already.
pub(super) fn committed() -> Option<Document> {
    let text = std::fs::read_to_string(crate::cargo::root().join(super::COMMITTED)).ok()?;
    Some(Document::parse(&text, super::COMMITTED).unwrap())
}

/// A change of a document. None: the document has no place for it.
pub(super) type Change = fn(&mut Value) -> Option<()>;

/// A copy of the document with the change made.
pub(super) fn changed(document: &Document, change: Change) -> Option<Document> {
    let mut root = document.root.clone();
    change(&mut root)?;
    assert_ne!(root, document.root, "the change changed nothing");
    Some(Document { root })
}

/// Which schemas a search looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum In {
    Success,
    Problem,
}

/// The first operation that `wanted` holds for.
pub(super) fn operation(root: &mut Value, wanted: impl Fn(&Value) -> bool) -> Option<&mut Value> {
    let pointer = operations(root)
        .into_iter()
        .find(|pointer| root.pointer(pointer).is_some_and(&wanted))?;
    root.pointer_mut(&pointer)
}

/// The first parameter that `wanted` holds for.
pub(super) fn parameter(root: &mut Value, wanted: impl Fn(&Value) -> bool) -> Option<&mut Value> {
    let pointer = parameters(root)
        .into_iter()
        .find(|pointer| root.pointer(pointer).is_some_and(&wanted))?;
    root.pointer_mut(&pointer)
}

/// The first response that `wanted` holds for, with its status.
pub(super) fn response(root: &mut Value, wanted: impl Fn(&str, &Value) -> bool) -> Option<&mut Value> {
    let found = responses(root);
    let (_, pointer) = found.into_iter().find(|(status, pointer)| {
        root.pointer(pointer)
            .is_some_and(|response| wanted(status, response))
    })?;
    root.pointer_mut(&pointer)
}

/// The first schema, at whatever depth, that `wanted` holds for.
pub(super) fn schema(root: &mut Value, place: In, wanted: impl Fn(&Value) -> bool) -> Option<&mut Value> {
    let mut seen = BTreeSet::new();
    let mut waiting = roots(root, place);
    waiting.reverse();
    while let Some(pointer) = waiting.pop() {
        let pointer = resolved(root, pointer);
        let Some(node) = root.pointer(&pointer).filter(|_| seen.insert(pointer.clone())) else {
            continue;
        };
        if wanted(node) {
            return root.pointer_mut(&pointer);
        }
        for keyword in ["properties", "allOf", "oneOf", "anyOf"] {
            waiting.extend(children(root, &format!("{pointer}/{keyword}")));
        }
        for keyword in ["items", "additionalProperties"] {
            waiting.push(format!("{pointer}/{keyword}"));
        }
    }
    None
}

/// Takes a member out of an object; None where it has none of that name.
pub(super) fn take(node: &mut Value, name: &str) -> Option<Value> {
    node.as_object_mut()?.remove(name)
}

fn roots(root: &Value, place: In) -> Vec<String> {
    let contents = |pointers: Vec<String>| -> Vec<String> {
        let media = pointers
            .iter()
            .flat_map(|pointer| children(root, &format!("{pointer}/content")));
        media.map(|pointer| format!("{pointer}/schema")).collect()
    };
    let answers = |success: bool| {
        let found = responses(root)
            .into_iter()
            .filter(|(status, _)| status.starts_with('2') == success);
        contents(found.map(|(_, pointer)| pointer).collect())
    };
    match place {
        In::Success => answers(true),
        In::Problem => answers(false),
    }
}

pub(super) fn operations(root: &Value) -> Vec<String> {
    let of_a_path = |path: String| {
        ["get", "put", "post", "delete", "patch"]
            .map(|method| format!("{path}/{method}"))
            .into_iter()
    };
    let all = children(root, "/paths").into_iter().flat_map(of_a_path);
    all.filter(|pointer| root.pointer(pointer).is_some()).collect()
}

fn parameters(root: &Value) -> Vec<String> {
    let own = operations(root)
        .into_iter()
        .map(|pointer| format!("{pointer}/parameters"));
    let of_paths = children(root, "/paths")
        .into_iter()
        .map(|path| format!("{path}/parameters"));
    let all = own.chain(of_paths).flat_map(|list| children(root, &list));
    all.map(|pointer| resolved(root, pointer)).collect()
}

/// Every response, its status first.
fn responses(root: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for operation in operations(root) {
        for pointer in children(root, &format!("{operation}/responses")) {
            let status = pointer.rsplit('/').next().unwrap_or_default().to_owned();
            found.push((status, resolved(root, pointer)));
        }
    }
    found
}

/// The pointers of what stands directly below an object or a list.
fn children(root: &Value, pointer: &str) -> Vec<String> {
    let Some(node) = root.pointer(pointer) else {
        return Vec::new();
    };
    let names = members(node).map(|(name, _)| name.replace('~', "~0").replace('/', "~1"));
    let places = elements(node).enumerate().map(|(index, _)| index.to_string());
    names
        .chain(places)
        .map(|token| format!("{pointer}/{token}"))
        .collect()
}

/// Where a pointer leads once its reference is followed.
fn resolved(root: &Value, pointer: String) -> String {
    let reference = root
        .pointer(&pointer)
        .and_then(|node| node.get("$ref"))
        .and_then(Value::as_str);
    match reference.and_then(|reference| reference.strip_prefix('#')) {
        Some(target) => resolved(root, target.to_owned()),
        None => pointer,
    }
}

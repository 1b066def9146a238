//! Members that answers have and bodies have not. Whoever sends an answer back, with a member changed, is told to leave them out.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use super::schema::component;
use crate::shapes::Shapes;

/// Stands for the place of any item of a list.
const ANY: &str = "*";
/// How deep schemas are followed, for one may refer to itself.
const DEPTH: usize = 6;

/// The paths of such members, from the outside in.
#[derive(Debug, Default)]
pub(super) struct ReadOnly(HashSet<Vec<String>>);

impl ReadOnly {
    /// The members that a value of `answer` has and one of `body` has not, within all that both have. One that `body` has further
    /// in can be set: it only stands in the wrong place.
    pub(super) fn between(body: &Value, answer: &Value, shapes: &Shapes) -> Self {
        let mut found = HashSet::new();
        gather(body, answer, &[], shapes, &mut found);
        let mut taken = HashSet::new();
        names(body, shapes, DEPTH, &mut taken);
        found.retain(|path| !matches!(path.as_slice(), [name] if taken.contains(name)));
        Self(found)
    }

    /// Whether the member at this path of a body is one of them.
    pub(super) fn has(&self, path: &[String]) -> bool {
        let is_place = |segment: &str| segment.parse::<usize>().is_ok();
        let known = path
            .iter()
            .map(|segment| if is_place(segment) { ANY } else { segment.as_str() });
        self.0.contains(&known.map(str::to_owned).collect::<Vec<_>>())
    }
}

fn gather(body: &Value, answer: &Value, at: &[String], shapes: &Shapes, found: &mut HashSet<Vec<String>>) {
    if at.len() == DEPTH {
        return;
    }
    let (bodies, answers) = (forms(body, shapes), forms(answer, shapes));
    let within = |name: &str| -> Vec<String> { at.iter().cloned().chain([name.to_owned()]).collect() };
    let taken = members(&bodies);
    for (name, shown) in members(&answers) {
        match taken.get(name) {
            Some(taken) => gather(taken, shown, &within(name), shapes, found),
            None => {
                found.insert(within(name));
            }
        }
    }
    for (taken, shown) in items(&bodies).zip(items(&answers)) {
        gather(taken, shown, &within(ANY), shapes, found);
    }
}

/// Adds the names of all members of a schema, so many levels deep.
fn names(schema: &Value, shapes: &Shapes, depth: usize, found: &mut HashSet<String>) {
    if depth == 0 {
        return;
    }
    let stood_for = forms(schema, shapes);
    for (name, member) in members(&stood_for) {
        found.insert(name.clone());
        names(member, shapes, depth - 1, found);
    }
    for item in items(&stood_for) {
        names(item, shapes, depth - 1, found);
    }
}

/// The schemas that a schema stands for: that of its component, or all that it combines, such as null and another.
fn forms(schema: &Value, shapes: &Shapes) -> Vec<Value> {
    if let Some(name) = component(schema) {
        let known = shapes.components.get(name);
        return known.map_or_else(Vec::new, |known| forms(&json!(known), shapes));
    }
    let combined = ["oneOf", "anyOf", "allOf"]
        .into_iter()
        .filter_map(|kind| schema[kind].as_array());
    let mut found: Vec<Value> = combined.flatten().flat_map(|one| forms(one, shapes)).collect();
    found.push(schema.clone());
    found
}

fn members(forms: &[Value]) -> BTreeMap<&String, &Value> {
    let properties = forms.iter().filter_map(|form| form["properties"].as_object());
    properties.flatten().collect()
}

fn items(forms: &[Value]) -> impl Iterator<Item = &Value> {
    forms.iter().filter_map(|form| form.get("items"))
}

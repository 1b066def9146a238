//! A schema as a reader of JSON sees it: references, `allOf` and nullable wrappers folded into one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::document::{Document, elements, members, strings};

/// The bounds of a schema that narrow when they grow.
pub(crate) const LOWER_BOUNDS: [&str; 5] = [
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minProperties",
];
/// The bounds of a schema that narrow when they shrink.
pub(crate) const UPPER_BOUNDS: [&str; 5] = [
    "maximum",
    "exclusiveMaximum",
    "maxLength",
    "maxItems",
    "maxProperties",
];

/// One schema, flattened one level deep: its properties and items are schemas of their own.
#[derive(Default)]
pub(crate) struct View<'a> {
    /// The types but null; empty where anything goes.
    pub(crate) types: BTreeSet<&'a str>,
    /// Whether null is among the types.
    pub(crate) nullable: bool,
    pub(crate) format: Option<&'a str>,
    /// The values of its `enum` or `const` as JSON text, null left out. None: no such limit.
    pub(crate) values: Option<BTreeSet<String>>,
    pub(crate) properties: BTreeMap<&'a str, &'a Value>,
    pub(crate) required: BTreeSet<&'a str>,
    pub(crate) items: Option<&'a Value>,
    /// The schema of properties that have no name of their own.
    pub(crate) additional: Option<&'a Value>,
    pub(crate) bounds: BTreeMap<&'static str, f64>,
    pub(crate) pattern: Option<&'a str>,
    /// What it may be instead, by a name that survives reordering.
    pub(crate) variants: BTreeMap<String, &'a Value>,
}

impl<'a> View<'a> {
    pub(crate) fn of(document: &'a Document, schema: &'a Value) -> Self {
        let mut view = Self::default();
        view.fold(document, schema, &mut Vec::new());
        if view.types.is_empty() {
            view.infer_type();
        }
        view
    }

    /// Takes `schema` in. `above` are the schemas that are being folded: one that leads back is passed over.
    fn fold(&mut self, document: &'a Document, schema: &'a Value, above: &mut Vec<*const Value>) {
        if above.contains(&std::ptr::from_ref(schema)) {
            return;
        }
        above.push(schema);
        if schema.get("$ref").is_some()
            && let Some(target) = document.resolve(schema)
        {
            self.fold(document, target, above);
        }
        self.take_own_keywords(schema);
        for part in elements(&schema["allOf"]) {
            self.fold(document, part, above);
        }
        for keyword in ["oneOf", "anyOf"] {
            self.take_alternatives(document, &schema[keyword], above);
        }
        above.pop();
    }

    fn take_own_keywords(&mut self, schema: &'a Value) {
        match &schema["type"] {
            Value::String(name) => self.take_type(name),
            list => strings(list).for_each(|name| self.take_type(name)),
        }
        self.format = schema["format"].as_str().or(self.format);
        self.pattern = schema["pattern"].as_str().or(self.pattern);
        let one = schema.get("const").into_iter();
        let values: Vec<&Value> = one.chain(elements(&schema["enum"])).collect();
        if !values.is_empty() {
            self.nullable |= values.iter().any(|value| value.is_null());
            let named = values
                .iter()
                .filter(|value| !value.is_null())
                .map(ToString::to_string);
            self.values.get_or_insert_default().extend(named);
        }
        self.properties
            .extend(members(&schema["properties"]).map(|(name, node)| (name.as_str(), node)));
        self.required.extend(strings(&schema["required"]));
        self.items = schema.get("items").or(self.items);
        self.additional = schema
            .get("additionalProperties")
            .filter(|node| node.is_object())
            .or(self.additional);
        for bound in LOWER_BOUNDS.into_iter().chain(UPPER_BOUNDS) {
            if let Some(value) = schema[bound].as_f64() {
                self.bounds.insert(bound, value);
            }
        }
    }

    fn take_type(&mut self, name: &'a str) {
        if name == "null" {
            self.nullable = true;
        } else {
            self.types.insert(name);
        }
    }

    /// Folds `oneOf` or `anyOf`: null beside one schema is that schema, nullable; constants are an enum.
    fn take_alternatives(
        &mut self,
        document: &'a Document,
        alternatives: &'a Value,
        above: &mut Vec<*const Value>,
    ) {
        let (nulls, others): (Vec<_>, Vec<_>) =
            elements(alternatives).partition(|schema| schema["type"] == "null");
        self.nullable |= !nulls.is_empty();
        let constants = others.iter().all(|schema| schema.get("const").is_some());
        if others.len() == 1 || constants {
            for schema in others {
                self.fold(document, schema, above);
            }
            return;
        }
        for (index, schema) in others.into_iter().enumerate() {
            self.variants
                .insert(variant_name(document, schema, index), schema);
        }
    }

    fn infer_type(&mut self) {
        if !self.properties.is_empty() || self.additional.is_some() {
            self.types.insert("object");
        } else if self.items.is_some() {
            self.types.insert("array");
        } else if self
            .values
            .as_ref()
            .is_some_and(|values| values.iter().all(|value| value.starts_with('"')))
        {
            self.types.insert("string");
        }
    }
}

/// A variant's name: its component, its title, the constants that mark it, or at last its place.
fn variant_name(document: &Document, schema: &Value, index: usize) -> String {
    if let Some(component) = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.rsplit('/').next())
    {
        return component.to_owned();
    }
    if let Some(title) = schema["title"].as_str() {
        return title.to_owned();
    }
    let marks: Vec<String> = members(&schema["properties"])
        .filter_map(|(name, node)| {
            let node = document.resolve(node)?;
            let only = || {
                node["enum"]
                    .as_array()
                    .filter(|values| values.len() == 1)?
                    .first()
            };
            let value = node.get("const").or_else(only)?;
            Some(format!("{name}={value}"))
        })
        .collect();
    if marks.is_empty() {
        format!("#{index}")
    } else {
        marks.join(",")
    }
}

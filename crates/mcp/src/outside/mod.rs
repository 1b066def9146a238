//! The texts of answers that come from outside: somebody who has to do with a site may have written them.

mod lists;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

use self::lists::{CURSOR, OWN, OWN_HERE};
use crate::{
    catalogue::{Catalogue, named},
    shape::{DEEPEST, Notes, NullRule, PARTS, below},
};

/// The formats of texts that hold no words.
const WORDLESS: [&str; 3] = ["uuid", "date", "date-time"];

fn is_own(schema: &str, field: &str) -> bool {
    field == CURSOR
        || OWN
            .iter()
            .any(|(name, schemas)| *name == field && schemas.contains(&schema))
}

/// Names the places of a result's texts that may come from outside. Texts at the places of `rules`, or below them, come from
/// the answers that these name.
pub(crate) fn name_texts(
    catalogue: &Catalogue,
    result: &Value,
    rules: &[(String, NullRule)],
    notes: &mut Notes,
) {
    let mut namer = Namer {
        catalogue,
        known: HashMap::new(),
    };
    for (place, rule) in rules {
        let NullRule::Of(operation, at) = rule else {
            continue;
        };
        if let Some(known) = Known::at(catalogue, operation, at) {
            namer.know(place, || known);
        }
    }
    namer.know("", || Known::Here(""));
    namer.name(result, "", notes);
}

/// Where a value stands, by the document.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// It is of a field of an answer.
    Field(Field<'a>),
    /// It is in a map, whose members may have any names and texts.
    InMap,
    /// This server put it together, under this name.
    Here(&'a str),
}

/// A field of an answer.
#[derive(Clone, Copy)]
struct Field<'a> {
    /// The schema that has it.
    of: &'a str,
    name: &'a str,
    /// The schema of its values, and the named one in which that is written.
    schema: &'a Value,
    within: &'a str,
}

impl<'a> Known<'a> {
    /// The place of an operation's answer.
    fn at(catalogue: &'a Catalogue, operation: &str, at: &'a str) -> Option<Self> {
        let answer = Self::Field(Field {
            of: "",
            name: "",
            schema: catalogue.answer(operation)?,
            within: "",
        });
        let steps = at.split('/').skip(1);
        Some(steps.fold(answer, |known, step| match step {
            "*" => known.item(catalogue),
            name => known.member(catalogue, name),
        }))
    }

    fn item(self, catalogue: &'a Catalogue) -> Self {
        let Self::Field(field) = self else {
            return self;
        };
        let items = parts(catalogue, field.within, field.schema)
            .into_iter()
            .find_map(|(within, schema)| Some((within, schema.get("items")?)));
        items.map_or(Self::InMap, |(within, schema)| {
            Self::Field(Field {
                schema,
                within,
                ..field
            })
        })
    }

    fn member(self, catalogue: &'a Catalogue, name: &'a str) -> Self {
        let field = match self {
            Self::Field(field) => field,
            Self::InMap => return self,
            Self::Here(_) => return Self::Here(name),
        };
        let parts = parts(catalogue, field.within, field.schema);
        let members: Vec<Self> = parts
            .iter()
            .filter_map(|&(within, schema)| {
                let schema = schema.get("properties")?.get(name)?;
                Some(Self::Field(Field {
                    of: within,
                    name,
                    schema,
                    within,
                }))
            })
            .collect();
        // Several schemas may have the member. If one of them says that it is from outside, that careful answer holds.
        let careful = members.iter().find(|member| member.is_outside(catalogue));
        if let Some(member) = careful.or(members.first()) {
            return *member;
        }
        let has = |what: &str| {
            let mut found = parts.iter().filter_map(|(_, schema)| schema.get(what));
            found.any(|value| *value != false)
        };
        if has("properties") && !has("additionalProperties") {
            Self::Here(name)
        } else {
            Self::InMap
        }
    }

    /// Whether its texts may come from outside.
    fn is_outside(self, catalogue: &'a Catalogue) -> bool {
        match self {
            Self::Field(field) => {
                let parts = parts(catalogue, field.within, field.schema);
                let mut texts = parts
                    .iter()
                    .map(|(_, schema)| *schema)
                    .filter(|schema| is_text(schema));
                let is_closed = texts.clone().next().is_some() && texts.all(is_closed);
                !is_closed && !is_own(field.of, field.name)
            }
            Self::InMap => true,
            Self::Here(name) => !OWN_HERE.contains(&name) && !catalogue.is_closed(name),
        }
    }
}

/// The schemas that a schema is composed of, each with the named one in which it is written.
fn parts<'a>(catalogue: &'a Catalogue, within: &'a str, schema: &'a Value) -> Vec<(&'a str, &'a Value)> {
    parts_within(catalogue, within, schema, DEEPEST)
}

fn parts_within<'a>(
    catalogue: &'a Catalogue,
    within: &'a str,
    schema: &'a Value,
    depth: usize,
) -> Vec<(&'a str, &'a Value)> {
    let Some(deeper) = depth.checked_sub(1) else {
        return Vec::new();
    };
    if let Some(name) = named(schema) {
        let named = catalogue.schema(name);
        return named.map_or_else(Vec::new, |schema| parts_within(catalogue, name, schema, deeper));
    }
    let several = PARTS
        .iter()
        .filter_map(|several| schema.get(*several)?.as_array())
        .flatten()
        .flat_map(|schema| parts_within(catalogue, within, schema, deeper));
    std::iter::once((within, schema)).chain(several).collect()
}

struct Namer<'a> {
    catalogue: &'a Catalogue,
    /// By place: what the document says, and whether its texts may come from outside. The items of a list have one place.
    known: HashMap<String, (Known<'a>, bool)>,
}

impl<'a> Namer<'a> {
    /// Notes what is known of a place, unless something is already.
    fn know(&mut self, place: &str, known: impl FnOnce() -> Known<'a>) {
        if !self.known.contains_key(place) {
            let known = known();
            let is_outside = known.is_outside(self.catalogue);
            self.known.insert(place.to_owned(), (known, is_outside));
        }
    }

    /// Names the texts at a place that is known, and below it.
    fn name(&mut self, value: &'a Value, place: &str, notes: &mut Notes) {
        let catalogue = self.catalogue;
        let Some(&(known, is_outside)) = self.known.get(place) else {
            return;
        };
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let place = below(place, name);
                    self.know(&place, || known.member(catalogue, name));
                    self.name(value, &place, notes);
                }
            }
            Value::Array(items) => {
                let place = below(place, "*");
                self.know(&place, || known.item(catalogue));
                for value in items {
                    self.name(value, &place, notes);
                }
            }
            Value::String(text) if is_outside && !text.is_empty() => notes.untrusted(place),
            _ => {}
        }
    }
}

/// The text fields of answers, each with the schema that has it: whether it is closed, which are words of a list, ids and moments.
pub(crate) fn text_fields<'a>(
    schemas: &'a Map<String, Value>,
    answers: impl Iterator<Item = &'a Value>,
) -> BTreeMap<(&'a str, &'a str), bool> {
    let mut reader = Reader {
        schemas,
        seen: BTreeSet::new(),
        fields: BTreeMap::new(),
    };
    for answer in answers {
        reader.read(("", ""), "", answer);
    }
    reader.fields
}

struct Reader<'a> {
    schemas: &'a Map<String, Value>,
    /// The schemas that were read, and the fields that they were read for.
    seen: BTreeSet<(&'a str, (&'a str, &'a str))>,
    fields: BTreeMap<(&'a str, &'a str), bool>,
}

impl<'a> Reader<'a> {
    /// Reads the schema of a field, which is written in a named one.
    fn read(&mut self, field: (&'a str, &'a str), within: &'a str, schema: &'a Value) {
        if let Some(name) = named(schema) {
            if let (true, Some(schema)) = (self.seen.insert((name, field)), self.schemas.get(name)) {
                self.read(field, name, schema);
            }
            return;
        }
        for several in PARTS {
            let schemas = schema.get(several).and_then(Value::as_array);
            for schema in schemas.into_iter().flatten() {
                self.read(field, within, schema);
            }
        }
        if let Some(items) = schema.get("items") {
            self.read(field, within, items);
        }
        // The members of a map have whatever names.
        if let Some(values) = schema.get("additionalProperties") {
            self.read(("", ""), within, values);
        }
        let members = schema.get("properties").and_then(Value::as_object);
        for (name, schema) in members.into_iter().flatten() {
            self.read((within, name.as_str()), within, schema);
        }
        if is_text(schema) {
            let all_closed = self.fields.entry(field).or_insert(true);
            *all_closed &= is_closed(schema);
        }
    }
}

fn is_text(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        Some(kind) => kind == "string",
        None => false,
    }
}

fn is_closed(schema: &Value) -> bool {
    let format = schema.get("format").and_then(Value::as_str);
    schema.get("enum").is_some()
        || schema.get("const").is_some()
        || format.is_some_and(|format| WORDLESS.contains(&format))
}

#[cfg(test)]
mod tests;

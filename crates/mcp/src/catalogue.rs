//! The operations of the API, read from its OpenAPI document.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use jsonschema::Validator;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::outside;

/// The most bytes that the description of an operation takes.
const MOST_DESCRIBED: usize = 24_000;
/// How deep schemas that name others are written out.
const DEEPEST: usize = 7;
/// The most operations that a search finds.
const MOST_FOUND: usize = 12;
/// The letters of a word that is found whole alone.
const SHORT: usize = 3;
/// The weight of a word that one operation alone says.
const RARE: usize = 1_000;
/// The bucket of analytical reads.
const HEAVY: &str = "heavy-query";
const SCHEMA: &str = "#/components/schemas/";

/// Where a parameter of an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header, as `Idempotency-Key` does.
    Header,
    /// In a cookie. The API reads none.
    Cookie,
}

/// A parameter of an operation.
#[derive(Clone, Debug, Deserialize)]
pub struct Parameter {
    /// The name by which it is given.
    pub name: String,
    /// Where it stands.
    #[serde(rename = "in")]
    pub place: Place,
    /// Whether a call without it is refused.
    #[serde(default)]
    pub required: bool,
    /// The words that the document has for it.
    #[serde(default)]
    pub description: String,
    /// Its JSON Schema.
    #[serde(default)]
    pub schema: Value,
}

/// An operation of the API.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its id, such as `getMe`.
    pub id: String,
    /// The verb that it is called with.
    pub method: http::Method,
    /// Its path with its parameters in braces.
    pub path: String,
    /// Its answer, in a line.
    pub summary: String,
    /// Further facts about it.
    pub description: String,
    /// The scope that a credential needs; `None`: any will do.
    pub scope: Option<String>,
    /// The most that a call costs, in credits.
    pub credits: u64,
    /// Whether it is an analytical read. A credential may have few of these at once.
    pub is_heavy: bool,
    /// The parameters that it takes, those in headers among them.
    pub parameters: Vec<Parameter>,
    body: Option<Value>,
    answer: Option<Value>,
}

impl Operation {
    /// Whether it takes a body.
    #[must_use]
    pub fn takes_body(&self) -> bool {
        self.body.is_some()
    }

    /// Whether a call must bear an idempotency key.
    #[must_use]
    pub fn needs_key(&self) -> bool {
        self.parameters
            .iter()
            .any(|parameter| parameter.required && parameter.place == Place::Header)
    }

    /// The parameter of that name in the path or the query.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.settable().find(|parameter| parameter.name == name)
    }

    /// The parameters that stand in the path or the query.
    pub fn settable(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters
            .iter()
            .filter(|parameter| matches!(parameter.place, Place::Path | Place::Query))
    }
}

/// All operations, and the schemas that they name.
pub struct Catalogue {
    operations: BTreeMap<String, Operation>,
    schemas: Map<String, Value>,
    /// The names of the text fields of answers, and whether all of a name are closed.
    closed: BTreeMap<String, bool>,
    /// The validators of the arguments of tools. Each is compiled once, since that takes longer than many a call.
    validators: Mutex<BTreeMap<&'static str, Arc<Validator>>>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue")
            .field("operations", &self.operations.len())
            .finish_non_exhaustive()
    }
}

/// The document is none of an API such as this one.
#[derive(Debug, thiserror::Error)]
#[error("the API's OpenAPI document can't be read: {0}")]
pub struct UnreadableDocument(String);

#[derive(Deserialize)]
struct Document {
    paths: BTreeMap<String, BTreeMap<String, Value>>,
    components: Components,
}

#[derive(Deserialize)]
struct Components {
    schemas: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Described {
    operation_id: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Vec<Parameter>,
    request_body: Option<Value>,
    #[serde(default)]
    responses: Map<String, Value>,
    #[serde(default, rename = "x-scope")]
    scope: Option<String>,
    /// The buckets that it counts against.
    #[serde(default, rename = "x-rate-limit")]
    buckets: Vec<String>,
    /// Operations without a price are those of OAuth, which no tool calls.
    #[serde(rename = "x-credits")]
    credits: Option<u64>,
}

impl Catalogue {
    /// Reads an OpenAPI document.
    ///
    /// # Errors
    /// It is no OpenAPI document, or one without operations that have a price.
    pub fn read(document: &[u8]) -> Result<Self, UnreadableDocument> {
        let unreadable = |error: serde_json::Error| UnreadableDocument(error.to_string());
        let Document { paths, components } = serde_json::from_slice(document).map_err(unreadable)?;
        let mut operations = BTreeMap::new();
        for (path, methods) in paths {
            for (method, described) in methods {
                let Ok(method) = method.to_uppercase().parse::<http::Method>() else {
                    continue;
                };
                // Beside its methods a path may have a summary and parameters.
                let Ok(described) = Described::deserialize(described) else {
                    continue;
                };
                if let Some(operation) = operation(method, &path, described) {
                    operations.insert(operation.id.clone(), operation);
                }
            }
        }
        if operations.is_empty() {
            return Err(UnreadableDocument("it has no operations".to_owned()));
        }
        let answers = operations
            .values()
            .filter_map(|operation| operation.answer.as_ref());
        let mut closed = BTreeMap::new();
        for ((_, name), is_closed) in outside::text_fields(&components.schemas, answers) {
            *closed.entry(name.to_owned()).or_insert(true) &= is_closed;
        }
        Ok(Self {
            operations,
            schemas: components.schemas,
            closed,
            validators: Mutex::default(),
        })
    }

    /// The operation of that id.
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.get(id)
    }

    /// All operations, by their ids.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.values()
    }

    /// The validator of a tool's arguments, whose schema follows from these operations.
    ///
    /// # Errors
    /// The schema is none.
    pub(crate) fn validator(
        &self,
        tool: &'static str,
        schema: impl FnOnce() -> Value,
    ) -> Result<Arc<Validator>, String> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = validators.get(tool) {
            return Ok(Arc::clone(validator));
        }
        let validator = jsonschema::validator_for(&schema()).map_err(|error| error.to_string())?;
        let validator = Arc::new(validator);
        validators.insert(tool, Arc::clone(&validator));
        Ok(validator)
    }

    /// Whether every text of the fields of that name is a word of a list, an id or a moment.
    pub(crate) fn is_closed(&self, field: &str) -> bool {
        self.closed.get(field).copied().unwrap_or_default()
    }

    /// The text fields of answers, each with the schema that has it, and whether the field is closed.
    #[cfg(test)]
    pub(crate) fn text_fields(&self) -> BTreeMap<(&str, &str), bool> {
        let answers = self
            .operations()
            .filter_map(|operation| operation.answer.as_ref());
        outside::text_fields(&self.schemas, answers)
    }

    /// The schema of that name.
    pub(crate) fn schema(&self, name: &str) -> Option<&Value> {
        self.schemas.get(name)
    }

    /// The schema that `schema` names, or itself.
    #[must_use]
    pub fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        // A schema that names itself is followed so far and no further.
        std::iter::successors(Some(schema), |schema| self.schemas.get(named(schema)?))
            .take(DEEPEST)
            .last()
            .unwrap_or(schema)
    }

    /// The schema of what an operation answers.
    #[must_use]
    pub fn answer(&self, operation: &str) -> Option<&Value> {
        self.operation(operation)?.answer.as_ref()
    }

    /// The operations that match these words, the best first.
    #[must_use]
    pub fn find(&self, words: &str) -> Vec<&Operation> {
        let words = words
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| word.len() > 1)
            .map(|word| stem(&word.to_lowercase()).to_owned());
        let mut found: BTreeMap<&str, (usize, &Operation)> = BTreeMap::new();
        for word in words {
            let say: Vec<(usize, &Operation)> = self
                .operations()
                .map(|operation| (self.score(operation, &word), operation))
                .filter(|(score, _)| *score > 0)
                .collect();
            for &(score, operation) in &say {
                let (sum, _) = found.entry(&operation.id).or_insert((0, operation));
                // A word that many say tells little.
                *sum += score * RARE / say.len();
            }
        }
        let mut found: Vec<(usize, &Operation)> = found.into_values().collect();
        found.sort_by_key(|(score, operation)| (std::cmp::Reverse(*score), operation.id.as_str()));
        found
            .into_iter()
            .take(MOST_FOUND)
            .map(|(_, operation)| operation)
            .collect()
    }

    /// How well an operation fits a word, which says more in its name than in its description or among its fields.
    fn score(&self, operation: &Operation, word: &str) -> usize {
        let says = |text: &str, weight| {
            let text = text.to_lowercase();
            // Within others stand the letters of a short word by chance.
            let is_said = if word.len() <= SHORT {
                text.split(|letter: char| !letter.is_alphanumeric())
                    .any(|said| said == word)
            } else {
                text.contains(word)
            };
            if is_said { weight } else { 0 }
        };
        says(&spaced(&operation.id), 5)
            + says(&operation.path, 4)
            + says(&operation.summary, 4)
            + says(
                &format!("{} {}", operation.description, self.fields(operation)),
                1,
            )
    }

    /// The names of the fields that an operation answers with and takes.
    fn fields(&self, operation: &Operation) -> String {
        let schemas = [&operation.answer, &operation.body];
        let members = schemas.into_iter().flatten();
        let members = members.filter_map(|schema| self.resolved(schema).get("properties")?.as_object());
        let names: Vec<&str> = members
            .flat_map(|members| members.keys().map(String::as_str))
            .collect();
        names.join(" ")
    }

    /// All that a caller of the operation has to know, as deep as it fits.
    #[must_use]
    pub fn describe(&self, operation: &Operation) -> Value {
        let mut described = Value::Null;
        for depth in (1..=DEEPEST).rev() {
            described = self.described(operation, depth);
            if described.to_string().len() <= MOST_DESCRIBED {
                break;
            }
        }
        described
    }

    fn described(&self, operation: &Operation, depth: usize) -> Value {
        let parameters: Vec<Value> = operation
            .settable()
            .map(|parameter| {
                json!({
                    "name": parameter.name,
                    "required": parameter.required,
                    "description": parameter.description,
                    "schema": self.written_out(&parameter.schema, depth),
                })
            })
            .collect();
        let written = |schema: &Option<Value>| schema.as_ref().map(|schema| self.written_out(schema, depth));
        json!({
            "operation_id": operation.id,
            "method": operation.method.as_str(),
            "path": operation.path,
            "summary": operation.summary,
            "description": operation.description,
            "scope": operation.scope,
            "credits": operation.credits,
            "parameters": parameters,
            "body": written(&operation.body),
            "answer": written(&operation.answer),
        })
    }

    /// A schema with those that it names written out in their places, up to this depth, and without its examples.
    #[must_use]
    pub fn written_out(&self, schema: &Value, depth: usize) -> Value {
        if let Some(name) = named(schema) {
            return match self.schemas.get(name) {
                Some(named) if depth > 0 => self.written_out(named, depth - 1),
                _ => json!({ "schema": name }),
            };
        }
        match schema {
            Value::Object(members) => members
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "example" | "examples"))
                .map(|(name, value)| (name.clone(), self.written_out(value, depth)))
                .collect(),
            Value::Array(items) => items.iter().map(|item| self.written_out(item, depth)).collect(),
            other => other.clone(),
        }
    }
}

/// The name of the schema that stands elsewhere.
pub(crate) fn named(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(SCHEMA)
}

fn operation(method: http::Method, path: &str, described: Described) -> Option<Operation> {
    let credits = described.credits?;
    let content = |value: &Value| value.pointer("/content/application~1json/schema").cloned();
    let answer = described
        .responses
        .iter()
        .find(|(status, _)| status.starts_with('2'))
        .and_then(|(_, answer)| content(answer));
    Some(Operation {
        id: described.operation_id,
        method,
        path: path.to_owned(),
        summary: described.summary,
        description: described.description,
        scope: described.scope,
        credits,
        is_heavy: described.buckets.iter().any(|bucket| bucket == HEAVY),
        parameters: described.parameters,
        body: described.request_body.as_ref().and_then(content),
        answer,
    })
}

/// A word without its ending, so that it is found in others of its kind.
fn stem(word: &str) -> &str {
    if word.len() <= SHORT {
        return word;
    }
    let word = word.strip_suffix('s').unwrap_or(word);
    let mut stems = ["ing", "ed"]
        .into_iter()
        .filter_map(|ending| word.strip_suffix(ending));
    stems.find(|stem| stem.len() > SHORT).unwrap_or(word)
}

/// The words of the id of an operation.
fn spaced(id: &str) -> String {
    id.chars().fold(String::new(), |mut words, letter| {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.push(letter);
        words
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        Catalogue::read(include_bytes!("../../../docs/openapi.json")).unwrap()
    }

    #[test]
    fn every_operation_with_a_price_is_there() {
        let catalogue = catalogue();
        assert_eq!(catalogue.operations().count(), 217);
        let overview = catalogue.operation("getDomainOverview").unwrap();
        assert_eq!(overview.scope.as_deref(), Some("read:overview"));
        assert_eq!(overview.credits, 5);
        assert!(!overview.needs_key() && overview.is_heavy);
        let run = catalogue.operation("runUptimeCheck").unwrap();
        assert!(run.needs_key() && run.takes_body() && !run.is_heavy);
        assert!(catalogue.operation("issueOauthToken").is_none());
    }

    #[test]
    fn words_find_operations() {
        let catalogue = catalogue();
        for (words, id) in [
            ("uptime incidents", "listUptimeIncidents"),
            ("robots.txt crawlers", "listRobotsCrawlers"),
            ("certificate", "getSslCertificate"),
            ("credit prices", "listCreditPrices"),
        ] {
            let found = catalogue.find(words);
            assert!(found.iter().take(3).any(|found| found.id == id), "{words}");
            assert!(found.len() <= MOST_FOUND);
        }
        // As an assistant asks, and by a field.
        for (words, id) in [
            ("why is my page not indexed", "getIndexingOverview"),
            ("SLA", "getUptimeAvailability"),
        ] {
            let found = catalogue.find(words);
            assert!(found.iter().take(2).any(|found| found.id == id), "{words}");
        }
        assert!(
            !catalogue
                .find("SLA")
                .iter()
                .any(|found| found.id == "listGscDirectories")
        );
        assert!(catalogue.find("").is_empty());
        assert!(catalogue.find("qqqq").is_empty());
    }

    #[test]
    fn a_schema_that_names_itself_comes_to_an_end() {
        let document = json!({
            "paths": { "/x": { "get": { "operationId": "getX", "x-credits": 1 } } },
            "components": { "schemas": {
                "A": { "$ref": "#/components/schemas/B" },
                "B": { "$ref": "#/components/schemas/A" },
                "C": { "$ref": "#/components/schemas/D" },
                "D": { "type": "string" },
            } },
        });
        let catalogue = Catalogue::read(document.to_string().as_bytes()).unwrap();
        let resolved = |name: &str| catalogue.resolved(&catalogue.schemas[name]);
        assert!(named(resolved("A")).is_some());
        assert_eq!(resolved("C")["type"], "string");
    }

    #[test]
    fn every_description_is_bounded() {
        let catalogue = catalogue();
        for operation in catalogue.operations() {
            let described = catalogue.describe(operation);
            let size = described.to_string().len();
            assert!(size <= MOST_DESCRIBED, "{}: {size}", operation.id);
            assert!(
                !described["answer"].is_null() || operation.method == "DELETE",
                "{}",
                operation.id
            );
        }
    }

    #[test]
    fn what_is_no_document_is_refused() {
        for document in ["", "{}", "[]", r#"{"paths":{},"components":{"schemas":{}}}"#] {
            assert!(Catalogue::read(document.as_bytes()).is_err(), "{document}");
        }
    }
}

//! The arguments of tools: their schemas, and reading them.

use jsonschema::Validator;
use pharos_domain::{ids::DomainId, problem::Suffix};
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use super::{Findings, ToolContext, runs};
use crate::{
    api::{Call, CallError},
    catalogue::Catalogue,
};

/// How many faults are told at most.
pub(super) const MOST_FAULTS: usize = 10;

/// An argument that several tools take.
struct Argument {
    name: &'static str,
    schema: Schema,
}

enum Schema {
    /// A text of so many letters.
    Text(&'static str, usize),
    Uuid(&'static str),
    Day(&'static str),
    /// A whole address. A path alone is of no page, which the API would answer as if nobody had seen it.
    Address(&'static str),
    /// A path from its first slash, or a whole address. The API takes another text for a page that nobody saw.
    Page(&'static str),
    /// The value of a parameter of an operation: its words are those of the API.
    Of(&'static str, &'static str),
    /// A whole number, from and up to.
    Number(&'static str, u64, u64),
    /// One of these.
    Words(&'static str, &'static [&'static str]),
    /// An object of whatever members.
    Object(&'static str),
}

const fn argument(name: &'static str, schema: Schema) -> Argument {
    Argument { name, schema }
}

/// All arguments, by their names.
const ARGUMENTS: &[Argument] = &[
    argument(
        "domain",
        Schema::Text(
            "The domain: its id (cheapest) or its hostname, such as shop.example",
            255,
        ),
    ),
    argument(
        "start_date",
        Schema::Day("First day, UTC; left out: the API's default window"),
    ),
    argument("end_date", Schema::Day("Last day, UTC, inclusive")),
    argument("before_start", Schema::Day("First day of the earlier window")),
    argument("before_end", Schema::Day("Last day of the earlier window")),
    argument("url", Schema::Address("A page's whole address")),
    argument("page", Schema::Page("A page's path, such as /cart")),
    argument(
        "path",
        Schema::Text("A path from its first slash; left out: /", 2_048),
    ),
    argument("search", Schema::Text("Only what contains this text", 200)),
    argument("device", Schema::Of("getRumOverview", "device")),
    argument("sort", Schema::Of("listRumPages", "sort")),
    argument("dimension", Schema::Of("listGscMovers", "dimension")),
    argument("direction", Schema::Of("listGscMovers", "direction")),
    argument("group_by", Schema::Of("listAnalyticsSources", "group_by")),
    argument("incident_id", Schema::Uuid("An incident's id")),
    argument("run_id", Schema::Uuid("A run's id")),
    argument(
        "url_id",
        Schema::Uuid("The id of a page that is tested in the lab; lab_tests lists them"),
    ),
    argument(
        "template_id",
        Schema::Uuid("The id of a report template; reports lists them"),
    ),
    argument(
        "profile_id",
        Schema::Text("A device profile of the lab, such as desktop", 100),
    ),
    argument(
        "check",
        Schema::Words("The check to make", &["uptime", "robots", "sitemap"]),
    ),
    argument(
        "format",
        Schema::Words("The file", &["pdf", "html", "csv", "json"]),
    ),
    argument(
        "wait_seconds",
        Schema::Number("How long the call may wait; left out: 60", 0, runs::MOST_WAIT),
    ),
    argument(
        "idempotency_key",
        Schema::Text("The same key starts one run, however often it is called", 255),
    ),
    argument("words", Schema::Text("The subject of the operation", 200)),
    argument(
        "operation_id",
        Schema::Text("An id that find_operation gave", 100),
    ),
    argument("parameters", Schema::Object("Path and query parameters by name")),
    argument("body", Schema::Object("The JSON body, if it takes one")),
];

impl Schema {
    fn published(&self, catalogue: &Catalogue) -> Value {
        match self {
            Self::Text(description, most) => {
                json!({ "type": "string", "description": description, "minLength": 1, "maxLength": most })
            }
            Self::Uuid(description) => {
                json!({ "type": "string", "description": description, "pattern": UUID })
            }
            Self::Day(description) => {
                json!({ "type": "string", "description": description, "pattern": DAY })
            }
            Self::Address(description) => {
                json!({ "type": "string", "description": description, "pattern": ADDRESS, "maxLength": 2_048 })
            }
            Self::Page(description) => {
                json!({ "type": "string", "description": description, "pattern": PAGE, "maxLength": 2_048 })
            }
            Self::Of(operation, parameter) => {
                let parameter = catalogue
                    .operation(operation)
                    .and_then(|operation| operation.parameter(parameter));
                let schema = parameter.map(|parameter| catalogue.resolved(&parameter.schema));
                match schema.and_then(|schema| schema.get("enum")) {
                    Some(words) => json!({ "type": "string", "enum": words }),
                    None => json!({ "type": "string", "maxLength": 100 }),
                }
            }
            Self::Number(description, least, most) => {
                json!({ "type": "integer", "description": description, "minimum": least, "maximum": most })
            }
            Self::Words(description, words) => {
                json!({ "type": "string", "description": description, "enum": words })
            }
            Self::Object(description) => json!({ "type": "object", "description": description }),
        }
    }
}

const UUID: &str = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
const ADDRESS: &str = "^https?://";
const PAGE: &str = "^(/|https?://)";
const DAY: &str = r"^\d{4}-\d{2}-\d{2}$";

/// The schema of arguments, those with `!` being required.
pub(super) fn schema(takes: &[&str], catalogue: &Catalogue) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for taken in takes {
        let name = taken.trim_end_matches('!');
        if name != *taken {
            required.push(name);
        }
        if let Some(argument) = ARGUMENTS.iter().find(|argument| argument.name == name) {
            properties.insert(name.to_owned(), argument.schema.published(catalogue));
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let (false, Some(schema)) = (required.is_empty(), schema.as_object_mut()) {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// Arguments that fit their schema.
#[derive(Debug)]
pub(super) struct Arguments(JsonObject);

impl Arguments {
    /// Holds what was given against its schema.
    ///
    /// # Errors
    /// All faults, each with the place of it.
    pub(super) fn read(validator: &Validator, given: JsonObject) -> Result<Self, Vec<String>> {
        let given = Value::Object(given);
        let faults: Vec<String> = validator
            .iter_errors(&given)
            .take(MOST_FAULTS)
            .map(|fault| {
                let place = fault.instance_path().to_string();
                // A value that was given stays out of the answer: it may be huge.
                format!(
                    "{}: {}",
                    if place.is_empty() { "/" } else { &place },
                    fault.masked()
                )
            })
            .collect();
        match (given, faults.is_empty()) {
            (Value::Object(given), true) => Ok(Self(given)),
            _ => Err(faults),
        }
    }

    /// A text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A whole number.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    /// An object.
    pub(super) fn object(&self, name: &str) -> Option<&JsonObject> {
        self.0.get(name)?.as_object()
    }

    /// The id of the domain that is asked about. A hostname is looked up among those that the caller reaches.
    ///
    /// # Errors
    /// No such domain is in reach, or the API does not say.
    pub(super) async fn domain(
        &self,
        context: &ToolContext<'_>,
        findings: &mut Findings,
    ) -> Result<String, CallError> {
        let given = self.text("domain").unwrap_or_default();
        let id = match given.parse::<DomainId>() {
            Ok(id) => id.to_string(),
            Err(_) => found_by_name(context, findings, given).await?,
        };
        findings.at(&format!("/console/domains/{id}"));
        Ok(id)
    }
}

async fn found_by_name(
    context: &ToolContext<'_>,
    findings: &mut Findings,
    name: &str,
) -> Result<String, CallError> {
    let operation = context.operation("listDomains")?;
    let answer = context.api.call(context.caller, Call::of(operation)).await?;
    findings.spent(&answer);
    let name = name
        .trim()
        .trim_start_matches("https://")
        .trim_start_matches("http://")
        .trim_end_matches('/');
    let domains = answer.body.get("items").and_then(Value::as_array);
    domains
        .into_iter()
        .flatten()
        .find(|domain| {
            let hostname = domain.get("domain").and_then(Value::as_str);
            hostname.is_some_and(|hostname| hostname.eq_ignore_ascii_case(name))
        })
        .and_then(|domain| domain.get("id")?.as_str())
        .map(str::to_owned)
        .ok_or_else(|| {
            let detail = format!("No domain within reach is called {name:?}; the tool `domains` lists them.");
            CallError::refused(Suffix::DomainNotFound, detail)
        })
}

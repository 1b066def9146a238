//! The OpenAPI 3.1 document.

use std::collections::BTreeMap;

use pharos_domain::{hourly_limit::HourlyLimit, module::Module, problem::Suffix};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Ref, RefOr, Schema},
};

use super::{
    named,
    refusals::{Refusal, refusals, suffix},
};
use crate::{
    open::OpenOperation,
    operation::Operation,
    problem::{Fault, ProblemBody},
    registry::Registry,
    shapes::{Payload, query::query_parameter},
    spec::{BASE_PATH, Idempotency, OperationSpec},
};

/// The version of the API, apart from that of the program.
pub const API_VERSION: &str = "1.0.0";

/// The document, with `{base_url}` as its server.
#[must_use]
pub fn document(registry: &Registry, base_url: &str) -> Value {
    let mut components: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for operation in registry.operations() {
        components.extend(operation.shapes.components.clone());
        let item = paths
            .entry(format!("{BASE_PATH}{}", operation.spec.path))
            .or_default();
        item.insert(
            operation.spec.method.as_str().to_ascii_lowercase(),
            describe(operation),
        );
    }
    for open in registry.open() {
        let item = paths.entry(format!("{BASE_PATH}{}", open.spec.path)).or_default();
        item.insert(
            open.spec.method.as_str().to_ascii_lowercase(),
            describe_open(open),
        );
    }
    let mut problem_schemas = vec![("Problem".to_owned(), ProblemBody::schema())];
    ProblemBody::schemas(&mut problem_schemas);
    problem_schemas.push(("Fault".to_owned(), Fault::schema()));
    components.extend(problem_schemas);
    components.insert("HTTPValidationError".to_owned(), HttpValidationError::schema());
    let mut dependents = Vec::new();
    HttpValidationError::schemas(&mut dependents);
    components.extend(dependents);
    let modules = Module::ALL.iter().filter(|module| {
        let mut operations = registry.operations().iter();
        operations.any(|operation| operation.spec.module == **module)
    });
    let open: BTreeMap<&str, &str> = registry.open().iter().map(|open| open.spec.tag).collect();
    let tags: Vec<Value> = modules
        .map(|module| (module.as_str(), module.meaning()))
        .chain(open)
        .map(|(name, description)| json!({ "name": name, "description": description }))
        .collect();
    let mut schemas: Map<String, Value> = components
        .into_iter()
        .map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default()))
        .collect();
    schemas.insert("ProblemSuffix".to_owned(), suffix());
    for item in paths.values_mut() {
        item.values_mut()
            .for_each(|operation| named::gather(operation, &mut schemas));
    }
    named::settle(&mut schemas);
    schemas.values_mut().for_each(drop_null_defaults);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pharos public API",
            "version": API_VERSION,
            "description": "Website monitoring and analytics. Every operation needs a bearer credential, \
                            those of OAuth aside; every refusal of theirs is application/problem+json (RFC 9457).",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": base_url, "description": "This installation" }],
        "security": [{ "bearer": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "An API key (svc_live_… or svc_dev_…), or an access token of OAuth 2.1." },
            },
        },
    })
}

/// An operation that needs no credential; its limit for a source address stands in `x-rate-limit`.
fn describe_open(operation: &OpenOperation) -> Value {
    let spec = operation.spec;
    let mut described = operation.described.clone();
    described["operationId"] = json!(spec.id);
    described["summary"] = json!(spec.summary);
    described["description"] = json!(spec.description);
    described["tags"] = json!([spec.tag.0]);
    described["security"] = json!([]);
    described["x-rate-limit"] = json!([open_limit(operation)]);
    described
}

/// utoipa takes serde's "may be left out" for a default of null. Left out is not null here.
fn drop_null_defaults(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("default") == Some(&Value::Null) {
                members.remove("default");
            }
            members.values_mut().for_each(drop_null_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_null_defaults),
        _ => {}
    }
}

fn describe(operation: &Operation) -> Value {
    let (spec, shapes) = (operation.spec, &operation.shapes);
    let mut parameters: Vec<Value> = spec.path_parameters().map(path_parameter).collect();
    parameters.extend(shapes.query_parameters(spec).iter().map(query_parameter));
    if spec.idempotency == Idempotency::Required {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": true,
            "description": "A key of your choice; the same key replays the first answer for 24 hours.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]*$" },
        }));
    }
    let mut described = json!({
        "operationId": spec.id,
        "summary": spec.summary,
        "tags": [spec.module],
        "security": [{ "bearer": [] }],
        "parameters": parameters,
        "responses": responses(operation),
        "x-scope": spec.scope,
        "x-min-role": spec.min_role,
        "x-rate-limit": rate_limits(spec),
        "x-credits": spec.credits.price(),
        "x-cache-seconds": spec.cache_seconds,
        "x-paging": spec.paging.to_string(),
        "x-window": spec.window.as_str(),
        "x-idempotency-key": spec.idempotency.as_str(),
    });
    let own = Some(spec.description).filter(|own| !own.is_empty());
    let sentences: Vec<&str> = own.into_iter().chain(operation.notes.iter().copied()).collect();
    if !sentences.is_empty() {
        described["description"] = json!(sentences.join(" "));
    }
    if let Some(body) = &shapes.body {
        described["requestBody"] =
            json!({ "required": shapes.body_is_required, "content": content("application/json", body) });
    }
    described
}

/// The limit of an open operation, as `x-rate-limit` has it.
pub(crate) fn open_limit(operation: &OpenOperation) -> String {
    let HourlyLimit { name, per_hour } = operation.limit;
    format!("{name}:{per_hour}/hour")
}

/// The buckets of an operation, as `x-rate-limit` lists them.
pub(crate) fn rate_limits(spec: &OperationSpec) -> Vec<String> {
    let general = crate::spec::Bucket::General;
    let more = (spec.bucket != general).then(|| spec.bucket.as_str().to_owned());
    let rum = spec.rum_read.map(|limit| format!("rum-read:{limit}"));
    std::iter::once(general.as_str().to_owned())
        .chain(more)
        .chain(rum)
        .collect()
}

fn path_parameter(name: &str) -> Value {
    let (schema, description) = match name.strip_suffix("_id") {
        Some(thing) => (
            json!({ "type": "string", "format": "uuid" }),
            format!(
                "The {}'s id: a hyphenated UUID, in either case.",
                thing.replace('_', " ")
            ),
        ),
        None => (
            json!({ "type": "string" }),
            format!("One of the values that `{name}` has in answers."),
        ),
    };
    json!({
        "name": name, "in": "path", "required": true, "description": description, "schema": schema,
    })
}

fn content(kind: &str, payload: &Payload) -> Value {
    json!({ kind: { "schema": payload.schema, "example": payload.example } })
}

fn responses(operation: &Operation) -> Value {
    let (spec, shapes) = (operation.spec, &operation.shapes);
    let mut responses = Map::new();
    responses.insert(
        spec.success.to_string(),
        json!({
            "description": "Success.",
            "headers": headers_of_success(spec),
            "content": content("application/json", &shapes.answer),
        }),
    );
    if spec.cache_seconds > 0 {
        responses.insert(
            "304".to_owned(),
            json!({
                "description": "The cached answer is still the one whose ETag `If-None-Match` names. It has no body, and \
                                costs nothing.",
                "headers": headers_of_success(spec),
            }),
        );
    }
    for Refusal {
        status,
        description,
        problems,
    } in refusals(operation)
    {
        let schema = Ref::from_schema_name("Problem");
        let problems: Vec<_> = problems.into_iter().map(Suffix::as_str).collect();
        responses.insert(
            status.to_string(),
            json!({
                "description": description,
                "headers": headers(),
                "content": { "application/problem+json": { "schema": schema } },
                "x-problems": problems,
            }),
        );
    }
    if spec.path.contains('{') || !operation.query_names.is_empty() {
        responses.insert(
            "422".to_owned(),
            json!({
                "description": "Declared for generated clients. Pharos itself answers 400.",
                "content": { "application/json": { "schema": Ref::from_schema_name("HTTPValidationError") } },
            }),
        );
    }
    Value::Object(responses)
}

/// The headers of all answers, and those that only an answer has which is cached or paged.
fn headers_of_success(spec: &OperationSpec) -> Value {
    let mut headers = headers();
    if spec.cache_seconds > 0 {
        headers["ETag"] = json!({
            "description": "The answer's tag, for `If-None-Match`: the same for as long as the cache has this answer. Left \
                            out of an answer that is not kept.",
            "schema": { "type": "string" },
        });
    }
    if spec.paging.asks_for().is_some() {
        headers["Link"] = json!({
            "description": "The address of the next page, with `rel=\"next\"` (RFC 8288); left out on the last page.",
            "schema": { "type": "string" },
        });
    }
    headers
}

fn headers() -> Value {
    json!({
        "X-Request-Id": { "description": "The request's id, for support.", "schema": { "type": "string", "format": "uuid" } },
        "X-Credits-Cost": { "description": "The credits that this request cost.", "schema": { "type": "integer", "minimum": 0 } },
        "X-Credits-Remaining": {
            "description": "The credits left to the workspace that pays; left out without a valid credential, and of an answer \
                            that cost nothing where the ledger does not tell them within two seconds.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "X-RateLimit-Limit": {
            "description": "The ceiling of the bucket that will refuse first; left out without a valid credential, \
                            and while Redis is away.",
            "schema": { "type": "integer", "minimum": 1 },
        },
        "X-RateLimit-Remaining": {
            "description": "The requests left in that bucket.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "X-RateLimit-Reset": {
            "description": "When that bucket gets room again, in seconds of the Unix epoch.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "X-Cache": {
            "description": "Where the answer came from.",
            "schema": { "type": "string", "enum": ["HIT", "MISS", "UNAVAILABLE"] },
        },
    })
}

/// Declared for generated clients; Pharos answers faults as 400 `invalid-request`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HTTPValidationError)]
struct HttpValidationError {
    /// One entry a fault.
    detail: Vec<ValidationError>,
}

/// One fault.
#[derive(Debug, Serialize, ToSchema)]
struct ValidationError {
    /// Where the fault is, from the outside in.
    loc: Vec<String>,
    /// The fault in words.
    msg: String,
    /// The kind of fault.
    #[serde(rename = "type")]
    kind: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_of_the_path_is_a_uuid_where_it_is_an_id() {
        let id = path_parameter("report_run_id");
        assert_eq!(
            id["description"],
            "The report run's id: a hyphenated UUID, in either case."
        );
        assert_eq!(id["schema"]["format"], "uuid");
        let key = path_parameter("report_key");
        assert_eq!(
            key["description"],
            "One of the values that `report_key` has in answers."
        );
        assert_eq!(key["schema"], json!({ "type": "string" }));
    }
}

//! The arguments of tools: their schemas, and reading them.

use std::collections::BTreeSet;

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use pharos_domain::{ids::DomainId, problem::Suffix};
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use time::{Date, macros::format_description};
use url::Url;

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
    /// A path from its first slash.
    Path(&'static str),
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
        Schema::Text("The domain: its id or its hostname, such as shop.example", 255),
    ),
    argument(
        "start_date",
        Schema::Day("First day, UTC; left out: 30 days, or as the tool says"),
    ),
    argument("end_date", Schema::Day("Last day, UTC, inclusive")),
    argument("before_start", Schema::Day("First day of the earlier window")),
    argument("before_end", Schema::Day("Last day of the earlier window")),
    argument("url", Schema::Address("A page's whole address")),
    argument("page", Schema::Page("A page's path, such as /cart")),
    argument("path", Schema::Path("A path from its first slash; left out: /")),
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
            Self::Path(description) => {
                json!({ "type": "string", "description": description, "pattern": PATH, "maxLength": 2_048 })
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
const PATH: &str = "^/";
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
        let mut places = BTreeSet::new();
        let faults: Vec<String> = validator
            .iter_errors(&given)
            .filter_map(|fault| {
                let place = fault.instance_path().to_string();
                if place.is_empty() {
                    return Some(format!("/: {}", said(&fault)));
                }
                // A value of a wrong type is none of the right words either: that is said once.
                let told = format!("{place}: {}", said(&fault));
                places.insert(place).then_some(told)
            })
            .take(MOST_FAULTS)
            .collect();
        match (given, faults.is_empty()) {
            (Value::Object(given), true) => {
                let faults = faults_of_days(&given);
                if faults.is_empty() {
                    Ok(Self(given))
                } else {
                    Err(faults)
                }
            }
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
        let id = match id_in(given) {
            Some(id) => id.to_string(),
            None => found_by_name(context, findings, given).await?,
        };
        findings.at(&format!("/console/domains/{id}"));
        Ok(id)
    }
}

/// A fault in words. A value that was given stays out of them: it may be huge.
fn said(fault: &ValidationError<'_>) -> String {
    let right = match fault.kind() {
        ValidationErrorKind::Enum { options } => return format!("value is none of {options}"),
        ValidationErrorKind::Pattern { pattern } => match pattern.as_str() {
            UUID => "a UUID",
            DAY => "a day such as 2026-03-31",
            ADDRESS => "an address that begins with http:// or https://",
            PATH => "a path from its first slash",
            PAGE => "a path from its first slash, or a whole address",
            _ => return fault.masked().to_string(),
        },
        _ => return fault.masked().to_string(),
    };
    format!("value is not {right}")
}

/// The faults of days that are written as days are: no calendar has them, or the last is before the first.
fn faults_of_days(given: &JsonObject) -> Vec<String> {
    let day_of = |name: &str| {
        let day = given.get(name)?.as_str()?;
        Some(Date::parse(day, format_description!("[year]-[month]-[day]")).ok())
    };
    let days = ARGUMENTS
        .iter()
        .filter(|argument| matches!(argument.schema, Schema::Day(_)));
    let mut faults: Vec<String> = days
        .filter(|argument| day_of(argument.name) == Some(None))
        .map(|argument| format!("/{}: there is no such day.", argument.name))
        .collect();
    for (first, last) in [("start_date", "end_date"), ("before_start", "before_end")] {
        if let (Some(Some(begin)), Some(Some(end))) = (day_of(first), day_of(last))
            && end < begin
        {
            faults.push(format!("/{last}: it is before {first}."));
        }
    }
    faults
}

/// The id that was given: alone, or in the address of a page of the console.
fn id_in(given: &str) -> Option<DomainId> {
    given.parse().ok().or_else(|| {
        let (_, page) = given.split_once("/console/domains/")?;
        page.split(['/', '?', '#']).next()?.parse().ok()
    })
}

/// The hostname that was given, which people paste with its scheme, its port and a path.
fn hostname(given: &str) -> String {
    let given = given.trim();
    let address = if given.contains("://") {
        given.to_owned()
    } else {
        format!("https://{given}")
    };
    let url = Url::parse(&address).ok();
    let host = url.as_ref().and_then(Url::host_str);
    let host = host.unwrap_or(given);
    // A full name may end with the dot of the root, which the list of domains leaves out.
    host.strip_suffix('.').unwrap_or(host).to_owned()
}

async fn found_by_name(
    context: &ToolContext<'_>,
    findings: &mut Findings,
    name: &str,
) -> Result<String, CallError> {
    let operation = context.operation("listDomains")?;
    let call = Call::of(operation).with("include_modules", "false");
    let answer = context.api.call(context.caller, call).await;
    let answer = answer.map_err(by_its_id)?;
    findings.spent(&answer);
    named(&answer.body, &hostname(name))
}

/// Whoever may not list the domains may name one all the same.
fn by_its_id(error: CallError) -> CallError {
    match error {
        CallError::Refused(mut refused) if refused.suffix == Suffix::InsufficientScope.as_str() => {
            refused.detail.push_str(
                " A hostname is looked up in the list of domains: a domain's id needs no such scope.",
            );
            CallError::Refused(refused)
        }
        other => other,
    }
}

/// The id of the one domain that is called so. Several workspaces may have one of the same name, whose figures differ.
fn named(domains: &Value, name: &str) -> Result<String, CallError> {
    let domains = domains["items"].as_array().into_iter().flatten();
    let found: Vec<&Value> = domains
        .filter(|domain| {
            let hostname = domain["domain"].as_str();
            hostname.is_some_and(|hostname| hostname.eq_ignore_ascii_case(name))
        })
        .collect();
    match found[..] {
        [domain] => Ok(domain["id"].as_str().unwrap_or_default().to_owned()),
        [] => {
            let detail = format!("No domain within reach is called {name:?}.");
            let refused = CallError::refused(Suffix::DomainNotFound, detail);
            Err(refused.advising("Take its name or its id from the tool `domains`."))
        }
        _ => {
            let told = |domain: &&Value| format!("{} of workspace {}", domain["id"], domain["workspace_id"]);
            let ids: Vec<String> = found.iter().map(told).collect();
            let detail = format!(
                "Several domains within reach are called {name:?}: give the id of the one that is meant. They are {}.",
                ids.join(", ")
            );
            Err(CallError::invalid(&[detail]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33";

    #[test]
    fn a_domain_is_known_by_whatever_address_of_it_is_pasted() {
        for given in [
            "shop.example",
            "SHOP.example",
            "shop.example.",
            "https://shop.example./cart",
            "https://shop.example/",
            "HTTP://Shop.example:7071/cart?x=1",
            " shop.example:443 ",
        ] {
            assert_eq!(hostname(given), "shop.example", "{given}");
        }
        for odd in ["no domain at all", "", "://"] {
            assert_eq!(hostname(odd), odd);
        }
        let page = format!("https://pharos.example/console/domains/{ID}/rum?period=7d");
        for given in [ID, page.as_str()] {
            assert_eq!(
                id_in(given).map(|id| id.to_string()).as_deref(),
                Some(ID),
                "{given}"
            );
        }
        for given in [
            "shop.example",
            "https://pharos.example/console/domains/",
            "https://shop.example/console",
        ] {
            assert!(id_in(given).is_none(), "{given}");
        }
    }

    #[test]
    fn a_name_that_several_domains_have_is_refused_with_their_ids() {
        let domain = |id: &str, name: &str| json!({ "id": id, "domain": name, "workspace_id": "w" });
        let domains = json!({ "items": [domain("a", "shop.example"), domain("b", "x.example"), domain("c", "shop.example")] });
        assert_eq!(named(&domains, "X.example").unwrap(), "b");
        let told = |name: &str| named(&domains, name).unwrap_err().told();
        let several = told("shop.example");
        assert_eq!(several["problem"], Suffix::InvalidRequest.as_str());
        let detail = several["errors"][0]["detail"].as_str().unwrap();
        assert!(detail.contains("\"a\"") && detail.contains("\"c\""), "{detail}");
        assert_eq!(told("none.example")["problem"], Suffix::DomainNotFound.as_str());
    }

    #[test]
    fn whoever_may_not_list_domains_is_told_to_give_an_id() {
        let told = by_its_id(CallError::refused(Suffix::InsufficientScope, "No.")).told();
        assert!(
            told["detail"].as_str().unwrap().contains("a domain's id"),
            "{told}"
        );
        let other = by_its_id(CallError::refused(Suffix::RateLimited, "No.")).told();
        assert_eq!(other["detail"], "No.");
    }
}

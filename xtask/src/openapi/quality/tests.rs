//! Each rule is proved on a document that falls short in it: that rule is reported, and no other.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Rule, of};
use crate::openapi::{
    document::Document,
    mutation::{
        Change, In, changed, committed, fixture, operation, operations, parameter, response, schema, take,
    },
};

/// Every way to fall short: the rule, what is done, and the change itself.
const SHORTCOMINGS: &[(Rule, &str, Change)] = &[
    (Rule::SummaryMissing, "no summary", |root| {
        take(operation(root, |_| true)?, "summary").map(drop)
    }),
    (Rule::SummaryMissing, "a blank summary", |root| {
        put(operation(root, |_| true)?, "summary", json!("  "))
    }),
    (Rule::TagNotOne, "no tag", |root| {
        put(operation(root, |_| true)?, "tags", json!([]))
    }),
    (Rule::TagNotOne, "two tags", |root| {
        put(operation(root, |_| true)?, "tags", json!(["a", "b"]))
    }),
    (Rule::OperationIdNotUnique, "no operationId", |root| {
        take(operation(root, |_| true)?, "operationId").map(drop)
    }),
    (Rule::OperationIdNotUnique, "an operationId twice", |root| {
        let id = operation(root, |_| true)?["operationId"].clone();
        put(
            operation(root, |node| node["operationId"] != id)?,
            "operationId",
            id.clone(),
        )
    }),
    (
        Rule::ParameterUndescribed,
        "a parameter without description",
        |root| take(parameter(root, |node| node["in"] == "query")?, "description").map(drop),
    ),
    (
        Rule::ParameterUndescribed,
        "a path's parameter without description",
        |root| take(parameter(root, |node| node["in"] == "path")?, "description").map(drop),
    ),
    (
        Rule::ParameterWithoutSchema,
        "a parameter without schema",
        |root| take(parameter(root, |node| node["in"] == "query")?, "schema").map(drop),
    ),
    (
        Rule::ParameterEnumInline,
        "a parameter that writes its enum out",
        |root| {
            let named = parameter(root, |node| {
                node["in"] == "query" && node["schema"]["$ref"].is_string()
            })?;
            put(
                named,
                "schema",
                json!({ "type": "string", "enum": ["up", "down"] }),
            )
        },
    ),
    (
        Rule::ParameterEnumInline,
        "a parameter that writes the enum of its items out",
        |root| {
            let named = parameter(root, |node| {
                node["in"] == "query" && node["schema"]["$ref"].is_string()
            })?;
            let items = json!({ "type": "string", "enum": ["up", "down"] });
            put(named, "schema", json!({ "type": "array", "items": items }))
        },
    ),
    (Rule::ExtensionMissing, "no x-min-role", |root| {
        extension_gone(root, "x-min-role")
    }),
    (Rule::ExtensionMissing, "no x-rate-limit", |root| {
        extension_gone(root, "x-rate-limit")
    }),
    (
        Rule::ExtensionMissing,
        "no x-scope, where null would do",
        |root| take(operation(root, |node| node["x-scope"].is_null())?, "x-scope").map(drop),
    ),
    (Rule::ExtensionMissing, "no x-credits", |root| {
        extension_gone(root, "x-credits")
    }),
    (Rule::ExtensionMissing, "no x-cache-seconds", |root| {
        extension_gone(root, "x-cache-seconds")
    }),
    (Rule::ExtensionMissing, "no x-paging", |root| {
        extension_gone(root, "x-paging")
    }),
    (Rule::ExtensionMissing, "no x-window", |root| {
        extension_gone(root, "x-window")
    }),
    (Rule::ExtensionMissing, "no x-idempotency-key", |root| {
        extension_gone(root, "x-idempotency-key")
    }),
    (Rule::SuccessWithoutSchema, "no success", |root| {
        take(
            &mut operation(root, |node| node["responses"]["200"].is_object())?["responses"],
            "200",
        )
        .map(drop)
    }),
    (Rule::SuccessWithoutSchema, "a success without content", |root| {
        take(response(root, |status, _| status == "200")?, "content").map(drop)
    }),
    (Rule::SuccessWithoutSchema, "a success without schema", |root| {
        let content = &mut response(root, |status, _| status == "200")?["content"]["application/json"];
        take(content, "schema")?;
        take(content, "example").map(drop)
    }),
    (Rule::ExampleMissing, "an answer without example", |root| {
        let answer = response(root, |status, _| status == "200")?;
        take(&mut answer["content"]["application/json"], "example").map(drop)
    }),
    (Rule::ExampleMissing, "a body without examples", |root| {
        let holder = operation(root, |node| json_body(node)["examples"].is_object())?;
        take(
            &mut holder["requestBody"]["content"]["application/json"],
            "examples",
        )
        .map(drop)
    }),
    (
        Rule::ExampleMisfits,
        "an answer's example lacks a required field",
        |root| {
            let holder = operation(root, |node| node["operationId"] == "getHealth")?;
            take(
                holder.pointer_mut("/responses/200/content/application~1json/example")?,
                "status",
            )
            .map(drop)
        },
    ),
    (
        Rule::ExampleMisfits,
        "an answer's example has a value outside of the enum",
        |root| example(root, "getHealth", "/status", json!("fine")),
    ),
    (
        Rule::ExampleMisfits,
        "an answer's example has a malformed timestamp",
        |root| example(root, "getHealth", "/time", json!("31 March 2026")),
    ),
    (
        Rule::ExampleMisfits,
        "an answer's example has a malformed UUID",
        |root| {
            example(
                root,
                "listUptimeChecks",
                "/items/0/check_id",
                json!("018f4c2e7b1a7c3d9e4f5a6b7c8d9e0f"),
            )
        },
    ),
    (
        Rule::ExampleMisfits,
        "an answer's example has null where none is allowed",
        |root| example(root, "listUptimeChecks", "/has_more", Value::Null),
    ),
    (
        Rule::ExampleMisfits,
        "an answer's example has an unknown variant",
        |root| {
            example(
                root,
                "listUptimeChecks",
                "/items/0/evidence/kind",
                json!("hearsay"),
            )
        },
    ),
    (
        Rule::ExampleMisfits,
        "a body's example is above a maximum",
        |root| {
            let body = operation(root, |node| json_body(node)["examples"].is_object())?;
            let examples = &mut body["requestBody"]["content"]["application/json"]["examples"];
            put(
                &mut examples["pause"]["value"],
                "interval_seconds",
                json!(999_999),
            )
        },
    ),
    (
        Rule::ExampleMisfits,
        "a problem's example lacks its title",
        |root| {
            let problem = response(root, |_, node| {
                node["content"]["application/problem+json"].is_object()
            })?;
            take(
                &mut problem["content"]["application/problem+json"]["example"],
                "title",
            )
            .map(drop)
        },
    ),
    (
        Rule::ExampleMisfits,
        "a property's own example is of another type",
        |root| {
            put(
                schema(root, In::Success, |node| node["example"].is_string())?,
                "example",
                json!(7),
            )
        },
    ),
    (
        Rule::ExampleMisfits,
        "a parameter's example is of another type",
        |root| {
            put(
                parameter(root, |node| node["schema"]["type"] == "integer")?,
                "example",
                json!("ten"),
            )
        },
    ),
    (Rule::ProblemMissing, "no 401", |root| problem_gone(root, "401")),
    (Rule::ProblemMissing, "no 429", |root| problem_gone(root, "429")),
    (Rule::ProblemMissing, "no 400", |root| problem_gone(root, "400")),
    (Rule::ProblemMissing, "no 402", |root| problem_gone(root, "402")),
    (Rule::ProblemMissing, "no 403", |root| problem_gone(root, "403")),
    (Rule::ProblemMissing, "no 404", |root| problem_gone(root, "404")),
    (Rule::ProblemMissing, "no 409", |root| problem_gone(root, "409")),
    (Rule::ProblemMissing, "a problem that is plain JSON", |root| {
        let content = &mut response(root, |status, _| status == "401")?["content"];
        let problem = take(content, "application/problem+json")?;
        put(content, "application/json", problem)
    }),
    (Rule::ProblemMissing, "a problem without schema", |root| {
        let content =
            &mut response(root, |status, _| status == "401")?["content"]["application/problem+json"];
        take(content, "schema")?;
        take(content, "example").map(drop)
    }),
    (
        Rule::PropertyUndescribed,
        "a property without description",
        |root| {
            let object = root.pointer_mut("/components/schemas")?.as_object_mut()?;
            let described = |schema: &&mut Value| schema["properties"].is_object();
            let object = object.values_mut().find(described)?;
            take(
                object["properties"].as_object_mut()?.values_mut().next()?,
                "description",
            )
            .map(drop)
        },
    ),
    (
        Rule::PropertyUndescribed,
        "a property of a list's items without description",
        |root| {
            let list = schema(root, In::Problem, |node| node["items"]["properties"].is_object())?;
            take(
                list["items"]["properties"].as_object_mut()?.values_mut().next()?,
                "description",
            )
            .map(drop)
        },
    ),
    (
        Rule::PropertyUndescribed,
        "a nullable property that leaves null unexplained",
        |root| {
            take(
                root.pointer_mut("/components/schemas/Check/properties/parent")?,
                "description",
            )
            .map(drop)
        },
    ),
    (
        Rule::NullUnexplained,
        "a nullable property whose words say nothing of null",
        |root| {
            put(
                root.pointer_mut("/components/schemas/Check/properties/status_code")?,
                "description",
                json!("The status answered."),
            )
        },
    ),
    (
        Rule::NullUnexplained,
        "a nullable property whose words on null refer to those before",
        |root| {
            put(
                root.pointer_mut("/components/schemas/Check/properties/status_code")?,
                "description",
                json!("The status that the site answered.\nNull without any."),
            )
        },
    ),
    (
        Rule::NullUnexplained,
        "a nullable reference whose words say nothing of null",
        |root| {
            put(
                root.pointer_mut("/components/schemas/Check/properties/parent")?,
                "description",
                json!("The check that this one repeats."),
            )
        },
    ),
    (
        Rule::NullUnexplained,
        "a nullable property of a part whose words say nothing of null",
        |root| {
            put(
                root.pointer_mut("/components/schemas/Config/allOf/1/properties/owner_email")?,
                "description",
                json!("Whom to tell."),
            )
        },
    ),
    (
        Rule::SentenceWithoutSubject,
        "a summary that begins with What",
        |root| {
            put(
                operation(root, |_| true)?,
                "summary",
                json!("What a site answers"),
            )
        },
    ),
    (
        Rule::SentenceWithoutSubject,
        "a second sentence that begins with Of",
        |root| {
            put(
                root.pointer_mut("/components/schemas/Check/properties/parent")?,
                "description",
                json!("The check before, or null. Of a first one it is null."),
            )
        },
    ),
    (Rule::ReferenceBroken, "a component is gone", |root| {
        let components = root.pointer_mut("/components/schemas")?;
        let name = components.as_object()?.keys().next()?.clone();
        take(components, &name).map(drop)
    }),
];

#[test]
fn the_fixture_falls_short_in_nothing() {
    assert_eq!(texts(&fixture()), Vec::<String>::new());
}

#[test]
fn every_shortcoming_of_the_fixture_is_reported_by_its_own_rule_alone() {
    for (rule, what, change) in SHORTCOMINGS {
        let document =
            changed(&fixture(), *change).unwrap_or_else(|| panic!("the fixture has no place for: {what}"));
        assert_eq!(
            rules(&document),
            BTreeSet::from([*rule]),
            "{what}: {:#?}",
            texts(&document)
        );
    }
}

#[test]
fn every_rule_is_proved_by_a_shortcoming() {
    let proved: BTreeSet<Rule> = SHORTCOMINGS.iter().map(|(rule, ..)| *rule).collect();
    assert_eq!(proved, Rule::ALL.iter().copied().collect());
}

#[test]
fn the_shortcomings_are_found_in_the_committed_document_too() {
    let Some(document) = committed() else { return };
    for (rule, what, change) in SHORTCOMINGS {
        if let Some(document) = changed(&document, *change) {
            assert!(rules(&document).contains(rule), "{what}: {:#?}", texts(&document));
        }
    }
}

#[test]
fn a_schemas_own_example_serves_an_answer() {
    let document = changed(&fixture(), |root| {
        let holder = operation(root, |node| node["operationId"] == "getHealth")?;
        let example = take(
            holder.pointer_mut("/responses/200/content/application~1json")?,
            "example",
        )?;
        put(
            root.pointer_mut("/components/schemas/Health")?,
            "examples",
            json!([example]),
        )
    });
    assert_eq!(texts(&document.unwrap()), Vec::<String>::new());
}

#[test]
fn a_nullable_property_is_described_by_its_alternative() {
    let document = changed(&fixture(), |root| {
        let property = root.pointer_mut("/components/schemas/Check/properties/parent")?;
        let description = take(property, "description")?;
        let alternatives = property["oneOf"].as_array_mut()?;
        put(
            alternatives
                .iter_mut()
                .find(|schema| schema["$ref"].is_string())?,
            "description",
            description,
        )
    });
    assert_eq!(texts(&document.unwrap()), Vec::<String>::new());
}

#[test]
fn a_schema_may_say_of_all_its_properties_when_they_are_null() {
    let document = changed(&fixture(), |root| {
        let check = root.pointer_mut("/components/schemas/Check")?;
        put(
            check,
            "description",
            json!("A check. A figure is null where it failed."),
        )?;
        put(
            check.pointer_mut("/properties/status_code")?,
            "description",
            json!("The status answered."),
        )
    });
    assert_eq!(texts(&document.unwrap()), Vec::<String>::new());
}

#[test]
fn a_whole_may_say_when_properties_of_its_parts_are_null() {
    let document = changed(&fixture(), |root| {
        let config = root.pointer_mut("/components/schemas/Config")?;
        put(
            config,
            "description",
            json!("The settings; null stands for none."),
        )?;
        put(
            config.pointer_mut("/allOf/1/properties/owner_email")?,
            "description",
            json!("Whom to tell."),
        )
    });
    assert_eq!(texts(&document.unwrap()), Vec::<String>::new());
}

#[test]
fn a_sentence_may_have_such_words_within() {
    let document = changed(&fixture(), |root| {
        put(
            operation(root, |_| true)?,
            "summary",
            json!("The Office of a site: whatever its What and Of are. Often none"),
        )
    });
    assert_eq!(texts(&document.unwrap()), Vec::<String>::new());
}

#[test]
fn a_fault_names_the_operation_and_what_to_mend() {
    let document = changed(&fixture(), |root| {
        let responses = &mut operation(root, |node| node["operationId"] == "putUptimeConfig")?["responses"];
        take(responses, "404").map(drop)
    });
    assert_eq!(
        texts(&document.unwrap()),
        [
            "problem-missing: PUT /api/public/v1/domains/{domain_id}/uptime/config: it needs a 404 response of \
          application/problem+json with a schema: its path names something that may not be there"
        ]
    );
}

fn rules(document: &Document) -> BTreeSet<Rule> {
    of(document).unwrap().iter().map(|fault| fault.rule).collect()
}

fn texts(document: &Document) -> Vec<String> {
    of(document).unwrap().iter().map(ToString::to_string).collect()
}

fn put(node: &mut Value, name: &str, value: Value) -> Option<()> {
    node.as_object_mut()?.insert(name.to_owned(), value);
    Some(())
}

fn extension_gone(root: &mut Value, name: &str) -> Option<()> {
    let holder = operation(root, |node| {
        node["x-credits"] == 0 && node["x-idempotency-key"] == "no"
    })?;
    take(holder, name).map(drop)
}

/// Takes a problem away from the first operation that has it; 404 only where a path's parameter demands it.
fn problem_gone(root: &mut Value, status: &str) -> Option<()> {
    let pointer = operations(root).into_iter().find(|pointer| {
        let has_it = root
            .pointer(pointer)
            .is_some_and(|node| node["responses"].get(status).is_some());
        has_it && (status != "404" || pointer.contains('{'))
    })?;
    take(root.pointer_mut(&pointer)?.get_mut("responses")?, status).map(drop)
}

fn json_body(operation: &Value) -> &Value {
    &operation["requestBody"]["content"]["application/json"]
}

/// Changes the example of an operation's answer.
fn example(root: &mut Value, id: &str, pointer: &str, value: Value) -> Option<()> {
    let holder = operation(root, |node| node["operationId"] == id)?;
    let example = holder.pointer_mut("/responses/200/content/application~1json/example")?;
    *example.pointer_mut(pointer)? = value;
    Some(())
}

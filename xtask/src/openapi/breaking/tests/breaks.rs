//! The ways to break a caller, each as a change of a document.

use serde_json::{Value, json};

use super::edit::{
    add_parameter, first_required, has_required_property, is_union, list_len, null_alternative,
    optional_property, plain, raise, remove_property, require, set, set_at,
};
use crate::openapi::{
    breaking::Rule,
    mutation::{Change, In, operation, parameter, response, schema, take},
};

/// Every way to break a caller: the rule, what is done, and the change itself.
pub(super) const BREAKS: &[(Rule, &str, Change)] = &[
    (Rule::OperationRemoved, "an operation is gone", |root| {
        let (_, item) = root["paths"].as_object_mut()?.iter_mut().next()?;
        let method = ["get", "post", "put"]
            .into_iter()
            .find(|method| item.get(method).is_some())?;
        take(item, method).map(drop)
    }),
    (Rule::OperationRemoved, "a path is gone", |root| {
        let path = root["paths"].as_object()?.keys().next()?.clone();
        take(&mut root["paths"], &path).map(drop)
    }),
    (Rule::OperationIdChanged, "an operation is renamed", |root| {
        set(operation(root, |_| true)?, "operationId", json!("somethingElse"))
    }),
    (Rule::SuccessStatusChanged, "200 becomes 201", |root| {
        let responses = &mut operation(root, |node| node["responses"]["200"].is_object())?["responses"];
        let answer = take(responses, "200")?;
        set(responses, "201", answer)
    }),
    (
        Rule::SuccessStatusChanged,
        "202 is answered besides 200",
        |root| {
            let responses = &mut operation(root, |node| node["responses"]["200"].is_object())?["responses"];
            let answer = responses["200"].clone();
            set(responses, "202", answer)
        },
    ),
    (Rule::MediaTypeRemoved, "an answer is no longer JSON", |root| {
        let content =
            &mut response(root, |_, node| node["content"]["application/json"].is_object())?["content"];
        let answer = take(content, "application/json")?;
        set(content, "application/cbor", answer)
    }),
    (Rule::MediaTypeRemoved, "a body may no longer be JSON", |root| {
        let body = operation(root, |node| {
            node["requestBody"]["content"]["application/json"].is_object()
        })?;
        let content = &mut body["requestBody"]["content"];
        let taken = take(content, "application/json")?;
        set(content, "application/cbor", taken)
    }),
    (Rule::ResponseFieldRemoved, "a field is gone", |root| {
        let object = schema(root, In::Success, has_required_property)?;
        let name = first_required(object)?;
        remove_property(object, &name)
    }),
    (
        Rule::ResponseFieldRemoved,
        "a field of a list's items is gone",
        |root| {
            let list = schema(root, In::Success, |node| node["items"]["$ref"].is_string())?;
            let item = list["items"]["$ref"].as_str()?.trim_start_matches('#').to_owned();
            let object = root.pointer_mut(&item)?;
            let name = first_required(object)?;
            remove_property(object, &name)
        },
    ),
    (
        Rule::ResponseFieldRemoved,
        "a field of a problem is gone",
        |root| {
            remove_property(
                schema(root, In::Problem, |node| node["properties"]["detail"].is_object())?,
                "detail",
            )
        },
    ),
    (
        Rule::ResponseFieldRemoved,
        "a field of one variant is gone",
        |root| {
            let variant = schema(root, In::Success, |node| {
                node["properties"]["kind"]["const"].is_string()
            })?;
            let name = first_required(variant)
                .filter(|name| name != "kind")
                .or_else(|| {
                    variant["required"]
                        .as_array()?
                        .last()?
                        .as_str()
                        .map(str::to_owned)
                })?;
            remove_property(variant, &name)
        },
    ),
    (
        Rule::ResponseFieldRemoved,
        "a map's free members are gone",
        |root| {
            take(
                schema(root, In::Success, |node| node["additionalProperties"].is_object())?,
                "additionalProperties",
            )
            .map(drop)
        },
    ),
    (
        Rule::ResponseFieldRetyped,
        "a string becomes an integer",
        |root| {
            set(
                schema(root, In::Success, |node| plain(node, "string"))?,
                "type",
                json!("integer"),
            )
        },
    ),
    (
        Rule::ResponseFieldRetyped,
        "an integer becomes a string",
        |root| {
            set(
                schema(root, In::Success, |node| node["type"] == "integer")?,
                "type",
                json!("string"),
            )
        },
    ),
    (
        Rule::ResponseFieldRetyped,
        "a nullable number becomes a nullable string",
        |root| {
            let leaf = schema(root, In::Success, |node| {
                node["type"] == json!(["number", "null"])
            })?;
            set(leaf, "type", json!(["string", "null"]))
        },
    ),
    (Rule::ResponseFieldRetyped, "a format changes", |root| {
        set(
            schema(root, In::Success, |node| node["format"] == "date-time")?,
            "format",
            json!("date"),
        )
    }),
    (Rule::ResponseFieldRetyped, "a list's items change", |root| {
        let list = schema(root, In::Success, |node| node["type"] == "array")?;
        set(list, "items", json!({"type": "boolean"}))
    }),
    (
        Rule::ResponseFieldRetyped,
        "a field of a problem changes",
        |root| {
            set(
                schema(root, In::Problem, |node| node["type"] == "integer")?,
                "type",
                json!("string"),
            )
        },
    ),
    (Rule::ResponseFieldRetyped, "a variant is added", |root| {
        let union = schema(root, In::Success, is_union)?;
        union["oneOf"]
            .as_array_mut()?
            .push(json!({"type": "object", "title": "Another"}));
        Some(())
    }),
    (
        Rule::ResponseFieldNullable,
        "a field may be null, by its type",
        |root| {
            let leaf = schema(root, In::Success, |node| plain(node, "string"))?;
            set(leaf, "type", json!(["string", "null"]))
        },
    ),
    (
        Rule::ResponseFieldNullable,
        "a field may be null, by a variant",
        |root| {
            let object = schema(root, In::Success, has_required_property)?;
            let name = first_required(object)?;
            let property = object["properties"][&name].take();
            set(
                &mut object["properties"],
                &name,
                json!({"oneOf": [{"type": "null"}, property]}),
            )
        },
    ),
    (Rule::ResponseFieldOptional, "a field may be absent", |root| {
        let object = schema(root, In::Success, has_required_property)?;
        object["required"].as_array_mut()?.remove(0);
        Some(())
    }),
    (Rule::ResponseHeaderRemoved, "a header is gone", |root| {
        take(response(root, |_, node| node["headers"].is_object())?, "headers").map(drop)
    }),
    (Rule::ParameterRemoved, "a query parameter is gone", |root| {
        let holder = operation(root, |node| list_len(&node["parameters"]) > 0)?;
        holder["parameters"].as_array_mut()?.pop().map(drop)
    }),
    (Rule::ParameterRemoved, "a parameter moves to a header", |root| {
        set(
            parameter(root, |node| node["in"] == "query")?,
            "in",
            json!("header"),
        )
    }),
    (Rule::ParameterRequired, "a parameter becomes required", |root| {
        set(
            parameter(root, |node| node["required"] != true)?,
            "required",
            json!(true),
        )
    }),
    (Rule::ParameterRequired, "a required parameter is added", |root| {
        add_parameter(
            root,
            json!({"name": "added", "in": "query", "required": true, "schema": {"type": "string"}}),
        )
    }),
    (Rule::RequestBodyRequired, "a body becomes required", |root| {
        let holder = operation(root, |node| {
            node["requestBody"].is_object() && node["requestBody"]["required"] != true
        })?;
        set(&mut holder["requestBody"], "required", json!(true))
    }),
    (Rule::RequestBodyRequired, "a required body is added", |root| {
        let body = json!({"required": true, "content": {"application/json": {"schema": {"type": "object"}}}});
        set(
            operation(root, |node| node.get("requestBody").is_none())?,
            "requestBody",
            body,
        )
    }),
    (Rule::RequestMemberRemoved, "a member is gone", |root| {
        let object = schema(root, In::Body, |node| node["properties"].is_object())?;
        let name = object["properties"].as_object()?.keys().next()?.clone();
        remove_property(object, &name)
    }),
    (Rule::RequestMemberRemoved, "a body is gone", |root| {
        take(
            operation(root, |node| node["requestBody"].is_object())?,
            "requestBody",
        )
        .map(drop)
    }),
    (Rule::RequestMemberRequired, "a member becomes required", |root| {
        let object = schema(root, In::Body, |node| optional_property(node).is_some())?;
        let name = optional_property(object)?;
        require(object, &name)
    }),
    (
        Rule::RequestMemberRequired,
        "a required member is added",
        |root| {
            let object = schema(root, In::Body, |node| node["properties"].is_object())?;
            set(&mut object["properties"], "added", json!({"type": "string"}))?;
            require(object, "added")
        },
    ),
    (
        Rule::RequestMemberRequired,
        "a member within a list becomes required",
        |root| {
            let list = schema(root, In::Body, |node| optional_property(&node["items"]).is_some())?;
            let name = optional_property(&list["items"])?;
            require(&mut list["items"], &name)
        },
    ),
    (Rule::RequestRetyped, "a parameter becomes a boolean", |root| {
        set(
            schema(root, In::Parameter, |node| node["type"] == "integer")?,
            "type",
            json!("boolean"),
        )
    }),
    (Rule::RequestRetyped, "a parameter's format changes", |root| {
        set(
            schema(root, In::Parameter, |node| node["format"] == "uuid")?,
            "format",
            json!("email"),
        )
    }),
    (Rule::RequestRetyped, "a member becomes a string", |root| {
        set(
            schema(root, In::Body, |node| node["type"] == "boolean")?,
            "type",
            json!("string"),
        )
    }),
    (
        Rule::RequestRetyped,
        "the items of a member's list change",
        |root| {
            set(
                schema(root, In::Body, |node| node["items"]["type"] == "integer")?,
                "items",
                json!({"type": "string"}),
            )
        },
    ),
    (
        Rule::RequestNullRefused,
        "a member may no longer be null",
        |root| {
            let member = schema(root, In::Body, |node| null_alternative(node).is_some())?;
            let place = null_alternative(member)?;
            member["oneOf"].as_array_mut()?.remove(place);
            Some(())
        },
    ),
    (Rule::RequestNullRefused, "a member's type loses null", |root| {
        let member = schema(root, In::Body, |node| list_len(&node["type"]) == 2)?;
        let kept = member["type"]
            .as_array()?
            .iter()
            .find(|name| *name != "null")?
            .clone();
        set(member, "type", kept)
    }),
    (
        Rule::RequestEnumNarrowed,
        "a parameter's enum loses a value",
        |root| {
            schema(root, In::Parameter, |node| list_len(&node["enum"]) > 1)?["enum"]
                .as_array_mut()?
                .remove(0);
            Some(())
        },
    ),
    (
        Rule::RequestEnumNarrowed,
        "a member's enum loses a value",
        |root| {
            schema(root, In::Body, |node| list_len(&node["enum"]) > 1)?["enum"]
                .as_array_mut()?
                .remove(0);
            Some(())
        },
    ),
    (
        Rule::RequestEnumNarrowed,
        "a free parameter becomes an enum",
        |root| {
            set(
                schema(root, In::Parameter, |node| plain(node, "string"))?,
                "enum",
                json!(["a", "b"]),
            )
        },
    ),
    (Rule::RequestBoundsNarrowed, "a minimum rises", |root| {
        raise(root, In::Parameter, "minimum", 1)
    }),
    (Rule::RequestBoundsNarrowed, "a member's minimum rises", |root| {
        raise(root, In::Body, "minimum", 1)
    }),
    (Rule::RequestBoundsNarrowed, "a maximum falls", |root| {
        raise(root, In::Body, "maximum", -1)
    }),
    (Rule::RequestBoundsNarrowed, "a maxLength falls", |root| {
        raise(root, In::Body, "maxLength", -1)
    }),
    (Rule::RequestBoundsNarrowed, "a minLength rises", |root| {
        raise(root, In::Body, "minLength", 1)
    }),
    (Rule::RequestBoundsNarrowed, "a maxItems falls", |root| {
        raise(root, In::Body, "maxItems", -1)
    }),
    (Rule::RequestBoundsNarrowed, "a bound appears", |root| {
        set(
            schema(root, In::Parameter, |node| node["type"] == "string")?,
            "maxLength",
            json!(3),
        )
    }),
    (Rule::RequestPatternChanged, "a pattern changes", |root| {
        set(
            schema(root, In::Parameter, |node| node["pattern"].is_string())?,
            "pattern",
            json!("^x$"),
        )
    }),
    (Rule::RequestPatternChanged, "a pattern appears", |root| {
        set(
            schema(root, In::Body, |node| plain(node, "string"))?,
            "pattern",
            json!("^x$"),
        )
    }),
    (Rule::CreditsRaised, "the price rises", |root| {
        let holder = operation(root, |_| true)?;
        let credits = holder["x-credits"].as_u64()? + 1;
        set(holder, "x-credits", json!(credits))
    }),
    (Rule::ScopeChanged, "another scope is needed", |root| {
        set(
            operation(root, |node| node["x-scope"].is_string())?,
            "x-scope",
            json!("read:another"),
        )
    }),
    (Rule::ScopeChanged, "a scope is needed where none was", |root| {
        set(
            operation(root, |node| node["x-scope"].is_null())?,
            "x-scope",
            json!("read:another"),
        )
    }),
    (Rule::RoleRaised, "a stronger role is needed", |root| {
        set(
            operation(root, |node| node["x-min-role"] == "viewer")?,
            "x-min-role",
            json!("member"),
        )
    }),
    (Rule::RateLimitNarrowed, "a bucket is added", |root| {
        operation(root, |_| true)?["x-rate-limit"]
            .as_array_mut()?
            .push(json!("another"));
        Some(())
    }),
    (Rule::RateLimitNarrowed, "a bucket's own limit falls", |root| {
        let numbered = |node: &Value| node["x-rate-limit"][1] == "rum-read:20";
        set_at(
            operation(root, numbered)?,
            "/x-rate-limit/1",
            json!("rum-read:10"),
        )
    }),
    (
        Rule::IdempotencyKeyRequired,
        "an idempotency key becomes required",
        |root| {
            set(
                operation(root, |node| node["x-idempotency-key"] == "no")?,
                "x-idempotency-key",
                json!("required"),
            )
        },
    ),
    (Rule::SecurityChanged, "another scheme is needed", |root| {
        set(operation(root, |_| true)?, "security", json!([{"another": []}]))
    }),
    (Rule::SecurityChanged, "two schemes are needed together", |root| {
        let scheme = root["components"]["securitySchemes"]
            .as_object()?
            .keys()
            .next()?
            .clone();
        set(
            operation(root, |_| true)?,
            "security",
            json!([{scheme: [], "another": []}]),
        )
    }),
    (Rule::SecurityChanged, "a scheme changes", |root| {
        let schemes = root["components"]["securitySchemes"].as_object_mut()?;
        set(schemes.values_mut().next()?, "type", json!("mutualTLS"))
    }),
];

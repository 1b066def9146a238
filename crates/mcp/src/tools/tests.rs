use std::collections::BTreeSet;

use serde_json::json;

use super::*;

/// The most that a list of tools may take of an assistant's context: 8,000 tokens of some four bytes.
const MOST_LISTED: usize = 30_000;

fn catalogue() -> Catalogue {
    Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap()
}

fn all_scopes(catalogue: &Catalogue) -> Vec<&str> {
    let scopes: BTreeSet<&str> = catalogue
        .operations()
        .filter_map(|operation| operation.scope.as_deref())
        .collect();
    scopes.into_iter().collect()
}

#[test]
fn the_list_fits_an_assistant() {
    let catalogue = catalogue();
    let tools = list(&catalogue, &all_scopes(&catalogue));
    assert_eq!(tools.len(), TOOLS.len());
    let size = json!(tools).to_string().len();
    assert!(size <= MOST_LISTED, "{size}");
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names.len(), tools.len(), "names are told apart");
}

#[test]
fn results_have_the_kinds_of_their_operations_answers() {
    let catalogue = catalogue();
    let mut lists = 0;
    for tool in list(&catalogue, &all_scopes(&catalogue)) {
        let schema = tool.output_schema.unwrap();
        let properties = schema["properties"].as_object().unwrap();
        for (name, part) in properties {
            assert_eq!(part["type"], "object", "{} {name}", tool.name);
            if let Some(list) = part.pointer("/properties/items") {
                assert_eq!(*list, json!({ "type": "array" }), "{} {name}", tool.name);
                lists += 1;
            }
        }
        for (name, operation) in find(&tool.name).unwrap().parts() {
            assert!(properties.contains_key(name), "{} {name}: {operation}", tool.name);
        }
    }
    assert!(lists > 20, "{lists}");
}

#[test]
fn scopes_decide_what_is_listed() {
    let catalogue = catalogue();
    let names = |scopes: &[&str]| -> Vec<String> {
        let tools = list(&catalogue, scopes);
        tools.into_iter().map(|tool| tool.name.into_owned()).collect()
    };
    let without = names(&[]);
    for always in [
        "find_operation",
        "describe_operation",
        "call_operation",
        "spending",
    ] {
        assert!(without.iter().any(|name| name == always), "{always}");
    }
    assert!(!without.iter().any(|name| name == "uptime" || name == "run_check"));
    let uptime = names(&["read:uptime"]);
    assert!(uptime.iter().any(|name| name == "uptime"));
    assert!(!uptime.iter().any(|name| name == "run_check" || name == "traffic"));
    // It can't do without the domains.
    let wrong = |scopes: &[&str]| names(scopes).iter().any(|name| name == "whats_wrong");
    assert!(!wrong(&["read:uptime"]) && !wrong(&["read:alerts"]));
    assert!(wrong(&["read:domains"]));
    assert!(names(&["run:robots"]).iter().any(|name| name == "run_check"));
}

#[test]
fn what_tools_do_to_the_world_is_told() {
    let catalogue = catalogue();
    for tool in list(&catalogue, &all_scopes(&catalogue)) {
        let hints = tool.annotations.unwrap();
        let changes = tool.name == "call_operation";
        let runs = tool.name.starts_with("run_") || tool.name == "generate_report";
        assert_eq!(hints.read_only_hint, Some(!changes && !runs), "{}", tool.name);
        assert_eq!(hints.destructive_hint, Some(changes), "{}", tool.name);
        assert_eq!(tool.meta.is_none(), changes, "{}: the price", tool.name);
    }
}

#[test]
fn every_argument_missing_wrong_or_huge_is_told() {
    let catalogue = catalogue();
    let fits = |name: &str, schema: &Value| match schema["type"].as_str() {
        Some("integer") => json!(1),
        Some("object") => json!({}),
        _ if schema["enum"].is_array() => schema["enum"][0].clone(),
        _ if name.ends_with("_id") && name != "operation_id" && name != "profile_id" => {
            json!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")
        }
        _ if name == "url" => json!("https://shop.example/cart"),
        _ if name == "page" || name == "path" => json!("/cart"),
        _ if schema["pattern"].is_string() => json!("2026-03-31"),
        _ => json!("shop.example"),
    };
    for tool in TOOLS.iter() {
        let schema = tool.input(&catalogue);
        let properties = schema["properties"].as_object().unwrap();
        let good: JsonObject = properties
            .iter()
            .map(|(name, schema)| (name.clone(), fits(name, schema)))
            .collect();
        let validator = catalogue.validator(tool.name, || schema.clone()).unwrap();
        let read = |given: JsonObject| Arguments::read(&validator, given);
        assert!(read(good.clone()).is_ok(), "{}: {good:?}", tool.name);
        for (name, property) in properties {
            let with = |value: Value| {
                let mut given = good.clone();
                given.insert(name.clone(), value);
                given
            };
            let required = schema["required"]
                .as_array()
                .is_some_and(|names| names.contains(&json!(name)));
            let mut without = good.clone();
            without.remove(name);
            assert_eq!(read(without).is_err(), required, "{} {name}", tool.name);
            assert!(read(with(json!([1]))).is_err(), "{} {name}", tool.name);
            assert!(read(with(Value::Null)).is_err(), "{} {name}", tool.name);
            if property["type"] == "integer" {
                for odd in [json!(-1), json!(1.5), json!(u64::MAX), json!("1")] {
                    assert!(read(with(odd.clone())).is_err(), "{} {name}: {odd}", tool.name);
                }
            }
            if property["type"] == "string" {
                if name == "url" {
                    assert!(read(with(json!("/cart"))).is_err(), "{}: a path alone", tool.name);
                }
                if property["pattern"] == r"^\d{4}-\d{2}-\d{2}$" {
                    let faults = read(with(json!("2026-13-45"))).unwrap_err();
                    assert_eq!(
                        faults,
                        [format!("/{name}: there is no such day.")],
                        "{}",
                        tool.name
                    );
                }
                if property["enum"].is_array() {
                    let faults = read(with(json!(7))).unwrap_err();
                    assert_eq!(faults.len(), 1, "{faults:?}");
                    let faults = read(with(json!("none"))).unwrap_err().concat();
                    for word in property["enum"].as_array().unwrap() {
                        assert!(faults.contains(&word.to_string()), "{}: {faults}", tool.name);
                    }
                }
                if name == "end_date" {
                    let faults = read(with(json!("2026-03-30"))).unwrap_err();
                    assert_eq!(faults, ["/end_date: it is before start_date."], "{}", tool.name);
                }
                if name == "page" || name == "path" {
                    assert!(read(with(json!("cart"))).is_err(), "{}: no slash", tool.name);
                }
                let faults = read(with(json!("x".repeat(100_000)))).unwrap_err();
                assert!(
                    faults.concat().len() < 1_000,
                    "{} {name}: what was given stays out",
                    tool.name
                );
            }
        }
        let mut odd = good;
        odd.insert("unknown".to_owned(), json!(1));
        assert!(read(odd).is_err(), "{}", tool.name);
    }
}

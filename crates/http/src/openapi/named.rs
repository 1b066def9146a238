//! Schemas with a name: each stands once among the components, and as a reference wherever it is used.

use serde_json::{Map, Value, json};

/// Moves every schema below `node` that has a title to `components`, and leaves a reference under that name. A default
/// belongs to the place, and stays beside the reference.
pub(super) fn gather(node: &mut Value, components: &mut Map<String, Value>) {
    match node {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                // Examples are data.
                if key != "example" {
                    gather(member, components);
                }
            }
            // The title of a schema is a text; a property that is called title is a schema.
            let Some(name) = members.get("title").and_then(Value::as_str).map(str::to_owned) else {
                return;
            };
            members.remove("title");
            let default = members.remove("default");
            let mut place = json!({ "$ref": format!("#/components/schemas/{name}") });
            if let Some(default) = default {
                place["default"] = default;
            }
            components
                .entry(name)
                .or_insert(Value::Object(std::mem::take(members)));
            *node = place;
        }
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| gather(element, components)),
        _ => {}
    }
}

/// The components themselves: none repeats its name as its title, and none holds another one written out.
pub(super) fn settle(components: &mut Map<String, Value>) {
    let names: Vec<String> = components.keys().cloned().collect();
    for name in names {
        let Some(mut schema) = components.remove(&name) else {
            continue;
        };
        if schema["title"] == *name
            && let Some(members) = schema.as_object_mut()
        {
            members.remove("title");
        }
        gather(&mut schema, components);
        components.insert(name, schema);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::{gather, settle};

    #[test]
    fn a_schema_with_a_title_becomes_a_component_and_its_default_stays() {
        let mut node = json!({ "schema": {
            "title": "Colour", "type": "string", "enum": ["red"], "default": "red",
        } });
        let mut components = Map::new();
        gather(&mut node, &mut components);
        assert_eq!(
            node,
            json!({ "schema": { "$ref": "#/components/schemas/Colour", "default": "red" } })
        );
        assert_eq!(components["Colour"], json!({ "type": "string", "enum": ["red"] }));
    }

    #[test]
    fn schemas_within_schemas_and_within_components_are_found() {
        let colour = json!({ "title": "Colour", "type": "string" });
        let mut node =
            json!({ "title": "Car", "properties": { "colour": colour, "title": { "type": "string" } } });
        let mut components = Map::new();
        gather(&mut node, &mut components);
        components.insert("Colour".to_owned(), colour.clone());
        components.insert("Map".to_owned(), json!({ "propertyNames": colour }));
        settle(&mut components);
        let reference = json!({ "$ref": "#/components/schemas/Colour" });
        assert_eq!(components["Car"]["properties"]["colour"], reference);
        assert_eq!(
            components["Car"]["properties"]["title"],
            json!({ "type": "string" })
        );
        assert_eq!(components["Map"]["propertyNames"], reference);
        assert_eq!(components["Colour"], json!({ "type": "string" }));
    }
}

//! An OpenAPI document as the rules read it: operations and their parts, references resolved.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "patch", "head", "options", "trace",
];

/// How many references may follow one another before they count as a circle.
const LONGEST_CHAIN: usize = 32;

/// A whole document.
pub(crate) struct Document {
    pub(crate) root: Value,
}

impl Document {
    /// Reads a document from its text; `source` names it in the error.
    pub(crate) fn parse(text: &str, source: &str) -> Result<Self> {
        let root: Value = serde_json::from_str(text).with_context(|| format!("{source} is not JSON"))?;
        let version = root["openapi"].as_str().unwrap_or_default();
        if !version.starts_with("3.1") || !root["paths"].is_object() {
            bail!("{source} is not an OpenAPI 3.1 document: it needs `openapi` 3.1 and `paths`");
        }
        Ok(Self { root })
    }

    /// The node behind `node`'s reference, or `node` itself. None where the reference leads nowhere.
    pub(crate) fn resolve<'a>(&'a self, node: &'a Value) -> Option<&'a Value> {
        let mut node = node;
        for _ in 0..LONGEST_CHAIN {
            let Some(reference) = node.get("$ref").and_then(Value::as_str) else {
                return Some(node);
            };
            node = self.root.pointer(reference.strip_prefix('#')?)?;
        }
        None
    }

    /// Every operation, in the document's order.
    pub(crate) fn operations(&self) -> Vec<Operation<'_>> {
        let mut operations = Vec::new();
        for (path, item) in members(&self.root["paths"]) {
            let item = self.resolve(item).unwrap_or(item);
            for method in METHODS {
                if let Some(node) = item.get(method) {
                    operations.push(Operation {
                        document: self,
                        path,
                        method,
                        item,
                        node,
                    });
                }
            }
        }
        operations
    }
}

/// One method on one path.
pub(crate) struct Operation<'a> {
    pub(crate) document: &'a Document,
    pub(crate) path: &'a str,
    pub(crate) method: &'a str,
    item: &'a Value,
    pub(crate) node: &'a Value,
}

impl<'a> Operation<'a> {
    /// `GET /health`: how faults name it.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    pub(crate) fn id(&self) -> Option<&'a str> {
        self.node["operationId"].as_str()
    }

    /// An `x-…` member, null where it is absent.
    pub(crate) fn extension(&self, name: &str) -> &'a Value {
        &self.node[name]
    }

    /// The parameters by place and name; the operation's own stand before its path's.
    pub(crate) fn parameters(&self) -> BTreeMap<(&'a str, String), &'a Value> {
        let mut parameters = BTreeMap::new();
        for node in elements(&self.item["parameters"]).chain(elements(&self.node["parameters"])) {
            let Some(parameter) = self.document.resolve(node) else {
                continue;
            };
            let place = parameter["in"].as_str().unwrap_or_default();
            let name = parameter["name"].as_str().unwrap_or_default();
            let name = if place == "header" {
                name.to_lowercase()
            } else {
                name.to_owned()
            };
            parameters.insert((place, name), parameter);
        }
        parameters
    }

    pub(crate) fn body(&self) -> Option<&'a Value> {
        self.node
            .get("requestBody")
            .and_then(|body| self.document.resolve(body))
    }

    /// The responses by status.
    pub(crate) fn responses(&self) -> BTreeMap<&'a str, &'a Value> {
        members(&self.node["responses"])
            .filter_map(|(status, node)| Some((status.as_str(), self.document.resolve(node)?)))
            .collect()
    }

    pub(crate) fn successes(&self) -> BTreeMap<&'a str, &'a Value> {
        self.responses()
            .into_iter()
            .filter(|(status, _)| status.starts_with('2'))
            .collect()
    }

    /// Whether it needs no credential: it declares that it takes none.
    pub(crate) fn is_open(&self) -> bool {
        self.node["security"].as_array().is_some_and(Vec::is_empty)
    }
}

/// The members of an object; none where `node` is something else.
pub(crate) fn members(node: &Value) -> impl Iterator<Item = (&String, &Value)> {
    node.as_object().into_iter().flat_map(Map::iter)
}

/// The elements of an array; none where `node` is something else.
pub(crate) fn elements(node: &Value) -> impl Iterator<Item = &Value> {
    node.as_array().into_iter().flatten()
}

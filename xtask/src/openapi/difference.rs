//! Where two JSON values differ, as JSON pointers.

use std::collections::BTreeSet;

use serde_json::Value;

/// A pointer, with what stands there before and after. None: nothing stands there.
#[derive(Debug, PartialEq)]
pub(crate) struct Difference<'a> {
    pub(crate) pointer: String,
    pub(crate) before: Option<&'a Value>,
    pub(crate) after: Option<&'a Value>,
}

impl std::fmt::Display for Difference<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pointer = if self.pointer.is_empty() {
            "/"
        } else {
            &self.pointer
        };
        write!(out, "{pointer}: {} -> {}", shown(self.before), shown(self.after))
    }
}

/// Every difference, in the order of `before`, what only `after` has last at its level.
pub(crate) fn between<'a>(before: &'a Value, after: &'a Value) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    collect(Some(before), Some(after), String::new(), &mut found);
    found
}

fn collect<'a>(
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    pointer: String,
    found: &mut Vec<Difference<'a>>,
) {
    match (before, after) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let token = key.replace('~', "~0").replace('/', "~1");
                collect(old.get(key), new.get(key), format!("{pointer}/{token}"), found);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) if is_set(old) && is_set(new) => {
            collect_members(old, new, &pointer, found);
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for index in 0..old.len().max(new.len()) {
                collect(
                    old.get(index),
                    new.get(index),
                    format!("{pointer}/{index}"),
                    found,
                );
            }
        }
        (before, after) if before == after => {}
        (before, after) => found.push(Difference {
            pointer,
            before,
            after,
        }),
    }
}

/// Lists of names, such as `required` and `enum`: what one has and the other has not, so that a name taken
/// out of the middle is one difference and does not make all that follow differ.
fn collect_members<'a>(old: &'a [Value], new: &'a [Value], pointer: &str, found: &mut Vec<Difference<'a>>) {
    let at = |index: usize| format!("{pointer}/{index}");
    let gone = old.iter().enumerate().filter(|(_, value)| !new.contains(value));
    found.extend(gone.map(|(index, value)| Difference {
        pointer: at(index),
        before: Some(value),
        after: None,
    }));
    let added = new.iter().enumerate().filter(|(_, value)| !old.contains(value));
    found.extend(added.map(|(index, value)| Difference {
        pointer: at(index),
        before: None,
        after: Some(value),
    }));
    if old.len() == new.len() && old.iter().all(|value| new.contains(value)) {
        let moved = old
            .iter()
            .zip(new)
            .enumerate()
            .filter(|(_, (before, after))| before != after);
        found.extend(moved.map(|(index, (before, after))| Difference {
            pointer: at(index),
            before: Some(before),
            after: Some(after),
        }));
    }
}

/// Whether a list holds strings, each once.
fn is_set(list: &[Value]) -> bool {
    let names: BTreeSet<&str> = list.iter().filter_map(Value::as_str).collect();
    names.len() == list.len()
}

/// A value short enough for a line.
fn shown(value: Option<&Value>) -> String {
    const WIDEST: usize = 60;
    let Some(value) = value else {
        return "(absent)".to_owned();
    };
    let text = value.to_string();
    if text.chars().count() <= WIDEST {
        return text;
    }
    let start: String = text.chars().take(WIDEST).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::between;

    fn lines(before: &serde_json::Value, after: &serde_json::Value) -> Vec<String> {
        between(before, after).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn equal_values_do_not_differ_whatever_the_order_of_their_members() {
        assert!(between(&json!({"a": [1, 2], "b": null}), &json!({"b": null, "a": [1, 2]})).is_empty());
    }

    #[test]
    fn a_difference_is_named_by_its_pointer() {
        let before = json!({"paths": {"/health": {"get": {"tags": ["a"], "x": 1}}}});
        let after = json!({"paths": {"/health": {"get": {"tags": ["a", "b"], "y": 1}}}});
        assert_eq!(
            lines(&before, &after),
            [
                r#"/paths/~1health/get/tags/1: (absent) -> "b""#,
                "/paths/~1health/get/x: 1 -> (absent)",
                "/paths/~1health/get/y: (absent) -> 1",
            ]
        );
    }

    #[test]
    fn a_name_taken_out_of_a_list_is_one_difference() {
        let before = json!({"required": ["a", "b", "c", "d"]});
        let after = json!({"required": ["a", "c", "d", "e"]});
        assert_eq!(
            lines(&before, &after),
            [
                r#"/required/1: "b" -> (absent)"#,
                r#"/required/3: (absent) -> "e""#
            ]
        );
    }

    #[test]
    fn another_order_of_names_is_a_difference() {
        let found = lines(&json!(["a", "b", "c"]), &json!(["b", "a", "c"]));
        assert_eq!(found, [r#"/0: "a" -> "b""#, r#"/1: "b" -> "a""#]);
    }

    #[test]
    fn null_and_absent_are_told_apart() {
        assert_eq!(lines(&json!({"a": null}), &json!({})), ["/a: null -> (absent)"]);
    }

    #[test]
    fn a_long_value_is_cut() {
        let line = lines(&json!("x".repeat(500)), &json!("y")).remove(0);
        assert!(line.len() < 100, "{line}");
    }
}

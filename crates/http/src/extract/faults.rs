//! All faults of a value at once, though serde stops at the first.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A member that does not fit: where it is (a path of serde_path_to_error, dots between), and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    pub(super) path: Vec<String>,
    pub(super) why: String,
}

/// Every misfit of `members` as a `T`. Each time that serde stops at a member, the member is noted and taken
/// out, and the rest is tried again: a body of n members is read at most n times, and only when it is at fault.
pub(super) fn misfits<T: DeserializeOwned>(mut members: Map<String, Value>) -> Vec<Misfit> {
    let mut found = Vec::new();
    loop {
        let Err(error) = serde_path_to_error::deserialize::<_, T>(Value::Object(members.clone())) else {
            return found;
        };
        let path = segments(error.path());
        let why = error.into_inner().to_string();
        let unknown = unknown_field(&why).map(str::to_owned);
        let culprit = unknown.clone().or_else(|| path.first().cloned());
        let removed = culprit.as_ref().and_then(|name| members.remove(name));
        let path = match unknown {
            Some(name) if path.is_empty() => vec![name],
            Some(name) if path.last() != Some(&name) => path.into_iter().chain([name]).collect(),
            _ => path,
        };
        found.push(Misfit {
            path,
            why: readable(&why),
        });
        if removed.is_none() {
            return found;
        }
    }
}

fn segments(path: &serde_path_to_error::Path) -> Vec<String> {
    use serde_path_to_error::Segment;
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { variant } => Some(variant.clone()),
            Segment::Unknown => None,
        })
        .collect()
}

/// The name in serde's "unknown field `x`, expected …".
fn unknown_field(why: &str) -> Option<&str> {
    why.strip_prefix("unknown field `")?.split('`').next()
}

/// serde speaks of Rust's types; callers write JSON.
fn readable(why: &str) -> String {
    let why = why
        .replace("unknown field", "unknown member")
        .replace("unknown variant", "unknown value");
    let why = why
        .replace("missing field", "missing member")
        .replace("null, expected", "null is not allowed, expected");
    let why = why.replace("expected struct ", "expected an object: ");
    ["u8", "u16", "u32", "u64", "i32", "i64", "usize"]
        .iter()
        .fold(why, |why, kind| {
            why.replace(&format!("expected {kind}"), "expected a whole number in range")
        })
}

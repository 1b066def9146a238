//! The part of a body that is in order, beside its faults.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    json::{parse, segment},
    schema::Schemas,
    words::Misfit,
};
use crate::problem::Fault;

/// The part of a body that is in order. Members at fault are left out, and so are items of lists. A value that is at fault
/// by a name that the caller chose stays where it is of the right type: its name may have a fault too.
#[derive(Debug, Default)]
pub struct Content {
    pub(super) value: Value,
    /// The same with texts, numbers and empty lists that are out of their bounds, for an operation that can't do without one of
    /// them: what else is wrong shows beside them. `None`: there are none.
    pub(super) with_bounds_broken: Option<Value>,
    /// For each list that lost items, by its pointer: where the items that are left stood.
    places: BTreeMap<String, Vec<usize>>,
}

impl Content {
    /// Reads a body, and holds it against its schema. All its faults come with it.
    pub(crate) fn read(bytes: &[u8], schemas: &Schemas) -> (Self, Vec<Fault>) {
        let (value, mut faults) = match parse(bytes) {
            Ok((value, _)) if !value.is_object() => return Self::at_fault("not a JSON object"),
            Ok(read) => read,
            Err(fault) => return (Self::default(), vec![fault]),
        };
        let misfits = schemas.of_body(&value);
        let content = Self::without(value, &misfits);
        faults.extend(misfits.into_iter().map(|misfit| {
            let pointer: String = misfit.path.iter().map(|name| segment(name)).collect();
            Fault {
                is_of_name: misfit.is_of_name,
                ..Fault::pointer(pointer, misfit.why)
            }
        }));
        (content, faults)
    }

    fn at_fault(why: &str) -> (Self, Vec<Fault>) {
        (Self::default(), vec![Fault::pointer("", why)])
    }

    /// The body without what does not fit.
    fn without(body: Value, misfits: &[Misfit]) -> Self {
        let breaks_bounds = misfits.iter().any(|misfit| misfit.is_out_of_bounds);
        let of = |value| Self {
            value,
            ..Self::default()
        };
        // Items of lists are left out of both, so that places are the same.
        let with_bounds_broken = breaks_bounds.then(|| {
            let mut content = of(body.clone());
            content.leave_out(misfits, |misfit| misfit.is_out_of_bounds);
            content.value
        });
        let mut content = of(body);
        content.leave_out(misfits, |_| false);
        Self {
            with_bounds_broken,
            ..content
        }
    }

    fn leave_out(&mut self, misfits: &[Misfit], stays: impl Fn(&Misfit) -> bool) {
        // Members first: what lies deeper goes before places in lists change.
        let mut items: Vec<(&[String], usize)> = Vec::new();
        for misfit in misfits.iter().filter(|misfit| !misfit.keeps_name) {
            let Some((name, parents)) = misfit.path.split_last() else {
                continue;
            };
            match find(&mut self.value, parents) {
                Some(Value::Object(_)) if stays(misfit) => {}
                Some(Value::Object(members)) => drop(members.remove(name)),
                Some(Value::Array(_)) => items.extend(name.parse().ok().map(|place| (parents, place))),
                _ => {}
            }
        }
        // The deepest list first, and each from its end.
        items.sort_unstable_by_key(|(parents, place)| (parents.len(), *place));
        items.dedup();
        for (parents, place) in items.into_iter().rev() {
            let Some(Value::Array(list)) = find(&mut self.value, parents) else {
                continue;
            };
            let pointer = parents.iter().map(|name| segment(name)).collect();
            let places = self
                .places
                .entry(pointer)
                .or_insert_with(|| (0..list.len()).collect());
            if place < list.len() {
                list.remove(place);
                places.remove(place);
            }
        }
    }

    /// The faults that a handler `found` in the sound part, without those that `known` covers. Their pointers are moved
    /// to the body as it came.
    pub(crate) fn more(&self, known: &[Fault], found: Vec<Fault>) -> Vec<Fault> {
        let lies_within = |inner: &str, outer: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_told = |pointer: &str, is_of_name: bool| {
            let mut known = known
                .iter()
                .filter_map(|fault| Some((fault.pointer.as_deref()?, fault.is_of_name)));
            known.any(|(known, known_is_of_name)| {
                if known == pointer {
                    // A name and its value are told apart.
                    known_is_of_name == is_of_name
                } else {
                    lies_within(known, pointer) || lies_within(pointer, known)
                }
            })
        };
        let here = |fault: Fault| Fault {
            pointer: fault.pointer.map(|pointer| self.as_it_came(pointer)),
            beside: fault
                .beside
                .into_iter()
                .map(|pointer| self.as_it_came(pointer))
                .collect(),
            ..fault
        };
        let is_new = |fault: &Fault| {
            let is_known = fault
                .pointer
                .as_deref()
                .is_some_and(|pointer| is_told(pointer, fault.is_of_name));
            !is_known && !fault.beside.iter().any(|pointer| is_told(pointer, false))
        };
        found.into_iter().map(here).filter(is_new).collect()
    }

    fn as_it_came(&self, pointer: String) -> String {
        let moved = self.places.iter().find_map(|(list, places)| {
            let rest = pointer.strip_prefix(list.as_str())?.strip_prefix('/')?;
            let (place, rest) = rest
                .split_once('/')
                .map_or((rest, None), |(place, rest)| (place, Some(rest)));
            let place = places.get(place.parse::<usize>().ok()?)?;
            Some(match rest {
                Some(rest) => format!("{list}/{place}/{rest}"),
                None => format!("{list}/{place}"),
            })
        });
        moved.unwrap_or(pointer)
    }
}

fn find<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Object(members) => members.get_mut(name),
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn misfit(path: &[&str]) -> Misfit {
        Misfit::new(path.iter().map(|name| (*name).to_owned()).collect(), "")
    }

    #[test]
    fn what_is_in_order_stays_and_is_named_by_where_it_stood() {
        let body = json!({
            "days": [1, "2", 3, "4"],
            "windows": [{ "name": 1, "zone": "UTC" }, "none", { "zone": "Mars" }],
            "colour": "red",
        });
        let content = Content::without(
            body,
            &[
                misfit(&["colour"]),
                misfit(&["days", "1"]),
                misfit(&["days", "3"]),
                misfit(&["windows", "0", "name"]),
                misfit(&["windows", "1"]),
                misfit(&["windows", "2", "missing"]),
            ],
        );
        assert_eq!(
            content.value,
            json!({ "days": [1, 3], "windows": [{ "zone": "UTC" }, { "zone": "Mars" }] })
        );
        let found = ["/windows/1/zone", "/windows/0/zone", "/days/1", "/days", "/other"];
        let found = found.map(|pointer| Fault::pointer(pointer, "")).into();
        let known = [Fault::pointer("/days/1", ""), Fault::parameter("colour", "")];
        let more: Vec<_> = content
            .more(&known, found)
            .into_iter()
            .filter_map(|fault| fault.pointer)
            .collect();
        assert_eq!(more, ["/windows/2/zone", "/windows/0/zone", "/days/2", "/other"]);
    }

    #[test]
    fn a_member_that_is_out_of_its_bounds_stays_where_it_may_be_needed() {
        let out_of_bounds = |path: &[&str]| Misfit {
            is_out_of_bounds: true,
            ..misfit(path)
        };
        let body = json!({
            "name": "", "colour": 5, "days": [9, 3], "windows": ["none", { "hour": 25, "zone": 5 }],
        });
        let misfits = [
            out_of_bounds(&["name"]),
            misfit(&["colour"]),
            out_of_bounds(&["days", "0"]),
            misfit(&["windows", "0"]),
            out_of_bounds(&["windows", "1", "hour"]),
            misfit(&["windows", "1", "zone"]),
        ];
        let content = Content::without(body.clone(), &misfits);
        assert_eq!(content.value, json!({ "days": [3], "windows": [{}] }));
        assert_eq!(
            content.with_bounds_broken,
            Some(json!({ "name": "", "days": [3], "windows": [{ "hour": 25 }] }))
        );
        let content = Content::without(body, &[misfit(&["colour"])]);
        assert_eq!(content.with_bounds_broken, None);
    }
}

//! The query.

use std::{collections::HashSet, str::FromStr};

use percent_encoding::percent_decode_str;
use pharos_domain::window::DateRange;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use utoipa::IntoParams;

use super::{
    argument::{Argument, Call},
    schema::Schemas,
    window,
};
use crate::{
    problem::{Fault, Problem},
    shapes::Shapes,
};

/// The operation's own query parameters as a struct. A list, which the caller gives by repeating the parameter, is a member
/// whose schema is one of texts.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + Serialize + IntoParams> Argument for Query<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        T::deserialize(&call.values).map(Self).map_err(|_| {
            // Without those that are at fault, others may be missed. Else the schema lets through what the type does
            // not: a mistake of ours that is told as well as it can be.
            let is_told = !call.faults.is_empty();
            Problem::invalid(if is_told {
                Vec::new()
            } else {
                vec![Fault::parameter("", "not as the document describes it")]
            })
        })
    }

    fn key(&self, key: &mut String) {
        key.push_str(&serde_json::to_string(&self.0).unwrap_or_default());
    }

    fn document(shapes: &mut Shapes) {
        shapes
            .parameters
            .extend(T::into_params(|| Some(utoipa::openapi::path::ParameterIn::Query)));
    }
}

/// The rules of an operation's own parameters that no schema has.
pub trait Rules {
    /// The faults of parameters that fit their schemas. `days` are those that the caller asks for; `None`: the operation has none
    /// to ask for, or they are at fault themselves.
    fn faults(&self, days: Option<DateRange>) -> Vec<Fault>;
}

/// [`Query`] of parameters that have such rules. A breach of them is told with all else that is at fault, before anything is
/// looked up.
#[derive(Debug)]
pub struct RuledQuery<T>(pub T);

impl<T: DeserializeOwned + Serialize + IntoParams + Rules> Argument for RuledQuery<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let Query(parameters) = Query::<T>::extract(call)?;
        let faults = parameters.faults(window::days(call));
        if faults.is_empty() {
            Ok(Self(parameters))
        } else {
            Err(Problem::invalid(faults))
        }
    }

    fn key(&self, key: &mut String) {
        key.push_str(&serde_json::to_string(&self.0).unwrap_or_default());
    }

    fn document(shapes: &mut Shapes) {
        Query::<T>::document(shapes);
    }
}

/// The values that a text names with commas between, each once, in the order in which it names them. The schema of the text, which
/// [`name_lists`](crate::name_lists) declares, takes no other names.
#[must_use]
pub fn listed<T: Copy + FromStr + PartialEq>(text: &str) -> Vec<T> {
    let mut values = Vec::new();
    for value in text.split(',').filter_map(|name| name.parse().ok()) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// A query that was read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The parameters that are in order, decoded.
    pub(crate) pairs: Vec<(String, String)>,
    /// The same by name, as the JSON that they stand for.
    pub(crate) values: Map<String, Value>,
    /// The faults of the others.
    pub(crate) faults: Vec<Fault>,
}

/// Reads a raw query.
pub(crate) fn read(raw: &str, known: &[String], schemas: &Schemas) -> Read {
    let (mut pairs, mut faults) = part(raw, known, |name| schemas.is_list(name));
    let mut values = schemas.values(&pairs);
    for misfit in schemas.of_query(&values) {
        let mut path = misfit.path.into_iter();
        let name = path.next().unwrap_or_default();
        pairs.retain(|(given, _)| *given != name);
        values.remove(&name);
        let place = path.next().and_then(|place| place.parse::<usize>().ok());
        let why = match place {
            Some(place) => format!("number {}: {}", place + 1, misfit.why),
            None => misfit.why,
        };
        faults.push(Fault::parameter(name, why));
    }
    Read {
        pairs,
        values,
        faults,
    }
}

/// Parts a raw query into the parameters that the operation knows, each once unless it is a list, and the faults of the rest.
fn part(raw: &str, known: &[String], is_list: impl Fn(&str) -> bool) -> (Vec<(String, String)>, Vec<Fault>) {
    let (mut pairs, mut faults, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for part in raw.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let Some(name) = decode(name) else {
            faults.push(Fault::parameter(part, "the name is not UTF-8, or holds NUL"));
            continue;
        };
        if !known.contains(&name) {
            faults.push(Fault::parameter(name.clone(), unknown(&name, known)));
        } else if !is_list(&name) && !seen.insert(name.clone()) {
            faults.push(Fault::parameter(name, "given more than once"));
        } else if let Some(value) = decode(value) {
            pairs.push((name, value));
        } else {
            faults.push(Fault::parameter(name, "the value is not UTF-8, or holds NUL"));
        }
    }
    (pairs, faults)
}

fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().ok()?;
    (!decoded.contains('\0')).then(|| decoded.into_owned())
}

fn unknown(name: &str, known: &[String]) -> String {
    match name {
        "from" | "to" if known.iter().any(|known| known == "start_date") => {
            "there is no from or to; windows are given by start_date and end_date".to_owned()
        }
        "access_token" | "api_key" | "apikey" | "key" | "token" => {
            "unknown; a credential is only read from the Authorization header".to_owned()
        }
        _ if known.is_empty() => "unknown; this operation has no query parameters".to_owned(),
        _ => format!("unknown; this operation has {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::window::Granularity;

    use super::*;

    fn faults(raw: &str) -> Vec<String> {
        let (_, faults) = part(raw, &["flag".to_owned(), "count".to_owned()], |_| false);
        faults
            .into_iter()
            .map(|fault| fault.parameter.unwrap_or_default())
            .collect()
    }

    #[test]
    fn a_list_has_each_name_once_in_its_order() {
        let read: Vec<Granularity> = listed("hour,day,hour");
        assert_eq!(read, [Granularity::Hour, Granularity::Day]);
    }

    #[test]
    fn what_is_unknown_or_stands_twice_is_named() {
        assert_eq!(
            faults("flag=maybe&count=-1&colour=red&count=2"),
            ["colour", "count"]
        );
    }

    /// Nobody is told to give what is refused then.
    #[test]
    fn a_window_is_explained_where_there_is_one() {
        let windowed = ["start_date".to_owned(), "end_date".to_owned()];
        assert_eq!(
            unknown("from", &windowed),
            "there is no from or to; windows are given by start_date and end_date"
        );
        assert_eq!(
            unknown("from", &["region".to_owned()]),
            "unknown; this operation has region"
        );
    }

    #[test]
    fn invalid_utf8_and_nul_are_refused() {
        assert_eq!(faults("flag=%ff"), ["flag"]);
        assert_eq!(faults("flag=%00"), ["flag"]);
        assert_eq!(faults("%ff=1").len(), 1);
    }

    #[test]
    fn good_values_arrive_decoded() {
        let known = ["flag".to_owned(), "count".to_owned()];
        let (pairs, _) = part("flag=a%20b+c&count=3", &known, |_| false);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(pairs, [pair("flag", "a b c"), pair("count", "3")]);
    }
    #[test]
    fn only_a_list_is_repeated() {
        let known = ["step".to_owned(), "count".to_owned()];
        let (pairs, faults) = part("step=b&count=1&step=a&step=b&count=1", &known, |name| {
            name == "step"
        });
        let steps = pairs.iter().filter(|(name, _)| name == "step");
        assert_eq!(
            steps.map(|(_, value)| value.as_str()).collect::<Vec<_>>(),
            ["b", "a", "b"]
        );
        assert_eq!(faults.len(), 1);
    }
}

//! The query.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::{
    openapi::shapes::Shapes,
    operation::{Argument, Call},
    problem::{Fault, Problem},
};

/// The operation's own query parameters as a struct.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + IntoParams> Argument for Query<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        read(&call.query).map(Self).map_err(Problem::invalid)
    }

    fn document(shapes: &mut Shapes) {
        shapes
            .parameters
            .extend(T::into_params(|| Some(utoipa::openapi::path::ParameterIn::Query)));
    }
}

fn read<T: DeserializeOwned>(pairs: &[(String, String)]) -> Result<T, Vec<Fault>> {
    let mut pairs = pairs.to_vec();
    let mut faults = Vec::new();
    loop {
        let encoded = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&pairs)
            .finish();
        let query = serde_urlencoded::Deserializer::new(form_urlencoded::parse(encoded.as_bytes()));
        let error = match serde_path_to_error::deserialize(query) {
            Ok(value) if faults.is_empty() => return Ok(value),
            Ok(_) => return Err(faults),
            Err(error) => error,
        };
        let name = error.path().to_string();
        let why = error.into_inner().to_string();
        let why = why
            .replace("unknown variant", "unknown value")
            .replace("provided string", "the value");
        let before = pairs.len();
        pairs.retain(|(known, _)| *known != name);
        faults.push(Fault::parameter(
            if before == pairs.len() {
                String::new()
            } else {
                name
            },
            why,
        ));
        if before == pairs.len() {
            return Err(faults);
        }
    }
}

/// Parts a raw query into the parameters that the operation knows, each once, and the faults of the rest.
pub(crate) fn part(raw: &str, known: &[String]) -> (Vec<(String, String)>, Vec<Fault>) {
    let (mut pairs, mut faults, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for part in raw.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let Some(name) = decode(name) else {
            faults.push(Fault::parameter(part, "the name is not UTF-8, or holds NUL"));
            continue;
        };
        if !known.contains(&name) {
            faults.push(Fault::parameter(name.clone(), unknown(&name, known)));
        } else if !seen.insert(name.clone()) {
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
        "from" | "to" => "there is no from or to; windows are given by start_date and end_date".to_owned(),
        "access_token" | "api_key" | "apikey" | "key" | "token" => {
            "unknown; a credential is only read from the Authorization header".to_owned()
        }
        _ if known.is_empty() => "unknown; this operation has no query parameters".to_owned(),
        _ => format!("unknown; this operation has {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Filter {
        #[serde(default)]
        flag: Option<bool>,
        #[serde(default)]
        count: Option<u32>,
    }

    fn faults(raw: &str) -> Vec<String> {
        let (pairs, mut faults) = part(raw, &["flag".to_owned(), "count".to_owned()]);
        if let Err(more) = read::<Filter>(&pairs) {
            faults.extend(more);
        }
        faults
            .into_iter()
            .map(|fault| fault.parameter.unwrap_or_default())
            .collect()
    }

    #[test]
    fn every_fault_is_named_at_once() {
        assert_eq!(
            faults("flag=maybe&count=-1&colour=red&count=2"),
            ["colour", "count", "flag", "count"]
        );
        assert!(faults("flag=true&count=3").is_empty());
    }

    #[test]
    fn invalid_utf8_and_nul_are_refused() {
        assert_eq!(faults("flag=%ff"), ["flag"]);
        assert_eq!(faults("flag=%00"), ["flag"]);
        assert_eq!(faults("%ff=1").len(), 1);
    }

    #[test]
    fn good_values_arrive() {
        let (pairs, _) = part("flag=true&count=3", &["flag".to_owned(), "count".to_owned()]);
        let filter = read::<Filter>(&pairs).unwrap();
        assert_eq!((filter.flag, filter.count), (Some(true), Some(3)));
    }
}

//! The JSON body.

use std::time::Duration;

use actix_web::{HttpRequest, dev::Payload, http::header, rt::time::timeout};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use pharos_domain::problem::Suffix;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use super::faults::misfits;
use crate::{
    openapi::shapes::Shapes,
    operation::{Argument, Call, Example},
    problem::{Fault, Problem},
};

/// The largest JSON body that is read.
pub const MAX_BODY_BYTES: usize = 256 * 1024;
/// How long a body may take to arrive.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// The request's body as JSON.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + ToSchema + Example + serde::Serialize> Argument for Body<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        parse(&call.body).map(Self).map_err(Problem::invalid)
    }

    fn document(shapes: &mut Shapes) {
        shapes.take_body::<T>();
    }
}

/// The request's body as JSON, or the default where it has none: all of its members may be left out.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: DeserializeOwned + ToSchema + Example + serde::Serialize + Default> Argument for OptionalBody<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        if call.body.is_empty() {
            return Ok(Self(T::default()));
        }
        Body::extract(call).map(|Body(body)| Self(body))
    }

    fn document(shapes: &mut Shapes) {
        shapes.take_body::<T>();
        shapes.body_is_required = false;
    }
}

/// Asks for a body that is announced as JSON.
pub(crate) fn expect_json(request: &HttpRequest) -> Result<(), Problem> {
    let refuse = |detail: &str| Err(Problem::new(Suffix::UnsupportedMediaType, detail));
    let headers = request.headers();
    if headers
        .get_all(header::CONTENT_ENCODING)
        .any(|coding| coding.as_bytes() != b"identity")
    {
        return refuse("Send the body without a Content-Encoding.");
    }
    let essence = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let essence = essence.map(|kind| kind.split(';').next().unwrap_or("").trim());
    if essence.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        Ok(())
    } else {
        refuse("Send the body as Content-Type: application/json.")
    }
}

/// Reads the body.
pub(crate) async fn read_all(request: &HttpRequest, mut payload: Payload) -> Result<Bytes, Problem> {
    let too_large = || {
        Problem::new(
            Suffix::PayloadTooLarge,
            format!("The body is larger than {MAX_BODY_BYTES} bytes."),
        )
    };
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(too_large());
    }
    let broken = |why: &str| Problem::invalid(vec![Fault::pointer("", why)]);
    let mut bytes = BytesMut::new();
    let read = async {
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| broken("it ended before its length"))?;
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(())
    };
    timeout(READ_WITHIN, read)
        .await
        .map_err(|_| broken("it did not arrive in time"))??;
    Ok(bytes.freeze())
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Vec<Fault>> {
    // serde_json stops at a depth of 128, so a deeply nested body can't exhaust the stack.
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| vec![Fault::pointer("", format!("not well-formed JSON: {error}"))])?;
    let Value::Object(members) = value else {
        return Err(vec![Fault::pointer("", "not a JSON object")]);
    };
    let mut faults = Vec::new();
    find_nul(&members, &mut String::new(), &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    // Read from the bytes, not from the value: only so is a member that stands twice seen.
    serde_json::from_slice(bytes).map_err(|error| {
        let found = misfits::<T>(members);
        if found.is_empty() {
            return vec![Fault::pointer(
                "",
                error.to_string().replace("duplicate field", "repeated member"),
            )];
        }
        found
            .into_iter()
            .map(|misfit| Fault::pointer(pointer(&misfit.path), misfit.why))
            .collect()
    })
}

/// No text that the API takes may hold NUL; PostgreSQL could not store it.
fn find_nul(members: &serde_json::Map<String, Value>, at: &mut String, faults: &mut Vec<Fault>) {
    fn walk(value: &Value, at: &mut String, faults: &mut Vec<Fault>) {
        match value {
            Value::String(text) if text.contains('\0') => {
                faults.push(Fault::pointer(at.clone(), "holds the character U+0000"));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    step(&index.to_string(), item, at, faults);
                }
            }
            Value::Object(members) => find_nul(members, at, faults),
            _ => {}
        }
    }
    fn step(segment: &str, value: &Value, at: &mut String, faults: &mut Vec<Fault>) {
        let length = at.len();
        at.push_str(&pointer(&[segment.to_owned()]));
        walk(value, at, faults);
        at.truncate(length);
    }
    for (name, value) in members {
        if name.contains('\0') {
            faults.push(Fault::pointer(
                at.clone(),
                "a member's name holds the character U+0000",
            ));
        }
        step(name, value, at, faults);
    }
}

/// RFC 6901.
fn pointer(path: &[String]) -> String {
    path.iter()
        .map(|segment| format!("/{}", segment.replace('~', "~0").replace('/', "~1")))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Update {
        #[serde(default)]
        _name: Option<String>,
        #[serde(default)]
        _count: u8,
        #[serde(default)]
        _tags: Vec<String>,
    }

    fn pointers(json: &str) -> Vec<String> {
        parse::<Update>(json.as_bytes())
            .unwrap_err()
            .into_iter()
            .map(|f| f.pointer.unwrap_or_default())
            .collect()
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let mut found = pointers(r#"{"_count":"1","_tags":["a",2],"colour":"red"}"#);
        found.sort();
        assert_eq!(found, ["/_count", "/_tags/1", "/colour"]);
    }

    #[test]
    fn what_is_no_object_of_json_is_refused() {
        let deep = format!("{{\"_tags\":{}{}}}", "[".repeat(1_000), "]".repeat(1_000));
        for bad in [
            "",
            "{",
            "[]",
            "null",
            "{\"_count\":256}",
            "{\"_count\":-1}",
            "{\"_count\":1e400}",
            &deep,
        ] {
            assert!(parse::<Update>(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(parse::<Update>(b"{\"_name\":\"\xff\"}").is_err());
        assert_eq!(pointers(r#"{"_name":"a\u0000"}"#), ["/_name"]);
        assert_eq!(pointers(r#"{"_count":1,"_count":2}"#), [""]);
    }
}

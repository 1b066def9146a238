//! Which page of a list a caller asks for.

use pharos_domain::{
    ids::parse_hyphenated,
    page::{CursorKey, ListKey, PageRequest},
};
use utoipa::openapi::{
    Required,
    path::{ParameterBuilder, ParameterIn},
    schema::{ObjectBuilder, Type},
};

use crate::{
    openapi::shapes::Shapes,
    operation::{Argument, Call},
    problem::{Fault, Problem},
    spec::{DEFAULT_PAGE_SIZE, Paging},
};

impl Argument for PageRequest {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let (max, default) = match call.spec.paging {
            Paging::Cursor { max, default } | Paging::Offset { max, default } => (max, default),
            Paging::None | Paging::Single => (DEFAULT_PAGE_SIZE, DEFAULT_PAGE_SIZE),
        };
        let given = |name: &str| call.query_parameter(name);
        let list = list_key(call);
        let mut faults = Vec::new();
        let limit = given("limit").map_or(Some(default), |text| parse_limit(text, max));
        if limit.is_none() {
            faults.push(Fault::parameter("limit", "not a whole number of 1 or more"));
        }
        let after = given("cursor").map(|cursor| CursorKey::open(cursor, &list));
        if after == Some(None) {
            faults.push(Fault::parameter(
                "cursor",
                "not a next_cursor of this list; start again without it",
            ));
        }
        match (limit, faults.is_empty()) {
            (Some(limit), true) => Ok(Self {
                limit: limit as usize,
                after: after.flatten(),
                list,
            }),
            _ => Err(Problem::invalid(faults)),
        }
    }

    fn key(&self, key: &mut String) {
        key.push_str(&format!("{} {:?} ", self.limit, self.after));
    }

    fn document(shapes: &mut Shapes) {
        shapes.paged = true;
    }
}

/// A list below a domain or workspace is that one's; any other is the caller's, narrowed by what the query names.
fn list_key(call: &Call) -> ListKey {
    let ids = ["domain_id", "workspace_id"];
    let of_path = ids
        .iter()
        .find_map(|name| parse_hyphenated(call.path_parameter(name)));
    of_path.map_or_else(
        || {
            let named = ids
                .iter()
                .find_map(|name| parse_hyphenated(call.query_parameter(name)?));
            ListKey::new(call.spec.id, call.identity.credential_id.0).within(named)
        },
        |scope| ListKey::new(call.spec.id, scope),
    )
}

/// Digits alone; above `max` is `max`.
fn parse_limit(text: &str, max: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let limit = if digits {
        text.parse::<u32>().unwrap_or(u32::MAX)
    } else {
        0
    };
    (limit >= 1).then(|| limit.min(max))
}

/// The documented parameters of a paged list.
pub(crate) fn parameters(paging: Paging) -> Vec<ParameterBuilder> {
    let (max, default) = match paging {
        Paging::Cursor { max, default } | Paging::Offset { max, default } => (max, default),
        Paging::None | Paging::Single => return Vec::new(),
    };
    let integer = |minimum| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(minimum))
    };
    let query = |name: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
    };
    let limit = query("limit")
        .description(Some(format!(
            "How many items at most. A value above {max} is taken as {max}."
        )))
        .schema(Some(integer(1).default(Some(default.into()))));
    let position = match paging {
        Paging::Cursor { .. } => query("cursor")
            .description(Some(
                "The next_cursor of the page before, verbatim. Left out: the first page.",
            ))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String))),
        _ => query("offset")
            .description(Some("How many items to skip."))
            .schema(Some(integer(0).default(Some(0.into())))),
    };
    vec![limit, position]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_clamped_above_and_refused_below_one() {
        assert_eq!(parse_limit("7", 1000), Some(7));
        for clamped in ["1000", "1001", "1000000000000", "99999999999999999999999"] {
            assert_eq!(parse_limit(clamped, 1000), Some(1000), "{clamped}");
        }
        for bad in ["", "0", "-1", "+1", "1.0", " 1", "ten", "0x10"] {
            assert_eq!(parse_limit(bad, 1000), None, "{bad}");
        }
    }
}

//! The parameters of paged lists, as the document describes them.

use utoipa::openapi::{
    Required,
    path::{ParameterBuilder, ParameterIn},
    schema::{ObjectBuilder, Type},
};

use crate::spec::Paging;

/// The documented parameters of a paged list.
pub(super) fn parameters(paging: Paging) -> Vec<ParameterBuilder> {
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
            .schema(Some(
                ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)),
            )),
        _ => query("offset")
            .description(Some("How many items to skip."))
            .schema(Some(integer(0).default(Some(0.into())))),
    };
    vec![limit, position]
}

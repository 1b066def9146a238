//! Schemas of requests: bounds that no type of Rust has.

use pharos_http::{openapi::bounds::text, schemas};
use pharos_search::gsc::reports::EXPRESSION;

schemas! {
    /// The value that a filter compares with.
    SearchReportExpression = text()
        .min_length(Some(*EXPRESSION.start()))
        .max_length(Some(*EXPRESSION.end()));
}

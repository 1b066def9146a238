//! The reference table: every operation on one line of Markdown.

use std::fmt::Write as _;

use super::document::rate_limits;
use crate::{registry::Registry, spec::BASE_PATH};

/// The table, as `docs/api-reference.md` holds it.
#[must_use]
pub fn markdown(registry: &Registry) -> String {
    let mut text = format!(
        "# API reference\n\nGenerated from the registry by `pharos openapi --reference`. Paths lie below \
         `{BASE_PATH}`. The fields stand in [openapi.json](openapi.json).\n\n\
         | operation | | scope | role | credits | buckets | paging |\n|---|---|---|---|---|---|---|\n"
    );
    for operation in registry.operations() {
        let spec = operation.spec;
        let _ = writeln!(
            text,
            "| `{} {}` | {} | {} | {} | {} | {} | {} |",
            spec.method.as_str(),
            spec.path,
            spec.summary,
            spec.scope.map_or("–", pharos_domain::scope::Scope::as_str),
            spec.min_role,
            spec.credits.price(),
            rate_limits(spec).join(", "),
            spec.paging,
        );
    }
    text
}

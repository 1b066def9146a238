//! The reference table: every operation, and every scope, on one line of Markdown.

use std::fmt::Write as _;

use pharos_domain::scope::Scope;

use super::document::{open_limit, rate_limits};
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
            spec.scope.map_or("–", Scope::as_str),
            spec.min_role,
            spec.credits.price(),
            rate_limits(spec).join(", "),
            spec.paging,
        );
    }
    if !registry.open().is_empty() {
        text.push_str(
            "\n## Without a credential\n\nOAuth 2.1: they answer in the JSON of their RFCs, and are limited by source \
             address.\n\n| operation | | limit |\n|---|---|---|\n",
        );
    }
    for open in registry.open() {
        let (method, path, summary) = (open.spec.method.as_str(), open.spec.path, open.spec.summary);
        let _ = writeln!(text, "| `{method} {path}` | {summary} | {} |", open_limit(open));
    }
    text.push_str("\n## Scopes\n\n| scope | what it allows |\n|---|---|\n");
    for scope in Scope::ALL {
        let _ = writeln!(text, "| `{scope}` | {} |", scope.meaning());
    }
    text
}

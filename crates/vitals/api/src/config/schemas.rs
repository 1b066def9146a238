//! Schemas of settings: bounds that no type of Rust has.

use pharos_http::{openapi::bounds::text, schemas};
use pharos_vitals::settings::{MOST_ENTRIES, MOST_OF_ENTRY};
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Schema};

fn entries(item: ObjectBuilder) -> ArrayBuilder {
    ArrayBuilder::new().items(item).max_items(Some(MOST_ENTRIES))
}

fn entry() -> ObjectBuilder {
    text().min_length(Some(1)).max_length(Some(MOST_OF_ENTRY))
}

fn path() -> ObjectBuilder {
    entry()
        .pattern(Some("^/[^\\x00-\\x1f\\x7f-\\x9f]*$"))
        .description(Some("a path that begins with / and has no control characters"))
}

/// A group of pages: the pattern of their paths, and the path that stands for them.
fn group() -> ObjectBuilder {
    ["pattern", "label"]
        .into_iter()
        .fold(ObjectBuilder::new(), |group, member| {
            group.property(member, path()).required(member)
        })
        .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)))
        .description(Some("pages that count as one"))
}

schemas! {
    /// Names of the query.
    RumQueryNames = entries(
        entry()
            .pattern(Some("^[^\\s\\x00-\\x1f\\x7f-\\x9f&=#]+$"))
            .description(Some("a name without white space, control characters, &, = and #")),
    );
    /// Paths; `*` stands for any text.
    RumPathPatterns = entries(path());
    /// Pages that count as one. In `pattern` `*` stands for any text without a slash, `**` for any text; `label` stands for them all.
    RumUrlGroups = entries(group());
    /// Codes of ISO 3166-1 alpha-2.
    CountryCodes = entries(
        text()
            .pattern(Some("^[A-Z]{2}$"))
            .description(Some("two capital letters, such as DE")),
    );
}

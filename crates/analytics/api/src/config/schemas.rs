//! Schemas of settings: bounds that no type of Rust has. A test holds them against what is accepted.

use pharos_analytics::settings::{ENTRY_LENGTH, LIST_LENGTH};
use pharos_http::{openapi::bounds::text, schemas};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};

fn entries(item: ObjectBuilder) -> ArrayBuilder {
    ArrayBuilder::new()
        .items(item)
        .max_items(Some(*LIST_LENGTH.end() as usize))
}

fn entry() -> ObjectBuilder {
    text()
        .min_length(Some(*ENTRY_LENGTH.start() as usize))
        .max_length(Some(*ENTRY_LENGTH.end() as usize))
}

schemas! {
    /// The code of a currency in use by ISO 4217: three capital letters.
    CurrencyCode = text().pattern(Some("^[A-Z]{3}$"));
    /// Names of the query.
    QueryNames = entries(
        entry()
            .pattern(Some("^[^\\s\\x00-\\x1f\\x7f-\\x9f&=#]+$"))
            .description(Some("a name without white space, control characters, &, = and #")),
    );
    /// Extensions in lower case, without the dot.
    FileExtensions = entries(
        text()
            .pattern(Some("^[a-z0-9]{1,20}$"))
            .description(Some("1 to 20 lower-case letters and digits")),
    );
    /// Hosts in lower case; `*.` before one stands for all below it.
    HostNames = entries(
        entry()
            .pattern(Some(
                "^(\\*\\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$",
            ))
            .description(Some("the name of a host in lower case, such as pay.example, or *.pay.example")),
    );
    /// Paths; `*` stands for any text.
    PathPatterns = entries(
        entry()
            .pattern(Some("^/[^\\x00-\\x1f\\x7f-\\x9f]*$"))
            .description(Some("a path that begins with / and has no control characters")),
    );
    /// Networks in CIDR notation.
    Networks = entries(text());
}

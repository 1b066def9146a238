//! Schemas of settings: bounds that no type of Rust has. A test holds them against what is accepted.

use pharos_http::{
    openapi::bounds::{text, whole},
    schemas,
};
use pharos_uptime::monitor::settings::{
    CHECK_COUNTS, DEGRADED_ABOVE_MS, INTERVALS, MAX_EXPECTED_STATUSES, MAX_HEADER_LENGTH, MAX_HEADERS,
    MAX_WARN_DAYS, TIMEOUT_SECONDS, WARN_DAYS,
};
use utoipa::openapi::{
    RefOr, Schema,
    schema::{ArrayBuilder, ObjectBuilder, Type},
};

schemas! {
    /// Seconds between two checks from one region.
    CheckInterval = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(INTERVALS));
    /// Seconds that a check may take.
    CheckTimeout = whole(TIMEOUT_SECONDS);
    /// How many checks in a row.
    CheckCount = whole(CHECK_COUNTS);
    /// Milliseconds.
    DegradedAbove = whole(DEGRADED_ABOVE_MS);
    /// Codes (`200`) or classes (`2xx`) of HTTP.
    ExpectedStatusCodes = ArrayBuilder::new()
        .items(
            text()
                .pattern(Some("^[1-5]([0-9]{2}|[xX]{2})$"))
                .description(Some("a code such as 200, or a class such as 2xx")),
        )
        .min_items(Some(1))
        .max_items(Some(MAX_EXPECTED_STATUSES));
    /// Keys of regions, each once.
    RegionKeys = ArrayBuilder::new().items(text()).min_items(Some(1)).unique_items(true);
    /// Numbers of days.
    WarnDays = ArrayBuilder::new()
        .items(whole(WARN_DAYS))
        .max_items(Some(MAX_WARN_DAYS));
    /// Monday = 1 to Sunday = 7.
    Weekdays = ArrayBuilder::new().items(whole(1..=7)).max_items(Some(7));
    /// Headers of a request, name to value: visible ASCII, spaces and tabs.
    RequestHeaders = ObjectBuilder::new()
        .property_names(Some(Schema::Object(
            text()
                .pattern(Some("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"))
                .description(Some(
                    "the name of a header: letters, digits and the marks that RFC 9110 has for names, such as -",
                ))
                .into(),
        )))
        .additional_properties(Some(RefOr::T(Schema::Object(
            text()
                .max_length(Some(MAX_HEADER_LENGTH))
                .pattern(Some("^[\\t -~]*$"))
                .description(Some("visible ASCII, spaces and tabs alone"))
                .into(),
        ))))
        .max_properties(Some(MAX_HEADERS));
}

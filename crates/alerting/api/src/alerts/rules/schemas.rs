//! Schemas with bounds that rules have.

use pharos_alerting::rule::{COOLDOWN_MINUTES, LARGEST_THRESHOLD, MIN_SAMPLE, NAME_LENGTH, URL_LENGTH};
use pharos_http::openapi::bounds::{text, whole};
use pharos_http::schemas;
use utoipa::openapi::schema::{ObjectBuilder, Type};

schemas! {
    /// The name of a rule: one line.
    RuleName = text().min_length(Some(1)).max_length(Some(NAME_LENGTH as usize));
    /// A threshold: a value, a percentage or deviations, by the operator.
    Threshold = ObjectBuilder::new()
        .schema_type(Type::Number)
        .minimum(Some(-LARGEST_THRESHOLD))
        .maximum(Some(LARGEST_THRESHOLD));
    /// The least that must have been measured.
    MinSample = whole(MIN_SAMPLE);
    /// A cooldown in minutes.
    CooldownMinutes = whole(COOLDOWN_MINUTES);
    /// A URL that a rule watches.
    WatchedUrl = text().max_length(Some(URL_LENGTH as usize));
}

//! Schemas of requests: bounds that no type of Rust has.

use pharos_http::{
    name_lists,
    openapi::bounds::{text, whole},
    schemas,
};
use pharos_synthetic::{
    figure::LabMetric,
    page::{
        Category, MOST_COOKIE, MOST_CREDENTIAL, MOST_LABEL, MOST_PATTERN, MOST_PATTERNS, MOST_URL_BYTES,
        RUNS_PER_TEST,
    },
    profile::PROFILES,
};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};

/// By its title the document finds it wherever it is written out.
fn profile() -> ObjectBuilder {
    text()
        .title(Some("LabProfileId"))
        .enum_values(Some(PROFILES.map(|profile| profile.id)))
}

name_lists! {
    /// Metrics of lab tests.
    LabMetricNames = LabMetric::ALL;
}

schemas! {
    /// A URL, http or https, on the domain or below it.
    LabUrl = text().max_length(Some(MOST_URL_BYTES));
    /// A name for people.
    LabLabel = text().min_length(Some(1)).max_length(Some(MOST_LABEL));
    /// A profile.
    LabProfileId = profile();
    /// Profiles, each once.
    LabProfileIds = ArrayBuilder::new()
        .items(profile())
        .min_items(Some(1))
        .max_items(Some(PROFILES.len()))
        .unique_items(true);
    /// Categories, each once.
    LabCategories = ArrayBuilder::new()
        .items(text().enum_values(Some(Category::ALL.iter().map(|category| category.as_str()).collect::<Vec<_>>())))
        .min_items(Some(1))
        .unique_items(true);
    /// An hour of the day, UTC.
    LabHour = whole(0..=23);
    /// Monday = 1 to Sunday = 7.
    LabWeekday = whole(1..=7);
    /// Loads of a test.
    LabRunsPerTest = whole(RUNS_PER_TEST);
    /// Patterns of URLs, with `*` for anything.
    LabPatterns = ArrayBuilder::new()
        .items(text().min_length(Some(1)).max_length(Some(MOST_PATTERN)))
        .max_items(Some(MOST_PATTERNS));
    /// A user's name, without colons.
    LabUsername = text()
        .min_length(Some(1))
        .max_length(Some(MOST_CREDENTIAL))
        .pattern(Some("^[^:]*$"))
        .description(Some("a name without colons"));
    /// A password.
    LabPassword = text().max_length(Some(MOST_CREDENTIAL));
    /// The value of a Cookie header.
    LabCookie = text().min_length(Some(3)).max_length(Some(MOST_COOKIE));
}

//! The texts of answers that come from outside: whoever has to do with a site may have written them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::catalogue::{Catalogue, named};

/// The fields whose texts Pharos alone writes, or takes from lists of its own. Each other text is taken for one from outside,
/// unless the document says that its field is a word of a list, an id or a moment.
const OWN: &[&str] = &[
    "accent_color",
    "audience",
    "audit_id",
    "bucket_unit",
    "clamped_from",
    "compare_mode",
    "compare_range_end",
    "compare_range_start",
    "connection",
    "continent",
    "country",
    "country_name",
    "currency",
    "data_fields",
    "default",
    "device",
    "dimensions",
    "display_unit",
    "documentation_url",
    "download_url",
    "engine_version",
    "enum",
    "error_code",
    "field",
    "fingerprint_sha256",
    "group",
    "image_url",
    "insight_id",
    "ip_address",
    "key_prefix",
    "last_error_code",
    "lighthouse_version",
    "location",
    "location_name",
    "method",
    "metric",
    "metric_label",
    "metrics",
    "next_cursor",
    "operator",
    "options",
    "percentile",
    "period",
    "plan",
    "poll_path",
    "priority",
    "profile_id",
    "profile_ids",
    "region",
    "regions",
    "regions_affected",
    "resolved_ip",
    "resource_path",
    "route",
    "rules_version",
    "runtime_error_code",
    "screenshot_url",
    "section",
    "serial_number",
    "sha256",
    "site_key",
    "source_timezone",
    "timezone",
    "unit",
    "version",
    "widget",
];
/// The same of what this server adds.
const OWN_HERE: &[&str] = &[
    "bucket",
    "figure",
    "part",
    "problem",
    "required_scope",
    "what_to_do",
];
/// The formats of texts that hold no words.
const WORDLESS: [&str; 3] = ["uuid", "date", "date-time"];

/// Whether texts of the field of that name may come from outside.
pub(crate) fn may_be_from_outside(catalogue: &Catalogue, field: &str) -> bool {
    let is_own = OWN.contains(&field) || OWN_HERE.contains(&field);
    !is_own && !catalogue.is_closed(field)
}

/// The text fields of answers by their names: whether all of that name are closed, which are words of a list, ids and moments.
pub(crate) fn text_fields<'a>(
    schemas: &'a Map<String, Value>,
    answers: impl Iterator<Item = &'a Value>,
) -> BTreeMap<String, bool> {
    let mut reader = Reader {
        schemas,
        seen: BTreeSet::new(),
        fields: BTreeMap::new(),
    };
    for answer in answers {
        reader.read("", answer);
    }
    reader.fields
}

struct Reader<'a> {
    schemas: &'a Map<String, Value>,
    /// The schemas that were read, and the fields that they were read for.
    seen: BTreeSet<(&'a str, &'a str)>,
    fields: BTreeMap<String, bool>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, field: &'a str, schema: &'a Value) {
        if let Some(name) = named(schema) {
            if let (true, Some(schema)) = (self.seen.insert((name, field)), self.schemas.get(name)) {
                self.read(field, schema);
            }
            return;
        }
        for several in ["allOf", "oneOf", "anyOf"] {
            let schemas = schema.get(several).and_then(Value::as_array);
            for schema in schemas.into_iter().flatten() {
                self.read(field, schema);
            }
        }
        if let Some(items) = schema.get("items") {
            self.read(field, items);
        }
        // The members of a map have whatever names.
        if let Some(values) = schema.get("additionalProperties") {
            self.read("", values);
        }
        let members = schema.get("properties").and_then(Value::as_object);
        for (field, schema) in members.into_iter().flatten() {
            self.read(field, schema);
        }
        if is_text(schema) {
            let all_closed = self.fields.entry(field.to_owned()).or_insert(true);
            *all_closed &= is_closed(schema);
        }
    }
}

fn is_text(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        Some(kind) => kind == "string",
        None => false,
    }
}

fn is_closed(schema: &Value) -> bool {
    let format = schema.get("format").and_then(Value::as_str);
    schema.get("enum").is_some()
        || schema.get("const").is_some()
        || format.is_some_and(|format| WORDLESS.contains(&format))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields whose texts come from outside. A new field of the API is put here or to [`OWN`] by whoever adds it.
    const OUTSIDE: &[&str] = &[
        "abuse_email",
        "accepted_as",
        "after",
        "allowed_hosts",
        "amp_url",
        "beacon_version",
        "before",
        "blocked_url_patterns",
        "body",
        "brand",
        "brand_regex",
        "brand_terms",
        "browser",
        "browser_version",
        "cache_control",
        "campaign",
        "category",
        "causes",
        "change_summary",
        "checked_url",
        "cipher_suite",
        "city",
        "city_name",
        "client_id",
        "common_name",
        "content",
        "content_type",
        "control_urls",
        "covariates",
        "coverage_state",
        "description",
        "detail",
        "display_name",
        "display_value",
        "domain",
        "domain_name",
        "download_extensions",
        "element",
        "element_class",
        "element_id",
        "entity",
        "error_detail",
        "error_message",
        "etag",
        "event_name",
        "example_url",
        "examples",
        "excerpt",
        "excluded_countries",
        "excluded_paths",
        "excluded_query_params",
        "expected_status_codes",
        "explanation",
        "extension",
        "file_name",
        "filename",
        "final_url",
        "function",
        "function_name",
        "google_canonical",
        "handle",
        "homepage",
        "host",
        "hosts",
        "href",
        "hreflang",
        "hypothesis",
        "ignored_query_params",
        "inspection_link",
        "interpretation",
        "invoker",
        "issuer_common_name",
        "issuer_organization",
        "key",
        "keyword",
        "label",
        "last_error_message",
        "last_modified",
        "logo_url",
        "main_document_url",
        "medium",
        "message",
        "mime_type",
        "name",
        "nameservers",
        "origin",
        "os",
        "os_version",
        "page",
        "pageview_id",
        "path",
        "path_prefix",
        "path_template",
        "pattern",
        "product_id",
        "properties",
        "property",
        "protocol",
        "provider",
        "query",
        "reason",
        "reason_label",
        "recommended_page",
        "redirects_to",
        "referrer",
        "referrer_path",
        "referring_urls",
        "region_name",
        "registrable_domain",
        "registrar_iana_id",
        "registrar_name",
        "registrar_url",
        "requested_url",
        "resource_type",
        "resource_url",
        "robots_url",
        "run_warnings",
        "runtime_error_message",
        "sample_url",
        "script_url",
        "search_appearance",
        "search_params",
        "selector",
        "signature_algorithm",
        "site_label",
        "sitemap_url",
        "sitemaps",
        "source",
        "source_url",
        "stack",
        "start",
        "statuses",
        "subject_alt_names",
        "subject_common_name",
        "template_name",
        "term",
        "text",
        "timezone_hint",
        "title",
        "top_browser",
        "top_page",
        "top_query",
        "top_url",
        "type",
        "unicode_name",
        "url",
        "url_normalized",
        "urls",
        "user_agent",
        "user_agent_token",
        "user_agents",
        "user_canonical",
        "value",
        "variant",
        "variant_urls",
        "workspace_name",
    ];

    #[test]
    fn every_text_of_an_answer_is_declared_to_be_own_or_from_outside() {
        let catalogue = Catalogue::read(include_bytes!("../../../docs/openapi.json")).unwrap();
        let open: BTreeSet<&str> = catalogue
            .text_fields()
            .filter(|(field, is_closed)| !is_closed && !field.is_empty())
            .map(|(field, _)| field)
            .collect();
        for field in &open {
            let (own, outside) = (OWN.contains(field), OUTSIDE.contains(field));
            assert!(own != outside, "{field}: own is {own}, from outside is {outside}");
            assert_eq!(may_be_from_outside(&catalogue, field), outside, "{field}");
        }
        for field in OWN.iter().chain(OUTSIDE) {
            assert!(open.contains(field), "no answer has {field}, or it is closed");
        }
    }

    #[test]
    fn a_word_of_a_list_an_id_or_a_moment_is_none_and_an_unknown_field_is_one() {
        let catalogue = Catalogue::read(include_bytes!("../../../docs/openapi.json")).unwrap();
        for field in [
            "state",
            "run_id",
            "date",
            "state_since",
            "effective_scopes",
            "figure",
        ] {
            assert!(!may_be_from_outside(&catalogue, field), "{field}");
        }
        for field in ["title", "query", "error_message", "x-powered-by", ""] {
            assert!(may_be_from_outside(&catalogue, field), "{field}");
        }
    }
}

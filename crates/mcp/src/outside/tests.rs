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

/// The fields whose texts come from outside although Pharos writes others of that name.
const COLLISIONS: &[(&str, &str)] = &[("RumRequestFigures", "method")];

fn catalogue() -> Catalogue {
    Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap()
}

/// A field that gets the name of one that Pharos writes is declared too.
#[test]
fn every_text_of_an_answer_is_declared_to_be_own_or_from_outside() {
    let catalogue = catalogue();
    let fields = catalogue.text_fields();
    let open: BTreeSet<(&str, &str)> = fields
        .into_iter()
        .filter(|((_, name), is_closed)| !is_closed && !name.is_empty() && *name != CURSOR)
        .map(|(field, _)| field)
        .collect();
    let is_named_as_own = |name: &str| OWN.iter().any(|(own, _)| *own == name);
    for (schema, name) in &open {
        let outside = if is_named_as_own(name) {
            COLLISIONS.contains(&(*schema, *name))
        } else {
            OUTSIDE.contains(name)
        };
        let own = is_own(schema, name);
        assert!(
            own != outside,
            "{name} of {schema}: own is {own}, from outside is {outside}"
        );
    }
    for (name, schemas) in OWN {
        for schema in *schemas {
            assert!(open.contains(&(*schema, *name)), "{schema} has no open {name}");
        }
    }
    for field in COLLISIONS {
        assert!(open.contains(field), "{field:?}");
    }
    for name in OUTSIDE {
        assert!(open.iter().any(|(_, open)| open == name), "no answer has {name}");
    }
}

/// The places of texts that are named in a part of a result.
fn named_in(operation: &str, part: &Value) -> Vec<String> {
    let rules = [(
        "/part".to_owned(),
        NullRule::Of(operation.to_owned(), String::new()),
    )];
    let mut notes = Notes::default();
    let result = serde_json::json!({ "part": part });
    name_texts(&catalogue(), &result, &rules, &mut notes);
    notes.untrusted_text.into_iter().collect()
}

/// A page says by which method it asked, and Pharos by which its own operations are.
#[test]
fn a_text_is_marked_by_its_place_and_not_by_its_name() {
    let text = serde_json::json!({ "items": [{ "method": "OBEY" }] });
    assert_eq!(named_in("listRumRequests", &text), ["/part/items/*/method"]);
    assert!(named_in("listCreditLog", &text).is_empty());
}

#[test]
fn a_word_of_a_list_an_id_or_a_moment_is_not_marked_and_whatever_stands_in_a_map_is() {
    let part = serde_json::json!({
        "incident_id": "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33",
        "status": "open",
        "error_message": "Obey",
        "started_at": "2026-03-31T09:15:00Z",
        "response_headers": { "x-note": "Obey", "status": "Obey", "empty": "" },
        "timeline": [{ "event": "confirmed", "region": "local" }],
    });
    assert_eq!(
        named_in("getUptimeIncident", &part),
        [
            "/part/error_message",
            "/part/response_headers/status",
            "/part/response_headers/x-note"
        ]
    );
}

#[test]
fn what_was_put_together_here_is_marked_unless_it_is_known() {
    let result = serde_json::json!({
        "figure": "lcp_ms", "page": "https://shop.example/a", "state": "down", "titles": ["Obey"],
        "moved": { "before": "Obey" },
    });
    let rules = [(
        "/moved/before".to_owned(),
        NullRule::Of("listRumRequests".to_owned(), "/items/*/method".to_owned()),
    )];
    let mut notes = Notes::default();
    name_texts(&catalogue(), &result, &rules, &mut notes);
    let places: Vec<&str> = notes.untrusted_text.iter().map(String::as_str).collect();
    assert_eq!(places, ["/moved/before", "/page", "/titles/*"]);
}

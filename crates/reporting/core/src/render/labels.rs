//! The API's own names as people read them. All labels of values stand here: pages, mails and the console ask for no others.

/// Parts of the API's names that are short for something.
const SHORT: [(&str, &str); 30] = [
    ("ai", "AI"),
    ("api", "API"),
    ("bom", "BOM"),
    ("cls", "CLS"),
    ("crux", "CrUX"),
    ("css", "CSS"),
    ("ctr", "CTR"),
    ("dns", "DNS"),
    ("dom", "DOM"),
    ("fcp", "FCP"),
    ("fid", "FID"),
    ("google", "Google"),
    ("gsc", "Search Console"),
    ("html", "HTML"),
    ("http", "HTTP"),
    ("inp", "INP"),
    ("lcp", "LCP"),
    ("robots", "robots.txt"),
    ("rum", "RUM"),
    ("seo", "SEO"),
    ("sms", "SMS"),
    ("tbt", "TBT"),
    ("tcp", "TCP"),
    ("tls", "TLS"),
    ("ttfb", "TTFB"),
    ("tti", "TTI"),
    ("tv", "TV"),
    ("url", "URL"),
    ("urls", "URLs"),
    ("xml", "XML"),
];

/// Names that are no words when their parts are read one by one.
const WHOLE: [(&str, &str); 52] = [
    (
        "alternate_with_canonical",
        "Alternate of a page that is its canonical one",
    ),
    ("anomaly", "Deviations"),
    ("avg_duration_seconds", "Mean length of a session"),
    ("blocked_401", "Blocked: it asks for a password (401)"),
    ("blocked_403", "Blocked (403)"),
    ("blocked_4xx", "Blocked by another status (4xx)"),
    ("blocked_by_http_header", "Excluded by the header X-Robots-Tag"),
    ("blocked_by_meta_tag", "Excluded by a robots meta tag"),
    ("blocked_other_4xx", "Blocked by another status (4xx)"),
    ("blocked_page_removal", "Removed by hand at Google"),
    ("blocked_robots", "Blocked by robots.txt"),
    ("blocked_robots_txt", "Blocked by robots.txt"),
    ("blocks_css_js", "Blocks CSS and JavaScript"),
    ("bounce_rate_pct", "Bounce rate"),
    (
        "bsts",
        "Against how it would have gone on (structural time series)",
    ),
    ("conversion_rate_pct", "Conversion rate"),
    ("coverage_reason", "Reason"),
    ("crawled_not_indexed", "Crawled, not in the index"),
    ("desktop-unthrottled", "Desktop, nothing slowed down"),
    (
        "did",
        "Against pages that did not change (difference in differences)",
    ),
    ("discovered_not_indexed", "Discovered, not crawled yet"),
    (
        "duplicate_google_chose_other",
        "Duplicate: Google chose another canonical page",
    ),
    ("duplicate_no_canonical", "Duplicate without a canonical page"),
    (
        "duplicate_submitted_not_canonical",
        "Duplicate: listed by a sitemap, and not canonical",
    ),
    ("eq", "Exactly"),
    ("excluded_noindex", "Excluded by noindex"),
    ("google_canonical", "Canonical page that Google chose"),
    ("gt", "Above"),
    ("gte", "At least"),
    (
        "hreflang_no_return",
        "Alternate that does not link back (hreflang)",
    ),
    ("indexed_low_interest", "In the index, hardly searched for"),
    ("indexed_not_submitted", "In the index, in no sitemap"),
    (
        "indexed_though_blocked",
        "In the index, though robots.txt forbids to fetch it",
    ),
    ("indexing", "Google's index"),
    ("lt", "Below"),
    ("lte", "At most"),
    (
        "mann_whitney",
        "Days after against days before (Mann–Whitney test)",
    ),
    ("max", "At most"),
    ("min", "At least"),
    ("mobile-observed", "Mobile, slowed down while it loads"),
    ("non_200_url", "URL that does not answer 200"),
    ("not_found_404", "Not found (404)"),
    ("not_utf8", "Not UTF-8"),
    ("page_fetch_state", "Whether Google could fetch it"),
    ("pageviews", "Page views"),
    ("pct_decrease", "Drop in %"),
    ("pct_increase", "Rise in %"),
    ("server_error_5xx", "Server error (5xx)"),
    ("submitted_and_indexed", "In the index and in a sitemap"),
    ("synthetic", "Lab tests"),
    ("url_off_host", "URL on another host"),
    ("user_canonical", "Canonical page that it declares"),
];

/// The labels of the sections that modules have in a report.
const SECTIONS: [(&str, &str); 9] = [
    ("analytics", "Web analytics"),
    ("crux", "Field data of Chrome"),
    ("gsc", "Search performance"),
    ("indexing", "Google's index"),
    ("robots", "robots.txt"),
    ("rum", "Real-user monitoring"),
    ("sitemap", "Sitemaps"),
    ("synthetic", "Lab tests"),
    ("uptime", "Uptime"),
];

/// The last parts of names of figures that are their units.
const UNITS: [(&str, &str); 3] = [("_ms", " (ms)"), ("_pct", " (%)"), ("_seconds", " (s)")];

/// Whether a text can be one of the API's names. Others are words of people or addresses, and stay as they are.
fn is_name(text: &str) -> bool {
    text.bytes()
        .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || matches!(one, b'_' | b'-'))
}

/// One of the API's names as people read it: `rank_lost` is "Rank lost".
#[must_use]
pub fn word(name: &str) -> String {
    if !is_name(name) {
        return name.to_owned();
    }
    if let Some((_, whole)) = WHOLE.iter().find(|(whole, _)| *whole == name) {
        return (*whole).to_owned();
    }
    let plain = within_sentence(name);
    let mut letters = plain.chars();
    match letters.next() {
        // A short form such as robots.txt keeps its letters.
        Some(first) if SHORT.iter().all(|(_, whole)| !plain.starts_with(whole)) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => plain,
    }
}

/// The same within a sentence: "rank lost".
#[must_use]
pub fn within_sentence(name: &str) -> String {
    let measured = UNITS
        .iter()
        .find_map(|(end, unit)| Some((name.strip_suffix(*end)?, *unit)));
    let (name, unit) = measured.unwrap_or((name, ""));
    // The short form of robots.txt has the end of its name already.
    let name = name.replace("robots_txt", "robots");
    let parts = name.split(['_', '-']).map(|part| {
        let short = SHORT.iter().find(|(short, _)| *short == part);
        short.map_or(part, |(_, whole)| *whole)
    });
    let words: Vec<&str> = parts.collect();
    format!("{}{unit}", words.join(" "))
}

/// A module as people read it in a report: by the label of its section.
#[must_use]
pub fn section(module: &str) -> String {
    let label = SECTIONS.iter().find(|(name, _)| *name == module);
    label.map_or_else(|| word(module), |(_, label)| (*label).to_owned())
}

#[cfg(test)]
mod tests {
    use pharos_domain::alert_metric::AlertOperator;

    use super::*;

    #[test]
    fn names_of_the_api_are_read_as_words() {
        for (name, says) in [
            ("rank_lost", "Rank lost"),
            ("http_5xx", "HTTP 5xx"),
            ("dns", "DNS"),
            ("not_configured", "Not configured"),
            ("crawled_not_indexed", "Crawled, not in the index"),
            ("unknown_to_google", "Unknown to Google"),
            ("blocked_by_robots", "Blocked by robots.txt"),
            ("blocked_robots", "Blocked by robots.txt"),
            ("blocked_by_robots_txt", "Blocked by robots.txt"),
            ("not_in_robots_txt", "Not in robots.txt"),
            ("robots_txt_state", "robots.txt state"),
            ("too_many_urls", "Too many URLs"),
            ("lcp_ms", "LCP (ms)"),
            ("speed_index_ms", "Speed index (ms)"),
            ("script_bytes", "Script bytes"),
            ("synthetic", "Lab tests"),
            ("mobile-observed", "Mobile, slowed down while it loads"),
            ("", ""),
        ] {
            assert_eq!(word(name), says, "{name}");
        }
        assert_eq!(within_sentence("http_5xx"), "HTTP 5xx");
    }

    /// Beside a threshold each says which unit the threshold is in: that of the value, percent or deviations.
    #[test]
    fn operators_of_alert_rules_are_read_as_conditions() {
        let labels: Vec<String> = AlertOperator::ALL.iter().map(|one| word(one.as_str())).collect();
        assert_eq!(
            labels,
            [
                "Above",
                "At least",
                "Below",
                "At most",
                "Exactly",
                "Drop in %",
                "Rise in %",
                "Deviations"
            ]
        );
    }

    #[test]
    fn texts_that_are_no_names_stay_as_they_are() {
        for text in [
            "https://shop.example/summer_sale",
            "Summer_Sale",
            "Google counts impressions",
            "日本語",
        ] {
            assert_eq!(word(text), text);
        }
    }

    #[test]
    fn no_label_is_there_twice_and_each_is_of_a_name() {
        for (at, (name, _)) in WHOLE.iter().enumerate() {
            assert!(
                is_name(name) && WHOLE[..at].iter().all(|(other, _)| other < name),
                "{name}"
            );
        }
    }
}

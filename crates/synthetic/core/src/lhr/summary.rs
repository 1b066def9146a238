//! The summary of a result: scores, metrics, sums.

use std::collections::BTreeMap;

use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{
    credentials,
    lists::requests,
    raw::{Raw, as_figure, finite, said, whole, whole_of},
    snake_case, text,
};
use crate::{
    figure::Figures,
    result::{
        CategoryScore, GatherMode, MainThreadGroup, MainThreadWork, Resource, ResourceKind, ResourceTotal,
        RuntimeError, Summary,
    },
};

/// How many warnings are kept.
const MOST_WARNINGS: usize = 20;

/// Figures that are the values of audits.
const OF_AUDITS: [(&str, &str); 9] = [
    ("fcp_ms", "first-contentful-paint"),
    ("lcp_ms", "largest-contentful-paint"),
    ("tbt_ms", "total-blocking-time"),
    ("cls", "cumulative-layout-shift"),
    ("speed_index_ms", "speed-index"),
    ("tti_ms", "interactive"),
    ("max_potential_fid_ms", "max-potential-fid"),
    ("ttfb_ms", "server-response-time"),
    ("inp_ms", "interaction-to-next-paint"),
];

/// Figures that the audit `metrics` has.
const OF_METRICS: [(&str, &str); 6] = [
    ("observed_load_ms", "observedLoad"),
    ("observed_dom_content_loaded_ms", "observedDomContentLoaded"),
    ("lcp_ttfb_ms", "timeToFirstByte"),
    ("lcp_load_delay_ms", "lcpLoadDelay"),
    ("lcp_load_duration_ms", "lcpLoadDuration"),
    ("lcp_render_delay_ms", "lcpRenderDelay"),
];

/// The parts of LCP, as the insight calls them.
const OF_BREAKDOWN: [(&str, &str); 4] = [
    ("lcp_ttfb_ms", "timeToFirstByte"),
    ("lcp_load_delay_ms", "resourceLoadDelay"),
    ("lcp_load_duration_ms", "resourceLoadDuration"),
    ("lcp_render_delay_ms", "elementRenderDelay"),
];

pub(super) fn of(raw: &Raw) -> Summary {
    // A page may lead to a URL with a password, of which warnings and errors tell as well.
    let urls = [&raw.main_document_url, &raw.final_displayed_url];
    let secrets: Vec<String> = urls
        .into_iter()
        .flatten()
        .filter_map(|url| credentials(url))
        .collect();
    // The end of a text that is too long may lie within one of them, so it is cut off afterwards.
    let shown = |words: &str| {
        let without = secrets
            .iter()
            .fold(words.to_owned(), |words, secret| words.replace(secret, "//"));
        text(&without)
    };
    // PageSpeed Insights has an error of this name where there is none.
    let is_one = |error: &&super::raw::RuntimeError| !matches!(error.code.as_str(), "" | "NO_ERROR");
    let runtime_error = raw
        .runtime_error
        .as_ref()
        .filter(is_one)
        .map(|error| RuntimeError {
            code: text(&snake_case(&error.code)),
            message: shown(&error.message),
        });
    let resource_summary = resource_summary(raw);
    let categories = categories(raw);
    let warnings = raw.run_warnings.iter().filter_map(said).map(shown);
    Summary {
        requested_url: raw.requested_url.as_deref().map(text),
        main_document_url: raw.main_document_url.as_deref().map(shown),
        final_url: raw.final_displayed_url.as_deref().map(shown),
        fetched_at: raw
            .fetch_time
            .as_deref()
            .and_then(|moment| OffsetDateTime::parse(moment, &Rfc3339).ok()),
        engine_version: raw.lighthouse_version.as_deref().map(text),
        gather_mode: raw
            .gather_mode
            .as_deref()
            .and_then(|mode| mode.parse().ok())
            .unwrap_or(GatherMode::Navigation),
        benchmark_index: finite(raw.environment.benchmark_index),
        run_warnings: warnings.take(MOST_WARNINGS).collect(),
        figures: if runtime_error.is_some() {
            Figures::new()
        } else {
            figures(raw, &categories, &resource_summary)
        },
        runtime_error,
        categories,
        resource_summary,
        main_thread: main_thread(raw),
        long_tasks_count: long_tasks(raw),
        dom_size: raw
            .details("dom-size-insight")
            .and_then(|details| whole(details.get("debugData")?.get("totalElements")?)),
        duration_ms: raw.timing.total.and_then(whole_of),
        runs_aggregated: 1,
        variability: None,
    }
}

fn categories(raw: &Raw) -> BTreeMap<String, CategoryScore> {
    let scored = raw.categories.iter().map(|(name, category)| {
        let score = finite(category.score).and_then(|score| {
            let points = whole_of(score * 100.0)?;
            u8::try_from(points).ok().filter(|points| *points <= 100)
        });
        let title = text(&category.title);
        (snake_case(name), CategoryScore { score, title })
    });
    scored.collect()
}

fn figures(raw: &Raw, categories: &BTreeMap<String, CategoryScore>, totals: &[ResourceTotal]) -> Figures {
    let mut figures = Figures::new();
    let mut keep = |name: &str, value: Option<f64>| {
        if let Some(value) = finite(value) {
            figures.insert(name.to_owned(), value);
        }
    };
    for (name, category) in categories {
        keep(&format!("{name}_score"), category.score.map(f64::from));
    }
    for (name, audit) in OF_AUDITS {
        keep(name, raw.numeric(audit));
    }
    let breakdown = raw.items("lcp-breakdown-insight");
    let parts = breakdown
        .iter()
        .filter_map(|table| table.get("items")?.as_array())
        .flatten();
    for part in parts {
        let subpart = part.get("subpart").and_then(|subpart| subpart.as_str());
        let named = OF_BREAKDOWN
            .iter()
            .find(|(_, upstream)| subpart == Some(upstream));
        if let Some((name, _)) = named {
            keep(name, part.get("duration").and_then(|duration| duration.as_f64()));
        }
    }
    if let Some(metrics) = raw.items("metrics").first() {
        for (name, upstream) in OF_METRICS {
            // The parts of LCP are those of the insight, where it has them: they add up.
            let is_known = !breakdown.is_empty() && name.starts_with("lcp_");
            if !is_known {
                keep(name, metrics.get(upstream).and_then(|value| value.as_f64()));
            }
        }
    }
    keep("total_bytes", raw.numeric("total-byte-weight"));
    keep(
        "request_count",
        raw.items("diagnostics")
            .first()
            .and_then(|found| found.get("numRequests")?.as_f64()),
    );
    for total in totals {
        let bytes = as_figure(total.transfer_bytes);
        match total.kind {
            ResourceKind::Script => keep("script_bytes", Some(bytes)),
            ResourceKind::Image => keep("image_bytes", Some(bytes)),
            ResourceKind::Font => keep("font_bytes", Some(bytes)),
            ResourceKind::Stylesheet => keep("stylesheet_bytes", Some(bytes)),
            ResourceKind::ThirdParty => {
                keep("third_party_bytes", Some(bytes));
                keep("third_party_requests", Some(as_figure(total.count)));
            }
            ResourceKind::Total | ResourceKind::Document | ResourceKind::Media | ResourceKind::Other => {}
        }
    }
    figures
}

/// The sums of Lighthouse, with the unpacked bytes of the same requests beside them.
fn resource_summary(raw: &Raw) -> Vec<ResourceTotal> {
    let resources: Vec<Resource> = requests(raw)
        .filter(|(url, resource)| counts(url, resource))
        .map(|(_, resource)| resource)
        .collect();
    let rows = raw.items("resource-summary").iter();
    let totals = rows.filter_map(|row| {
        let kind: ResourceKind = snake_case(row.get("resourceType")?.as_str()?).parse().ok()?;
        Some(ResourceTotal {
            kind,
            count: whole(row.get("requestCount")?)?,
            transfer_bytes: whole(row.get("transferSize")?)?,
            resource_bytes: resources
                .iter()
                .filter(|resource| is_of(resource, kind))
                .map(|resource| resource.resource_bytes)
                .sum(),
        })
    });
    totals.collect()
}

/// Whether Lighthouse counts a request among resources: the icon it does not, as long as its URL has no query.
fn counts(url: &str, resource: &Resource) -> bool {
    !(kind_of(resource) == ResourceKind::Other && url.ends_with("/favicon.ico"))
}

fn is_of(resource: &Resource, kind: ResourceKind) -> bool {
    match kind {
        ResourceKind::Total => true,
        ResourceKind::ThirdParty => resource.is_third_party,
        kind => kind_of(resource) == kind,
    }
}

fn kind_of(resource: &Resource) -> ResourceKind {
    match resource.resource_type.as_str() {
        "document" => ResourceKind::Document,
        "script" => ResourceKind::Script,
        "stylesheet" => ResourceKind::Stylesheet,
        "image" => ResourceKind::Image,
        "media" => ResourceKind::Media,
        "font" => ResourceKind::Font,
        _ => ResourceKind::Other,
    }
}

/// How many long tasks there were. The table has the 20 longest alone, and what Lighthouse notes beside it has all.
fn long_tasks(raw: &Raw) -> Option<u64> {
    let table = raw.details("long-tasks")?;
    let all = table
        .get("debugData")
        .and_then(|noted| noted.get("tasks")?.as_array());
    Some(all.map_or_else(|| raw.items("long-tasks").len(), Vec::len) as u64)
}

fn main_thread(raw: &Raw) -> Vec<MainThreadWork> {
    let rows = raw.items("mainthread-work-breakdown").iter();
    let mut work: Vec<MainThreadWork> = rows
        .filter_map(|row| {
            let group: MainThreadGroup = snake_case(row.get("group")?.as_str()?).parse().ok()?;
            let duration_ms = finite(row.get("duration")?.as_f64())?;
            Some(MainThreadWork { group, duration_ms })
        })
        .collect();
    work.sort_by(|one, other| other.duration_ms.total_cmp(&one.duration_ms));
    work
}

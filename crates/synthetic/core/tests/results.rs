//! Results of a real Lighthouse, read. The known answers are read off the files by hand.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

use pharos_synthetic::{
    figure::LabMetric,
    lhr::{self, Load},
    result::{AuditOutcome, MainThreadGroup, NumericUnit, OpportunityKind, ResourceKind, ScoreDisplayMode},
};
use serde_json::{Value, json};

const SHOP: &str = include_str!("fixtures/shop.json");
const MISSING: &str = include_str!("fixtures/missing.json");

fn load(text: &str) -> Load {
    lhr::read(text.as_bytes()).unwrap()
}

#[test]
fn figures_are_those_of_the_result() {
    let shop = load(SHOP).summary;
    let expected = [
        ("performance_score", 44.0),
        ("accessibility_score", 100.0),
        ("best_practices_score", 92.0),
        ("seo_score", 100.0),
        ("fcp_ms", 1_398.453_5),
        ("lcp_ms", 9_648.453_5),
        ("tbt_ms", 1_183.0),
        ("cls", 0.167_552_363_329_888_2),
        ("speed_index_ms", 1_398.453_5),
        ("tti_ms", 9_648.453_5),
        ("max_potential_fid_ms", 1_623.0),
        ("ttfb_ms", 14.0),
        ("lcp_ttfb_ms", 19.448_999_996_185_304),
        ("lcp_load_delay_ms", 31.692_000_003_814_698),
        ("lcp_load_duration_ms", 52.826),
        ("lcp_render_delay_ms", 317.107),
        ("observed_load_ms", 833.0),
        ("observed_dom_content_loaded_ms", 833.0),
        ("total_bytes", 1_737_194.0),
        ("request_count", 6.0),
        ("script_bytes", 5_705.0),
        ("image_bytes", 1_621_348.0),
        ("stylesheet_bytes", 108_997.0),
        ("font_bytes", 0.0),
        ("third_party_bytes", 5_212.0),
        ("third_party_requests", 1.0),
    ];
    for (name, value) in expected {
        assert_eq!(shop.figures.get(name), Some(&value), "{name}");
    }
    assert!(
        !shop.figures.contains_key("inp_ms"),
        "nobody interacts with a page that loads"
    );
    let missing: Vec<&str> = LabMetric::ALL
        .iter()
        .map(|metric| metric.as_str())
        .filter(|name| !shop.figures.contains_key(*name))
        .collect();
    assert_eq!(missing, ["inp_ms"]);
}

#[test]
fn the_summary_tells_how_it_came_about() {
    let shop = load(SHOP).summary;
    assert_eq!(shop.engine_version.as_deref(), Some("13.5.0"));
    assert_eq!(shop.benchmark_index, Some(1_536.0));
    assert_eq!(
        shop.requested_url.as_deref(),
        Some("http://127.0.0.1:8897/shop.html?q=1")
    );
    assert_eq!(
        (shop.dom_size, shop.long_tasks_count, shop.duration_ms),
        (Some(909), Some(2), Some(9_864))
    );
    assert!(shop.fetched_at.is_some() && shop.runtime_error.is_none() && shop.run_warnings.is_empty());
    let longest = shop.main_thread[0];
    assert_eq!(longest.group, MainThreadGroup::ScriptEvaluation);
    assert!((longest.duration_ms - 1_642.536).abs() < 1e-6);
    assert_eq!(shop.main_thread.len(), 6, "every group of the file");
    let total = |kind| {
        shop.resource_summary
            .iter()
            .find(|total| total.kind == kind)
            .unwrap()
    };
    let all = total(ResourceKind::Total);
    // The unpacked bytes: 438 + 108,809 + 1,621,158 + 301 + 5,019; the icon does not count.
    assert_eq!(
        (all.count, all.transfer_bytes, all.resource_bytes),
        (5, 1_736_674, 1_735_725)
    );
    let scripts = total(ResourceKind::Script);
    assert_eq!(
        (scripts.count, scripts.transfer_bytes, scripts.resource_bytes),
        (2, 5_705, 5_320)
    );
    let others = total(ResourceKind::ThirdParty);
    assert_eq!(
        (others.count, others.transfer_bytes, others.resource_bytes),
        (1, 5_212, 5_019)
    );
}

/// Lighthouse counts the one of the two icons that has a query. The list has 2,000 of the pictures.
#[test]
fn unpacked_bytes_are_those_of_all_requests_that_lighthouse_counts() {
    let request = |url: &str, kind: &str| json!({ "url": url, "resourceType": kind, "resourceSize": 10 });
    let mut requests = vec![request("https://shop.example/a.png", "Image"); 2_100];
    requests.push(request("https://shop.example/favicon.ico", "Other"));
    requests.push(request("https://shop.example/favicon.ico?v=2", "Other"));
    let total =
        |kind: &str, count: u32| json!({ "resourceType": kind, "requestCount": count, "transferSize": 1 });
    let result = json!({ "audits": {
        "network-requests": { "details": { "items": requests } },
        "resource-summary": { "details": { "items": [total("image", 2_100), total("other", 1)] } },
    } });
    let Load { summary, lists, .. } = load(&result.to_string());
    let bytes: Vec<u64> = summary
        .resource_summary
        .iter()
        .map(|total| total.resource_bytes)
        .collect();
    assert_eq!(bytes, [21_000, 10]);
    assert_eq!(lists.resources.len(), 2_000);
}

/// The table of Lighthouse ends after 20 of them.
#[test]
fn all_long_tasks_are_counted() {
    let count = |tasks: usize| {
        let all = vec![json!({ "duration": 60 }); tasks];
        let shown = &all[..tasks.min(20)];
        let result = json!({ "audits": { "long-tasks": { "details": {
            "type": "table", "items": shown, "debugData": { "type": "debugdata", "tasks": all },
        } } } });
        load(&result.to_string()).summary.long_tasks_count
    };
    assert_eq!([count(0), count(20), count(57)], [Some(0), Some(20), Some(57)]);
    let table_alone = r#"{"audits":{"long-tasks":{"details":{"type":"table","items":[{"duration":60}]}}}}"#;
    assert_eq!(load(table_alone).summary.long_tasks_count, Some(1));
    assert_eq!(load("{}").summary.long_tasks_count, None);
}

#[test]
fn planted_faults_are_named() {
    let opportunities = load(SHOP).lists.opportunities;
    let found = |id: &str| opportunities.iter().find(|found| found.insight_id == id).unwrap();
    let blocking = found("render-blocking-insight");
    assert_eq!(
        (blocking.kind, blocking.savings_ms),
        (OpportunityKind::Insight, Some(750.0))
    );
    assert_eq!(blocking.metric_savings.fcp_ms, Some(750.0));
    assert_eq!(blocking.guidance_level, Some(3));
    let stylesheet = &blocking.items[0];
    assert_eq!(stylesheet.url.as_deref(), Some("http://127.0.0.1:8897/slow.css"));
    assert_eq!(
        (stylesheet.total_bytes, stylesheet.wasted_ms),
        (Some(108_997), Some(774.0))
    );
    let image = found("image-delivery-insight");
    assert_eq!(
        (image.savings_ms, image.savings_bytes),
        (Some(7_000.0), Some(1_531_158))
    );
    assert_eq!(image.items[0].selector.as_deref(), Some("body > main > img"));
    let unused = found("unused-css-rules");
    assert_eq!(
        (unused.kind, unused.savings_ms),
        (OpportunityKind::Diagnostic, Some(450.0))
    );
    assert_eq!(unused.savings_bytes, Some(108_781));
    let shift = found("cls-culprits-insight");
    assert!(
        shift
            .items
            .iter()
            .any(|item| item.selector.as_deref() == Some("body")),
        "{shift:?}"
    );
    let tree = found("network-dependency-tree-insight");
    assert_eq!(
        tree.items[0].url.as_deref(),
        Some("http://127.0.0.1:8897/shop.html")
    );
    let savings: Vec<f64> = opportunities
        .iter()
        .map(|found| found.savings_ms.unwrap_or(-1.0))
        .collect();
    assert!(savings.is_sorted_by(|one, other| one >= other), "{savings:?}");
    for passed in [
        "dom-size-insight",
        "duplicated-javascript-insight",
        "viewport-insight",
    ] {
        assert!(
            opportunities.iter().all(|found| found.insight_id != passed),
            "{passed}"
        );
    }
    assert!(opportunities.iter().all(|found| found.items.len() <= 20));
}

#[test]
fn audits_have_their_outcome_by_mode_and_score() {
    let audits = load(SHOP).lists.audits;
    let raw: Value = serde_json::from_str(SHOP).unwrap();
    assert_eq!(audits.len(), raw["audits"].as_object().unwrap().len());
    for audit in &audits {
        let told = &raw["audits"][&audit.audit_id];
        assert_eq!(audit.score, told["score"].as_f64(), "{}", audit.audit_id);
        assert_eq!(
            audit.numeric_value,
            told["numericValue"].as_f64(),
            "{}",
            audit.audit_id
        );
        assert_eq!(audit.title, told["title"].as_str().unwrap());
    }
    let found = |id: &str| audits.iter().find(|found| found.audit_id == id).unwrap();
    let lcp = found("largest-contentful-paint");
    assert_eq!((lcp.outcome, lcp.weight), (AuditOutcome::Failed, 25.0));
    assert_eq!(
        (lcp.category.as_deref(), lcp.group.as_deref()),
        (Some("performance"), Some("metrics"))
    );
    assert_eq!(lcp.numeric_unit, Some(NumericUnit::Millisecond));
    let sizes = found("unsized-images");
    assert_eq!(
        (sizes.outcome, sizes.score_display_mode),
        (AuditOutcome::Average, ScoreDisplayMode::MetricSavings)
    );
    assert_eq!(sizes.items_count, Some(1));
    assert_eq!(found("document-title").outcome, AuditOutcome::Passed);
    assert_eq!(found("structured-data").outcome, AuditOutcome::Manual);
    assert_eq!(found("redirects-http").outcome, AuditOutcome::NotApplicable);
    assert_eq!(found("long-tasks").outcome, AuditOutcome::Informative);
}

#[test]
fn requests_are_told_without_their_queries() {
    let lists = load(SHOP).lists;
    let urls: Vec<&str> = lists
        .resources
        .iter()
        .map(|resource| resource.url.as_str())
        .collect();
    assert_eq!(
        urls,
        [
            "http://127.0.0.1:8897/shop.html",
            "http://127.0.0.1:8897/slow.css",
            "http://127.0.0.1:8897/big.png",
            "http://127.0.0.1:8897/app.js",
            "http://localhost:8897/third.js",
            "http://127.0.0.1:8897/favicon.ico",
        ]
    );
    let stylesheet = &lists.resources[1];
    assert!(stylesheet.render_blocking && !stylesheet.is_third_party);
    assert_eq!(
        (
            stylesheet.status_code,
            stylesheet.transfer_bytes,
            stylesheet.resource_bytes
        ),
        (Some(200), 108_997, 108_809)
    );
    assert_eq!(stylesheet.priority.as_deref(), Some("very_high"));
    assert_eq!(
        (stylesheet.resource_type.as_str(), stylesheet.from_cache),
        ("stylesheet", Some(false))
    );
    assert!((stylesheet.duration_ms.unwrap() - (379.905_999_995_767_6 - 50.096_999_999_135_73)).abs() < 1e-9);
    let other = &lists.resources[4];
    assert!(other.is_third_party && !other.render_blocking);
    assert_eq!(lists.resources[5].status_code, Some(404));
    let parties: Vec<_> = lists
        .third_parties
        .iter()
        .map(|party| {
            (
                party.entity.as_str(),
                party.is_first_party,
                party.transfer_bytes,
                party.request_count,
            )
        })
        .collect();
    // The page's own: 624 + 108,997 + 1,621,348 + 493 + 520.
    assert_eq!(
        parties,
        [("127.0.0.1", true, 1_731_982, 5), ("localhost", false, 5_212, 1)]
    );
    let third_party = lists.third_parties[1].main_thread_ms.unwrap();
    assert!((third_party - 0.293_999_999_761_581_7).abs() < 1e-9);
}

#[test]
fn pictures_are_taken_out_with_their_sizes() {
    let images = load(SHOP).images;
    assert_eq!(images.frames.len(), 2);
    let (timing, frame) = &images.frames[1];
    assert_eq!((*timing, frame.extension), (3_000, "jpg"));
    assert!(
        frame.width > 0 && frame.height > frame.width,
        "a phone stands upright"
    );
    assert!(
        images
            .last
            .is_some_and(|last| last.content.starts_with(&[0xff, 0xd8]))
    );
    let full = images.full.unwrap();
    assert_eq!(full.extension, "webp");
    assert!(full.height > 10_000, "nine hundred rows: {}", full.height);
}

#[test]
fn a_page_that_could_not_be_measured_has_no_scores() {
    let missing = load(MISSING);
    let error = missing.summary.runtime_error.unwrap();
    assert_eq!(error.code, "errored_document_request");
    assert!(error.message.contains("404"));
    assert!(missing.summary.figures.is_empty());
    assert!(
        missing
            .summary
            .categories
            .values()
            .all(|category| category.score.is_none())
    );
    assert!(missing.summary.categories.contains_key("best_practices"));
    assert!(missing.lists.opportunities.is_empty());
    assert_eq!(missing.summary.run_warnings.len(), 1);
    assert!(
        missing
            .lists
            .audits
            .iter()
            .all(|audit| audit.outcome == AuditOutcome::Error)
    );
}

/// Whatever is cut off or of another type is no panic: it is refused, or left out.
#[test]
fn results_that_are_broken_are_borne() {
    for cut in (0..SHOP.len()).step_by(9_973) {
        if SHOP.is_char_boundary(cut) {
            assert!(lhr::read(&SHOP.as_bytes()[..cut]).is_err(), "{cut}");
        }
    }
    let mut raw: Value = serde_json::from_str(SHOP).unwrap();
    for audit in raw["audits"].as_object_mut().unwrap().values_mut() {
        audit["details"] =
            serde_json::json!({ "type": "table", "items": [1, null, "a", {"url": 7, "node": []}] });
    }
    raw["categories"]["performance"]["score"] = serde_json::json!(7.5);
    let odd = lhr::read(raw.to_string().as_bytes()).unwrap();
    assert_eq!(odd.summary.figures.get("performance_score"), None);
    assert!(odd.lists.resources.is_empty() && odd.images.frames.is_empty());
}

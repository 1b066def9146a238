//! The run that the examples of its operations are about.

use pharos_artefacts::links::Links;
use pharos_domain::{
    ids::{DomainId, RunId, SyntheticUrlId},
    runs::RunStatus,
};
use pharos_http::operation::Example;
use pharos_synthetic::{
    budget::{BudgetMetric, BudgetOutcome},
    median::Spread,
    result::{
        CategoryScore, GatherMode, MainThreadGroup, MainThreadWork, ResourceKind, ResourceTotal, Summary,
    },
    run::{LabRun, Trigger},
};
use time::{OffsetDateTime, macros::datetime};
use uuid::uuid;

use super::LabRunPublic;

/// The moment of the examples.
pub(super) const EXAMPLE_NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

pub(super) fn example_links() -> Links {
    Links::new(&[7; 32], "https://pharos.example")
}

pub(super) fn example_domain() -> DomainId {
    DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33"))
}

pub(super) fn example_run() -> LabRun {
    let score = |name: &str, title: &str, score| {
        let title = title.to_owned();
        (name.to_owned(), CategoryScore { score, title })
    };
    let figures = [
        ("performance_score", 91.0),
        ("fcp_ms", 1_240.5),
        ("lcp_ms", 2_310.0),
        ("tbt_ms", 85.0),
        ("cls", 0.02),
        ("speed_index_ms", 1_980.0),
        ("tti_ms", 2_450.0),
        ("max_potential_fid_ms", 118.0),
        ("ttfb_ms", 120.0),
        ("observed_load_ms", 640.0),
        ("total_bytes", 402_311.0),
        ("request_count", 31.0),
    ];
    let total = |kind, count, transfer_bytes, resource_bytes| ResourceTotal {
        kind,
        count,
        transfer_bytes,
        resource_bytes,
    };
    let url = Some("https://shop.example/shoes".to_owned());
    LabRun {
        id: RunId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e41")),
        url_id: Some(SyntheticUrlId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31"))),
        url: "https://shop.example/shoes".to_owned(),
        profile_id: "mobile".to_owned(),
        trigger: Trigger::Schedule,
        status: RunStatus::Succeeded,
        requested_at: datetime!(2026-03-31 03:12:00 UTC),
        started_at: Some(datetime!(2026-03-31 03:12:02 UTC)),
        finished_at: Some(datetime!(2026-03-31 03:13:04 UTC)),
        error: None,
        summary: Some(Summary {
            requested_url: url.clone(),
            main_document_url: url.clone(),
            final_url: url,
            fetched_at: Some(datetime!(2026-03-31 03:12:31 UTC)),
            engine_version: Some("13.5.0".to_owned()),
            gather_mode: GatherMode::Navigation,
            benchmark_index: Some(2_009.5),
            run_warnings: Vec::new(),
            runtime_error: None,
            categories: [
                score("performance", "Performance", Some(91)),
                score("accessibility", "Accessibility", Some(100)),
                score("best_practices", "Best Practices", Some(96)),
                score("seo", "SEO", None),
            ]
            .into(),
            figures: figures.map(|(name, value)| (name.to_owned(), value)).into(),
            resource_summary: vec![
                total(ResourceKind::Total, 30, 401_800, 1_204_400),
                total(ResourceKind::Script, 9, 210_400, 811_000),
            ],
            main_thread: vec![MainThreadWork {
                group: MainThreadGroup::ScriptEvaluation,
                duration_ms: 412.6,
            }],
            long_tasks_count: Some(2),
            dom_size: Some(912),
            duration_ms: Some(9_411),
            runs_aggregated: 3,
            variability: Some(
                [(
                    "performance_score".to_owned(),
                    Spread {
                        min: 89.0,
                        max: 92.0,
                        stddev: 1.25,
                    },
                )]
                .into(),
            ),
        }),
        budgets: vec![BudgetOutcome {
            budget_id: uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e51"),
            metric: BudgetMetric::LcpMs,
            limit: 2_500.0,
            actual: Some(2_310.0),
            over_by: None,
            passed: Some(true),
        }],
        images_until: Some(datetime!(2026-06-29 03:13:04 UTC)),
        has_screenshot: true,
        requested_by: None,
        credits_charged: 0,
    }
}

impl Example for LabRunPublic {
    fn example() -> Self {
        Self::new(example_run(), example_domain(), &example_links(), EXAMPLE_NOW)
    }
}

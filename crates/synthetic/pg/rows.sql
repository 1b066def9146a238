INSERT INTO synthetic_urls (
    id, domain_id, workspace_id, settings, secrets, has_basic_auth, has_cookie, next_run_at, planned_at, created_at, updated_at
)
SELECT '01900000-0000-7000-8000-0000000001d1', id, workspace_id,
    '{
        "url": "https://ada.example/", "label": "Home", "enabled": true, "profile_ids": ["mobile"], "schedule": "daily",
        "schedule_hour": 3, "schedule_weekday": null, "runs_per_test": 1, "categories": ["performance"],
        "blocked_url_patterns": []
    }',
    '\x0102', true, false, '2026-01-05 03:10Z', '2026-01-04 03:10Z', '2026-01-03 10:00Z', '2026-01-03 10:00Z'
FROM domains
WHERE id = '01900000-0000-7000-8000-000000000021';

INSERT INTO synthetic_runs (
    id, domain_id, url_id, job_id, url, profile_id, form_factor, trigger, status, requested_at, started_at, finished_at,
    summary, budgets, images_until
) VALUES
    (
        '01900000-0000-7000-8000-0000000001e1', '01900000-0000-7000-8000-000000000021',
        '01900000-0000-7000-8000-0000000001d1', '01900000-0000-7000-8000-0000000001f1', 'https://ada.example/', 'mobile',
        'mobile', 'schedule', 'succeeded', '2026-01-04 03:10Z', '2026-01-04 03:10Z', '2026-01-04 03:11Z',
        '{
            "requested_url": "https://ada.example/", "main_document_url": null, "final_url": null,
            "fetched_at": "2026-01-04T03:10:10Z", "engine_version": "13.5.0", "gather_mode": "navigation",
            "benchmark_index": 2009.5, "run_warnings": [], "runtime_error": null,
            "categories": {"performance": {"score": 91, "title": "Performance"}},
            "figures": {"performance_score": 91, "lcp_ms": 2310.5}, "resource_summary": [], "main_thread": [],
            "long_tasks_count": 0, "dom_size": 12, "duration_ms": 9411, "runs_aggregated": 1, "variability": null
        }',
        '[]', '2026-04-04 03:11Z'
    );

INSERT INTO synthetic_results (run_id, audits, opportunities, resources, third_parties, filmstrip) VALUES
    (
        '01900000-0000-7000-8000-0000000001e1', '[]', '[]', '[]', '[]',
        '{"frames": [], "final_screenshot": null, "full_page_screenshot": null}'
    );

INSERT INTO synthetic_budgets (id, domain_id, position, url_id, profile_id, metric, bound, direction) VALUES
    (
        '01900000-0000-7000-8000-0000000001f2', '01900000-0000-7000-8000-000000000021', 0,
        '01900000-0000-7000-8000-0000000001d1', 'mobile', 'lcp_ms', 2500, 'max'
    );

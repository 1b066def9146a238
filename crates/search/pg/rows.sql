INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, linked_at)
SELECT id, workspace_id, 'sc-domain:ada.example', 'owner', 'connected', '2026-01-03 10:00Z'
FROM domains
WHERE id = '01900000-0000-7000-8000-000000000021';

INSERT INTO search_values (domain_id, kind, value)
SELECT '01900000-0000-7000-8000-000000000021', v.kind, v.value
FROM (VALUES (1, 'shoes'), (2, 'https://ada.example/'), (3, 'product_snippets')) AS v (kind, value);

INSERT INTO search_days (domain_id, search_type, date, is_final, clicks, impressions, position_sum)
VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', true, 3, 10, 20);

INSERT INTO search_places (domain_id, search_type, date, country, device, clicks, impressions, position_sum)
VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', 'DE', 2, 3, 10, 20);

INSERT INTO search_queries (domain_id, search_type, date, query_id, country, device, clicks, impressions, position_sum)
SELECT domain_id, 1, '2026-01-02', id, 'DE', 2, 3, 10, 20 FROM search_values WHERE kind = 1;

INSERT INTO search_pages (domain_id, search_type, date, page_id, country, device, clicks, impressions, position_sum)
SELECT domain_id, 1, '2026-01-02', id, 'DE', 2, 3, 10, 20 FROM search_values WHERE kind = 2;

INSERT INTO search_pairs (
    domain_id, search_type, date, query_id, page_id, country, device, clicks, impressions, position_sum
)
SELECT q.domain_id, 1, '2026-01-02', q.id, p.id, 'DE', 2, 3, 10, 20
FROM search_values AS q
JOIN search_values AS p ON p.domain_id = q.domain_id AND p.kind = 2
WHERE q.kind = 1;

INSERT INTO search_appearances (domain_id, search_type, date, appearance_id, page_id, clicks, impressions, position_sum)
SELECT a.domain_id, 1, '2026-01-02', a.id, p.id, 3, 10, 20
FROM search_values AS a
JOIN search_values AS p ON p.domain_id = a.domain_id AND p.kind = 2
WHERE a.kind = 3;

INSERT INTO search_hours (domain_id, search_type, hour, clicks, impressions, position_sum)
VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-04 10:00Z', 1, 4, 9);

INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
SELECT domain_id, 1, kind, '2026-01-02', id, 3, 10, 20 FROM search_values WHERE kind < 3;

INSERT INTO search_month_sums (domain_id, search_type, kind, month, value_id, clicks, impressions, position_sum)
SELECT domain_id, 1, kind, '2026-01-01', id, 3, 10, 20 FROM search_values WHERE kind < 3;

INSERT INTO search_months (domain_id, search_type, month)
VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-01');

INSERT INTO search_configs (domain_id, settings, created_at, updated_at, updated_by) VALUES
    (
        '01900000-0000-7000-8000-000000000021',
        '{
            "brand_terms": ["ada"], "brand_regex": null, "search_types": ["web"], "excluded_paths": ["/cart"],
            "min_impressions": 10
        }',
        '2026-01-02 11:00Z', '2026-01-03 11:00Z', '01900000-0000-7000-8000-000000000001'
    );

INSERT INTO search_accounts (id, workspace_id, kind, label, sealed, created_at)
SELECT '01900000-0000-7000-8000-0000000000d1', workspace_id, 'service_account', 'pharos@ada.iam.gserviceaccount.com', '\x01',
    '2026-01-03 10:00Z'
FROM domains
WHERE id = '01900000-0000-7000-8000-000000000021';

UPDATE search_properties SET account_id = '01900000-0000-7000-8000-0000000000d1';

INSERT INTO search_submitted_sitemaps (
    domain_id, site_url, path, form, is_index, is_pending, last_submitted_at, last_downloaded_at, errors, warnings, contents
)
VALUES (
    '01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', 'https://ada.example/sitemap.xml', 'SITEMAP', false,
    false, '2026-01-03 10:00Z', '2026-01-04 10:00Z', 0, 1, '[["WEB", 12]]'
);

INSERT INTO search_imports (domain_id, site_url, search_type, reached)
VALUES ('01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', 1, '2026-01-02');

INSERT INTO search_sources (domain_id, site_url, others_until)
VALUES ('01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', '2026-01-03 10:00Z');

INSERT INTO search_missed_days (domain_id, search_type, date, tried_at)
VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-01', '2026-01-03 10:00Z');

INSERT INTO search_consents (state, session, domain_id, asked_at)
VALUES (
    decode(repeat('01', 32), 'hex'), decode(repeat('02', 32), 'hex'), '01900000-0000-7000-8000-000000000021', '2026-01-03 09:58Z'
);

INSERT INTO indexing_sites (domain_id, workspace_id, next_round_at, round_at, gathered_at)
SELECT id, workspace_id, '2026-01-04 11:00Z', '2026-01-04 10:00Z', '2026-01-04 09:00Z'
FROM domains
WHERE id = '01900000-0000-7000-8000-000000000021';

INSERT INTO indexing_urls (
    id, domain_id, url, source, created_at, next_inspection_at, inspected_at, verdict, coverage_state, coverage_reason,
    robots_txt_state, indexing_state, page_fetch_state, crawled_as, last_crawl_at, inspection
) VALUES (
    '01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 'https://ada.example/', 'manual',
    '2026-01-03 10:00Z', '2026-01-05 10:00Z', '2026-01-04 10:00Z', 'pass', 'Submitted and indexed',
    'submitted_and_indexed', 'allowed', 'indexing_allowed', 'successful', 'mobile', '2026-01-02 10:00Z',
    '{
        "verdict": "pass", "coverage_state": "Submitted and indexed", "coverage_reason": "submitted_and_indexed",
        "robots_txt_state": "allowed", "indexing_state": "indexing_allowed", "page_fetch_state": "successful",
        "last_crawl_at": "2026-01-02T10:00:00Z", "crawled_as": "mobile", "google_canonical": "https://ada.example/",
        "user_canonical": null, "sitemaps": [], "referring_urls": [], "rich_results_verdict": "pass",
        "rich_results": [{"kind": "FAQ", "items": []}], "amp": null, "inspection_link": null
    }'
);

INSERT INTO indexing_removed (domain_id, url, removed_at)
VALUES ('01900000-0000-7000-8000-000000000021', 'https://ada.example/old', '2026-01-03 10:00Z');

INSERT INTO indexing_rich_types (url_id, domain_id, kind, items, severity)
VALUES ('01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 'FAQ', 1, 'warning');

INSERT INTO indexing_rich_issues (url_id, domain_id, kind, severity, message)
VALUES ('01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 'FAQ', 'warning', 'Missing field');

INSERT INTO indexing_results (url_id, inspected_at, domain_id, verdict, coverage_reason, page_fetch_state, last_crawl_at)
VALUES (
    '01900000-0000-7000-8000-0000000001c1', '2026-01-04 10:00Z', '01900000-0000-7000-8000-000000000021', 'pass',
    'submitted_and_indexed', 'successful', '2026-01-02 10:00Z'
);

INSERT INTO indexing_changes (id, domain_id, url_id, changed_at, field, before, after, direction)
VALUES (
    '01900000-0000-7000-8000-0000000001c2', '01900000-0000-7000-8000-000000000021',
    '01900000-0000-7000-8000-0000000001c1', '2026-01-04 10:00Z', 'verdict', 'neutral', 'pass', 'improved'
);

INSERT INTO indexing_days (
    domain_id, day, inspected, indexed, unknown, by_reason, fetch_errors, canonical_mismatches, rich_result_errors,
    median_crawl_age_days
) VALUES (
    '01900000-0000-7000-8000-000000000021', '2026-01-04', 1, 1, 0, '{"submitted_and_indexed": 1}', 0, 0, 0, 2
);

INSERT INTO indexing_quota (site_url, day, used, rotation)
VALUES ('sc-domain:ada.example', '2026-01-04', 1, 1);

INSERT INTO runs (
    id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at, requester_kind, credential_id,
    credits_charged, result_seconds
) VALUES
    ('01900000-0000-7000-8000-0000000000b4', '01900000-0000-7000-8000-000000000021', 'inspector', 'succeeded',
        '2026-01-05 10:00Z', '2026-01-05 10:00Z', '2026-01-05 10:01Z', '2026-02-04 10:01Z', 'api_key',
        '01900000-0000-7000-8000-000000000031', 25, 2592000);

INSERT INTO indexing_runs (run_id, domain_id, site_url, label)
VALUES (
    '01900000-0000-7000-8000-0000000000b4', '01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', 'First'
);

INSERT INTO indexing_run_urls (run_id, place, url, url_id, status)
VALUES (
    '01900000-0000-7000-8000-0000000000b4', 0, 'https://ada.example/', '01900000-0000-7000-8000-0000000001c1', 'failed'
);

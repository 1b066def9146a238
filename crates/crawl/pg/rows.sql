INSERT INTO robots_versions (
    id, domain_id, detected_at, replaced_at, state, status_code, content, sha256, size_bytes, rules_added, rules_removed,
    groups_changed, sitemaps_changed, impact, change_summary, access_changes, issues, issues_added, issues_resolved
) VALUES
    (
        '01900000-0000-7000-8000-0000000001a1', '01900000-0000-7000-8000-000000000021', '2026-01-03 10:00Z', NULL, 'ok',
        200, 'User-agent: *', 'd9066d29c1dfed62e1bbde2c102079a5ccc0c1e9f669644fd89fd652cdc156bb', 13, 0, 0, 0, 0, 'none',
        'the first version that was seen', '[]', '[]', '[]', '[]'
    );

INSERT INTO robots_sites (
    domain_id, workspace_id, next_check_at, robots_url, state, status_code, last_checked_at, blocks_all, blocks_googlebot,
    version_id, good_fetch
)
SELECT id, workspace_id, '2026-01-04 11:00Z', 'https://ada.example/robots.txt', 'ok', 200, '2026-01-04 10:00Z', false, false,
    '01900000-0000-7000-8000-0000000001a1',
    '{
        "state": "ok", "fetched_at": "2026-01-04T10:00:00Z", "status_code": 200, "redirects": [],
        "final_url": "https://ada.example/robots.txt",
        "headers": {"content_type": "text/plain", "etag": null, "last_modified": null, "cache_control": null},
        "response_ms": 84.25
    }'
FROM domains
WHERE id = '01900000-0000-7000-8000-000000000021';

INSERT INTO robots_checks (id, domain_id, checked_at, outcome, status_code, response_ms, size_bytes, version_id) VALUES
    (
        '01900000-0000-7000-8000-0000000001b1', '01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 'unchanged',
        200, 84.25, 13, '01900000-0000-7000-8000-0000000001a1'
    );

INSERT INTO robots_test_urls (id, domain_id, position, url, user_agent, expectation) VALUES
    (
        '01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 0, 'https://ada.example/',
        'Googlebot', 'allowed'
    );

INSERT INTO sitemap_sites (
    domain_id, workspace_id, next_check_at, last_checked_at, last_changed_at, robots_declared, figures, figures_at, conflicts
)
SELECT id, workspace_id, '2026-01-04 16:00Z', '2026-01-04 10:00Z', '2026-01-03 10:00Z', true,
    '{
        "urls_total": 1, "urls_unique": 1, "dated": 1, "median_lastmod": "2026-01-01T00:00:00Z", "images": 0, "videos": 0,
        "news": 0, "alternates": 0
    }',
    '2026-01-04 10:00Z',
    '{
        "computed_at": "2026-01-04T10:00:00Z", "version_id": "01900000-0000-7000-8000-0000000001a1", "urls_checked": 1,
        "googlebot": "*", "totals": {"*": 1}
    }'
FROM domains
WHERE id = '01900000-0000-7000-8000-000000000021';

INSERT INTO sitemap_files (
    id, domain_id, url, url_key, in_robots, depth, found_at, kind, status, status_code, entries, size_bytes,
    uncompressed_bytes, is_gzip, newest_lastmod, fetched_at, good_at, response_ms, validators, sha256
) VALUES
    (
        '01900000-0000-7000-8000-0000000001d1', '01900000-0000-7000-8000-000000000021', 'https://ada.example/sitemap.xml',
        'f3a8e1c2-0000-4000-8000-000000000001', true, 1, '2026-01-03 10:00Z', 'urlset', 'ok', 200, 1, 212, 212, false,
        '2026-01-01 00:00Z', '2026-01-04 10:00Z', '2026-01-04 10:00Z', 84.25,
        '{
            "final_url": "https://ada.example/sitemap.xml",
            "headers": {"content_type": "application/xml", "etag": null, "last_modified": null, "cache_control": null}
        }',
        'd9066d29c1dfed62e1bbde2c102079a5ccc0c1e9f669644fd89fd652cdc156bb'
    );

INSERT INTO sitemap_names (file_id, keys) VALUES
    ('01900000-0000-7000-8000-0000000001d1', '{f3a8e1c2-0000-4000-8000-000000000003}');

INSERT INTO sitemap_urls (
    file_id, url_key, domain_id, url, lastmod, images, videos, is_news, first_seen_at, listed_at
) VALUES
    (
        '01900000-0000-7000-8000-0000000001d1', 'f3a8e1c2-0000-4000-8000-000000000002',
        '01900000-0000-7000-8000-000000000021', 'https://ada.example/cart', '2026-01-01 00:00Z', 0, 0, false,
        '2026-01-03 10:00Z', '2026-01-03 10:00Z'
    );

INSERT INTO sitemap_checks (
    id, domain_id, file_id, checked_at, status_code, entries, urls_added, urls_removed, response_ms
) VALUES
    (
        '01900000-0000-7000-8000-0000000001e1', '01900000-0000-7000-8000-000000000021',
        '01900000-0000-7000-8000-0000000001d1', '2026-01-04 10:00Z', 200, 1, 0, 0, 84.25
    );

INSERT INTO sitemap_changes (id, domain_id, changed_at, change, url, file_id, before, after) VALUES
    (
        '01900000-0000-7000-8000-0000000001f1', '01900000-0000-7000-8000-000000000021', '2026-01-03 16:00Z',
        'lastmod_changed', 'https://ada.example/cart', '01900000-0000-7000-8000-0000000001d1', NULL, '2026-01-01T00:00:00Z'
    );

INSERT INTO sitemap_issues (file_id, code, domain_id, count, examples, first_seen_at) VALUES
    (
        '01900000-0000-7000-8000-0000000001d1', 'blocked_by_robots', '01900000-0000-7000-8000-000000000021', 1,
        '["https://ada.example/cart"]', '2026-01-03 10:00Z'
    );

INSERT INTO sitemap_rounds (
    id, domain_id, ended_at, urls_total, files, files_failed, added, removed, moved, lastmod_changed, errors, warnings, blocked
) VALUES
    (
        '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 1, 1, 0, 0, 0, 0,
        0, 1, 0, 1
    );

INSERT INTO sitemap_conflicts (
    domain_id, crawler, url_key, url, file_id, line, kind, path, first_seen_at, computed_at
) VALUES
    (
        '01900000-0000-7000-8000-000000000021', '*', 'f3a8e1c2-0000-4000-8000-000000000002', 'https://ada.example/cart',
        '01900000-0000-7000-8000-0000000001d1', 1, 'disallow', '/cart', '2026-01-03 10:00Z', '2026-01-04 10:00Z'
    );

INSERT INTO sitemap_samples (domain_id, url_key, asked_at, status_code, is_noindex) VALUES
    ('01900000-0000-7000-8000-000000000021', 'f3a8e1c2-0000-4000-8000-000000000002', '2026-01-04 10:00Z', 200, false);

INSERT INTO crawl_hosts (domain_id, origin, position, state, checked_at, sitemaps) VALUES
    (
        '01900000-0000-7000-8000-000000000021', 'https://blog.ada.example', 0, 'ok', '2026-01-04 10:00Z',
        '["https://blog.ada.example/sitemap.xml"]'
    );

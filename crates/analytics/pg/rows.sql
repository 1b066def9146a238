INSERT INTO analytics_sites (domain_id, settings, created_at, updated_at, updated_by) VALUES
    (
        '01900000-0000-7000-8000-000000000021',
        '{
            "enabled": true, "currency": "EUR", "store_page_titles": true, "store_search_terms": true,
            "search_params": ["q"], "download_extensions": ["pdf"], "allowed_hosts": [], "excluded_paths": [],
            "excluded_ips": [], "excluded_query_params": []
        }',
        '2026-01-02 11:00Z', '2026-01-03 11:00Z', '01900000-0000-7000-8000-000000000001'
    );

INSERT INTO analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES
    (1, '01900000-0000-7000-8000-000000000021', 0, '/'),
    (2, '01900000-0000-7000-8000-000000000021', 1, 'direct'),
    (3, '01900000-0000-7000-8000-000000000021', 16, 'purchase'),
    (4, '01900000-0000-7000-8000-000000000021', 17, 'color'),
    (5, '01900000-0000-7000-8000-000000000021', 18, 'blue'),
    (6, '01900000-0000-7000-8000-000000000021', 21, 'P1');
SELECT setval('analytics_values_id_seq', 6);

INSERT INTO analytics_new_values (domain_id, dimension, day, made) VALUES
    ('01900000-0000-7000-8000-000000000021', 0, '2026-01-04', 1);

INSERT INTO analytics_beacons (domain_id, beacon_id, stored_at) VALUES
    ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000000a1', '2026-01-04 10:01Z');

INSERT INTO analytics_visitors (domain_id, visitor_id, visits, touched_at) VALUES
    ('01900000-0000-7000-8000-000000000021', 7, '{11,1767520800000000,1767520860000000}', '2026-01-04 10:01Z');

INSERT INTO analytics_sessions (
    domain_id, started_at, id, visitor_id, ended_at, pageviews, events, clicks, entry_page, entry_at, exit_page, exit_at,
    channel, source, device
) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 11, 7, '2026-01-04 10:01Z', 1, 1, 0, 1,
        '2026-01-04 10:00Z', 1, '2026-01-04 10:00Z', 18, 2, 0);

INSERT INTO analytics_hits (domain_id, at, id, session_id, visitor_id, kind, page, event, channel, source, device) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 21, 11, 7, 0, 1, NULL, 18, 2, 0),
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01Z', 22, 11, 7, 1, 1, 3, 18, 2, 0);

INSERT INTO analytics_engagements (domain_id, at, id, session_id, load_id, page, visible_ms, scroll_pct) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01Z', 31, 11, 41, 1, 15000, 60);

INSERT INTO analytics_properties (
    domain_id, at, hit_id, place, session_id, visitor_id, event, property, text, number, flag
) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01Z', 22, 0, 11, 7, 3, 4, 5, NULL, NULL);

INSERT INTO analytics_orders (domain_id, order_id, ordered_at, hit_id, value_cents, currency) VALUES
    ('01900000-0000-7000-8000-000000000021', 'T1', '2026-01-04 10:01Z', 22, 1990, '');

INSERT INTO analytics_commerce (
    domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated
) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01Z', 22, 11, 7, 3, 1990, '', false);

INSERT INTO analytics_items (domain_id, at, hit_id, place, session_id, step, product, price_cents, quantity) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01Z', 22, 0, 11, 3, 6, 1990, 1);

INSERT INTO analytics_titles (domain_id, page, title) VALUES
    ('01900000-0000-7000-8000-000000000021', 1, 'Ada''s shop');

INSERT INTO analytics_progress (domain_id, first_at, last_at, commerce_at, rolled_until) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-03 10:00Z', '2026-01-04 10:01Z', '2026-01-04 10:01Z',
        '2026-01-04 00:00Z');

INSERT INTO analytics_daily (
    domain_id, dimension, day, value, visitors, sessions, pageviews, bounces, duration_ms, events
) VALUES
    ('01900000-0000-7000-8000-000000000021', -1, '2026-01-03', 0, 1, 1, 2, 0, 60000, 0);

INSERT INTO analytics_pages (
    domain_id, grain, part, starts_on, page, visitors, pageviews, sessions, entries, exits, bounces, engaged_ms,
    engaged_views, scroll_pct, scrolled_views
) VALUES
    ('01900000-0000-7000-8000-000000000021', 0, 0, '2026-01-03', 1, 1, 2, 1, 1, 1, 0, 15000, 1, 60, 1);

INSERT INTO analytics_revenue (domain_id, day, currency, orders, revenue_cents, refunds, refunded_cents) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-03', '', 1, 1990, 0, 0);

INSERT INTO runs (
    id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at, requester_kind, credential_id,
    credits_charged, result_seconds
) VALUES
    ('01900000-0000-7000-8000-0000000000b1', '01900000-0000-7000-8000-000000000021', 'analytics_report', 'succeeded',
        '2026-01-05 10:00Z', '2026-01-05 10:00Z', '2026-01-05 10:01Z', '2026-01-12 10:01Z', 'api_key',
        '01900000-0000-7000-8000-000000000031', 25, 604800);

INSERT INTO wide_pulls (
    run_id, report, first_day, last_day, asked, total_rows, is_truncated, has_rows
) VALUES
    ('01900000-0000-7000-8000-0000000000b1', 'pages_full', '2026-01-01', '2026-01-04', '{"device": "mobile"}', 1, false,
        true);

INSERT INTO wide_pull_rows (run_id, place, cells) VALUES
    ('01900000-0000-7000-8000-0000000000b1', 1, '["/", 1, 2, 1, 1, 1, 0, 50, 15, 60]');

INSERT INTO analytics_experiments (
    id, domain_id, name, status, method, metric, control_urls, variant_urls, pre_end, post_start, created_at, updated_at,
    created_by
) VALUES
    ('01900000-0000-7000-8000-0000000000c1', '01900000-0000-7000-8000-000000000021', 'Shorter titles', 'running',
        'mann_whitney', 'visitors', '{}', '{/}', '2026-01-01', '2026-01-02', '2026-01-04 10:00Z', '2026-01-04 11:00Z',
        '01900000-0000-7000-8000-000000000001');

INSERT INTO analytics_evaluations (
    id, experiment_id, status, method, metric, requested_at, completed_at, progress_pct, job_id, outcome
) VALUES
    ('01900000-0000-7000-8000-0000000000d1', '01900000-0000-7000-8000-0000000000c1', 'completed', 'mann_whitney',
        'visitors', '2026-01-04 11:00Z', '2026-01-04 11:00Z', 100, NULL,
        '{"pre_days": 1, "post_days": 2, "warnings": ["short_pre_period"], "verdict": "inconclusive"}');
INSERT INTO analytics_dimension_orders (
    domain_id, dimension, day, value, second, currency, orders, valued_orders, revenue_cents
) VALUES
    ('01900000-0000-7000-8000-000000000021', 1, '2026-01-03', 2, 0, '', 1, 1, 1990);

INSERT INTO analytics_actions (
    domain_id, kind, day, value, page, hits, visitors, sessions, exits, results, last_at
) VALUES
    ('01900000-0000-7000-8000-000000000021', 1, '2026-01-03', 3, 0, 1, 1, 1, 1, NULL, '2026-01-03 10:01Z');

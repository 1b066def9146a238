INSERT INTO rum_sites (domain_id, settings, created_at, updated_at, updated_by) VALUES
    (
        '01900000-0000-7000-8000-000000000021',
        '{
            "enabled": true, "sample_rate": 1.0, "collect_attribution": true, "collect_resources": true,
            "collect_errors": true, "soft_navigations": false, "ignored_query_params": [],
            "url_groups": [{"pattern": "/p/*", "label": "/p/:product"}], "excluded_paths": [], "excluded_countries": [],
            "respect_dnt": true
        }',
        '2026-01-02 11:00Z', '2026-01-03 11:00Z', '01900000-0000-7000-8000-000000000001'
    );

INSERT INTO rum_texts (domain_id, dimension, value, used_on) VALUES
    ('01900000-0000-7000-8000-000000000021', 0, 'https://ada.example/p/:product', '2026-01-04'),
    ('01900000-0000-7000-8000-000000000021', 18, 'x is undefined', '2026-01-04');

INSERT INTO rum_new_texts (domain_id, dimension, day, made) VALUES
    ('01900000-0000-7000-8000-000000000021', 0, '2026-01-04', 1);

INSERT INTO rum_beacons (domain_id, beacon_id, stored_at) VALUES
    ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000000f1', '2026-01-04 10:00Z');

INSERT INTO rum_loads (domain_id, load_id, at, revision, stored_at) VALUES
    ('01900000-0000-7000-8000-000000000021', 7, '2026-01-04 10:00Z', 0, '2026-01-04 10:00Z');

INSERT INTO rum_views (
    domain_id, at, load_id, page, navigation, was_hidden, lcp_ms, inp_ms, cls, fcp_ms, ttfb_ms, device, errors
) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 1, 0, false, 1200, 80, 0.01, 900, 200, 1, 1);

INSERT INTO rum_engagements (domain_id, at, load_id, visible_ms, scroll_pct, tells_reasons) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 15000, 60, true);

INSERT INTO rum_lcp (domain_id, at, load_id, element, kind, ttfb_ms, render_delay_ms) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 1, 1, 200, 1000);

INSERT INTO rum_inp (domain_id, at, load_id, element, interaction, input_delay_ms) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 1, 0, 12);

INSERT INTO rum_cls (domain_id, at, load_id, element, shift, shift_at_ms) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 1, 0.01, 1800);

INSERT INTO rum_ttfb (domain_id, at, load_id, waiting_ms, request_ms, redirects) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 20, 180, 0);

INSERT INTO rum_server_timings (domain_id, at, load_id, place, name, duration_ms) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 0, 1, 53);

INSERT INTO rum_errors (domain_id, at, load_id, place, kind, line, column_number) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 0, 2, 3, 14);

INSERT INTO rum_resources (domain_id, at, load_id, place, url, host, kind, start_ms, duration_ms, is_third_party) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 0, 1, 1, 1, 10, 70, false);

INSERT INTO rum_frames (domain_id, at, load_id, place, kind, start_ms, duration_ms, blocking_ms) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 0, 1, 100, 180, 130);

INSERT INTO rum_scripts (domain_id, at, load_id, place, frame, url, duration_ms, forced_layout_ms, is_third_party) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 0, 0, 1, 120, 40, false);

INSERT INTO rum_reasons (domain_id, at, load_id, place, reason, kind) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', 7, 0, 1, 0);

INSERT INTO rum_error_groups (
    kind, id, domain_id, message, name, source, is_handled, filename, line, column_number, stack, causes, is_third_party,
    is_opaque, first_seen_at, last_seen_at
) VALUES
    (
        2, '01900000-0000-7000-8000-0000000000f2', '01900000-0000-7000-8000-000000000021', 'x is undefined', 'TypeError', 0,
        false, 'https://ada.example/app.js', 3, 14, 'TypeError: x is undefined', '{}', false, false,
        '2026-01-04 10:00Z', '2026-01-04 10:00Z'
    );

INSERT INTO rum_progress (domain_id, first_at, last_at, rolled_until) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00Z', '2026-01-04 10:00Z', '2026-01-05 00:00Z');

INSERT INTO rum_daily (
    domain_id, day, device, views, core_views, good_views, error_views, errors, back_forwards, restored,
    lcp_good, lcp_fair, lcp_poor, inp_good, inp_fair, inp_poor, cls_good, cls_fair, cls_poor,
    fcp_good, fcp_fair, fcp_poor, ttfb_good, ttfb_fair, ttfb_poor
) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04', 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0);

INSERT INTO rum_hist (domain_id, metric, day, device, bucket, n) VALUES
    ('01900000-0000-7000-8000-000000000021', 0, '2026-01-04', 1, 359, 1);

INSERT INTO rum_source_maps (domain_id, script, release, url, sources, bytes, map, uploaded_at) VALUES
    (
        '01900000-0000-7000-8000-000000000021', 'https://ada.example/app.js', '1', 'https://ada.example/app.js', 1, 2, '{}',
        '2026-01-04 10:00Z'
    );

INSERT INTO rum_releases (domain_id, name, released_at) VALUES
    ('01900000-0000-7000-8000-000000000021', '1', '2026-01-04 10:00Z');

INSERT INTO crux_targets (
    id, domain_id, workspace_id, url, label, status, origin, origin_source, next_collection_at, asked_at, fetched_at,
    first_seen_data_on, mobile_passing_since, created_at
) VALUES
    (
        '01900000-0000-7000-8000-0000000000e1', '01900000-0000-7000-8000-000000000021',
        (SELECT workspace_id FROM domains WHERE id = '01900000-0000-7000-8000-000000000021'), NULL, NULL, 'active',
        'https://ada.example', 'exact', '2026-01-05 10:00Z', '2026-01-04 10:00Z', '2026-01-04 10:00Z', '2025-12-27',
        '2025-12-27', '2026-01-02 11:00Z'
    );

INSERT INTO crux_figures (target_id, form_factor, grain, period_end, figures) VALUES
    (
        '01900000-0000-7000-8000-0000000000e1', 'mobile', 'week', '2025-12-27',
        '{"metrics": {"lcp": {"p75": 1900, "histogram": []}}}'
    );

INSERT INTO runs (
    id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at, requester_kind, credential_id,
    credits_charged, result_seconds
) VALUES
    ('01900000-0000-7000-8000-0000000000b2', '01900000-0000-7000-8000-000000000021', 'crux_lookup', 'succeeded',
        '2026-01-05 10:00Z', '2026-01-05 10:00Z', '2026-01-05 10:01Z', '2026-02-04 10:01Z', 'api_key',
        '01900000-0000-7000-8000-000000000031', 25, 2592000);

INSERT INTO crux_lookups (run_id, domain_id, record, made_at) VALUES
    ('01900000-0000-7000-8000-0000000000b2', '01900000-0000-7000-8000-000000000021', NULL, '2026-01-05 10:01Z');

-- Each column has its name, so that one that a newer version adds has its default here, and not NULL.
WITH engagements AS (
    INSERT INTO rum_engagements (
        domain_id, at, load_id, visible_ms, scroll_pct, interactions, rage_clicks, dead_clicks, tells_reasons
    )
    SELECT
        domain_id, at, load_id, visible_ms, scroll_pct, interactions, rage_clicks, dead_clicks, tells_reasons
    FROM jsonb_populate_recordset(NULL::rum_engagements, $1 -> 'rum_engagements')
),
lcp AS (
    INSERT INTO rum_lcp (
        domain_id, at, load_id, element, element_id, element_class, resource, kind, ttfb_ms, load_delay_ms,
        load_duration_ms, render_delay_ms, bytes, has_high_priority, is_lazy, is_preloaded
    )
    SELECT
        domain_id, at, load_id, element, element_id, element_class, resource, kind, ttfb_ms, load_delay_ms,
        load_duration_ms, render_delay_ms, bytes, has_high_priority, is_lazy, is_preloaded
    FROM jsonb_populate_recordset(NULL::rum_lcp, $1 -> 'rum_lcp')
),
inp AS (
    INSERT INTO rum_inp (
        domain_id, at, load_id, element, element_id, element_class, interaction, load_state, input_delay_ms,
        processing_ms, presentation_ms, script_ms, style_layout_ms, paint_ms, unattributed_ms, script_url,
        function, invoker, invoker_type, subpart, longest_ms, forced_layout_ms
    )
    SELECT
        domain_id, at, load_id, element, element_id, element_class, interaction, load_state, input_delay_ms,
        processing_ms, presentation_ms, script_ms, style_layout_ms, paint_ms, unattributed_ms, script_url,
        function, invoker, invoker_type, subpart, longest_ms, forced_layout_ms
    FROM jsonb_populate_recordset(NULL::rum_inp, $1 -> 'rum_inp')
),
cls AS (
    INSERT INTO rum_cls (
        domain_id, at, load_id, element, element_id, element_class, shift, shift_at_ms, load_state
    )
    SELECT
        domain_id, at, load_id, element, element_id, element_class, shift, shift_at_ms, load_state
    FROM jsonb_populate_recordset(NULL::rum_cls, $1 -> 'rum_cls')
),
ttfb AS (
    INSERT INTO rum_ttfb (
        domain_id, at, load_id, waiting_ms, cache_ms, dns_ms, connection_ms, request_ms, redirects
    )
    SELECT
        domain_id, at, load_id, waiting_ms, cache_ms, dns_ms, connection_ms, request_ms, redirects
    FROM jsonb_populate_recordset(NULL::rum_ttfb, $1 -> 'rum_ttfb')
),
server_timings AS (
    INSERT INTO rum_server_timings (
        domain_id, at, load_id, place, name, duration_ms
    )
    SELECT
        domain_id, at, load_id, place, name, duration_ms
    FROM jsonb_populate_recordset(NULL::rum_server_timings, $1 -> 'rum_server_timings')
),
errors AS (
    INSERT INTO rum_errors (
        domain_id, at, load_id, place, kind, line, column_number
    )
    SELECT
        domain_id, at, load_id, place, kind, line, column_number
    FROM jsonb_populate_recordset(NULL::rum_errors, $1 -> 'rum_errors')
),
resources AS (
    INSERT INTO rum_resources (
        domain_id, at, load_id, place, url, host, kind, method, start_ms, duration_ms, dns_ms, connect_ms,
        tls_ms, ttfb_ms, download_ms, transfer_bytes, decoded_bytes, protocol, is_render_blocking, is_cached,
        status, is_third_party
    )
    SELECT
        domain_id, at, load_id, place, url, host, kind, method, start_ms, duration_ms, dns_ms, connect_ms,
        tls_ms, ttfb_ms, download_ms, transfer_bytes, decoded_bytes, protocol, is_render_blocking, is_cached,
        status, is_third_party
    FROM jsonb_populate_recordset(NULL::rum_resources, $1 -> 'rum_resources')
),
frames AS (
    INSERT INTO rum_frames (
        domain_id, at, load_id, place, kind, start_ms, duration_ms, blocking_ms, style_layout_ms
    )
    SELECT
        domain_id, at, load_id, place, kind, start_ms, duration_ms, blocking_ms, style_layout_ms
    FROM jsonb_populate_recordset(NULL::rum_frames, $1 -> 'rum_frames')
),
scripts AS (
    INSERT INTO rum_scripts (
        domain_id, at, load_id, place, frame, url, function, invoker, invoker_type, duration_ms,
        forced_layout_ms, is_third_party
    )
    SELECT
        domain_id, at, load_id, place, frame, url, function, invoker, invoker_type, duration_ms,
        forced_layout_ms, is_third_party
    FROM jsonb_populate_recordset(NULL::rum_scripts, $1 -> 'rum_scripts')
),
reasons AS (
    INSERT INTO rum_reasons (
        domain_id, at, load_id, place, reason, kind
    )
    SELECT
        domain_id, at, load_id, place, reason, kind
    FROM jsonb_populate_recordset(NULL::rum_reasons, $1 -> 'rum_reasons')
)
INSERT INTO rum_views (
    domain_id, at, load_id, page, referrer, navigation, was_hidden, lcp_ms, inp_ms, cls, fcp_ms, ttfb_ms,
    dom_content_loaded_ms, load_ms, device, browser, browser_version, os, os_version, country, connection,
    rtt_ms, protocol, device_memory, viewport_width, viewport_height, errors, long_frames, blocking_ms
)
SELECT
    domain_id, at, load_id, page, referrer, navigation, was_hidden, lcp_ms, inp_ms, cls, fcp_ms, ttfb_ms,
    dom_content_loaded_ms, load_ms, device, browser, browser_version, os, os_version, country, connection,
    rtt_ms, protocol, device_memory, viewport_width, viewport_height, errors, long_frames, blocking_ms
FROM jsonb_populate_recordset(NULL::rum_views, $1 -> 'rum_views')

-- A workspace with a past: twenty-four domains, of which one has a year of days, outages and response times. Times are
-- counted back from now, since a real node shows them. {workspace} and {prefix} are filled in.
WITH named (n, hostname, display_name) AS (
    VALUES
        (1, 'store.example', 'Shop'),
        (2, 'api.example', NULL),
        (3, 'rtl.example', 'متجر الكتب'),
        (4, 'markup.example', '<b>Bold</b> & "quoted"'),
        (5, 'blog.example', 'Blog'),
        (6, 'slow.example', 'Search'),
        (7, 'paused.example', NULL),
        (8, 'fresh.example', NULL)
), all_named AS (
    SELECT * FROM named
    UNION ALL
    SELECT n, 'site-' || n || '.example', NULL FROM generate_series(9, 24) AS n
)
INSERT INTO domains (id, workspace_id, hostname, display_name, verified, created_at)
SELECT ('{prefix}' || lpad(n::text, 12, '0'))::uuid, '{workspace}'::uuid, hostname, display_name, true,
    now() - interval '200 days'
FROM all_named;

INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at)
SELECT d.id, jsonb_build_object(
        'enabled', d.hostname <> 'paused.example', 'url', 'https://' || d.hostname || '/', 'method', 'GET',
        'interval_seconds', 60, 'timeout_seconds', 30, 'expected_status_codes', jsonb_build_array('2xx', '3xx'),
        'follow_redirects', true, 'keyword', NULL, 'keyword_mode', NULL, 'regions', jsonb_build_array('local'),
        'confirmation_checks', 2, 'recovery_checks', 2,
        'degraded_above_ms', CASE d.hostname WHEN 'store.example' THEN 400 WHEN 'slow.example' THEN 800 END,
        'verify_tls', true, 'ssl_warn_days', jsonb_build_array(30, 7), 'domain_warn_days', jsonb_build_array(30, 7),
        'sla_target_pct', 99.9, 'maintenance_windows', jsonb_build_array(), 'request_headers', jsonb_build_object()
    ), d.created_at, d.created_at
FROM domains AS d
WHERE d.workspace_id = '{workspace}'::uuid AND d.id::text LIKE '{prefix}%' AND d.hostname <> 'fresh.example';

INSERT INTO uptime_region_states (domain_id, region, state)
SELECT m.domain_id, 'local', jsonb_build_object(
        'is_down', d.hostname = 'api.example',
        'since', to_char((now() - CASE d.hostname WHEN 'api.example' THEN interval '47 minutes' ELSE interval '12 days' END) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'consecutive_failures', CASE d.hostname WHEN 'api.example' THEN 47 ELSE 0 END,
        'consecutive_passes', 90, 'consecutive_forbidden', 0,
        'last_success_at', to_char((now() - interval '47 minutes') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'last_check_at', to_char((now() - interval '20 seconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'holds_until', to_char((now() + interval '6 hours') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'last_outcome', CASE d.hostname WHEN 'api.example' THEN 'down' WHEN 'slow.example' THEN 'degraded' ELSE 'up' END,
        'current', CASE d.hostname WHEN 'api.example' THEN 'down' ELSE 'up' END,
        'last_status_code', CASE d.hostname WHEN 'api.example' THEN 503 ELSE 200 END,
        'last_response_ms', CASE d.hostname WHEN 'api.example' THEN NULL WHEN 'slow.example' THEN 1340.5 ELSE 120.25 + 7 * right(d.id::text, 2)::integer END,
        'last_error_class', CASE d.hostname WHEN 'api.example' THEN 'http_status' END,
        'last_error_message', CASE d.hostname WHEN 'api.example' THEN 'The answer had the status 503, which is not expected' END,
        'certificate_valid_until', to_char((now() + CASE d.hostname WHEN 'blog.example' THEN interval '5 days' ELSE interval '61 days' END) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    )
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id
WHERE d.workspace_id = '{workspace}'::uuid AND d.id::text LIKE '{prefix}%';

-- Outages of the shop: so many days back, and how long they lasted.
CREATE TEMPORARY TABLE outage AS
SELECT n, date_trunc('hour', now()) - (back || ' days')::interval AS begun, (minutes || ' minutes')::interval AS lasted
FROM (VALUES (1, 181, 14), (2, 133, 55), (3, 92, 7), (4, 61, 320), (5, 24, 11), (6, 12, 4)) AS o (n, back, minutes);

INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
SELECT ('{prefix}' || '000000000001')::uuid, 'local', state, begun, ended
FROM (
    SELECT 'down' AS state, begun, begun + lasted AS ended FROM outage
    UNION ALL
    SELECT 'up', begun + lasted, coalesce(lead(begun) OVER (ORDER BY begun), now() - interval '20 seconds') FROM outage
    UNION ALL
    SELECT 'up', now() - interval '200 days', min(begun) FROM outage
) AS spans;

INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
SELECT m.domain_id, 'local', 'up', m.created_at,
    now() - CASE d.hostname WHEN 'api.example' THEN interval '47 minutes' ELSE interval '20 seconds' END
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id
WHERE d.id::text LIKE '{prefix}%' AND d.hostname <> 'store.example' AND d.workspace_id = '{workspace}'::uuid;

INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
VALUES ('{prefix}000000000002', 'local', 'down', now() - interval '47 minutes', now() - interval '20 seconds');

INSERT INTO uptime_incidents (
    id, domain_id, started_at, confirmed_at, resolved_at, class, severity, status_code, error_message, resolved_ip,
    response_headers, checks_failed, during_maintenance
)
SELECT ('{prefix}' || lpad((900 + n)::text, 12, '0'))::uuid, ('{prefix}' || '000000000001')::uuid, begun, begun + interval '10 seconds',
    begun + lasted, CASE n % 3 WHEN 0 THEN 'timeout' WHEN 1 THEN 'http_5xx' ELSE 'tls' END, 'outage',
    CASE n % 3 WHEN 1 THEN 503 END, 'The server did not answer as expected', '192.0.2.1'::inet, '{"server": "nginx", "retry-after": "120"}'::jsonb,
    12, false
FROM outage
UNION ALL
SELECT ('{prefix}' || '000000000999')::uuid, ('{prefix}' || '000000000002')::uuid, now() - interval '47 minutes',
    now() - interval '46 minutes', NULL, 'http_5xx', 'outage', 503, 'The answer had the status 503, which is not expected', '192.0.2.7',
    '{"server": "nginx"}', 47, false;

INSERT INTO uptime_incident_events (incident_id, at, event, region, detail)
SELECT i.id, i.started_at, 'first_failure', 'local', i.error_message FROM uptime_incidents AS i WHERE i.id::text LIKE '{prefix}%'
UNION ALL
SELECT i.id, i.confirmed_at, 'confirmed', 'local', NULL FROM uptime_incidents AS i WHERE i.id::text LIKE '{prefix}%'
UNION ALL
SELECT i.id, i.resolved_at, 'recovered', NULL, NULL FROM uptime_incidents AS i WHERE i.id::text LIKE '{prefix}%' AND i.resolved_at IS NOT NULL;

-- A check an hour for 40 days, slower by day; for all domains within the last day.
INSERT INTO uptime_checks (
    id, domain_id, region, checked_at, outcome, status_code, http_version, response_ms, dns_ms, connect_ms, tls_ms,
    ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, retry_index
)
SELECT gen_random_uuid(), m.domain_id, 'local', at, 'up', 200, '2', 60 + 3 * swing, 4 + swing / 10, 12 + swing / 5, 24 + swing / 4,
    14 + 2 * swing, 6 + swing / 3, 0, 'https://shop.example/', 20480, '192.0.2.1'::inet, 0
FROM uptime_monitors AS m
CROSS JOIN LATERAL generate_series(
    now() - CASE right(m.domain_id::text, 2) WHEN '01' THEN interval '40 days' ELSE interval '1 day' END,
    now() - interval '1 minute', interval '1 hour'
) AS at
CROSS JOIN LATERAL (
    SELECT 30 + 25 * sin(extract(epoch FROM at) / 43200 * pi()) + 10 * sin(extract(epoch FROM at) / 500000)
        + right(m.domain_id::text, 2)::integer AS swing
) AS s
WHERE m.domain_id::text LIKE '{prefix}%';

INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, status_code, error_class, error_message, redirect_count, retry_index)
SELECT gen_random_uuid(), i.domain_id, 'local', i.started_at + g * interval '20 seconds', 'down', i.status_code, 'http_status',
    i.error_message, 0, 0
FROM uptime_incidents AS i
CROSS JOIN generate_series(0, 6) AS g
WHERE i.id::text LIKE '{prefix}%';

DROP TABLE outage;

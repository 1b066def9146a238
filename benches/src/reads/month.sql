-- A month of every domain of the workspace: an outage of 7 minutes each three days, and a check a minute since yesterday. No two
-- domains are down at one time.
SELECT ensure_partitions('uptime_checks', 'month', now() - interval '2 months', 4);

CREATE TABLE bench_outages AS
SELECT gen_random_uuid() AS id, d.id AS domain_id, at + d.number * interval '1 minute' AS started_at,
    at + (d.number + 7) * interval '1 minute' AS ended_at
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM domains) AS d
CROSS JOIN generate_series(
    date_trunc('hour', now()) - interval '30 days', now() - interval '4 days', interval '3 days'
) AS at;

INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, status_code, http_version, response_ms, dns_ms,
    connect_ms, tls_ms, ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, retry_index)
SELECT gen_random_uuid(), d.id, 'local', at, 'up', 200, '2', 150 + d.number % 100, 10, 20, 40, 70, 10, 0,
    'https://site.example/', 20480, '203.0.113.7', 0
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM domains) AS d
CROSS JOIN generate_series(
    date_trunc('minute', now()) - interval '25 hours', date_trunc('minute', now()) - interval '1 minute', interval '1 minute'
) AS at;

INSERT INTO uptime_region_states (domain_id, region, state)
SELECT d.id, 'local', jsonb_build_object(
        'is_down', false,
        'since', to_char((now() - interval '3 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'consecutive_failures', 0, 'consecutive_passes', 90, 'consecutive_forbidden', 0,
        'last_success_at', to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'last_check_at', to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'holds_until', to_char((now() + interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'last_outcome', 'up', 'current', 'up', 'last_status_code', 200, 'last_response_ms', 150 + d.number % 100,
        'last_error_class', NULL, 'last_error_message', NULL,
        -- One in twenty needs attention.
        'certificate_valid_until', to_char(
            (now() + CASE d.number % 20 WHEN 0 THEN interval '5 days' ELSE interval '61 days' END) AT TIME ZONE 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS"Z"'
        )
    )
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM domains) AS d;

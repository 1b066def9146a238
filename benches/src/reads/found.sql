UPDATE uptime_checks AS c
SET outcome = 'down', status_code = 503, error_class = 'http_status', response_ms = NULL, dns_ms = NULL,
    connect_ms = NULL, tls_ms = NULL, ttfb_ms = NULL, download_ms = NULL
FROM bench_outages AS o
WHERE c.domain_id = o.domain_id AND c.checked_at >= o.started_at AND c.checked_at < o.ended_at;

INSERT INTO uptime_incidents (id, domain_id, started_at, confirmed_at, resolved_at, class, severity, status_code,
    response_headers, checks_failed, during_maintenance)
SELECT id, domain_id, started_at, started_at + interval '1 minute', ended_at, 'http_5xx', 'outage', 503, '{}', 3, false
FROM bench_outages;

INSERT INTO uptime_incident_events (incident_id, at, event, region)
SELECT id, started_at, 'first_failure', 'local' FROM bench_outages;

INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
SELECT domain_id, 'local', 'down', started_at, ended_at FROM bench_outages
UNION ALL
-- Up in between, and since the last.
SELECT domain_id, 'local', 'up', ended_at,
    coalesce(lead(started_at) OVER (PARTITION BY domain_id ORDER BY started_at), date_trunc('minute', now()))
FROM bench_outages;

UPDATE uptime_monitors SET created_at = (SELECT min(started_at) FROM bench_outages);
DROP TABLE bench_outages;
ANALYZE;

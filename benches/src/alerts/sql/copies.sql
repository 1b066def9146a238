INSERT INTO uptime_rollups (domain_id, grain, starts_at, region, counts, least_us, most_us, samples, micros)
SELECT s.domain_id, u.grain, u.starts_at, u.region, u.counts, u.least_us, u.most_us, u.samples, u.micros
FROM bench_sites AS s
JOIN bench_sites AS t ON t.number = s.number % 10
JOIN uptime_rollups AS u ON u.domain_id = t.domain_id
WHERE s.number >= 10 AND s.is_watched
-- As upkeep writes them: day by day, those of a site together.
ORDER BY date_trunc('day', u.starts_at, 'UTC'), s.number, u.starts_at;

-- A day is rolled up as it is over, so shortly before that a whole one is read check by check: the cost of the dearest hour,
-- whenever it is measured.
UPDATE uptime_rollup_progress SET rolled_until = date_trunc('hour', now(), 'UTC') - interval '1 day';

-- Single checks are read since then, and at the edges of weeks and four weeks.
INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, status_code, http_version,
    response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms,
    redirect_count, final_url, response_bytes, ip_address, error_class, retry_index)
SELECT gen_random_uuid(), s.domain_id, c.region, c.checked_at, c.outcome, c.status_code, c.http_version,
    c.response_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.ttfb_ms, c.download_ms,
    c.redirect_count, c.final_url, c.response_bytes, c.ip_address, c.error_class, c.retry_index
FROM (
    SELECT c.*, t.number
    FROM bench_sites AS t
    JOIN uptime_checks AS c ON c.domain_id = t.domain_id
    WHERE t.number < 10
        AND (
            c.checked_at >= date_trunc('hour', now(), 'UTC') - interval '25 hours'
            OR c.checked_at BETWEEN now() - interval '7 days 1 hour' AND now() - interval '6 days 22 hours'
            OR c.checked_at BETWEEN now() - interval '28 days 1 hour' AND now() - interval '27 days 22 hours'
        )
    OFFSET 0
) AS c
JOIN bench_sites AS s ON s.number % 10 = c.number
WHERE s.number >= 10 AND s.is_watched
-- As they come.
ORDER BY c.checked_at;

INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, status_code, http_version,
    response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms,
    redirect_count, final_url, response_bytes, ip_address, retry_index)
SELECT gen_random_uuid(), c.domain_id, 'local', c.checked_at, 'up', 200, '2',
    floor(c.micros) / 1000,
    floor(c.micros * 0.06 * (0.5 + random())) / 1000,
    floor(c.micros * 0.12 * (0.5 + random())) / 1000,
    floor(c.micros * 0.25 * (0.5 + random())) / 1000,
    floor(c.micros * 0.45 * (0.5 + random())) / 1000,
    floor(c.micros * 0.06 * (0.5 + random())) / 1000,
    0, 'https://site.example/', 5000 + floor(10000 * random()), '203.0.113.7', 0
FROM (
    -- As they come: minute by minute, each site in its second. The sum of three is near enough to a normal distribution.
    SELECT d.id AS domain_id, minute + d.number * interval '0.5 seconds' AS checked_at,
        1000 * (100 + d.number) * exp(random() + random() + random() - 1.5) AS micros
    FROM generate_series($1, $2, interval '1 minute') AS minute
    CROSS JOIN (SELECT id, row_number() OVER (ORDER BY id) % 100 AS number FROM domains) AS d
    WHERE minute < $2
    OFFSET 0
) AS c

INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, status_code, http_version,
    response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms,
    redirect_count, final_url, response_bytes, ip_address, retry_index)
SELECT gen_random_uuid(), c.domain_id, 'local', c.checked_at, 'up', 200, '2',
    floor(c.micros) / 1000,
    floor(c.micros * 0.06) / 1000,
    floor(c.micros * 0.12) / 1000,
    floor(c.micros * 0.25) / 1000,
    floor(c.micros * 0.45) / 1000,
    floor(c.micros * 0.06) / 1000,
    0, 'https://site.example/', 5000 + floor(10000 * random()), '203.0.113.7', 0
FROM (
    SELECT s.domain_id, minute + s.number * interval '5 seconds' AS checked_at,
        1000 * (100 + 10 * s.number) * exp(random() + random() + random() - 1.5)
            -- The last of the ten is slow today.
            * CASE WHEN s.number = 9 AND minute > $2 - interval '22 hours' THEN 3 ELSE 1 END AS micros
    FROM generate_series($1, $2 - interval '1 minute', interval '1 minute') AS minute
    CROSS JOIN bench_sites AS s
    WHERE s.number < 10
    OFFSET 0
) AS c

-- Ten budgets of all pages of the domain $1, and two of each page.
INSERT INTO synthetic_budgets (id, domain_id, position, url_id, metric, bound, direction)
SELECT gen_random_uuid(), $1, row_number() OVER () - 1, b.url_id, b.metric, b.bound, b.direction
FROM (
    SELECT NULL::uuid AS url_id, m.metric, m.bound, m.direction
    FROM (
        VALUES
            ('performance_score', 50, 'min'), ('lcp_ms', 12000, 'max'), ('tbt_ms', 1500, 'max'), ('cls', 0.25, 'max'),
            ('fcp_ms', 1800, 'max'), ('speed_index_ms', 3400, 'max'), ('ttfb_ms', 600, 'max'), ('total_bytes', 2000000, 'max'),
            ('script_bytes', 500000, 'max'), ('request_count', 100, 'max')
    ) AS m (metric, bound, direction)
    UNION ALL
    SELECT u.id, m.metric, m.bound, 'max'
    FROM synthetic_urls AS u
    CROSS JOIN (VALUES ('lcp_ms', 10000), ('tbt_ms', 1200)) AS m (metric, bound)
    WHERE u.domain_id = $1
) AS b

INSERT INTO rum_hist (domain_id, metric, day, device, bucket, n)
SELECT $1, counted.*
FROM (
    SELECT m.metric, (v.at AT TIME ZONE 'UTC')::date AS day, v.device, bucket.bucket, count(*) AS n
    FROM rum_views AS v
    CROSS JOIN LATERAL (VALUES
        (0::smallint, v.lcp_ms),
        (1::smallint, v.inp_ms),
        (2::smallint, v.cls),
        (3::smallint, v.fcp_ms),
        (4::smallint, v.ttfb_ms)
    ) AS m (metric, value)
    CROSS JOIN LATERAL (
        SELECT rum_bucket(m.value, $4, $5) AS bucket
    ) AS bucket
    WHERE m.value IS NOT NULL AND v.domain_id = $1 AND v.at >= $2 AND v.at < $3
    GROUP BY 1, 2, 3, 4
) AS counted

WITH cut AS (
    -- Before it roll-ups are read, from there on views.
    SELECT CASE WHEN $12::boolean THEN greatest($2, least($3, coalesce(max(p.rolled_until), $2))) ELSE $2 END AS at
    FROM rum_progress AS p
    WHERE p.domain_id = $1
), counted AS (
    SELECT m.metric, (v.at AT TIME ZONE 'UTC')::date AS day, v.device, bucket.bucket, count(*) AS n
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    CROSS JOIN LATERAL (VALUES
        (0::smallint, v.lcp_ms),
        (1::smallint, v.inp_ms),
        (2::smallint, v.cls),
        (3::smallint, v.fcp_ms),
        (4::smallint, v.ttfb_ms)
    ) AS m (metric, value)
    CROSS JOIN LATERAL (
        SELECT rum_bucket(m.value, $13, $14) AS bucket
    ) AS bucket
    WHERE m.value IS NOT NULL AND v.at >= (SELECT cut.at FROM cut)
    GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT h.metric, h.day, h.device, h.bucket, h.n
    FROM rum_hist AS h
    WHERE h.domain_id = $1 AND h.day >= ($2 AT TIME ZONE 'UTC')::date
        AND h.day < ((SELECT cut.at FROM cut) AT TIME ZONE 'UTC')::date
        AND ($4::smallint IS NULL OR h.device = $4)
), summed AS (
    SELECT metric, day, device, bucket, sum(n) AS n
    FROM counted
    GROUP BY GROUPING SETS ((metric, day, bucket), (metric, device, bucket), (metric, bucket))
), ranked AS (
    SELECT metric, day, device, bucket,
        sum(n) OVER (PARTITION BY metric, day, device ORDER BY bucket) AS upto,
        sum(n) OVER (PARTITION BY metric, day, device) AS total
    FROM summed
), wanted AS (
    -- The rank of the percentile, counted from 0.
    SELECT *, (total - 1) * $15::numeric / 100 AS rank
    FROM ranked
)
SELECT metric, day, device,
    min(bucket) FILTER (WHERE upto > floor(rank)) AS low,
    min(bucket) FILTER (WHERE upto > least(floor(rank) + 1, total - 1)) AS high,
    (rank - floor(rank))::double precision AS beyond
FROM wanted
GROUP BY metric, day, device, rank

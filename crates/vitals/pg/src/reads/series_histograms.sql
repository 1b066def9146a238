WITH cut AS (
    -- Before it roll-ups are read, from there on views.
    SELECT CASE WHEN $12::boolean THEN greatest($2, least($3, coalesce(max(p.rolled_until), $2))) ELSE $2 END AS at
    FROM rum_progress AS p
    WHERE p.domain_id = $1
), counted AS (
    SELECT m.metric, date_trunc($13, v.at, 'UTC') AS start, bucket.bucket, count(*) AS n
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    CROSS JOIN LATERAL (VALUES
        (0::smallint, v.lcp_ms),
        (1::smallint, v.inp_ms),
        (2::smallint, v.cls),
        (3::smallint, v.fcp_ms),
        (4::smallint, v.ttfb_ms)
    ) AS m (metric, value)
    CROSS JOIN LATERAL (
        SELECT rum_bucket(m.value, $14, $15) AS bucket
    ) AS bucket
    WHERE m.value IS NOT NULL AND v.at >= (SELECT cut.at FROM cut)
    GROUP BY 1, 2, 3
    UNION ALL
    SELECT h.metric, date_trunc($13, h.day::timestamp AT TIME ZONE 'UTC', 'UTC'), h.bucket, h.n
    FROM rum_hist AS h
    WHERE h.domain_id = $1 AND h.metric = ANY ('{0,1,2,3,4}') AND h.day >= ($2 AT TIME ZONE 'UTC')::date
        AND h.day < ((SELECT cut.at FROM cut) AT TIME ZONE 'UTC')::date
        AND ($4::smallint IS NULL OR h.device = $4)
), summed AS (
    SELECT metric, start, bucket, sum(n) AS n
    FROM counted
    GROUP BY metric, start, bucket
), ranked AS (
    SELECT metric, start, bucket,
        sum(n) OVER (PARTITION BY metric, start ORDER BY bucket) AS upto,
        sum(n) OVER (PARTITION BY metric, start) AS total
    FROM summed
), wanted AS (
    -- The rank of the percentile, counted from 0.
    SELECT *, (total - 1) * $16::numeric / 100 AS rank
    FROM ranked
)
SELECT metric, start,
    min(bucket) FILTER (WHERE upto > floor(rank)) AS low,
    min(bucket) FILTER (WHERE upto > least(floor(rank) + 1, total - 1)) AS high,
    (rank - floor(rank))::double precision AS beyond
FROM wanted
GROUP BY metric, start, rank

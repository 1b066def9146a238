WITH cut AS (
    -- Before it roll-ups are read, from there on views.
    SELECT CASE WHEN $12::boolean THEN greatest($2, least($3, coalesce(max(p.rolled_until), $2))) ELSE $2 END AS at
    FROM rum_progress AS p
    WHERE p.domain_id = $1
), counted AS (
    SELECT bucket.bucket, count(*) AS n
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    CROSS JOIN LATERAL (
        SELECT CASE $13::smallint
            WHEN 0 THEN v.lcp_ms WHEN 1 THEN v.inp_ms WHEN 2 THEN v.cls WHEN 3 THEN v.fcp_ms WHEN 4 THEN v.ttfb_ms
        END AS value
    ) AS m
    CROSS JOIN LATERAL (
        SELECT rum_bucket(m.value, $14, $15) AS bucket
    ) AS bucket
    WHERE m.value IS NOT NULL AND v.at >= (SELECT cut.at FROM cut)
    GROUP BY 1
    UNION ALL
    SELECT h.bucket, h.n
    FROM rum_hist AS h
    WHERE h.domain_id = $1 AND h.metric = $13 AND h.day >= ($2 AT TIME ZONE 'UTC')::date
        AND h.day < ((SELECT cut.at FROM cut) AT TIME ZONE 'UTC')::date
        AND ($4::smallint IS NULL OR h.device = $4)
)
SELECT bucket, sum(n)::bigint AS n
FROM counted
GROUP BY bucket
ORDER BY bucket

-- Index (domain_id, finished_at) of those that succeeded. Pages that are tracked no longer are left out. $6: what runs are put
-- together by; null: each run alone.
SELECT v.url_id, v.profile_id, v.metric, v.bucket_start,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY v.value) AS median,
    min(v.value) AS least,
    max(v.value) AS greatest,
    count(*) AS runs, max(v.finished_at) AS newest
FROM (
    SELECT r.url_id, r.profile_id, m.metric, m.number, r.finished_at,
        CASE WHEN $6::text IS NULL THEN r.finished_at ELSE date_trunc($6, r.finished_at, 'UTC') END AS bucket_start,
        (r.figures ->> m.metric)::float8 AS value
    FROM synthetic_runs AS r
    CROSS JOIN unnest($7::text[]) WITH ORDINALITY AS m (metric, number)
    WHERE r.domain_id = $1 AND r.status = 'succeeded' AND r.finished_at >= $2 AND r.finished_at < $3
        AND r.url_id IS NOT NULL
        AND r.url_id NOT IN (SELECT u.id FROM synthetic_urls AS u WHERE u.domain_id = $1 AND u.deleted_at IS NOT NULL)
        AND ($4::uuid IS NULL OR r.url_id = $4)
        AND ($5::text IS NULL OR r.profile_id = $5)
    -- A fence, so that values are sorted, and not all figures of each run.
    OFFSET 0
) AS v
GROUP BY v.url_id, v.profile_id, v.number, v.metric, v.bucket_start
ORDER BY v.url_id, v.profile_id, v.number, v.bucket_start
LIMIT $8

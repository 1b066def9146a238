-- Index (domain_id, finished_at) of those that succeeded. Pages that are tracked no longer are left out. A test whose version is not
-- known changes nothing. $4, $5: one page, and one profile; null: all.
SELECT t.url_id, t.profile_id, t.finished_at, t.major
FROM (
    SELECT v.url_id, v.profile_id, v.finished_at, v.major,
        lag(v.major) OVER (PARTITION BY v.url_id, v.profile_id ORDER BY v.finished_at) AS before
    FROM (
        SELECT r.url_id, r.profile_id, r.finished_at, r.engine_major AS major
        FROM synthetic_runs AS r
        WHERE r.domain_id = $1 AND r.status = 'succeeded' AND r.finished_at >= $2 AND r.finished_at < $3
            AND r.url_id IS NOT NULL
            AND r.url_id NOT IN (SELECT u.id FROM synthetic_urls AS u WHERE u.domain_id = $1 AND u.deleted_at IS NOT NULL)
            AND ($4::uuid IS NULL OR r.url_id = $4)
            AND ($5::text IS NULL OR r.profile_id = $5)
    ) AS v
    WHERE v.major IS NOT NULL
) AS t
WHERE t.major <> t.before
ORDER BY t.finished_at
LIMIT $6

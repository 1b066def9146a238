-- The newest test of pages ($2) that succeeded with this profile ($3).
SELECT u.settings ->> 'url' AS url, last.lcp_ms, last.cls
FROM synthetic_urls AS u
CROSS JOIN LATERAL (
    SELECT (r.figures ->> 'lcp_ms')::double precision AS lcp_ms, (r.figures ->> 'cls')::double precision AS cls
    FROM synthetic_runs AS r
    WHERE r.url_id = u.id AND r.profile_id = $3 AND r.status = 'succeeded'
    ORDER BY r.finished_at DESC
    LIMIT 1
) AS last
WHERE u.domain_id = $1 AND u.deleted_at IS NULL AND u.settings ->> 'url' = ANY ($2)

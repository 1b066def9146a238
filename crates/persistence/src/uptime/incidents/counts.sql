WITH all_classes AS (
    SELECT class FROM uptime_incidents
    WHERE domain_id = $1 AND started_at < $3 AND (resolved_at IS NULL OR resolved_at > $2)
        AND ($5 IS NULL OR (resolved_at IS NULL) = $5)
    ORDER BY started_at DESC, id DESC
    LIMIT $6 + 1
), one_class AS (
    SELECT FROM uptime_incidents
    WHERE domain_id = $1 AND started_at < $3 AND (resolved_at IS NULL OR resolved_at > $2)
        AND class = $4 AND ($5 IS NULL OR (resolved_at IS NULL) = $5)
    LIMIT $6 + 1
)
SELECT class, least(count(*), $6) AS found, count(*) > $6 AS is_truncated, false AS is_scanned
FROM (SELECT class FROM all_classes LIMIT $6) AS read
GROUP BY class
UNION ALL
SELECT NULL, least(count(*), $6), count(*) > $6, true
FROM (SELECT FROM all_classes WHERE $4 IS NULL UNION ALL SELECT FROM one_class) AS matching

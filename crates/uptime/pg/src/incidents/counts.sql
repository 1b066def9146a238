-- The same bound and the same three ways as those of the list.
WITH since AS MATERIALIZED (
    SELECT coalesce(min(started_at), '-infinity') AS at
    FROM (
        SELECT started_at FROM uptime_incidents
        WHERE domain_id = $1 AND started_at < $2
        ORDER BY started_at DESC
        LIMIT 64
    ) AS before
), all_classes AS (
    (
        SELECT class FROM uptime_incidents
        WHERE $5 IS NOT TRUE
            AND domain_id = $1 AND started_at >= (SELECT at FROM since) AND started_at < $3
            AND (resolved_at > $2 OR (resolved_at IS NULL AND $5 IS NULL))
        ORDER BY started_at DESC, id DESC
        LIMIT $6 + 1
    )
    UNION ALL
    SELECT class FROM uptime_incidents
    WHERE $5 AND domain_id = $1 AND resolved_at IS NULL AND started_at < $3
), one_class AS (
    SELECT FROM (
        SELECT domain_id, class FROM uptime_incidents
        WHERE $5 IS NOT TRUE
            AND hashtextextended(class, uuid_hash_extended(domain_id, 0))
                = hashtextextended($4, uuid_hash_extended($1, 0))
            AND started_at >= (SELECT at FROM since) AND started_at < $3
            AND (resolved_at > $2 OR (resolved_at IS NULL AND $5 IS NULL))
        ORDER BY started_at DESC, id DESC
        LIMIT $6 + 1
    ) AS one
    WHERE domain_id = $1 AND class = $4
    UNION ALL
    SELECT FROM uptime_incidents
    WHERE $5 AND class = $4 AND domain_id = $1 AND resolved_at IS NULL AND started_at < $3
)
SELECT class, least(count(*), $6) AS found, count(*) > $6 AS is_truncated, false AS is_scanned
FROM (SELECT class FROM all_classes LIMIT $6) AS read
GROUP BY class
UNION ALL
-- How many match; whether anything was left unread, of whatever class, since a class that is not counted may then be there.
SELECT NULL, least(count(*), $6), (SELECT count(*) FROM all_classes) > $6, true
FROM (SELECT FROM all_classes WHERE $4 IS NULL UNION ALL SELECT FROM one_class) AS matching

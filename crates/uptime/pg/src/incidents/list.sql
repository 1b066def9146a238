-- Incidents of a domain follow each other, and overlap by no more than their confirmation takes: of those that began before
-- the window only the last few can reach into it.
WITH since AS MATERIALIZED (
    SELECT coalesce(min(started_at), '-infinity') AS at
    FROM (
        SELECT started_at FROM uptime_incidents
        WHERE domain_id = $1 AND started_at < $2
        ORDER BY started_at DESC
        LIMIT 64
    ) AS before
)
SELECT i.id, i.domain_id, i.class, i.severity, i.started_at, i.confirmed_at, i.resolved_at, i.status_code,
    i.error_message, i.checks_failed, i.during_maintenance,
    ARRAY(
        SELECT e.region FROM uptime_incident_events AS e
        WHERE e.incident_id = i.id AND e.event IN ('first_failure', 'region_added')
        ORDER BY e.number
    ) AS regions
FROM (
    -- One of the three is read, each by an index: all classes, one class, and what is open.
    (
        SELECT * FROM uptime_incidents
        WHERE $4 IS NULL AND $5 IS NOT TRUE
            AND domain_id = $1 AND started_at >= (SELECT at FROM since) AND started_at < $3
            AND (resolved_at > $2 OR (resolved_at IS NULL AND $5 IS NULL))
        ORDER BY started_at DESC, id DESC
        LIMIT $6
    )
    UNION ALL
    SELECT * FROM (
        SELECT * FROM uptime_incidents
        WHERE $5 IS NOT TRUE
            AND hashtextextended(class, uuid_hash_extended(domain_id, 0))
                = hashtextextended($4, uuid_hash_extended($1, 0))
            AND started_at >= (SELECT at FROM since) AND started_at < $3
            AND (resolved_at > $2 OR (resolved_at IS NULL AND $5 IS NULL))
        ORDER BY started_at DESC, id DESC
        LIMIT $6
    ) AS one
    -- Without what only shares the hash.
    WHERE domain_id = $1 AND class = $4
    UNION ALL
    SELECT * FROM uptime_incidents
    WHERE $5 AND domain_id = $1 AND resolved_at IS NULL AND started_at < $3 AND ($4 IS NULL OR class = $4)
) AS i
WHERE $7 IS NULL OR (i.started_at, i.id) < ($7, $8)
ORDER BY i.started_at DESC, i.id DESC
LIMIT $9

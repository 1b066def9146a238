SELECT i.id, i.domain_id, i.class, i.severity, i.started_at, i.confirmed_at, i.resolved_at, i.status_code,
    i.error_message, i.checks_failed, i.during_maintenance,
    ARRAY(
        SELECT e.region FROM uptime_incident_events AS e
        WHERE e.incident_id = i.id AND e.event IN ('first_failure', 'region_added')
        ORDER BY e.number
    ) AS regions
FROM (
    SELECT * FROM uptime_incidents
    WHERE domain_id = $1 AND started_at < $3 AND (resolved_at IS NULL OR resolved_at > $2)
        AND ($4 IS NULL OR class = $4) AND ($5 IS NULL OR (resolved_at IS NULL) = $5)
    ORDER BY started_at DESC, id DESC
    LIMIT $6
) AS i
WHERE $7 IS NULL OR (i.started_at, i.id) < ($7, $8)
ORDER BY i.started_at DESC, i.id DESC
LIMIT $9

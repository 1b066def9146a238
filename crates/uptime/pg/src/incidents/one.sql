SELECT i.id, i.domain_id, i.class, i.severity, i.started_at, i.confirmed_at, i.resolved_at, i.status_code,
    i.error_message, i.checks_failed, i.during_maintenance,
    ARRAY(
        SELECT e.region FROM uptime_incident_events AS e
        WHERE e.incident_id = i.id AND e.event IN ('first_failure', 'region_added')
        ORDER BY e.number
    ) AS regions
FROM uptime_incidents AS i
WHERE i.domain_id = $1 AND i.id = $2

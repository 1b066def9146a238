SELECT e.region, count(DISTINCT i.id) AS found
FROM uptime_incidents AS i
JOIN uptime_incident_events AS e ON e.incident_id = i.id
WHERE i.domain_id = $1 AND i.started_at < $3 AND (i.resolved_at IS NULL OR i.resolved_at > $2)
    AND i.severity = 'outage' AND e.event IN ('first_failure', 'region_added') AND e.region IS NOT NULL
GROUP BY e.region

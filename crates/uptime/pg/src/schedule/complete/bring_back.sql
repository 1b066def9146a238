WITH told AS (
    UPDATE uptime_incident_events SET at = least(at, $2) WHERE incident_id = ANY ($1)
)
UPDATE uptime_incidents SET started_at = least(started_at, $2), confirmed_at = least(confirmed_at, $2)
WHERE id = ANY ($1)

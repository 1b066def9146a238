-- How many alerts of each of these domains ($1) are in force, and the most severe of them, the newest of several. Each domain is
-- found by its index alone; one without any is left out.
SELECT d.id AS domain_id, worst.id, worst.severity, worst.title, worst.incident_id, worst.in_force
FROM unnest($1) AS d (id)
CROSS JOIN LATERAL (
    SELECT h.id, h.severity, h.title, h.context ->> 'incident_id' AS incident_id, count(*) OVER () AS in_force
    FROM alert_history AS h
    WHERE h.domain_id = d.id AND h.resolved_at IS NULL
    ORDER BY array_position(ARRAY['critical', 'warning', 'info'], h.severity), h.fired_at DESC, h.id DESC
    LIMIT 1
) AS worst

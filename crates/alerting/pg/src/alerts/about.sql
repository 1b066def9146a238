SELECT (h.context ->> 'incident_id')::uuid AS incident_id, array_agg(h.id ORDER BY h.fired_at, h.id) AS alert_ids
FROM alert_history AS h
WHERE h.domain_id = $1 AND h.context ->> 'incident_id' = ANY ($2)
GROUP BY 1

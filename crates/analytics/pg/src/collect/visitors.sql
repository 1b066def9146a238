INSERT INTO analytics_visitors AS v (domain_id, visitor_id)
SELECT told.domain_id, told.visitor_id
FROM unnest($1, $2) AS told (domain_id, visitor_id)
ORDER BY 1, 2
ON CONFLICT (domain_id, visitor_id) DO UPDATE SET touched_at = now()
RETURNING v.domain_id, v.visitor_id, v.visits

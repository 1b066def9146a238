FROM alert_history AS h
JOIN domains AS d ON d.id = h.domain_id
JOIN workspaces AS w ON w.id = h.workspace_id
WHERE h.domain_id = $1 AND h.resolved_at IS NULL AND (h.fired_at, h.id) < ($2, $3)
ORDER BY h.fired_at DESC, h.id DESC
LIMIT $4

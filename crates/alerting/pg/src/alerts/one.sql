FROM alert_history AS h
JOIN domains AS d ON d.id = h.domain_id AND d.deleted_at IS NULL
JOIN workspaces AS w ON w.id = h.workspace_id
WHERE h.id = $1 AND h.workspace_id = ANY ($2)

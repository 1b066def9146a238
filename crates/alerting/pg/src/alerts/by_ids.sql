FROM alert_history AS h
JOIN domains AS d ON d.id = h.domain_id
JOIN workspaces AS w ON w.id = h.workspace_id
WHERE h.id = ANY ($1)

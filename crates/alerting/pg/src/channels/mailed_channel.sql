SELECT c.name AS channel_name, w.name AS workspace_name, c.off_reason IS NULL AS is_on
FROM alert_channels AS c
JOIN workspaces AS w ON w.id = c.workspace_id
WHERE c.unsubscribe_token = $1 AND c.target ->> 'kind' = 'email'

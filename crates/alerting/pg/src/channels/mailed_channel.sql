SELECT c.name AS channel_name, w.name AS workspace_name, c.off_reason IS NULL AS is_on
FROM alert_channels AS c
JOIN workspaces AS w ON w.id = c.workspace_id
-- The token itself is there until an older version's row is sealed.
WHERE (c.unsubscribe_digest = $1 OR c.unsubscribe_token = $2) AND c.target ->> 'kind' = 'email'

SELECT c.id, c.name, w.name AS workspace_name, c.failing_since, d.given_up, d.last_error, c.off_reason
FROM alert_channels AS c
JOIN workspaces AS w ON w.id = c.workspace_id
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE d.state = 'failed' AND d.ended_at >= $1) AS given_up,
        (array_agg(d.last_error ORDER BY d.created_at DESC) FILTER (WHERE d.last_error IS NOT NULL))[1] AS last_error
    FROM alert_deliveries AS d
    -- It takes about a day until one is given up.
    WHERE d.channel_id = c.id AND d.created_at >= $1 - interval '2 days'
) AS d
WHERE (c.off_reason IS NULL AND (c.failing_since IS NOT NULL OR d.given_up > 0))
    -- Nobody may have seen the one notification that told of it. Channels that people switched off are their will.
    OR c.off_reason = $3
-- Those that are off stay so for as long as nobody mends them: however many they are, they come behind what fails.
ORDER BY c.off_reason IS NOT NULL, c.failing_since, c.id
LIMIT $2

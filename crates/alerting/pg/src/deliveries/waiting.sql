-- The lock on the channel has its deliveries taken one after the other.
SELECT c.id AS channel_id, w.name AS workspace_name, d.event, d.state, coalesce(n.severity, 'info') AS severity,
    d.taken_until, raised.state AS raised, c.next_mail_at, clock_timestamp() AS present
FROM alert_deliveries AS d
JOIN alert_channels AS c ON c.id = d.channel_id
JOIN workspaces AS w ON w.id = c.workspace_id
LEFT JOIN notifications AS n ON n.id = d.notification_id
LEFT JOIN alert_deliveries AS raised
    ON d.event = 'resolved' AND raised.notification_id = d.notification_id AND raised.channel_id = d.channel_id
        AND raised.event = 'raised'
WHERE d.id = $1
FOR NO KEY UPDATE OF c

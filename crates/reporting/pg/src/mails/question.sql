-- The question by a link of its own, to those who have not answered yet and may still.
WITH asked AS (
    UPDATE report_recipients
    SET link_digest = $2
    WHERE id = $1 AND confirmed_at IS NULL AND unsubscribed_at IS NULL AND asked_until > now()
    RETURNING template_id, address, asked_until, unsubscribe_token
)
SELECT a.address, d.hostname, w.name AS workspace_name, a.asked_until, a.unsubscribe_token
FROM asked AS a
JOIN report_templates AS t ON t.id = a.template_id
JOIN domains AS d ON d.id = t.domain_id AND d.deleted_at IS NULL
JOIN workspaces AS w ON w.id = t.workspace_id

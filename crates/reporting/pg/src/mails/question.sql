-- The question by a link of its own, to those who have not answered yet and may still. Who has refused mails of the workspace
-- meanwhile, by the link of another report, is not asked.
WITH asked AS (
    UPDATE report_recipients AS p
    SET link_digest = $2
    FROM report_templates AS t
    WHERE p.id = $1 AND t.id = p.template_id
        AND p.confirmed_at IS NULL AND p.unsubscribed_at IS NULL AND p.asked_until > now()
        AND NOT EXISTS (
            SELECT FROM report_questions AS q
            WHERE q.workspace_id = t.workspace_id AND q.is_refusal
                AND q.address_digest = sha256(convert_to(p.address_key, 'UTF8'))
                AND q.at > now() - make_interval(secs => $3)
        )
    RETURNING p.address, p.asked_until, p.unsubscribe_token, t.domain_id, t.workspace_id
)
SELECT a.address, d.hostname, w.name AS workspace_name, a.asked_until, a.unsubscribe_token
FROM asked AS a
JOIN domains AS d ON d.id = a.domain_id AND d.deleted_at IS NULL
JOIN workspaces AS w ON w.id = a.workspace_id

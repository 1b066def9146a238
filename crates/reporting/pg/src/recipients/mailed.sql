-- The report that a link in a mail is about: that of a question, which holds for a while, or the one that ends such mails.
SELECT r.id, r.template_id, r.address, t.name AS template_name, d.hostname, w.name AS workspace_name,
    CASE
        WHEN r.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
        WHEN r.confirmed_at IS NOT NULL THEN 'confirmed'
        WHEN r.asked_until <= now() THEN 'lapsed'
        ELSE 'asked'
    END AS state
FROM report_recipients AS r
JOIN report_templates AS t ON t.id = r.template_id
JOIN domains AS d ON d.id = t.domain_id
JOIN workspaces AS w ON w.id = t.workspace_id
WHERE (r.link_digest = $1 AND r.asked_until > now() AND r.unsubscribed_at IS NULL) OR r.unsubscribe_token = $2

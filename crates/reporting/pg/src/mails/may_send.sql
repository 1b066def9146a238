SELECT
    t.recipients_count > 0 AS has_recipient,
    EXISTS (
        SELECT FROM report_runs AS a
        JOIN runs AS r ON r.id = a.run_id
        WHERE a.template_id = t.id AND a.is_mailed
            AND (
                r.status IN ('queued', 'running')
                OR (a.trigger = 'dashboard' AND r.requested_at > $2 - make_interval(secs => $3))
            )
    ) AS is_too_soon,
    (
        SELECT count(*) FROM runs AS r
        JOIN domains AS d ON d.id = r.domain_id
        JOIN report_runs AS a ON a.run_id = r.id
        WHERE d.workspace_id = t.workspace_id AND r.kind = 'report' AND a.trigger = 'dashboard'
            AND r.requested_at > $2 - interval '1 day'
    ) AS sent_by_hand
FROM report_templates AS t
WHERE t.id = $1 AND t.domain_id = $4

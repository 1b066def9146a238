SELECT r.*, a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result,
    a.ordered, d.hostname, w.id AS workspace_id, w.subscription_status, p.modules
FROM runs AS r
JOIN report_runs AS a ON a.run_id = r.id
JOIN domains AS d ON d.id = r.domain_id
JOIN workspaces AS w ON w.id = d.workspace_id
JOIN plans AS p ON p.key = w.plan_key
WHERE r.id = $1 AND d.deleted_at IS NULL AND r.status IN ('queued', 'running')

SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result,
    a.ordered, d.hostname, w.id AS workspace_id, w.subscription_status, p.modules
FROM runs AS r
JOIN report_runs AS a ON a.run_id = r.id
JOIN domains AS d ON d.id = r.domain_id
JOIN workspaces AS w ON w.id = d.workspace_id
JOIN plans AS p ON p.key = w.plan_key
WHERE r.id = $1 AND d.deleted_at IS NULL AND r.status IN ('queued', 'running')

-- One that was given up is there, too: an operator may have it sent again.
SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result,
    a.ordered ->> 'locale' AS locale, a.ordered -> 'branding' ->> 'accent_color' AS accent,
    p.address, p.unsubscribe_token, d.hostname, w.name AS workspace_name
FROM report_deliveries AS v
JOIN report_recipients AS p ON p.id = v.recipient_id
JOIN report_runs AS a ON a.run_id = v.run_id
JOIN runs AS r ON r.id = a.run_id
JOIN domains AS d ON d.id = r.domain_id
JOIN workspaces AS w ON w.id = d.workspace_id
WHERE v.id = $1
    AND v.state IN ('queued', 'failed')
    AND p.confirmed_at IS NOT NULL AND p.unsubscribed_at IS NULL
    AND a.has_result AND r.status = 'succeeded' AND (r.expires_at IS NULL OR r.expires_at > now())
    AND d.deleted_at IS NULL

-- The runs of one template, $7: all of them are looked at, which its index finds, and none of the others of its domain.
SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result
FROM report_runs AS a
CROSS JOIN LATERAL (SELECT * FROM runs AS f WHERE f.id = a.run_id LIMIT 1) AS r
WHERE a.template_id = $7 AND r.domain_id = $1 AND r.kind = 'report' AND (r.requested_at, r.id) < ($2, $3)
    AND (
        $4 IS NULL
        OR $4 = CASE WHEN r.status IN ('succeeded', 'partial') AND r.expires_at <= $5 THEN 'expired' ELSE r.status END
    )
ORDER BY r.requested_at DESC, r.id DESC
LIMIT $6

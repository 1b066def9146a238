SELECT r.*, a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result
FROM runs AS r
JOIN report_runs AS a ON a.run_id = r.id
WHERE r.domain_id = $1 AND r.kind = 'report' AND (r.requested_at, r.id) < ($2, $3)
    AND ($4 IS NULL OR a.template_id = $4)
    AND (
        $5 IS NULL
        OR $5 = CASE WHEN r.status IN ('succeeded', 'partial') AND r.expires_at <= $6 THEN 'expired' ELSE r.status END
    )
ORDER BY r.requested_at DESC, r.id DESC
LIMIT $7

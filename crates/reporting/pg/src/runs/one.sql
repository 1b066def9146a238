SELECT r.*, a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result
FROM runs AS r
JOIN report_runs AS a ON a.run_id = r.id
JOIN domains AS d ON d.id = r.domain_id
WHERE r.id = $2 AND r.kind = 'report' AND r.domain_id = $1 AND d.deleted_at IS NULL

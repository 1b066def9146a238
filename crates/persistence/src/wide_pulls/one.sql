SELECT r.*, p.report, p.first_day, p.last_day, p.total_rows, p.is_truncated
FROM runs AS r
JOIN wide_pulls AS p ON p.run_id = r.id
WHERE r.domain_id = $1 AND r.kind = $3 AND r.id = $2

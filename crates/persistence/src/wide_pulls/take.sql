SELECT r.domain_id, p.report, p.first_day, p.last_day, p.asked, p.total_rows
FROM wide_pulls AS p
JOIN runs AS r ON r.id = p.run_id
JOIN domains AS d ON d.id = r.domain_id
WHERE p.run_id = $1 AND r.kind = $2 AND d.deleted_at IS NULL
FOR UPDATE OF p

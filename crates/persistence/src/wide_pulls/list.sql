SELECT r.*, p.report, p.first_day, p.last_day, p.total_rows, p.is_truncated
FROM runs AS r
JOIN wide_pulls AS p ON p.run_id = r.id
WHERE r.domain_id = $1 AND r.kind = $8 AND (r.requested_at, r.id) < ($2, $3)
    AND ($4 IS NULL OR p.report = $4)
    AND (
        $5 IS NULL
        OR $5 = CASE WHEN r.status IN ('succeeded', 'partial') AND r.expires_at <= $6 THEN 'expired' ELSE r.status END
    )
ORDER BY r.requested_at DESC, r.id DESC
LIMIT $7

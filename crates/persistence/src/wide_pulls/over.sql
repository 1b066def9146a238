SELECT p.run_id
FROM wide_pulls AS p
JOIN runs AS r ON r.id = p.run_id
WHERE p.has_rows AND (r.status IN ('failed', 'canceled', 'expired') OR r.expires_at <= least($1, now()))
LIMIT 1

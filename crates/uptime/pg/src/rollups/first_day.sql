SELECT date_trunc('day', checked_at, 'UTC') AS day
FROM uptime_checks
WHERE domain_id = $1 AND checked_at >= day_before($2, $3)
ORDER BY checked_at
LIMIT 1

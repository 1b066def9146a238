SELECT (p.first_at AT TIME ZONE 'UTC')::date AS first_day, (p.last_at AT TIME ZONE 'UTC')::date AS last_day
FROM analytics_progress AS p
WHERE p.domain_id = $1

SELECT url_id, id
FROM synthetic_runs
WHERE domain_id = $1 AND profile_id = 'mobile' AND status = 'succeeded'
ORDER BY requested_at DESC, id
LIMIT 1

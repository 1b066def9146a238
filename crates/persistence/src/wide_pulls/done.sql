UPDATE wide_pulls AS p
SET total_rows = least($2, $3), is_truncated = $2 > $3, has_rows = true
WHERE p.run_id = $1

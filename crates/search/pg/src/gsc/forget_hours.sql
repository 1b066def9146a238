DELETE FROM search_hours
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM search_hours WHERE hour < day_before($1, $2) ORDER BY hour LIMIT 10000
))

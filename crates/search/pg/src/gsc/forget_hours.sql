DELETE FROM search_hours
WHERE ctid = ANY (ARRAY(SELECT ctid FROM search_hours WHERE hour < day_before($1, $2) LIMIT 10000))

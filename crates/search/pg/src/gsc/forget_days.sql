DELETE FROM search_days
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM search_days
    WHERE date < (day_before($1, $2) AT TIME ZONE 'UTC')::date
    ORDER BY date
    LIMIT 10000
))

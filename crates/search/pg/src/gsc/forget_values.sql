DELETE FROM search_values
WHERE id = ANY (ARRAY(
    SELECT id FROM search_values
    WHERE last_month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')
    LIMIT 10000
))

DELETE FROM search_values
-- Asked again of each row: an import that held it meanwhile may have seen it.
WHERE last_month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')
    AND id = ANY (ARRAY(
        SELECT id FROM search_values
        WHERE last_month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')
        LIMIT 10000
    ))

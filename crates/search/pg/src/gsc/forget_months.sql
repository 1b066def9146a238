DELETE FROM search_months
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM search_months
    WHERE month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')::date
    ORDER BY month
    LIMIT 10000
))

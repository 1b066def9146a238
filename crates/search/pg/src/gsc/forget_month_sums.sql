-- Months without their own row have no sums, so those are found by their primary key.
DELETE FROM search_month_sums
WHERE ctid = ANY (ARRAY(
    SELECT sums.ctid
    FROM search_months AS months
    JOIN search_month_sums AS sums
        ON sums.domain_id = months.domain_id AND sums.search_type = months.search_type AND sums.kind IN (1, 2)
        AND sums.month = months.month
    WHERE months.month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')
    LIMIT 10000
))

INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $11,
    f.place,
    jsonb_build_array(
        q.value, p.value,
        f.clicks, f.impressions, f.clicks::float8 / nullif(f.impressions, 0),
        nullif(f.position_sum, 0) / nullif(f.impressions, 0)
    )
FROM (
    SELECT s.*, row_number() OVER (ORDER BY s.clicks DESC, s.impressions DESC, s.query_id, s.page_id) AS place
    FROM (
        SELECT
            r.query_id, r.page_id,
            sum(r.clicks)::bigint AS clicks, sum(r.impressions)::bigint AS impressions, sum(r.position_sum) AS position_sum
        FROM search_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS r
        GROUP BY r.query_id, r.page_id
    ) AS s
    ORDER BY place
    LIMIT $12
) AS f
LEFT JOIN search_values AS q ON q.id = f.query_id
LEFT JOIN search_values AS p ON p.id = f.page_id

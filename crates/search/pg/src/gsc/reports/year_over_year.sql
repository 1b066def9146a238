WITH known AS (
    SELECT
        EXISTS (
            SELECT FROM search_days AS d
            WHERE d.domain_id = $1 AND d.search_type = $2 AND d.date BETWEEN $3 AND $4
        ) AS is_known,
        -- A year before that was imported in part alone would make every page grow.
        EXISTS (
            SELECT FROM search_properties AS s
            JOIN search_imports AS i
                ON i.domain_id = s.domain_id AND i.site_url = s.site_url AND i.search_type = $2
            WHERE s.domain_id = $1 AND i.reached <= ($3 - interval '1 year')::date
        ) AND NOT EXISTS (
            SELECT FROM search_missed_days AS m
            WHERE m.domain_id = $1 AND m.search_type = $2
                AND m.date BETWEEN ($3 - interval '1 year')::date AND ($4 - interval '1 year')::date
        ) AND EXISTS (
            SELECT FROM search_days AS d
            WHERE d.domain_id = $1 AND d.search_type = $2
                AND d.date BETWEEN ($3 - interval '1 year')::date AND ($4 - interval '1 year')::date
        ) AS was_known
), rows AS (
    SELECT r.page_id, r.clicks, r.impressions, r.position_sum, false AS is_previous
    FROM search_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS r
    UNION ALL
    SELECT r.page_id, r.clicks, r.impressions, r.position_sum, true
    FROM search_rows(
        $1, $2, ($3 - interval '1 year')::date, ($4 - interval '1 year')::date, $5, $6, $7, $8, $9, $10
    ) AS r
    WHERE (SELECT k.was_known FROM known AS k)
), sums AS (
    SELECT
        r.page_id,
        coalesce(sum(r.clicks) FILTER (WHERE NOT r.is_previous), 0)::bigint AS clicks,
        coalesce(sum(r.impressions) FILTER (WHERE NOT r.is_previous), 0)::bigint AS impressions,
        sum(r.position_sum) FILTER (WHERE NOT r.is_previous) AS position_sum,
        coalesce(sum(r.clicks) FILTER (WHERE r.is_previous), 0)::bigint AS clicks_previous,
        coalesce(sum(r.impressions) FILTER (WHERE r.is_previous), 0)::bigint AS impressions_previous,
        sum(r.position_sum) FILTER (WHERE r.is_previous) AS position_sum_previous
    FROM rows AS r
    GROUP BY r.page_id
), places AS (
    SELECT s.*, row_number() OVER (ORDER BY s.clicks DESC, s.impressions DESC, s.page_id) AS place
    FROM sums AS s
    ORDER BY place
    LIMIT $12
)
INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $11,
    f.place,
    jsonb_build_array(
        p.value,
        CASE WHEN k.is_known THEN f.clicks END, CASE WHEN k.was_known THEN f.clicks_previous END,
        CASE WHEN k.is_known THEN f.impressions END, CASE WHEN k.was_known THEN f.impressions_previous END,
        f.clicks::float8 / nullif(f.impressions, 0),
        CASE WHEN k.was_known THEN f.clicks_previous::float8 / nullif(f.impressions_previous, 0) END,
        nullif(f.position_sum, 0) / nullif(f.impressions, 0),
        CASE WHEN k.was_known THEN nullif(f.position_sum_previous, 0) / nullif(f.impressions_previous, 0) END
    )
FROM places AS f
CROSS JOIN known AS k
LEFT JOIN search_values AS p ON p.id = f.page_id

-- Inlined by the planner. A month whose sums stand is read as such, of others the days that lie in the window. The barriers have the
-- planner find those first, and then read a range of the primary key for each.
CREATE OR REPLACE FUNCTION search_all_values(
    domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date
)
RETURNS TABLE (value_id bigint, clicks bigint, impressions bigint, position_sum double precision)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT s.value_id, s.clicks, s.impressions, s.position_sum
    FROM search_months AS m
    JOIN search_month_sums AS s
        ON s.domain_id = domain AND s.search_type = in_type AND s.kind = of_kind AND s.month = m.month
    WHERE m.domain_id = domain AND m.search_type = in_type
        AND m.month >= first_day AND m.month <= (last_day + 1 - interval '1 month')::date
    UNION ALL
    SELECT s.value_id, s.clicks, s.impressions, s.position_sum
    FROM (
        SELECT greatest(g.month::date, first_day) AS since, least((g.month + interval '1 month')::date - 1, last_day) AS until
        FROM generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp, interval '1 month') AS g (month)
        WHERE NOT EXISTS (
            SELECT FROM search_months AS m
            WHERE m.domain_id = domain AND m.search_type = in_type AND m.month = g.month::date
                AND m.month >= first_day AND m.month <= (last_day + 1 - interval '1 month')::date
        )
        OFFSET 0
    ) AS piece
    CROSS JOIN LATERAL (
        SELECT d.value_id, d.clicks, d.impressions, d.position_sum
        FROM search_sums AS d
        WHERE d.domain_id = domain AND d.search_type = in_type AND d.kind = of_kind
            AND d.date >= first_day AND d.date <= last_day AND d.date >= piece.since AND d.date <= piece.until
        OFFSET 0
    ) AS s
$$;
COMMENT ON FUNCTION search_all_values (uuid, smallint, smallint, date, date) IS
    'The sums of the queries (1) or pages (2) of some days, over all places; a value has many rows.';

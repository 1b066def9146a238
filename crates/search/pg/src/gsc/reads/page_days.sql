-- Web search on the days from $2 to $3 that are final and were imported: of each page, and of all pages of a group together. $4: the
-- paths of the pages, $5: the group of each, $6: its place there. They are at the domain's own host, with www. and without it, and with
-- a port of $7.
WITH known AS MATERIALIZED (
    SELECT g.day::date AS date
    FROM search_properties AS p
    JOIN search_imports AS i ON i.domain_id = p.domain_id AND i.site_url = p.site_url AND i.search_type = 1
    CROSS JOIN LATERAL generate_series(
        greatest(i.reached, $2::date)::timestamp, least(p.data_through, $3::date)::timestamp, interval '1 day'
    ) AS g (day)
    WHERE p.domain_id = $1 AND p.data_through IS NOT NULL
        AND NOT EXISTS (
            SELECT FROM search_missed_days AS m
            WHERE m.domain_id = p.domain_id AND m.search_type = 1 AND m.date = g.day::date
        )
), asked AS MATERIALIZED (
    SELECT a.path, a.side, a.place
    FROM unnest($4::text[], $5::integer[], $6::integer[]) AS a (path, side, place)
), found AS MATERIALIZED (
    -- The barriers have the planner look up each page by its index, however many days and pages it takes a window to have.
    SELECT a.side, a.place, s.date, s.clicks, s.impressions, s.position_sum
    FROM domains AS d
    CROSS JOIN asked AS a
    CROSS JOIN unnest(ARRAY['https://', 'https://www.', 'http://', 'http://www.']) AS h (beginning)
    CROSS JOIN unnest($7::text[]) AS o (port)
    CROSS JOIN LATERAL (
        SELECT v.id
        FROM search_values AS v
        WHERE v.domain_id = $1 AND v.kind = 2
            AND v.value = h.beginning || regexp_replace(d.hostname, '^www\.', '') || o.port || a.path
        OFFSET 0
    ) AS v
    CROSS JOIN LATERAL (
        SELECT t.date, t.clicks, t.impressions, t.position_sum
        FROM search_sums AS t
        WHERE t.domain_id = $1 AND t.search_type = 1 AND t.kind = 2 AND t.value_id = v.id AND t.date >= $2 AND t.date <= $3
        OFFSET 0
    ) AS s
    WHERE d.id = $1
)
SELECT
    a.side, a.place, k.date,
    coalesce(sum(f.clicks), 0)::bigint AS clicks,
    coalesce(sum(f.impressions), 0)::bigint AS impressions,
    coalesce(sum(f.position_sum), 0) AS position_sum
FROM known AS k
CROSS JOIN asked AS a
LEFT JOIN found AS f ON f.side = a.side AND f.place = a.place AND f.date = k.date
GROUP BY GROUPING SETS ((a.side, a.place, k.date), (a.side, k.date))
ORDER BY k.date, a.side, a.place

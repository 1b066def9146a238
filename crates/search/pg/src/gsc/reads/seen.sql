-- How many queries (1) and pages (2) there were, and what they come to.
SELECT k.kind, seen.seen, seen.clicks, seen.impressions
FROM (VALUES (1::smallint), (2::smallint)) AS k (kind)
CROSS JOIN LATERAL (
    SELECT count(*) AS seen, coalesce(sum(v.clicks), 0)::bigint AS clicks, coalesce(sum(v.impressions), 0)::bigint AS impressions
    FROM (
        SELECT s.value_id, sum(s.clicks) AS clicks, sum(s.impressions) AS impressions
        FROM search_all_values($1, $2, k.kind, $3, $4) AS s
        GROUP BY s.value_id
    ) AS v
) AS seen

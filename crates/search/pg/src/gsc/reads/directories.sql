-- Pages by the first segments of their path that end in a slash, $5 at most. Hosts are merged.
SELECT
    d.prefix AS text, count(*) AS pages, sum(d.clicks)::bigint AS clicks, sum(d.impressions)::bigint AS impressions,
    sum(d.position_sum) AS position_sum, count(*) OVER () AS total
FROM (
    SELECT
        substring(v.value FROM '^[a-z]+://[^/?#]*((?:/[^/?#]*){0,' || $5::smallint || '}/)') AS prefix, s.clicks, s.impressions,
        s.position_sum
    FROM (
        SELECT
            c.value_id, sum(c.clicks) AS clicks, sum(c.impressions) AS impressions, sum(c.position_sum) AS position_sum
        FROM search_all_values($1, $2, 2::smallint, $3, $4) AS c
        GROUP BY c.value_id
    ) AS s
    JOIN search_values AS v ON v.id = s.value_id
) AS d
GROUP BY d.prefix
ORDER BY clicks DESC, impressions DESC, d.prefix COLLATE "C"
LIMIT $6

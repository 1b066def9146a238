SELECT
    count(DISTINCT query) AS queries, count(*) AS stored, coalesce(sum(clicks), 0)::bigint AS clicks,
    coalesce(sum(impressions), 0)::bigint AS impressions, coalesce(sum(position_sum), 0) AS position_sum
FROM bench_plain_queries
WHERE property = 'sc-domain:site-0.example' AND date >= $1 AND date <= $2

SELECT query, sum(clicks)::bigint AS clicks, sum(impressions)::bigint AS impressions, sum(position_sum) AS position_sum
FROM bench_plain
WHERE property = 'sc-domain:site-0.example' AND date >= $1 AND date <= $2 AND query IS NOT NULL AND page IS NULL
GROUP BY query
ORDER BY clicks DESC, impressions DESC
LIMIT 100

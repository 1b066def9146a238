WITH seen AS (
    SELECT DISTINCT p.text, p.number, date_trunc($5, p.at, 'UTC') AS period
    FROM analytics_properties AS p
    WHERE p.domain_id = $1 AND p.at >= $2 AND p.at < $3 AND p.flag IS NULL
        AND p.property = (SELECT n.id FROM analytics_values AS n WHERE n.domain_id = $1 AND n.dimension = 17 AND n.value = $6)
        AND (
            coalesce(num_nonnulls(VARIADIC $4), 0) = 0
            OR p.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
        )
), since AS (
    SELECT s.period, min(s.period) OVER (PARTITION BY s.text, s.number) AS first
    FROM seen AS s
)
SELECT (s.first AT TIME ZONE 'UTC')::date AS first, (s.period AT TIME ZONE 'UTC')::date AS seen, count(*) AS visitors
FROM since AS s
GROUP BY 1, 2
ORDER BY 1, 2

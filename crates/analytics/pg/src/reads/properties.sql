WITH told AS (
    SELECT
        p.property, p.text, p.number, p.flag, p.visitor_id,
        -- Beacons with greater ones are refused by now. Means and sums of those that are stored are beyond what floats hold.
        CASE WHEN abs(p.number) > 1e100 THEN sign(p.number) * 1e100 ELSE p.number END AS bounded
    FROM analytics_properties AS p
    WHERE p.domain_id = $1 AND p.at >= $2 AND p.at < $3
        AND p.event = (SELECT e.id FROM analytics_values AS e WHERE e.domain_id = $1 AND e.dimension = 16 AND e.value = $5)
        AND ($6 IS NULL OR p.property = (
            SELECT n.id FROM analytics_values AS n WHERE n.domain_id = $1 AND n.dimension = 17 AND n.value = $6
        ))
        AND (
            coalesce(num_nonnulls(VARIADIC $4), 0) = 0
            OR p.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
        )
), properties AS (
    SELECT
        t.property, count(*) AS times, count(t.text) AS texts, count(t.number) AS numbers, count(t.flag) AS flags,
        min(t.number) AS least, max(t.number) AS greatest, avg(t.bounded) AS mean, sum(t.bounded) AS total
    FROM told AS t
    GROUP BY 1
), listed AS (
    SELECT p.*, row_number() OVER (ORDER BY p.times DESC, p.property) AS place
    FROM properties AS p
    ORDER BY p.times DESC, p.property
    LIMIT $7
), of_value AS (
    SELECT
        t.property, t.text, t.number, t.flag, count(*) AS times, count(DISTINCT t.visitor_id) AS visitors,
        row_number() OVER (PARTITION BY t.property ORDER BY count(*) DESC, t.text, t.number, t.flag) AS place,
        count(*) OVER (PARTITION BY t.property) AS distinct_values
    FROM told AS t
    GROUP BY 1, 2, 3, 4
)
SELECT
    (SELECT count(*) FROM properties) AS total, n.value AS name, l.texts, l.numbers, l.flags, l.least, l.greatest, l.mean,
    l.total AS sum, coalesce(text.value, v.number::text, v.flag::text) AS value, v.times, v.visitors, v.distinct_values
FROM listed AS l
JOIN analytics_values AS n ON n.domain_id = $1 AND n.id = l.property
JOIN of_value AS v ON v.property = l.property AND v.place <= $8
LEFT JOIN analytics_values AS text ON text.domain_id = $1 AND text.id = v.text
ORDER BY l.place, v.place

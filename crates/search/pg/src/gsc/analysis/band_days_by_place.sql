-- A day on which the property had something, and no query that is known, has a row without a band. $5: as $6 of bands.sql.
SELECT d.date, p.band, coalesce(p.queries, 0) AS queries
FROM search_days AS d
LEFT JOIN (
    SELECT
        r.date, (cardinality($5) - width_bucket(-r.position_sum / r.impressions, $5))::smallint AS band,
        count(*) AS queries
    FROM (
        SELECT q.date, q.query_id, sum(q.impressions) AS impressions, sum(q.position_sum) AS position_sum
        FROM search_queries AS q
        WHERE q.domain_id = $1 AND q.search_type = $2 AND q.date BETWEEN $3 AND $4
            AND ($6 IS NULL OR q.country = $6) AND ($7 IS NULL OR q.device = $7)
        GROUP BY q.date, q.query_id
    ) AS r
    WHERE r.impressions > 0 AND r.position_sum > 0
    GROUP BY r.date, band
) AS p ON p.date = d.date
WHERE d.domain_id = $1 AND d.search_type = $2 AND d.date BETWEEN $3 AND $4

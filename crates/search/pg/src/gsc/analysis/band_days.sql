-- A day on which the property had something, and no query that is known, has a row without a band. $5: as $6 of bands.sql.
SELECT d.date, p.band, coalesce(p.queries, 0) AS queries
FROM search_days AS d
LEFT JOIN (
    SELECT
        r.date, (cardinality($5) - width_bucket(-r.position_sum / r.impressions, $5))::smallint AS band,
        count(*) AS queries
    FROM search_sums AS r
    WHERE r.domain_id = $1 AND r.search_type = $2 AND r.kind = 1 AND r.date BETWEEN $3 AND $4
        AND r.impressions > 0 AND r.position_sum > 0
    GROUP BY r.date, band
) AS p ON p.date = d.date
WHERE d.domain_id = $1 AND d.search_type = $2 AND d.date BETWEEN $3 AND $4

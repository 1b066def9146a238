-- By country and device: of the whole property, or of one query ($5) or page ($6).
SELECT
    f.country, f.device, sum(f.clicks)::bigint AS clicks, sum(f.impressions)::bigint AS impressions,
    sum(f.position_sum) AS position_sum
FROM (
    SELECT p.country, p.device, p.clicks, p.impressions, p.position_sum
    FROM search_places AS p
    WHERE $5::bigint IS NULL AND $6::bigint IS NULL
        AND p.domain_id = $1 AND p.search_type = $2 AND p.date >= $3 AND p.date <= $4
    UNION ALL
    SELECT q.country, q.device, q.clicks, q.impressions, q.position_sum
    FROM search_queries AS q
    WHERE q.domain_id = $1 AND q.search_type = $2 AND q.query_id = $5 AND q.date >= $3 AND q.date <= $4
    UNION ALL
    SELECT p.country, p.device, p.clicks, p.impressions, p.position_sum
    FROM search_pages AS p
    WHERE p.domain_id = $1 AND p.search_type = $2 AND p.page_id = $6 AND p.date >= $3 AND p.date <= $4
) AS f
GROUP BY f.country, f.device

-- $3, $4: the pages and the Mondays of their best weeks. $5: the Monday of the last week. $6: how many of each page.
SELECT d.page_id AS page, v.value AS query, f.clicks_peak, f.clicks_current
FROM unnest($3, $4) AS d (page_id, peak)
CROSS JOIN LATERAL (
    SELECT q.*
    FROM (
        SELECT
            b.query_id,
            coalesce(sum(b.clicks) FILTER (WHERE b.date < d.peak + 7), 0)::bigint AS clicks_peak,
            coalesce(sum(b.clicks) FILTER (WHERE b.date >= $5), 0)::bigint AS clicks_current
        FROM search_pairs AS b
        WHERE b.domain_id = $1 AND b.search_type = $2 AND b.page_id = d.page_id
            AND (b.date BETWEEN d.peak AND d.peak + 6 OR b.date BETWEEN $5 AND $5 + 6)
        GROUP BY b.query_id
    ) AS q
    WHERE q.clicks_peak > q.clicks_current
    ORDER BY q.clicks_peak - q.clicks_current DESC, q.query_id
    LIMIT $6
) AS f
JOIN search_values AS v ON v.id = f.query_id
ORDER BY f.clicks_peak - f.clicks_current DESC, v.value

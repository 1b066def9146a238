-- $4: the end of the first page.
SELECT wanted.domain_id, wanted.search_type, wanted.date, queries.top_10_queries, pages.pages_with_clicks, lost.lost_rankings
FROM unnest($1::uuid[], $2::smallint[], $3::date[]) AS wanted (domain_id, search_type, date)
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE t.position_sum <= $4 * t.impressions) AS top_10_queries
    FROM search_sums AS t
    WHERE t.domain_id = wanted.domain_id AND t.search_type = wanted.search_type AND t.kind = 1 AND t.date = wanted.date
) AS queries
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE t.clicks > 0) AS pages_with_clicks
    FROM search_sums AS t
    WHERE t.domain_id = wanted.domain_id AND t.search_type = wanted.search_type AND t.kind = 2 AND t.date = wanted.date
) AS pages
CROSS JOIN LATERAL (
    SELECT count(*) AS lost_rankings
    FROM search_sums AS before
    WHERE before.domain_id = wanted.domain_id AND before.search_type = wanted.search_type AND before.kind = 1
        AND before.date = wanted.date - 7
        AND before.position_sum <= $4 * before.impressions
        AND NOT EXISTS (
            SELECT
            FROM search_sums AS now
            WHERE now.domain_id = wanted.domain_id AND now.search_type = wanted.search_type AND now.kind = 1
                AND now.date = wanted.date AND now.value_id = before.value_id
                AND now.position_sum <= $4 * now.impressions
        )
) AS lost

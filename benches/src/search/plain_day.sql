-- A day of the domain ($1), as it would come in.
INSERT INTO bench_plain
SELECT
    'sc-domain:site-0.example', $2, q.value, p.value, a.value, r.country, r.device, r.clicks, r.impressions, r.position_sum
FROM (
    SELECT
        NULL::bigint AS query_id, NULL::bigint AS page_id, NULL::bigint AS appearance_id, country, device, clicks, impressions,
        position_sum
    FROM search_places
    WHERE domain_id = $1 AND search_type = 1 AND date = $2
    UNION ALL
    SELECT query_id, NULL, NULL, country, device, clicks, impressions, position_sum
    FROM search_queries
    WHERE domain_id = $1 AND search_type = 1 AND date = $2
    UNION ALL
    SELECT NULL, page_id, NULL, country, device, clicks, impressions, position_sum
    FROM search_pages
    WHERE domain_id = $1 AND search_type = 1 AND date = $2
    UNION ALL
    SELECT query_id, page_id, NULL, country, device, clicks, impressions, position_sum
    FROM search_pairs
    WHERE domain_id = $1 AND search_type = 1 AND date = $2
    UNION ALL
    SELECT NULL, page_id, appearance_id, NULL, NULL, clicks, impressions, position_sum
    FROM search_appearances
    WHERE domain_id = $1 AND search_type = 1 AND date = $2
) AS r
LEFT JOIN search_values AS q ON q.id = r.query_id
LEFT JOIN search_values AS p ON p.id = r.page_id
LEFT JOIN search_values AS a ON a.id = r.appearance_id

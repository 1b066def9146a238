-- The URLs of these names, in their order.
SELECT u.id, u.url, u.source, u.inspected_at, u.inspection - ARRAY['referring_urls', 'rich_results', 'amp'] AS inspection,
    u.next_inspection_at, u.last_error_code
FROM unnest($2) WITH ORDINALITY AS named (url, ordinal)
JOIN indexing_urls AS u ON u.domain_id = $1 AND u.url = named.url
ORDER BY named.ordinal

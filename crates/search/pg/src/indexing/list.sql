-- One of the four is read, each by an index: one reason, one fetch state, one verdict, and all. The others narrow what it gives.
-- $2: the position, or the beginning. A list leaves out the longer parts of inspections.
SELECT u.id, u.url, u.source, u.inspected_at, u.inspection - ARRAY['referring_urls', 'rich_results', 'amp'] AS inspection,
    u.next_inspection_at, u.last_error_code
FROM (
    SELECT * FROM (
        SELECT * FROM indexing_urls
        WHERE hashtextextended(coverage_reason, uuid_hash_extended(domain_id, 0))
                = hashtextextended($4, uuid_hash_extended($1, 0))
            AND url > $2
            AND ($3 IS NULL OR verdict = $3)
            AND ($5 IS NULL OR page_fetch_state = $5)
            AND ($6 IS NULL OR strpos(lower(url), lower($6)) > 0)
        ORDER BY url
        LIMIT $7
    ) AS of_reason
    -- Without what only shares the hash.
    WHERE domain_id = $1 AND coverage_reason = $4
    UNION ALL
    SELECT * FROM (
        SELECT * FROM indexing_urls
        WHERE $4 IS NULL
            AND hashtextextended(page_fetch_state, uuid_hash_extended(domain_id, 0))
                = hashtextextended($5, uuid_hash_extended($1, 0))
            AND url > $2
            AND ($3 IS NULL OR verdict = $3)
            AND ($6 IS NULL OR strpos(lower(url), lower($6)) > 0)
        ORDER BY url
        LIMIT $7
    ) AS of_fetch_state
    WHERE domain_id = $1 AND page_fetch_state = $5
    UNION ALL
    SELECT * FROM (
        SELECT * FROM indexing_urls
        WHERE $4 IS NULL AND $5 IS NULL
            AND hashtextextended(verdict, uuid_hash_extended(domain_id, 0))
                = hashtextextended($3, uuid_hash_extended($1, 0))
            AND url > $2
            AND ($6 IS NULL OR strpos(lower(url), lower($6)) > 0)
        ORDER BY url
        LIMIT $7
    ) AS of_verdict
    WHERE domain_id = $1 AND verdict = $3
    UNION ALL
    (
        SELECT * FROM indexing_urls
        WHERE $3 IS NULL AND $4 IS NULL AND $5 IS NULL
            AND domain_id = $1 AND url > $2
            AND ($6 IS NULL OR strpos(lower(url), lower($6)) > 0)
        ORDER BY url
        LIMIT $7
    )
) AS u
ORDER BY u.url
LIMIT $7

-- How many URLs left the index within each range.
SELECT (
        SELECT count(DISTINCT c.url_id)
        FROM indexing_changes AS c
        WHERE c.domain_id = asked.domain_id AND c.changed_at >= asked.since AND c.changed_at < asked.until
            AND c.field = 'verdict' AND c.before = 'pass'
    ) AS urls
FROM unnest($1, $2, $3) WITH ORDINALITY AS asked (domain_id, since, until, ordinal)
ORDER BY asked.ordinal

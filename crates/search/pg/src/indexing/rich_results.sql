-- The types of rich results of a domain, each with the issues that most URLs have, errors first, at most $2.
SELECT t.kind, t.valid, t.warning, t.error, t.items,
    (
        SELECT jsonb_agg(
            jsonb_build_array(i.message, i.severity, i.urls) ORDER BY i.severity = 'error' DESC, i.urls DESC, i.message
        )
        FROM (
            SELECT o.message, o.severity, count(*) AS urls
            FROM indexing_rich_issues AS o
            JOIN indexing_urls AS u ON u.id = o.url_id AND u.next_inspection_at IS NOT NULL
            WHERE o.domain_id = $1 AND o.kind = t.kind
            GROUP BY o.message, o.severity
            ORDER BY o.severity = 'error' DESC, urls DESC, o.message
            LIMIT $2
        ) AS i
    ) AS top_issues
FROM (
    SELECT r.kind, count(*) FILTER (WHERE r.severity IS NULL OR r.severity = 'unknown') AS valid,
        count(*) FILTER (WHERE r.severity = 'warning') AS warning, count(*) FILTER (WHERE r.severity = 'error') AS error,
        sum(r.items)::bigint AS items
    FROM indexing_rich_types AS r
    JOIN indexing_urls AS u ON u.id = r.url_id AND u.next_inspection_at IS NOT NULL
    WHERE r.domain_id = $1
    GROUP BY r.kind
) AS t
ORDER BY t.error DESC, t.items DESC, t.kind
LIMIT 200

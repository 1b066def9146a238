-- A type may stand twice in an answer.
INSERT INTO indexing_rich_types (url_id, domain_id, kind, items, severity)
SELECT n.url_id, $1, n.kind, sum(n.items),
    CASE max(array_position(ARRAY['unknown', 'warning', 'error'], n.severity))
        WHEN 1 THEN 'unknown' WHEN 2 THEN 'warning' WHEN 3 THEN 'error'
    END
FROM jsonb_to_recordset($2) AS n (url_id uuid, kind text, items integer, severity text)
GROUP BY n.url_id, n.kind

WITH viewed AS (
    SELECT count(*) AS views FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), told AS MATERIALIZED (
    SELECT v.at, v.load_id, (v.at AT TIME ZONE 'UTC')::date AS day, v.page, v.browser, v.os, v.country
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    JOIN rum_errors AS e
        ON e.domain_id = $1 AND e.at = v.at AND e.load_id = v.load_id AND e.at >= $2 AND e.at < $3
    WHERE v.errors > 0 AND e.kind = (SELECT g.kind FROM rum_error_groups AS g WHERE g.domain_id = $1 AND g.id = $14)
), pieces AS (
    SELECT
        grouping(browser, os, page, country) AS piece, coalesce(browser, os, page, country) AS key,
        count(*) AS occurrences, count(DISTINCT (at, load_id)) AS affected_views,
        row_number() OVER (
            PARTITION BY grouping(browser, os, page, country)
            ORDER BY count(*) DESC, coalesce(browser, os, page, country)
        ) AS place
    FROM told
    GROUP BY GROUPING SETS ((browser), (os), (page), (country))
), lists AS (
    SELECT p.piece, jsonb_agg(jsonb_build_object(
        'key', t.value, 'occurrences', p.occurrences, 'affected_views', p.affected_views,
        'share_pct', rum_share_pct(p.occurrences, (SELECT count(*) FROM told))
    ) ORDER BY p.place) AS list, (array_agg(t.value ORDER BY p.place))[1] AS top
    FROM pieces AS p
    LEFT JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = p.key
    WHERE p.place <= 20
    GROUP BY p.piece
), days AS (
    SELECT s.day::date AS day, count(t.at) AS occurrences, count(DISTINCT (t.at, t.load_id)) FILTER (WHERE t.at IS NOT NULL)
        AS affected_views
    FROM generate_series(($2 AT TIME ZONE 'UTC')::date, ($3 AT TIME ZONE 'UTC')::date - 1, interval '1 day') AS s (day)
    LEFT JOIN told AS t ON t.day = s.day::date
    GROUP BY s.day
), summed AS (
    SELECT count(*) AS occurrences, count(DISTINCT (at, load_id)) AS affected_views FROM told
)
SELECT jsonb_build_object(
    'error_id', g.id, 'message', g.message, 'type', g.name,
    'source', ($15::text[])[g.source + 1],
    'handling', CASE WHEN g.is_handled THEN 'handled' ELSE 'unhandled' END,
    'filename', g.filename, 'line', g.line, 'column', g.column_number,
    'occurrences', s.occurrences, 'affected_views', s.affected_views,
    'affected_views_pct', (SELECT rum_share_pct(s.affected_views, d.views) FROM viewed AS d),
    'first_seen_at', g.first_seen_at, 'last_seen_at', g.last_seen_at,
    'is_new', g.first_seen_at >= $2 AND g.first_seen_at < $3,
    'is_third_party', g.is_third_party, 'script_error_opaque', g.is_opaque,
    'top_url', (SELECT l.top FROM lists AS l WHERE l.piece = 13),
    'top_browser', (SELECT l.top FROM lists AS l WHERE l.piece = 7),
    'trend', (SELECT jsonb_agg(d.occurrences ORDER BY d.day) FROM days AS d),
    'stack', g.stack,
    'by_browser', coalesce((SELECT l.list FROM lists AS l WHERE l.piece = 7), '[]'),
    'by_os', coalesce((SELECT l.list FROM lists AS l WHERE l.piece = 11), '[]'),
    'by_url', coalesce((SELECT l.list FROM lists AS l WHERE l.piece = 13), '[]'),
    'by_country', coalesce((SELECT l.list FROM lists AS l WHERE l.piece = 14), '[]'),
    'causes', to_jsonb(g.causes),
    'timeline', (
        SELECT jsonb_agg(jsonb_build_object(
            'date', d.day, 'occurrences', d.occurrences, 'affected_views', d.affected_views
        ) ORDER BY d.day)
        FROM days AS d
    )
) AS report
FROM rum_error_groups AS g
CROSS JOIN summed AS s
WHERE g.domain_id = $1 AND g.id = $14

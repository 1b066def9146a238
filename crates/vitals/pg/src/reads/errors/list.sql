WITH viewed AS (
    SELECT count(*) AS views FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), told AS MATERIALIZED (
    SELECT v.at, v.load_id, (v.at AT TIME ZONE 'UTC')::date AS day, v.page, v.browser, g.kind
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT e.*
        FROM rum_errors AS e
        WHERE e.domain_id = $1 AND e.at = v.at AND e.load_id = v.load_id AND e.at >= $2 AND e.at < $3
        OFFSET 0
    ) AS e
    CROSS JOIN LATERAL (
        SELECT g.kind, g.is_handled, g.source
        FROM rum_error_groups AS g
        WHERE g.kind = e.kind AND g.domain_id = $1
        OFFSET 0
    ) AS g
    WHERE v.errors > 0
        AND ($15::boolean IS NULL OR g.is_handled = $15)
        AND ($16::smallint IS NULL OR g.source = $16)
), kinds AS (
    SELECT
        kind, count(*) AS occurrences, count(DISTINCT (at, load_id)) AS affected_views,
        mode() WITHIN GROUP (ORDER BY page) AS page,
        mode() WITHIN GROUP (ORDER BY browser) AS browser
    FROM told
    GROUP BY kind
), listed AS (
    SELECT k.*, g.id, g.message, g.name, g.source, g.is_handled, g.filename, g.line, g.column_number, g.first_seen_at,
        g.last_seen_at, g.is_third_party, g.is_opaque,
        row_number() OVER (ORDER BY
            CASE $17::smallint WHEN 0 THEN k.occurrences WHEN 1 THEN k.affected_views END DESC NULLS LAST,
            g.last_seen_at DESC, k.kind
        ) AS place
    FROM kinds AS k
    CROSS JOIN LATERAL (SELECT g.* FROM rum_error_groups AS g WHERE g.kind = k.kind OFFSET 0) AS g
    ORDER BY place
    LIMIT $14
), counted AS (
    -- Each day of what is listed is there by itself, so that the days that are told of need no join.
    SELECT d.kind, d.day, sum(d.occurrences) AS occurrences
    FROM (
        SELECT l.kind, s.day::date AS day, 0 AS occurrences, true AS is_listed
        FROM listed AS l
        CROSS JOIN generate_series(($2 AT TIME ZONE 'UTC')::date, ($3 AT TIME ZONE 'UTC')::date - 1, interval '1 day') AS s (day)
        UNION ALL
        SELECT t.kind, t.day, 1, false FROM told AS t
    ) AS d
    GROUP BY d.kind, d.day
    HAVING bool_or(d.is_listed)
), trends AS (
    SELECT kind, jsonb_agg(occurrences ORDER BY day) AS trend FROM counted GROUP BY kind
)
SELECT jsonb_build_object(
    'totals', (
        SELECT jsonb_build_object(
            'occurrences', count(*),
            'affected_views', count(DISTINCT (t.at, t.load_id)),
            'error_rate_pct', (SELECT rum_share_pct(count(DISTINCT (t.at, t.load_id)), d.views) FROM viewed AS d),
            'groups', count(DISTINCT t.kind)
        )
        FROM told AS t
    ),
    'rows', (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
            'error_id', l.id, 'message', l.message, 'type', l.name,
            'source', ($18::text[])[l.source + 1],
            'handling', CASE WHEN l.is_handled THEN 'handled' ELSE 'unhandled' END,
            'filename', l.filename, 'line', l.line, 'column', l.column_number,
            'occurrences', l.occurrences, 'affected_views', l.affected_views,
            'affected_views_pct', (SELECT rum_share_pct(l.affected_views, d.views) FROM viewed AS d),
            'first_seen_at', l.first_seen_at, 'last_seen_at', l.last_seen_at,
            'is_new', l.first_seen_at >= $2 AND l.first_seen_at < $3,
            'is_third_party', l.is_third_party, 'script_error_opaque', l.is_opaque,
            'top_url', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = l.page),
            'top_browser', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = l.browser),
            'trend', r.trend
        ) ORDER BY l.place) FILTER (WHERE l.source < cardinality($18::text[])), '[]')
        FROM listed AS l
        -- Both have the same kinds. A full join is never a loop within a loop, however few of them are expected.
        FULL JOIN trends AS r USING (kind)
    )
) AS report

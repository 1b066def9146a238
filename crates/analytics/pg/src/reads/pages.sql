WITH found AS (
    SELECT
        m.page, m.visitors, m.pageviews, m.sessions, m.entries, m.exits, m.bounces, m.engaged_ms, m.engaged_views,
        m.scroll_pct, m.scrolled_views
    FROM analytics_pages AS m
    WHERE m.domain_id = $1 AND m.grain = 1 AND m.part = $2 AND m.starts_on >= $4 AND m.starts_on < $5
    UNION ALL
    SELECT
        d.page, d.visitors, d.pageviews, d.sessions, d.entries, d.exits, d.bounces, d.engaged_ms, d.engaged_views,
        d.scroll_pct, d.scrolled_views
    FROM analytics_pages AS d
    WHERE d.domain_id = $1 AND d.grain = 0 AND d.part = $2 AND d.starts_on >= $3 AND d.starts_on < $4
    UNION ALL
    SELECT
        d.page, d.visitors, d.pageviews, d.sessions, d.entries, d.exits, d.bounces, d.engaged_ms, d.engaged_views,
        d.scroll_pct, d.scrolled_views
    FROM analytics_pages AS d
    WHERE d.domain_id = $1 AND d.grain = 0 AND d.part = $2 AND d.starts_on >= $5
        AND d.starts_on < ($6 AT TIME ZONE 'UTC')::date
    UNION ALL
    SELECT
        r.page, r.visitors, r.pageviews, r.sessions, r.entries, r.exits, r.bounces, r.engaged_ms, r.engaged_views,
        r.scroll_pct, r.scrolled_views
    FROM analytics_page_figures($1, $6, $7, $8) AS r
    WHERE r.part = $2
), pages AS (
    SELECT
        f.page,
        ARRAY[
            sum(f.visitors), sum(f.pageviews), sum(f.sessions), sum(f.entries), sum(f.exits), sum(f.bounces),
            sum(f.engaged_ms), sum(f.engaged_views), sum(f.scroll_pct), sum(f.scrolled_views)
        ]::bigint[] AS figures
    FROM found AS f
    WHERE $9 IS NULL OR f.page IN (
        SELECT v.id
        FROM analytics_values AS v
        WHERE v.domain_id = $1 AND v.dimension = 0 AND position(lower($9) IN lower(v.value)) > 0
    )
    GROUP BY f.page
    -- A page whose views were on another day may have engagement alone.
    HAVING sum(f.pageviews) > 0
), listed AS (
    SELECT p.page, p.figures, row_number() OVER (ORDER BY p.figures[$10 + 1] * $11, p.page) AS place
    FROM pages AS p
    ORDER BY p.figures[$10 + 1] * $11, p.page
    LIMIT $12 OFFSET $13
)
SELECT counted.total, v.value AS path, t.title, coalesce(l.figures, '{}') AS figures
FROM (SELECT count(*) AS total FROM pages) AS counted
LEFT JOIN listed AS l ON true
LEFT JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = l.page
LEFT JOIN analytics_titles AS t ON t.domain_id = $1 AND t.page = l.page
ORDER BY l.place

-- Days add up: a visitor is another one on another day, and a session ends at midnight.
INSERT INTO analytics_pages (
    domain_id, grain, part, starts_on, page, visitors, pageviews, sessions, entries, exits, bounces, engaged_ms,
    engaged_views, scroll_pct, scrolled_views
)
SELECT
    $1, 1, p.part, $2, p.page, sum(p.visitors), sum(p.pageviews), sum(p.sessions), sum(p.entries), sum(p.exits),
    sum(p.bounces), sum(p.engaged_ms), sum(p.engaged_views), sum(p.scroll_pct), sum(p.scrolled_views)
FROM unnest(ARRAY[0, 1, 2]::smallint[]) AS each (part)
JOIN analytics_pages AS p
    ON p.domain_id = $1 AND p.grain = 0 AND p.part = each.part AND p.starts_on >= $2 AND p.starts_on < $3
GROUP BY p.part, p.page

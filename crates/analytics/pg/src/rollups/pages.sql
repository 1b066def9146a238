INSERT INTO analytics_pages (
    domain_id, grain, part, starts_on, page, visitors, pageviews, sessions, entries, exits, bounces, engaged_ms,
    engaged_views, scroll_pct, scrolled_views
)
SELECT
    $1, 0, p.part, ($2 AT TIME ZONE 'UTC')::date, p.page, p.visitors, p.pageviews, p.sessions, p.entries, p.exits,
    p.bounces, p.engaged_ms, p.engaged_views, p.scroll_pct, p.scrolled_views
FROM analytics_page_figures($1, $2, $3, NULL) AS p

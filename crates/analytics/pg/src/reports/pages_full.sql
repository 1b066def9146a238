INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY f.visitors DESC, f.page),
    jsonb_build_array(
        v.value, f.visitors, f.pageviews, f.sessions, f.entries, f.exits,
        100.0::float8 * f.bounces / nullif(f.entries, 0),
        100.0::float8 * f.exits / nullif(f.pageviews, 0),
        f.engaged_ms / 1000.0::float8 / nullif(f.engaged_views, 0),
        f.scroll_pct::float8 / nullif(f.scrolled_views, 0)
    )
FROM (
    SELECT *
    FROM analytics_page_figures($1, $2, $3, $4) AS p
    -- A page whose views were on another day may have engagement alone.
    WHERE p.part = 0 AND p.pageviews > 0
    ORDER BY p.visitors DESC, p.page
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = f.page

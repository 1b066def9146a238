INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY f.visitors DESC, f.page, f.channel, f.source),
    jsonb_build_array(page.value, ($7)[f.channel + 1], source.value, f.visitors, f.sessions, f.pageviews)
FROM (
    SELECT
        v.page, s.channel, s.source, count(DISTINCT v.visitor_id) AS visitors,
        count(DISTINCT v.session_id) AS sessions, count(*) AS pageviews
    FROM analytics_filtered_views($1, $2, $3, $4) AS v
    JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = v.session_id
    GROUP BY v.page, s.channel, s.source
    ORDER BY visitors DESC, v.page, s.channel, s.source
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS page ON page.domain_id = $1 AND page.id = f.page
LEFT JOIN analytics_values AS source ON source.domain_id = $1 AND source.id = f.source

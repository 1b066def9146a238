INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY f.visitors DESC, f.page, f.country),
    jsonb_build_array(page.value, country.value, f.visitors, f.sessions, f.pageviews)
FROM (
    SELECT
        v.page, s.country, count(DISTINCT v.visitor_id) AS visitors, count(DISTINCT v.session_id) AS sessions,
        count(*) AS pageviews
    FROM analytics_filtered_views($1, $2, $3, $4) AS v
    JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = v.session_id
    GROUP BY v.page, s.country
    ORDER BY visitors DESC, v.page, s.country
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS page ON page.domain_id = $1 AND page.id = f.page
LEFT JOIN analytics_values AS country ON country.domain_id = $1 AND country.id = f.country

INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY f.visitors DESC, f.campaign, f.source, f.medium, f.term, f.content),
    jsonb_build_array(
        campaign.value, source.value, medium.value, term.value, content.value, f.visitors, f.sessions, f.pageviews,
        100.0::float8 * f.bounces / f.sessions,
        f.duration_ms / 1000.0::float8 / f.sessions
    )
FROM (
    SELECT
        s.campaign, s.source, s.medium, s.term, s.content,
        count(DISTINCT s.visitor_id) AS visitors,
        count(*) AS sessions,
        sum(s.pageviews) AS pageviews,
        count(*) FILTER (WHERE s.pageviews = 1 AND s.events = 0 AND s.clicks = 0) AS bounces,
        sum(floor(extract(epoch FROM s.ended_at - s.started_at) * 1000))::float8 AS duration_ms
    FROM analytics_filtered_sessions($1, $2, $3, $4) AS s
    WHERE s.campaign IS NOT NULL
    GROUP BY s.campaign, s.source, s.medium, s.term, s.content
    ORDER BY visitors DESC, s.campaign, s.source, s.medium, s.term, s.content
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS campaign ON campaign.domain_id = $1 AND campaign.id = f.campaign
LEFT JOIN analytics_values AS source ON source.domain_id = $1 AND source.id = f.source
LEFT JOIN analytics_values AS medium ON medium.domain_id = $1 AND medium.id = f.medium
LEFT JOIN analytics_values AS term ON term.domain_id = $1 AND term.id = f.term
LEFT JOIN analytics_values AS content ON content.domain_id = $1 AND content.id = f.content

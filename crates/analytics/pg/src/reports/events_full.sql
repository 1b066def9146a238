INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY f.occurrences DESC, f.event, f.page),
    jsonb_build_array(event.value, page.value, f.occurrences, f.visitors, f.sessions)
FROM (
    SELECT
        h.event, h.page, count(*) AS occurrences, count(DISTINCT h.visitor_id) AS visitors,
        count(DISTINCT h.session_id) AS sessions
    FROM (
        SELECT h.*
        FROM analytics_hits AS h
        WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind = 1
    ) AS h
    -- A full join is never a loop within a loop, however few sessions are expected.
    FULL JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = h.session_id
    WHERE num_nulls(h.id, s.id) = 0
    GROUP BY h.event, h.page
    ORDER BY occurrences DESC, h.event, h.page
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS event ON event.domain_id = $1 AND event.id = f.event
LEFT JOIN analytics_values AS page ON page.domain_id = $1 AND page.id = f.page

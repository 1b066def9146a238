INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY f.occurrences DESC, f.event, f.property, f.text, f.number, f.flag),
    jsonb_build_array(
        event.value, property.value, coalesce(text.value, f.number::text, f.flag::text), f.occurrences, f.visitors
    )
FROM (
    SELECT
        p.event, p.property, p.text, p.number, p.flag, count(*) AS occurrences,
        count(DISTINCT p.visitor_id) AS visitors
    FROM (
        SELECT p.*
        FROM analytics_properties AS p
        WHERE p.domain_id = $1 AND p.at >= $2 AND p.at < $3
    ) AS p
    -- A full join is never a loop within a loop, however few sessions are expected.
    FULL JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = p.session_id
    WHERE num_nulls(p.hit_id, s.id) = 0
    GROUP BY p.event, p.property, p.text, p.number, p.flag
    ORDER BY occurrences DESC, p.event, p.property, p.text, p.number, p.flag
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS event ON event.domain_id = $1 AND event.id = f.event
LEFT JOIN analytics_values AS property ON property.domain_id = $1 AND property.id = f.property
LEFT JOIN analytics_values AS text ON text.domain_id = $1 AND text.id = f.text

WITH viewed AS (
    SELECT (v.at AT TIME ZONE 'UTC')::date AS day,
        e.visible_ms, e.scroll_pct, e.interactions, e.rage_clicks, e.dead_clicks,
        -- Null where one of the two was not measured: one alone tells only that a view did not bounce.
        CASE WHEN num_nulls(e.visible_ms, e.interactions) = 0 THEN e.visible_ms < $12 AND e.interactions = 0 END AS bounced
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- A full join is never a loop within a loop, however few views are expected.
    FULL JOIN (
        SELECT e.*
        FROM rum_engagements AS e
        WHERE e.domain_id = $1 AND e.at >= $2 AND e.at < $3
    ) AS e ON e.at = v.at AND e.load_id = v.load_id
    WHERE num_nulls(v.load_id) = 0
)
SELECT day,
    ARRAY[
        count(*),
        count(visible_ms), count(scroll_pct), count(interactions), count(bounced),
        count(*) FILTER (WHERE scroll_pct >= 25),
        count(*) FILTER (WHERE scroll_pct >= 50),
        count(*) FILTER (WHERE scroll_pct >= 75),
        count(*) FILTER (WHERE scroll_pct >= 100),
        count(*) FILTER (WHERE bounced),
        count(*) FILTER (WHERE interactions > 0),
        count(*) FILTER (WHERE rage_clicks > 0),
        count(*) FILTER (WHERE dead_clicks > 0),
        count(rage_clicks), count(dead_clicks)
    ]::bigint[] AS counts,
    ARRAY[
        avg(visible_ms),
        percentile_cont(0.5) WITHIN GROUP (ORDER BY visible_ms),
        avg(scroll_pct),
        avg(interactions)
    ]::double precision[] AS means
FROM viewed
GROUP BY GROUPING SETS ((day), ())

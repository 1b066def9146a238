WITH asked AS (
    SELECT false AS is_variant, u.place, v.id AS page
    FROM unnest($4) WITH ORDINALITY AS u (value, place)
    JOIN analytics_values AS v ON v.domain_id = $1 AND v.dimension = 0 AND v.value = u.value
    UNION ALL
    SELECT true, u.place, v.id
    FROM unnest($5) WITH ORDINALITY AS u (value, place)
    JOIN analytics_values AS v ON v.domain_id = $1 AND v.dimension = 0 AND v.value = u.value
), viewed AS MATERIALIZED (
    SELECT
        a.is_variant, a.place, a.page, h.session_id, h.visitor_id, (h.at AT TIME ZONE 'UTC')::date AS day,
        count(*) AS views
    FROM analytics_hits AS h
    JOIN asked AS a ON a.page = h.page
    WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind = 0
    GROUP BY a.is_variant, a.place, a.page, h.session_id, h.visitor_id, day
), kept AS MATERIALIZED (
    SELECT
        s.id, s.entry_page, s.pageviews = 1 AND s.events = 0 AND s.clicks = 0 AS is_bounce,
        floor(extract(epoch FROM s.ended_at - s.started_at) * 1000) AS duration_ms
    FROM analytics_sessions AS s
    WHERE s.domain_id = $1 AND s.started_at >= $2 AND s.started_at < $3
        AND s.id IN (SELECT v.session_id FROM viewed AS v)
), orders AS (
    SELECT
        c.session_id, count(*) FILTER (WHERE c.step = 3) AS orders,
        sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END) FILTER (
            WHERE c.currency = ''
                OR c.currency = (SELECT s.settings ->> 'currency' FROM analytics_sites AS s WHERE s.domain_id = $1)
        ) AS cents
    FROM analytics_commerce AS c
    WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step IN (3, 4) AND NOT c.is_repeated
        AND c.session_id IN (SELECT v.session_id FROM viewed AS v)
    GROUP BY c.session_id
), units AS (
    -- A page of a side, and all pages of a side: there each session counts once.
    SELECT v.is_variant, v.place, v.session_id, v.visitor_id, v.day, v.views, k.entry_page = v.page AS entered
    FROM viewed AS v
    JOIN kept AS k ON k.id = v.session_id
    UNION ALL
    SELECT
        v.is_variant, NULL, v.session_id, v.visitor_id, v.day, sum(v.views), bool_or(k.entry_page = v.page)
    FROM viewed AS v
    JOIN kept AS k ON k.id = v.session_id
    GROUP BY v.is_variant, v.session_id, v.visitor_id, v.day
), both_sides AS (
    SELECT v.session_id
    FROM viewed AS v
    GROUP BY v.session_id
    HAVING bool_or(v.is_variant) AND NOT bool_and(v.is_variant)
)
SELECT
    u.is_variant,
    u.place - 1 AS page,
    u.day,
    ARRAY[
        count(DISTINCT u.visitor_id), count(*), sum(u.views), count(*) FILTER (WHERE u.entered),
        count(*) FILTER (WHERE u.entered AND k.is_bounce), sum(k.duration_ms), coalesce(sum(o.orders), 0),
        count(b.session_id)
    ]::bigint[] AS figures,
    analytics_cents(sum(o.cents)) AS revenue_cents
FROM units AS u
JOIN kept AS k ON k.id = u.session_id
LEFT JOIN orders AS o ON o.session_id = u.session_id
LEFT JOIN both_sides AS b ON b.session_id = u.session_id
GROUP BY u.is_variant, u.place, u.day
ORDER BY u.day

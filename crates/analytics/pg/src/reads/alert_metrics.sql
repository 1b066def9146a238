-- A window that begins before anything was received is no window of few visits.
SELECT
    asked.number, v.visitors, v.sessions, v.pageviews, v.bounces, v.duration_ms, v.events, v.ai_assistant_visitors,
    p.commerce_at IS NOT NULL AS sells, s.add_to_carts, s.orders, s.revenue_cents
FROM unnest($1, $2, $3) WITH ORDINALITY AS asked (domain_id, since, until, number)
JOIN domains AS d ON d.id = asked.domain_id AND d.deleted_at IS NULL
JOIN analytics_sites AS site ON site.domain_id = asked.domain_id AND site.enabled
JOIN analytics_progress AS p ON p.domain_id = asked.domain_id AND p.first_at <= asked.since
CROSS JOIN LATERAL (
    SELECT
        count(DISTINCT s.visitor_id) AS visitors,
        count(DISTINCT s.visitor_id) FILTER (WHERE s.channel = $4) AS ai_assistant_visitors,
        count(*) AS sessions,
        coalesce(sum(s.pageviews), 0)::bigint AS pageviews,
        count(*) FILTER (WHERE s.pageviews = 1 AND s.events = 0 AND s.clicks = 0) AS bounces,
        coalesce(sum(floor(extract(epoch FROM s.ended_at - s.started_at) * 1000)), 0)::bigint AS duration_ms,
        coalesce(sum(s.events), 0)::bigint AS events
    FROM analytics_sessions AS s
    WHERE s.domain_id = asked.domain_id AND s.started_at >= asked.since AND s.started_at < asked.until
) AS v
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE c.step = 1) AS add_to_carts,
        count(*) FILTER (WHERE c.step = 3) AS orders,
        analytics_cents(
            sum(CASE c.step WHEN 3 THEN c.value_cents WHEN 4 THEN -c.value_cents END)
                FILTER (WHERE c.currency IN ('', site.settings ->> 'currency'))
        ) AS revenue_cents
    FROM analytics_commerce AS c
    WHERE c.domain_id = asked.domain_id AND c.at >= asked.since AND c.at < asked.until
        AND c.step IN (1, 3, 4) AND NOT c.is_repeated
) AS s

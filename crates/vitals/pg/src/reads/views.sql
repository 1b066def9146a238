-- Views are known to the minute outside, cursors included: within one they are in the order of their numbers, which are random.
WITH newest AS (
    SELECT v.at
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    WHERE v.at < least($3, $12 + interval '1 minute')
        AND (date_trunc('minute', v.at, 'UTC'), v.load_id) < ($12, $13)
    ORDER BY v.at DESC, v.load_id DESC
    LIMIT $14
), listed AS (
    -- The minute of the last of them, and whatever is later.
    SELECT v.*
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    WHERE v.at >= (SELECT date_trunc('minute', min(n.at), 'UTC') FROM newest AS n)
        AND v.at < least($3, $12 + interval '1 minute')
        AND (date_trunc('minute', v.at, 'UTC'), v.load_id) < ($12, $13)
    ORDER BY date_trunc('minute', v.at, 'UTC') DESC, v.load_id DESC
    LIMIT $14
)
SELECT v.load_id, date_trunc('minute', v.at, 'UTC') AS at,
    page.value AS url,
    (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = v.referrer) AS referrer,
    (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = v.browser) AS browser,
    (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = v.browser_version) AS browser_version,
    (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = v.os) AS os,
    (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = v.country) AS country,
    v.device, v.connection, v.navigation,
    ARRAY[v.lcp_ms, v.inp_ms, v.cls, v.fcp_ms, v.ttfb_ms, v.dom_content_loaded_ms, v.load_ms] AS timings,
    v.viewport_width, v.viewport_height, v.errors, v.was_hidden, e.interactions
FROM listed AS v
JOIN rum_texts AS page ON page.domain_id = $1 AND page.id = v.page
LEFT JOIN rum_engagements AS e ON e.domain_id = v.domain_id AND e.at = v.at AND e.load_id = v.load_id
ORDER BY at DESC, v.load_id DESC

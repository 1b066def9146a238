-- The bases, in the order in which it would come in: the sites' visits among each other.
INSERT INTO bench_events
SELECT
    v.domain_id, v.started_at + k * v.gap, v.id * 16 + k, v.id, v.visitor_id, CASE WHEN k < v.views THEN 0 ELSE v.action END,
    '/page-' || v.page * (1 + least(k, v.views - 1)) % 2000, CASE WHEN k = v.views AND v.action = 1 THEN e.event END,
    CASE WHEN k = v.views AND v.action IN (2, 3) THEN 'https://files.example/' || v.page % 40 || '.pdf' END,
    CASE WHEN k = v.views AND v.action = 4 THEN 'term ' || v.page % 200 END,
    v.channel, v.source, v.medium, v.campaign, v.referrer, v.country, v.device, v.browser, v.os
FROM bench_visits AS v
CROSS JOIN LATERAL generate_series(0, v.views - (v.action IS NULL)::integer) AS k
CROSS JOIN LATERAL (SELECT CASE WHEN v.id % 4 = 0 THEN 'purchase' ELSE 'signup' END AS event) AS e
ORDER BY 2, 1;
CREATE INDEX bench_events_idx ON bench_events (domain_id, at);
INSERT INTO bench_sessions
SELECT
    v.domain_id, v.started_at, v.id, v.visitor_id, v.started_at + (v.views - (v.action IS NULL)::integer) * v.gap, v.views,
    coalesce(v.action = 1, false)::integer, coalesce(v.action IN (2, 3), false)::integer, v.channel, v.source, v.medium, v.campaign,
    v.referrer, v.country, v.device, v.browser, v.os
FROM bench_visits AS v
ORDER BY 2, 1;
CREATE INDEX bench_sessions_idx ON bench_sessions (domain_id, started_at);
INSERT INTO bench_hits
SELECT domain_id, at, session_id, visitor_id, kind, page, event FROM bench_events ORDER BY at, domain_id;
CREATE INDEX bench_hits_idx ON bench_hits (domain_id, at);

-- Pharos: the dictionary, then what collection writes.
INSERT INTO analytics_values (domain_id, dimension, value)
SELECT DISTINCT domain_id, 0, page FROM bench_events
UNION SELECT DISTINCT domain_id, 1, source FROM bench_visits
UNION SELECT DISTINCT domain_id, 2, medium FROM bench_visits WHERE medium IS NOT NULL
UNION SELECT DISTINCT domain_id, 3, campaign FROM bench_visits WHERE campaign IS NOT NULL
UNION SELECT DISTINCT domain_id, 6, referrer FROM bench_visits WHERE referrer IS NOT NULL
UNION SELECT DISTINCT domain_id, 8, country FROM bench_visits
UNION SELECT DISTINCT domain_id, 9, country || '-' || n FROM bench_visits, generate_series(0, 9) AS n
UNION SELECT DISTINCT domain_id, 11, browser FROM bench_visits
UNION SELECT DISTINCT domain_id, 13, os FROM bench_visits
UNION SELECT DISTINCT domain_id, 16, event FROM bench_events WHERE event IS NOT NULL
UNION SELECT DISTINCT domain_id, 19, link FROM bench_events WHERE link IS NOT NULL
UNION SELECT DISTINCT domain_id, 20, term FROM bench_events WHERE term IS NOT NULL
UNION SELECT DISTINCT domain_id, 21, 'P' || n FROM bench_visits, generate_series(0, 49) AS n
UNION SELECT DISTINCT domain_id, 17, 'plan' FROM bench_visits
UNION SELECT DISTINCT domain_id, 17, 'user' FROM bench_visits
UNION SELECT DISTINCT domain_id, 18, plan FROM bench_visits, unnest(ARRAY['free', 'pro']) AS plan
UNION SELECT d.domain_id, 18, 'user ' || n FROM (SELECT DISTINCT domain_id FROM bench_visits) AS d, generate_series(0, 9999) AS n
-- Equal visits have their numbers in the same order, by which what is equally frequent is sorted.
ORDER BY 1, 2, 3;
ANALYZE analytics_values;
INSERT INTO analytics_hits (
    domain_id, at, id, session_id, visitor_id, kind, page, event, link, term, results, channel, source, medium, campaign, referrer,
    country, device, browser, os
)
SELECT
    e.domain_id, e.at, e.id, e.session_id, e.visitor_id, e.kind, page.id, event.id, link.id, term.id,
    CASE WHEN e.kind = 4 THEN 3 END, e.channel, source.id, medium.id, campaign.id, referrer.id, country.id, e.device, browser.id, os.id
FROM bench_events AS e
JOIN analytics_values AS page ON page.domain_id = e.domain_id AND page.dimension = 0 AND page.value = e.page
JOIN analytics_values AS source ON source.domain_id = e.domain_id AND source.dimension = 1 AND source.value = e.source
JOIN analytics_values AS country ON country.domain_id = e.domain_id AND country.dimension = 8 AND country.value = e.country
JOIN analytics_values AS browser ON browser.domain_id = e.domain_id AND browser.dimension = 11 AND browser.value = e.browser
JOIN analytics_values AS os ON os.domain_id = e.domain_id AND os.dimension = 13 AND os.value = e.os
LEFT JOIN analytics_values AS medium ON medium.domain_id = e.domain_id AND medium.dimension = 2 AND medium.value = e.medium
LEFT JOIN analytics_values AS campaign ON campaign.domain_id = e.domain_id AND campaign.dimension = 3 AND campaign.value = e.campaign
LEFT JOIN analytics_values AS referrer ON referrer.domain_id = e.domain_id AND referrer.dimension = 6 AND referrer.value = e.referrer
LEFT JOIN analytics_values AS event ON event.domain_id = e.domain_id AND event.dimension = 16 AND event.value = e.event
LEFT JOIN analytics_values AS link ON link.domain_id = e.domain_id AND link.dimension = 19 AND link.value = e.link
LEFT JOIN analytics_values AS term ON term.domain_id = e.domain_id AND term.dimension = 20 AND term.value = e.term
ORDER BY e.at, e.domain_id;
CREATE TEMPORARY TABLE viewed AS
SELECT
    h.session_id, (array_agg(h.page ORDER BY h.at))[1] AS entry_page, min(h.at) AS entry_at,
    (array_agg(h.page ORDER BY h.at DESC))[1] AS exit_page, max(h.at) AS exit_at
FROM analytics_hits AS h
WHERE h.kind = 0
GROUP BY h.session_id;
ANALYZE viewed;
INSERT INTO analytics_sessions (
    domain_id, started_at, id, visitor_id, ended_at, pageviews, events, clicks, entry_page, entry_at, exit_page, exit_at, channel,
    source, medium, campaign, referrer, country, region, device, browser, os
)
SELECT
    s.domain_id, s.started_at, s.id, s.visitor_id, s.ended_at, s.pageviews, s.events, s.clicks, v.entry_page, v.entry_at, v.exit_page,
    v.exit_at, s.channel, source.id, medium.id, campaign.id, referrer.id, country.id, region.id, s.device, browser.id, os.id
FROM bench_sessions AS s
JOIN viewed AS v ON v.session_id = s.id
JOIN analytics_values AS source ON source.domain_id = s.domain_id AND source.dimension = 1 AND source.value = s.source
JOIN analytics_values AS country ON country.domain_id = s.domain_id AND country.dimension = 8 AND country.value = s.country
-- A country has ten regions, which have as many sessions.
JOIN analytics_values AS region
    ON region.domain_id = s.domain_id AND region.dimension = 9 AND region.value = s.country || '-' || s.id % 10
JOIN analytics_values AS browser ON browser.domain_id = s.domain_id AND browser.dimension = 11 AND browser.value = s.browser
JOIN analytics_values AS os ON os.domain_id = s.domain_id AND os.dimension = 13 AND os.value = s.os
LEFT JOIN analytics_values AS medium ON medium.domain_id = s.domain_id AND medium.dimension = 2 AND medium.value = s.medium
LEFT JOIN analytics_values AS campaign ON campaign.domain_id = s.domain_id AND campaign.dimension = 3 AND campaign.value = s.campaign
LEFT JOIN analytics_values AS referrer ON referrer.domain_id = s.domain_id AND referrer.dimension = 6 AND referrer.value = s.referrer
ORDER BY s.started_at, s.domain_id;
INSERT INTO analytics_engagements (domain_id, at, id, session_id, load_id, page, visible_ms, scroll_pct)
SELECT h.domain_id, h.at, h.id, h.session_id, h.id, h.page, 1000 + h.id % 60 * 1000, h.id % 101
FROM analytics_hits AS h
WHERE h.kind = 0
ORDER BY h.at, h.domain_id;
-- Each event has a plan, and one of 10,000 users, by whom the site is said to know who comes back.
INSERT INTO analytics_properties (domain_id, at, hit_id, place, session_id, visitor_id, event, property, text)
SELECT h.domain_id, h.at, h.id, k.place, h.session_id, h.visitor_id, h.event, p.id, t.id
FROM analytics_hits AS h
CROSS JOIN LATERAL (
    VALUES
        (0::smallint, 'plan', CASE WHEN h.session_id % 3 = 0 THEN 'pro' ELSE 'free' END),
        (1::smallint, 'user', 'user ' || h.session_id % 10000)
) AS k (place, property, text)
JOIN analytics_values AS p ON p.domain_id = h.domain_id AND p.dimension = 17 AND p.value = k.property
JOIN analytics_values AS t ON t.domain_id = h.domain_id AND t.dimension = 18 AND t.value = k.text
WHERE h.kind = 1
ORDER BY h.at, h.domain_id;
INSERT INTO analytics_commerce (domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated)
SELECT h.domain_id, h.at, h.id, h.session_id, h.visitor_id, 3, 1000 + h.id % 9000, '', false
FROM analytics_hits AS h
JOIN analytics_values AS v ON v.id = h.event AND v.value = 'purchase'
ORDER BY h.at, h.domain_id;
INSERT INTO analytics_items (domain_id, at, hit_id, place, session_id, step, product, price_cents, quantity)
SELECT c.domain_id, c.at, c.hit_id, 0, c.session_id, c.step, p.id, c.value_cents, 1
FROM analytics_commerce AS c
JOIN analytics_values AS p
    ON p.domain_id = c.domain_id AND p.dimension = 21 AND p.value = 'P' || c.session_id / 4 % 50
ORDER BY c.at, c.domain_id;
INSERT INTO analytics_progress (domain_id, first_at, last_at, commerce_at)
SELECT domain_id, min(started_at), max(ended_at), min(started_at)
FROM analytics_sessions
GROUP BY domain_id;
DROP TABLE bench_visits, viewed

-- $4 sessions of $1 on each of $3 days from $2 on, and half as many on the day after, up to noon. $5: what numbers begin with. Few
-- pages and countries have most of the views; four in ten sessions view one page.
INSERT INTO bench_visits
SELECT
    $1, $5 + row_number() OVER (), $5 + v.day_number * 10000000 + (v.visitor * $4 * 0.8)::bigint,
    $2 + v.day_number * interval '1 day' + floor(v.start * v.share * 85000) * interval '1 second',
    (10 + floor(v.pace * 50)) * interval '1 second', 1 + floor(7 * greatest(v.depth - 0.4, 0))::integer, v.action,
    floor(2000 * power(v.page, 3))::integer,
    (ARRAY[18, 11, 12, 2, 17, 8])[v.origin], o.source, o.medium, o.campaign, o.referrer,
    (ARRAY['DE', 'US', 'FR', 'GB', 'AT', 'CH', 'NL', 'IT', 'ES', 'PL', 'BE', 'SE', 'DK', 'CZ', 'NO', 'FI', 'PT', 'IE', 'CA', 'AU'])
        [1 + floor(20 * power(v.country, 2))::integer],
    CASE WHEN v.device < 0.55 THEN 1 WHEN v.device < 0.95 THEN 0 ELSE 2 END,
    (ARRAY['Chrome', 'Safari', 'Firefox', 'Edge'])[1 + floor(4 * power(v.browser, 2))::integer],
    (ARRAY['Android', 'Windows', 'iOS', 'macOS', 'Linux'])[1 + floor(5 * power(v.os, 2))::integer]
FROM (
    SELECT
        d AS day_number, CASE WHEN d = $3 THEN 0.5 ELSE 1 END AS share, random() AS visitor, random() AS start, random() AS pace,
        random() AS depth, random() AS page, 1 + floor(6 * random())::integer AS origin, floor(50 * random())::integer AS site,
        random() AS country, random() AS device, random() AS browser, random() AS os,
        (ARRAY[1, 1, 2, 3, 4])[1 + floor(20 * random())::integer] AS action
    FROM generate_series(0, $3) AS d
    CROSS JOIN LATERAL generate_series(1, CASE WHEN d = $3 THEN $4 / 2 ELSE $4 END) AS n
) AS v
CROSS JOIN LATERAL (
    SELECT
        CASE v.origin
            WHEN 1 THEN 'direct' WHEN 3 THEN 'newsletter' WHEN 5 THEN 'site-' || v.site || '.example' WHEN 6 THEN 'facebook' ELSE 'google'
        END AS source,
        CASE v.origin WHEN 3 THEN 'email' WHEN 4 THEN 'cpc' END AS medium,
        CASE v.origin WHEN 3 THEN 'spring' WHEN 4 THEN 'autumn' END AS campaign,
        CASE v.origin
            WHEN 2 THEN 'google.com' WHEN 4 THEN 'google.com' WHEN 5 THEN 'site-' || v.site || '.example' WHEN 6 THEN 'facebook.com'
        END AS referrer
) AS o

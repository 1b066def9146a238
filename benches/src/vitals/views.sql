-- $4 views of $1 on each day from $2 to $3, spread over the day. Few pages have most of the views; times are log-normal, about.
INSERT INTO rum_views (
    domain_id, at, load_id, page, navigation, was_hidden, lcp_ms, inp_ms, cls, fcp_ms, ttfb_ms, device, errors
)
SELECT
    $1, v.at, v.number, p.pages[1 + floor(cardinality(p.pages) * power(v.page, 3))::integer], 0, false,
    1600 * exp(v.luck), CASE WHEN v.interacts < 0.6 THEN 120 * exp(1.3 * v.luck) END, 0.05 * exp(1.5 * v.luck),
    1000 * exp(v.luck), 400 * exp(v.luck), CASE WHEN v.device < 0.6 THEN 1 WHEN v.device < 0.95 THEN 0 ELSE 2 END, 0
FROM (
    SELECT
        d.day + n * interval '1 day' / $4 AS at,
        row_number() OVER () AS number,
        random() AS page, random() AS device, random() AS interacts,
        0.55 * (random() + random() + random() + random() - 2) AS luck
    FROM generate_series($2, $3 - interval '1 day', interval '1 day') AS d (day)
    CROSS JOIN generate_series(0, $4 - 1) AS s (n)
) AS v
CROSS JOIN (SELECT array_agg(t.id ORDER BY t.id) AS pages FROM rum_texts AS t WHERE t.domain_id = $1 AND t.dimension = 0) AS p

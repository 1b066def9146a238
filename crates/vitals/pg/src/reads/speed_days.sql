-- By UTC day, of each page and of all of them together: those at the domain's own host, with www. and without it. $2: their paths, $5:
-- the ports that the host may have.
SELECT (v.place - 1)::integer AS page, v.day, v.lcp_ms, v.inp_ms, v.cls
FROM (
    SELECT
        viewed.place, viewed.day,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY viewed.lcp_ms) AS lcp_ms,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY viewed.inp_ms) AS inp_ms,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY viewed.cls) AS cls
    FROM (
        SELECT named.place, (v.at AT TIME ZONE 'UTC')::date AS day, v.lcp_ms, v.inp_ms, v.cls
        FROM (
            SELECT t.id, p.place
            FROM domains AS d
            CROSS JOIN unnest($2) WITH ORDINALITY AS p (path, place)
            CROSS JOIN unnest(ARRAY['https://', 'https://www.', 'http://', 'http://www.']) AS h (beginning)
            CROSS JOIN unnest($5) AS o (port)
            JOIN rum_texts AS t
                ON t.domain_id = $1 AND t.dimension = 0
                AND t.value = h.beginning || regexp_replace(d.hostname, '^www\.', '') || o.port || p.path
            WHERE d.id = $1
        ) AS named
        JOIN rum_views AS v ON v.domain_id = $1 AND v.at >= $3 AND v.at < $4 AND v.page = named.id
    ) AS viewed
    GROUP BY GROUPING SETS ((viewed.place, viewed.day), (viewed.day))
) AS v
ORDER BY v.day

-- The 75th percentile of the largest contentful paint of pages ($2): of the newest field data of those that are followed and in the
-- report, of others of their views from $3 to $4.
SELECT wanted.url, coalesce(followed.lcp_ms, seen.lcp_ms) AS lcp_ms
FROM unnest($2) AS wanted (url)
LEFT JOIN LATERAL (
    SELECT (f.figures #>> '{metrics,lcp,p75}')::double precision AS lcp_ms
    FROM crux_targets AS t
    JOIN crux_figures AS f ON f.target_id = t.id AND f.form_factor = 'all' AND f.grain = 'day'
    WHERE t.domain_id = $1 AND t.url = wanted.url AND t.status <> 'no_data'
    ORDER BY f.period_end DESC
    LIMIT 1
) AS followed ON true
LEFT JOIN (
    SELECT t.value AS url, percentile_cont(0.75) WITHIN GROUP (ORDER BY v.lcp_ms) AS lcp_ms
    FROM rum_views AS v
    JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = v.page
    WHERE v.domain_id = $1 AND v.at >= $3 AND v.at < $4 AND v.lcp_ms IS NOT NULL
        AND v.page IN (
            SELECT known.id
            FROM rum_texts AS known
            WHERE known.domain_id = $1 AND known.dimension = 0
                AND known.value IN (SELECT substring(w.url FROM '^[^?#]*') FROM unnest($2) AS w (url))
        )
    GROUP BY t.value
) AS seen ON seen.url = substring(wanted.url FROM '^[^?#]*')
WHERE coalesce(followed.lcp_ms, seen.lcp_ms) IS NOT NULL

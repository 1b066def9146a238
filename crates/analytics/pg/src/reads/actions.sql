WITH found AS (
    SELECT a.value, a.page, a.hits, a.visitors, a.sessions, a.exits, a.results, a.last_at
    FROM analytics_actions AS a
    WHERE a.domain_id = $1 AND a.kind = $2 AND a.day >= $3 AND a.day < $4
    UNION ALL
    SELECT r.value, r.page, r.hits, r.visitors, r.sessions, r.exits, r.results, r.last_at
    FROM analytics_action_days($1, $5, $6, $7, $2) AS r
), of_value AS (
    SELECT
        f.value, sum(f.hits)::bigint AS hits, sum(f.visitors)::bigint AS visitors, sum(f.sessions)::bigint AS sessions,
        sum(f.exits)::bigint AS exits,
        (array_agg(f.results ORDER BY f.last_at DESC) FILTER (WHERE f.results IS NOT NULL))[1] AS results,
        max(f.last_at) AS last_at
    FROM found AS f
    WHERE f.page = 0
    GROUP BY 1
), named AS (
    SELECT v.value COLLATE "C" AS name, o.*
    FROM of_value AS o
    JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = o.value
    WHERE $8 IS NULL OR v.value = $8
), listed AS (
    SELECT n.*
    FROM named AS n
    WHERE $9 IS NULL OR n.hits < $9 OR (n.hits = $9 AND n.name > $10)
    ORDER BY n.hits DESC, n.name
    LIMIT $11
), on_pages AS (
    SELECT DISTINCT ON (f.value) f.value, f.page
    FROM found AS f
    WHERE f.page <> 0 AND f.value IN (SELECT l.value FROM listed AS l)
    GROUP BY f.value, f.page
    ORDER BY f.value, sum(f.hits) DESC, f.page
), extensions AS (
    SELECT lower(substring(n.name FROM '\.([^./]*)$')) AS extension, sum(n.hits)::bigint AS hits
    FROM named AS n
    WHERE $2 = 3
    GROUP BY 1
)
SELECT
    counted.total, counted.hits AS all_hits,
    ARRAY(SELECT coalesce(e.extension, '') FROM extensions AS e ORDER BY e.hits DESC, e.extension) AS extensions,
    ARRAY(SELECT e.hits FROM extensions AS e ORDER BY e.hits DESC, e.extension) AS extension_hits,
    l.value, l.name, coalesce(l.hits, 0) AS hits, coalesce(l.visitors, 0) AS visitors, coalesce(l.sessions, 0) AS sessions,
    coalesce(l.exits, 0) AS exits, l.results, l.last_at, p.value AS top_page,
    EXISTS (SELECT FROM analytics_values AS e WHERE e.domain_id = $1 AND e.dimension = 16) AS ever_recorded
FROM (SELECT count(*) AS total, coalesce(sum(n.hits), 0)::bigint AS hits FROM named AS n) AS counted
LEFT JOIN listed AS l ON true
LEFT JOIN on_pages AS o ON o.value = l.value
LEFT JOIN analytics_values AS p ON p.domain_id = $1 AND p.id = o.page
ORDER BY l.hits DESC, l.name

WITH RECURSIVE matched AS MATERIALIZED (
    SELECT h.session_id, h.visitor_id, h.at, h.kind, h.id, asked.place::integer AS place
    FROM analytics_hits AS h
    JOIN unnest($5::smallint[], $6::integer[]) WITH ORDINALITY AS asked (kind, value, place)
        ON asked.kind = h.kind AND asked.value = CASE h.kind WHEN 0 THEN h.page ELSE h.event END
    WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind IN (0, 1)
        AND (
            coalesce(num_nonnulls(VARIADIC $4), 0) = 0
            OR h.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
        )
), met AS (
    SELECT begun.*, NULL::interval AS since_previous
    FROM (
        SELECT DISTINCT ON (m.session_id) m.*
        FROM matched AS m
        WHERE m.place = 1
        ORDER BY m.session_id, m.at, m.kind, m.id
    ) AS begun
    UNION ALL
    -- A view comes before the events of its page that have the same moment.
    SELECT next.*
    FROM (
        SELECT DISTINCT ON (m.session_id) m.*, m.at - p.at
        FROM met AS p
        JOIN matched AS m
            ON m.session_id = p.session_id AND m.place = p.place + 1 AND (m.at, m.kind, m.id) > (p.at, p.kind, p.id)
        ORDER BY m.session_id, m.at, m.kind, m.id
    ) AS next
)
SELECT
    m.place, count(*) AS sessions, count(DISTINCT m.visitor_id) AS visitors,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY (extract(epoch FROM m.since_previous) * 1000)::double precision) AS median_ms
FROM met AS m
GROUP BY 1
ORDER BY 1

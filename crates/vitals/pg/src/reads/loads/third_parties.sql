WITH parties AS (
    SELECT * FROM unnest($15::integer[], $16::text[], $17::text[], $18::text[]) AS p (host, name, party, category)
), viewed AS MATERIALIZED (
    SELECT v.at, v.load_id, v.page, v.errors, v.long_frames
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), told AS (
    SELECT p.party, p.category, p.name, v.at, v.load_id, v.page, r.duration_ms, r.transfer_bytes, r.is_render_blocking
    FROM viewed AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT r.*
        FROM rum_resources AS r
        WHERE r.domain_id = $1 AND r.at = v.at AND r.load_id = v.load_id AND r.at >= $2 AND r.at < $3
        OFFSET 0
    ) AS r
    -- A full join is never a loop within a loop, however few parties are expected; neither are those below.
    FULL JOIN parties AS p ON p.host = r.host
    WHERE coalesce(r.is_third_party, false) AND num_nulls(p.host) = 0
), figures AS (
    SELECT
        party, category, count(*) AS requests, count(DISTINCT page) AS pages_count,
        count(DISTINCT (at, load_id)) AS views,
        sum(transfer_bytes) AS transfer_bytes,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY duration_ms)) AS p75_duration_ms,
        count(*) FILTER (WHERE is_render_blocking) AS render_blocking_requests,
        min(at) AS first_seen_at
    FROM told
    GROUP BY party, category
    ORDER BY requests DESC, party
    LIMIT $14
), hosts AS (
    SELECT h.party, jsonb_agg(h.name ORDER BY h.place) AS hosts
    FROM (
        SELECT party, name, row_number() OVER (PARTITION BY party ORDER BY count(*) DESC, name) AS place
        FROM told
        GROUP BY party, name
    ) AS h
    WHERE h.place <= 20
    GROUP BY h.party
), ran AS (
    SELECT p.party, f.at, f.load_id, f.place, f.duration_ms AS frame_ms, sum(s.duration_ms) AS script_ms
    FROM viewed AS v
    CROSS JOIN LATERAL (
        SELECT s.*
        FROM rum_scripts AS s
        WHERE s.domain_id = $1 AND s.at = v.at AND s.load_id = v.load_id AND s.at >= $2 AND s.at < $3 AND s.is_third_party
            AND v.long_frames > 0
        OFFSET 0
    ) AS s
    CROSS JOIN LATERAL (
        SELECT f.*
        FROM rum_frames AS f
        WHERE f.domain_id = $1 AND f.at = s.at AND f.load_id = s.load_id AND f.place = s.frame AND f.at >= $2 AND f.at < $3
        OFFSET 0
    ) AS f
    CROSS JOIN LATERAL (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.url OFFSET 0) AS t
    FULL JOIN parties AS p ON p.name = split_part(split_part(t.value, '/', 3), ':', 1)
    WHERE num_nulls(p.party, f.at) = 0
    GROUP BY p.party, f.at, f.load_id, f.place, f.duration_ms
), frames AS (
    SELECT party, sum(frame_ms) AS long_task_ms, sum(script_ms) AS script_duration_ms FROM ran GROUP BY party
), failed AS (
    SELECT p.party, count(*) AS errors
    FROM viewed AS v
    CROSS JOIN LATERAL (
        SELECT e.*
        FROM rum_errors AS e
        WHERE e.domain_id = $1 AND e.at = v.at AND e.load_id = v.load_id AND e.at >= $2 AND e.at < $3 AND v.errors > 0
        OFFSET 0
    ) AS e
    CROSS JOIN LATERAL (
        SELECT g.filename
        FROM rum_error_groups AS g
        WHERE g.kind = e.kind AND g.domain_id = $1 AND g.is_third_party
        OFFSET 0
    ) AS g
    FULL JOIN parties AS p ON p.name = split_part(split_part(g.filename, '/', 3), ':', 1)
    WHERE num_nulls(p.party, e.at) = 0
    GROUP BY p.party
), summed AS MATERIALIZED (
    SELECT count(*) AS views, count(long_frames) AS telling FROM viewed
)
SELECT to_jsonb(f) || jsonb_build_object(
    'provider', f.party,
    'hosts', h.hosts,
    'share_of_views_pct', rum_share_pct(f.views, s.views),
    -- Nothing ran where browsers would have told; where none tells, nothing is known.
    'long_task_ms', CASE WHEN s.telling > 0 THEN rum_figure(coalesce(r.long_task_ms, 0)) END,
    'script_duration_ms', CASE WHEN s.telling > 0 THEN rum_figure(coalesce(r.script_duration_ms, 0)) END,
    'error_count', coalesce(e.errors, 0)
) AS report
FROM figures AS f
FULL JOIN hosts AS h ON h.party = f.party
FULL JOIN frames AS r ON r.party = f.party
FULL JOIN failed AS e ON e.party = f.party
CROSS JOIN summed AS s
WHERE num_nulls(f.party) = 0
ORDER BY f.requests DESC, f.party

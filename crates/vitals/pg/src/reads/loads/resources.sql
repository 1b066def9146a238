WITH told AS (
    SELECT
        CASE $15::smallint WHEN 0 THEN r.kind::integer WHEN 1 THEN r.host ELSE r.url END AS key,
        v.page, r.kind, r.duration_ms, r.transfer_bytes, r.decoded_bytes, r.protocol, r.is_cached, r.is_render_blocking,
        r.is_third_party, r.dns_ms, r.connect_ms, r.tls_ms, r.ttfb_ms, r.download_ms
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT r.*
        FROM rum_resources AS r
        WHERE r.domain_id = $1 AND r.at = v.at AND r.load_id = v.load_id AND r.at >= $2 AND r.at < $3
        OFFSET 0
    ) AS r
), pieces AS (
    SELECT
        key, protocol, grouping(protocol) AS is_whole, count(*) AS requests,
        count(DISTINCT page) AS pages_count,
        mode() WITHIN GROUP (ORDER BY kind) AS kind,
        rum_figure(avg(duration_ms)) AS avg_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY duration_ms)) AS p75_duration_ms,
        rum_figure(avg(transfer_bytes)::double precision) AS avg_transfer_bytes,
        rum_figure(avg(decoded_bytes)::double precision) AS avg_decoded_bytes,
        sum(transfer_bytes) AS total_transfer_bytes,
        rum_share_pct(count(*) FILTER (WHERE is_cached), count(is_cached)) AS cache_hit_pct,
        rum_share_pct(count(*) FILTER (WHERE is_render_blocking), count(is_render_blocking)) AS render_blocking_pct,
        bool_and(is_third_party) AS is_third_party,
        rum_share_pct(count(*) FILTER (WHERE ttfb_ms IS NULL), count(*)) AS timing_restricted_pct,
        avg(dns_ms) AS dns_ms, avg(connect_ms) AS connect_ms, avg(tls_ms) AS tls_ms, avg(ttfb_ms) AS ttfb_ms,
        avg(download_ms) AS download_ms
    FROM told
    GROUP BY GROUPING SETS ((key), (key, protocol))
), listed AS (
    SELECT * FROM pieces WHERE is_whole = 1 ORDER BY requests DESC, key LIMIT $14
), protocols AS (
    SELECT p.key, jsonb_agg(jsonb_build_object(
        'protocol', t.value, 'requests', p.requests, 'share_pct', rum_share_pct(p.requests, p.of_key)
    ) ORDER BY p.requests DESC, t.value) AS split
    FROM (
        SELECT l.key, s.protocol, s.requests, l.requests AS of_key
        FROM listed AS l
        -- A full join is never a loop within a loop, however few keys are expected; neither is the one below.
        FULL JOIN (SELECT key, protocol, requests FROM pieces WHERE is_whole = 0) AS s ON s.key = l.key
        WHERE num_nulls(l.key, s.key) = 0
    ) AS p
    LEFT JOIN LATERAL (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = p.protocol OFFSET 0) AS t ON true
    GROUP BY p.key
)
SELECT to_jsonb(l) || jsonb_build_object(
    'key', CASE $15::smallint
        WHEN 0 THEN ($16::text[])[l.key + 1]
        ELSE (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = l.key)
    END,
    'resource_type', ($16::text[])[l.kind + 1],
    'low_sample', l.requests < $13,
    'protocol_split', p.split,
    'phases', jsonb_build_object(
        'dns_ms', rum_figure(l.dns_ms), 'connect_ms', rum_figure(l.connect_ms), 'tls_ms', rum_figure(l.tls_ms),
        'ttfb_ms', rum_figure(l.ttfb_ms), 'download_ms', rum_figure(l.download_ms)
    )
) AS report
FROM listed AS l
-- The kind is asked in a way that keeps the join as it is.
FULL JOIN protocols AS p USING (key)
WHERE coalesce(l.kind < cardinality($16::text[]), false)
ORDER BY l.requests DESC, l.key

SELECT c.id, c.domain_id, c.region, c.checked_at, c.outcome, c.run_id, c.status_code, c.http_version,
    c.response_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.ttfb_ms, c.download_ms, c.redirect_count, c.final_url,
    c.response_bytes, c.ip_address, c.error_class, c.error_message, c.keyword_matched, c.retry_index
FROM (SELECT key FROM regions WHERE $2 IS NULL OR key = $2) AS r
CROSS JOIN unnest($3) AS o (outcome)
-- A page of each pair of region and outcome. Its index alone can serve this, whatever the planner takes for rare.
CROSS JOIN LATERAL (
    SELECT f.*
    FROM uptime_checks AS f
    WHERE hashtextextended(f.region || ' ' || f.outcome, uuid_hash_extended(f.domain_id, 0))
            = hashtextextended(r.key || ' ' || o.outcome, uuid_hash_extended($1, 0))
        -- The first bounds what the index reads, the second leaves out the rest of the cursor's microsecond.
        AND f.checked_at <= $4 AND (f.checked_at < $4 OR f.id < $5)
    ORDER BY f.checked_at DESC, f.id DESC
    LIMIT $6
) AS c
-- Without what only shares the hash.
WHERE c.domain_id = $1 AND c.region = r.key AND c.outcome = o.outcome
ORDER BY c.checked_at DESC, c.id DESC
LIMIT $6

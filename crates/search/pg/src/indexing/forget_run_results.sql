DELETE FROM indexing_run_urls
WHERE ctid = ANY (ARRAY(
    SELECT u.ctid
    FROM indexing_runs AS i
    JOIN runs AS r ON r.id = i.run_id
    JOIN indexing_run_urls AS u ON u.run_id = i.run_id
    WHERE i.has_results
        AND (r.status IN ('canceled', 'expired') OR r.expires_at <= least($1, now()))
    LIMIT 10000
))

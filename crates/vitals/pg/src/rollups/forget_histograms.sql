-- The primary key has them domain by domain, and of a domain metric by metric. The limit within keeps the planner from comparing
-- all days with all domains instead.
DELETE FROM rum_hist
WHERE ctid = ANY (ARRAY(
    SELECT old.ctid
    FROM rum_progress AS p
    CROSS JOIN unnest($3::smallint[]) AS metrics (metric)
    CROSS JOIN LATERAL (
        SELECT h.ctid
        FROM rum_hist AS h
        WHERE h.domain_id = p.domain_id AND h.metric = metrics.metric
            AND h.day < (day_before($1, $2) AT TIME ZONE 'UTC')::date
        LIMIT 50000
    ) AS old
    LIMIT 50000
))
